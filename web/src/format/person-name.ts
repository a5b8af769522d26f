/** A person's name in its writings: the alphabetic one, then those in ideographs and in their reading (PS3.5 §6.2, VR PN). */
export interface DisplayName {
  /** "FAMILY, Given Middle"; empty when the name is. */
  main: string
  /** The other writings, e.g. "山田 太郎" and "やまだ たろう". */
  others: readonly string[]
}

/** A DICOM name as people read it. Where there is no alphabetic writing, the next one stands in its place. */
export function displayName(name: string | null | undefined): DisplayName {
  const [alphabetic = '', ...others] = (name ?? '').split('=')
  const written = [writeGroup(alphabetic, ', '), ...others.slice(0, 2).map((group) => writeGroup(group, ' '))].filter(
    (group) => group !== '',
  )
  return { main: written[0] ?? '', others: written.slice(1) }
}

/** All writings on one line, for names of controls and titles. */
export function nameText(name: string | null | undefined): string {
  const { main, others } = displayName(name)
  return others.length > 0 ? `${main} (${others.join(', ')})` : main
}

function writeGroup(group: string, afterFamily: string): string {
  const [family = '', given = '', middle = '', prefix = '', suffix = ''] = group.split('^').map((part) => part.trim())
  const rest = [prefix, given, middle, suffix].filter((part) => part !== '').join(' ')
  return [family, rest].filter((part) => part !== '').join(afterFamily)
}
