import type { DataSet } from '../data-set.ts'
import { Tag } from '../tags.ts'
import { findText } from '../values.ts'
import { foldWord } from './deidentify-header.ts'

/** Attributes whose values name people, or a patient by a number. */
const naming = [
  Tag.PatientName,
  Tag.PatientID,
  Tag.OtherPatientIDs,
  0x00101001, // Other Patient Names
  0x00101005, // Patient's Birth Name
  0x00101060, // Patient's Mother's Birth Name
  Tag.AccessionNumber,
  Tag.ReferringPhysicianName,
  Tag.InstitutionName,
  Tag.StationName,
  0x00081048, // Physician(s) of Record
  0x00081050, // Performing Physician's Name
  0x00081060, // Name of Physician(s) Reading Study
  0x00081070, // Operators' Name
]

/** Words that name somebody, of the attributes of a file that do. */
export function namingWordsOf(dataSet: DataSet): string[] {
  return namingWords(naming.map((tag) => findText(dataSet, tag) ?? ''))
}

/** The words of some names and numbers, folded; those of one or two letters, or few digits, stand in anything. */
export function namingWords(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => text.split(/[\s^=\\,;./-]+/)).map(foldWord)
  return [...new Set(words)].filter((word) => (/^\d+$/.test(word) ? word.length >= 5 : word.length >= 3))
}
