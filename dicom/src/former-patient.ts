import { type Cut, cutOut, everyElement } from './cuts.ts'
import { cutsInItems, withLength, withoutGroupLengths } from './cuts-inside.ts'
import type { DataSet } from './data-set.ts'
import { findVr } from './dictionary.ts'
import type { DicomElement } from './elements.ts'
import { Tag } from './tags.ts'
import { holdsItems } from './values.ts'

/** Attributes that may tell of the patient whose images these were before a correction. */
export type FormerPatient = {
  /** Left out at the top level. */
  top: ReadonlySet<number>
  /** Left out inside sequences, at every level. */
  inside: ReadonlySet<number>
}

/**
 * Attributes of an image that may tell of its former patient: the Original Attributes Sequence, whoever added it; copies
 * of corrected attributes inside sequences; and, where the patient was corrected, all further names, numbers and
 * addresses of a patient.
 * @param applied tags of the corrections that hold in the image
 * @param unheld tags of corrections that do not hold, of which the image has another value than the one written
 * @returns undefined where the image tells of nobody else
 */
export function formerPatientOf(
  dataSet: DataSet,
  applied: readonly number[],
  unheld: readonly number[],
): FormerPatient | undefined {
  // a name or number that is neither the one written nor the one that was replaced may be another of the former patient
  const foreign = unheld.filter((tag) => identifying.has(tag))
  const hasOriginals = dataSet.elements.has(Tag.OriginalAttributesSequence)
  if (applied.length === 0 && foreign.length === 0 && !hasOriginals) return undefined
  const isOfPatient = hasOriginals || foreign.length > 0 || applied.some((tag) => identifying.has(tag))
  const further = isOfPatient ? furtherOfPatient : []
  const top = new Set([Tag.OriginalAttributesSequence, ...further, ...foreign])
  for (const tag of applied) top.delete(tag)
  return { top, inside: new Set([...top, ...applied, ...(isOfPatient ? identifying : [])]) }
}

/** Whether a top-level attribute, taken by itself, may tell of a former patient: of a sequence nobody knows without reading it. */
export function mayTellOfFormer(tag: number): boolean {
  return furtherOfPatient.includes(tag) || findVr(tag) === 'SQ'
}

/**
 * Cuts that take attributes away inside the sequences of a data set.
 * @param except elements of the top level that are left alone
 * @throws DicomReadError when a sequence cannot be read to its end
 */
export function cutsInsideOf(dataSet: DataSet, leftOut: ReadonlySet<number>, except: ReadonlySet<number>): Cut[] {
  return everyElement(dataSet).flatMap((element) =>
    except.has(element.tag) || !holdsItems(dataSet, element) ? [] : cutsInSequence(dataSet, element, leftOut),
  )
}

function cutsInSequence(dataSet: DataSet, element: DicomElement, leftOut: ReadonlySet<number>): Cut[] {
  const inside = cutsInItems(dataSet, element, (item) => {
    const cuts = everyElement(item).flatMap((one) => {
      if (leftOut.has(one.tag)) return [cutOut(one)]
      return holdsItems(item, one) ? cutsInSequence(item, one, leftOut) : []
    })
    return cuts.length === 0 ? [] : [...cuts, ...withoutGroupLengths(item)]
  })
  return withLength(dataSet, element, inside)
}

const identifying: ReadonlySet<number> = new Set([
  Tag.PatientName,
  Tag.PatientID,
  Tag.IssuerOfPatientID,
  Tag.IssuerOfPatientIDQualifiersSequence,
  Tag.PatientBirthDate,
])

/** Names, numbers and addresses that no correction writes. Age, size and weight stay, which images are read by. */
const furtherOfPatient: readonly number[] = [
  0x00100026, // Source Patient Group Identification Sequence
  0x00100027, // Group of Patients Identification Sequence
  0x00100032, // Patient's Birth Time
  0x00100033, // Patient's Birth Date in Alternative Calendar
  0x00100034, // Patient's Death Date in Alternative Calendar
  0x00100050, // Patient's Insurance Plan Code Sequence
  Tag.OtherPatientIDs,
  0x00101001, // Other Patient Names
  0x00101002, // Other Patient IDs Sequence
  0x00101005, // Patient's Birth Name
  0x00101040, // Patient's Address
  0x00101050, // Insurance Plan Identification
  0x00101060, // Patient's Mother's Birth Name
  0x00101080, // Military Rank
  0x00101081, // Branch of Service
  0x00101090, // Medical Record Locator
  0x00101100, // Referenced Patient Photo Sequence
  0x00102150, // Country of Residence
  0x00102152, // Region of Residence
  0x00102154, // Patient's Telephone Numbers
  0x00102155, // Patient's Telecom Information
  0x00102180, // Occupation
  0x001021f0, // Patient's Religious Preference
  0x00102297, // Responsible Person
  0x00102299, // Responsible Organization
  Tag.PatientComments,
  0x00380004, // Referenced Patient Alias Sequence
  0x00380010, // Admission ID
  0x00380060, // Service Episode ID
  0x00380300, // Current Patient Location
  0x00380400, // Patient's Institution Residence
]
