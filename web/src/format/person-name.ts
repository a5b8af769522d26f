import { formatPersonName } from '@hilum/dicom/person-name'

/** A person's name in its writings: the first for reading, then those in ideographs and in their reading (PS3.5 §6.2, VR PN). */
interface DisplayName {
  /** "FAMILY, Given Middle"; empty when the name is. */
  main: string
  /** The other writings, e.g. "山田 太郎" and "やまだ たろう". */
  others: readonly string[]
}

/** A DICOM name as people read it. Where there is no alphabetic writing, the next one stands in its place. */
export function displayName(name: string | null | undefined): DisplayName {
  const [main = '', ...others] = nameText(name).split(' · ')
  return { main, others }
}

/** All writings on one line, for names of controls and titles. */
export function nameText(name: string | null | undefined): string {
  return name ? formatPersonName(name) : ''
}
