import type { DataSet } from '../data-set.ts'
import { Tag } from '../tags.ts'
import { findText } from '../values.ts'
import { foldWord } from './deidentify-header.ts'

/** Attributes whose values name people, or a patient by a number. */
const naming = [
  Tag.PatientName,
  Tag.PatientID,
  Tag.OtherPatientIDs,
  0x00100030, // Patient's Birth Date
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
  0x00200010, // Study ID
  0x00321032, // Requesting Physician
]

/** Words that name somebody, of the attributes of a file that do. */
export function namingWordsOf(dataSet: DataSet): string[] {
  return namingWords(naming.map((tag) => findText(dataSet, tag) ?? ''))
}

/** Scripts whose names are often of two letters. */
const ideographs = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]{2,}$/u

/**
 * The words of some names and numbers, folded, and each name and number whole, whose parts may be short: 12-34-56. Those of
 * one or two letters, or few digits, stand in anything.
 */
export function namingWords(texts: readonly string[]): string[] {
  const wholes = texts.flatMap((text) => text.split(/[=\\]/))
  const words = [...wholes, ...wholes.flatMap((text) => text.split(/[\s^,;./-]+/))].map(foldWord)
  return [...new Set(words)].filter(
    (word) => ideographs.test(word) || (/^\d+$/.test(word) ? word.length >= 5 : word.length >= 3),
  )
}
