import { type Cut, cutOut, everyElement } from './cuts.ts'
import { cutsInItems, withLength, withoutGroupLengths } from './cuts-inside.ts'
import { type DataSet, walkDataSet } from './data-set.ts'
import { findVr } from './dictionary.ts'
import { type DicomElement, sourceOf } from './elements.ts'
import { Tag } from './tags.ts'
import { eachItem, holdsItems } from './values.ts'

/** Attributes that may tell of the patient whose images these were before a correction. */
export type FormerPatient = {
  /** Left out at the top level. */
  top: ReadonlySet<number>
  /** Left out inside sequences, at every level. */
  inside: ReadonlySet<number>
}

/**
 * Attributes of an image that may tell of its former patient: the Original Attributes Sequence, whoever added it; copies
 * of corrected attributes inside sequences; and, where the patient was corrected, all that is further said of a patient
 * and of visits.
 * @param applied tags of the corrections that hold in the image
 * @param unheld tags of corrections that do not hold, of which the image has another value than the one written
 * @param behind the bytes behind the pixel data
 * @returns undefined where the image tells of nobody else
 * @throws DicomReadError when a sequence that may hold original attributes cannot be read to its end
 */
export function formerPatientOf(
  dataSet: DataSet,
  applied: readonly number[],
  unheld: readonly number[],
  behind: Uint8Array = new Uint8Array(),
): FormerPatient | undefined {
  // a name or number that is neither the one written nor the one that was replaced may be another of the former patient
  const foreign = unheld.filter((tag) => identifying.has(tag))
  const hasOriginals = holdsOriginals(dataSet) || holdsOriginals(walkBehind(behind, dataSet), behind.length)
  if (applied.length === 0 && foreign.length === 0 && !hasOriginals) return undefined
  const isOfPatient = hasOriginals || foreign.length > 0 || applied.some((tag) => identifying.has(tag))
  const further = isOfPatient ? furtherOfPatient : []
  const top = new Set([...originals, ...further, ...foreign])
  for (const tag of applied) top.delete(tag)
  return { top, inside: new Set([...top, ...applied, ...(isOfPatient ? identifying : [])]) }
}

/** Whether a top-level attribute, taken by itself, may tell of a former patient: of a sequence nobody knows without reading it. */
export function mayTellOfFormer(tag: number): boolean {
  return furtherOfPatient.includes(tag) || findVr(tag) === 'SQ'
}

/** The elements behind the pixel data, in whatever order; what cannot be read ends them. */
export function walkBehind(bytes: Uint8Array, { encoding, charset }: Pick<DataSet, 'encoding' | 'charset'>): DataSet {
  const options = { start: 0, limit: bytes.length, inheritedCharset: charset, isLenient: true }
  return walkDataSet(sourceOf(bytes, encoding), encoding, options)
}

/**
 * Whether original attributes stand among these elements or, on any level, inside them.
 * @param end where the bytes end; of those that no element takes up any that look like the sequence count
 */
function holdsOriginals(dataSet: DataSet, end = dataSet.end): boolean {
  // most images have these four bytes nowhere, and are not opened any further
  if (!mentionsOriginals(dataSet, dataSet.start, end)) return false
  return mentionsOriginals(dataSet, dataSet.end, end) || holdsOriginalsInside(dataSet)
}

function holdsOriginalsInside(dataSet: DataSet): boolean {
  return everyElement(dataSet).some((element) => {
    if (originals.includes(element.tag)) return true
    if (!holdsItems(dataSet, element)) return false
    for (const item of eachItem(dataSet, element, { isStrict: true })) if (holdsOriginalsInside(item)) return true
    return false
  })
}

/** Whether the tag of original attributes is among these bytes, as a tag or by chance. */
function mentionsOriginals({ source, encoding }: DataSet, start: number, end: number): boolean {
  const { bytes } = source
  return originals.some((tag) => {
    const written = new Uint8Array(4)
    const view = new DataView(written.buffer)
    view.setUint16(0, tag >>> 16, encoding.isLittleEndian)
    view.setUint16(2, tag & 0xffff, encoding.isLittleEndian)
    // the last but one byte is the rarest of the four in either order
    for (let at = bytes.indexOf(written[RAREST] ?? 0, start + RAREST); at >= 0 && at < end; ) {
      if (written.every((byte, index) => bytes[at - RAREST + index] === byte)) return true
      at = bytes.indexOf(written[RAREST] ?? 0, at + 1)
    }
    return false
  })
}

