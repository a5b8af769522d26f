const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * @param person FAMILY^GIVEN^MIDDLE^PREFIX^SUFFIX
 * @returns "FAMILY, Given Middle", empty when nothing is given
 */
export function presentPerson(person: string): string {
  const [family = '', given = '', middle = ''] = person.split('^').map((part) => part.trim())
  const first = [given, middle].filter((part) => part !== '').join(' ')
  return [family.toLocaleUpperCase(), first].filter((part) => part !== '').join(', ')
}

/**
 * A date that cannot be read in two ways: "5 Mar 1961".
 * @param date YYYYMMDD; anything else is shown as it is
 */
export function presentDate(date: string): string {
  const parts = /^(\d{4})\.?(\d{2})\.?(\d{2})$/.exec(date)
  const month = MONTHS[Number(parts?.[2]) - 1]
  return parts === null || month === undefined ? date : `${Number(parts[3])} ${month} ${parts[1]}`
}

export function presentSex(sex: string): string {
  return { M: 'Male', F: 'Female', O: 'Other' }[sex] ?? ''
}
