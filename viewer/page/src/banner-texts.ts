import { formatDate, type ShownFormat, writtenFormat } from '@hilum/contract/date-format'

/**
 * @param person FAMILY^GIVEN^MIDDLE^PREFIX^SUFFIX
 * @returns "FAMILY, Given Middle", empty when nothing is given
 */
export function presentPerson(person: string): string {
  const [family = '', given = '', middle = ''] = person.split('^').map((part) => part.trim())
  const first = [given, middle].filter((part) => part !== '').join(' ')
  return [family.toLocaleUpperCase(), first].filter((part) => part !== '').join(', ')
}

let shownFormat: ShownFormat = writtenFormat

/** Shows dates as the person chose; without a choice the month stands in letters, which cannot be read in two ways. */
export function showDatesAs(format: ShownFormat): void {
  shownFormat = format
}

/** @param date YYYYMMDD; anything else is shown as it is */
export function presentDate(date: string): string {
  return formatDate(date, shownFormat)
}

export function presentSex(sex: string): string {
  return { M: 'Male', F: 'Female', O: 'Other' }[sex] ?? ''
}