const RAREST = 2

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

/** Values as they were before a correction: the sequence, and those that it holds where they stand without it. */
const originals: readonly number[] = [
  Tag.OriginalAttributesSequence,
  Tag.ModifiedAttributesSequence,
  0x04000551, // Nonconforming Modified Attributes Sequence
]

/**
 * Names, numbers, addresses and circumstances of a patient, subject or visit that no correction writes. Age, size, weight
 * and the like stay, which images are read by. Source: PS3.3 C.2, C.3 and C.7.1 to C.7.2, PS3.15 Table E.1-1.
 */
const furtherOfPatient: readonly number[] = [
  0x00100011, // Person Names to Use Sequence
  0x00100012, // Name to Use
  0x00100013, // Name to Use Comment
  0x00100014, // Third Person Pronouns Sequence
  0x00100015, // Pronoun Code Sequence
  0x00100016, // Pronoun Comment
  0x00100026, // Source Patient Group Identification Sequence
  0x00100027, // Group of Patients Identification Sequence
  0x00100032, // Patient's Birth Time
  0x00100033, // Patient's Birth Date in Alternative Calendar
  0x00100034, // Patient's Death Date in Alternative Calendar
  0x00100041, // Gender Identity Sequence
  0x00100042, // Sex Parameters for Clinical Use Category Comment
  0x00100043, // Sex Parameters for Clinical Use Category Sequence
  0x00100044, // Gender Identity Code Sequence
  0x00100045, // Gender Identity Comment
  0x00100050, // Patient's Insurance Plan Code Sequence
  0x00100101, // Patient's Primary Language Code Sequence
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
  0x00102000, // Medical Alerts
  0x00102110, // Allergies
  0x00102150, // Country of Residence
  0x00102152, // Region of Residence
  0x00102154, // Patient's Telephone Numbers
  0x00102155, // Patient's Telecom Information
  0x00102160, // Ethnic Group
  0x00102161, // Ethnic Group Code Sequence
  0x00102162, // Ethnic Groups
  0x00102180, // Occupation
  0x001021a0, // Smoking Status
  0x001021b0, // Additional Patient History
  0x001021d0, // Last Menstrual Date
  0x001021f0, // Patient's Religious Preference
  0x00102294, // Breed Registration Sequence
  0x00102295, // Breed Registration Number
  0x00102297, // Responsible Person
  0x00102299, // Responsible Organization
  Tag.PatientComments,
  0x00120040, // Clinical Trial Subject ID
  0x00120041, // Issuer of Clinical Trial Subject ID
  0x00120042, // Clinical Trial Subject Reading ID
  0x00120043, // Issuer of Clinical Trial Subject Reading ID
  0x00120083, // Consent for Clinical Trial Use Sequence
  0x00380004, // Referenced Patient Alias Sequence
  0x00380008, // Visit Status ID
  0x00380010, // Admission ID
  0x00380011, // Issuer of Admission ID
  0x00380014, // Issuer of Admission ID Sequence
  0x00380016, // Route of Admissions
  0x0038001a, // Scheduled Admission Date
  0x0038001b, // Scheduled Admission Time
  0x0038001c, // Scheduled Discharge Date
  0x0038001d, // Scheduled Discharge Time
  0x0038001e, // Scheduled Patient Institution Residence
  0x00380020, // Admitting Date
  0x00380021, // Admitting Time
  0x00380030, // Discharge Date
  0x00380032, // Discharge Time
  0x00380040, // Discharge Diagnosis Description
  0x00380044, // Discharge Diagnosis Code Sequence
  0x00380050, // Special Needs
  0x00380060, // Service Episode ID
  0x00380061, // Issuer of Service Episode ID
  0x00380062, // Service Episode Description
  0x00380064, // Issuer of Service Episode ID Sequence
  0x00380100, // Pertinent Documents Sequence
  0x00380101, // Pertinent Resources Sequence
  0x00380102, // Resource Description
  0x00380300, // Current Patient Location
  0x00380400, // Patient's Institution Residence
  0x00380500, // Patient State
  0x00380502, // Patient Clinical Trial Participation Sequence
  0x00384000, // Visit Comments
]
