import { formatDicomDate, parseDate } from './dates.ts'
import { MediaStorageDirectory, sopClassOf } from './sop-classes.ts'
import { Tag } from './tags.ts'
import { ExplicitLittleEndian, transferSyntaxOf } from './transfer-syntaxes.ts'
import { newUid } from './uid.ts'
import { concatBytes, ElementWriter, encodeElements, encodeRaw, type WriteElement, writeMeta } from './write-part10.ts'

/** One file of a media directory, with what its records show. Texts may be empty. */
export type DirectoryFile = {
  /** Where the file lies, each component at most 8 characters of A–Z, 0–9 and underscore: ["DICOM", "ST000001", "IM000001"]. */
  fileId: readonly string[]
  sopClassUid: string
  sopInstanceUid: string
  transferSyntax: string
  studyUid: string
  seriesUid: string
  patientName: string
  patientId: string
  patientBirthDate: string
  patientSex: string
  studyDate: string
  studyTime: string
  studyDescription: string
  studyId: string
  accessionNumber: string
  modality: string
  seriesNumber: number | undefined
  seriesDescription: string
  instanceNumber: number | undefined
}

type DirectoryRecord = {
  type: string
  elements: WriteElement[]
  children: DirectoryRecord[]
  /** Offset of its item in the file, known once it is written. */
  offset: number
}

const encoding = transferSyntaxOf(ExplicitLittleEndian)
const RECORD_IN_USE = 0xffff
const utf8 = new TextEncoder()
const SEQUENCE_HEADER_BYTES = 12
const ITEM_HEADER_BYTES = 8
const ELEMENT_HEADER_BYTES = 8
const NUMBER_BYTES: Record<string, number> = { UL: 4, US: 2 }
/** Where the offsets of the next and of the first lower record stand in an item, of which they are the first and third element. */
const NEXT_AT = 16
const LOWER_AT = 38

/** A file ID for the nth file of a nth series and study: names that every reader of discs can open (PS3.10 §8.5). */
export function fileIdOf(study: number, series: number, image: number): string[] {
  return ['DICOM', numbered('ST', study), numbered('SE', series), numbered('IM', image)]
}

/**
 * A DICOMDIR over these files: patients, studies, series and files in the order of first mention.
 * Files of one study under several patients stay apart, as they are.
 * @param fileSetId up to 16 characters of A–Z, 0–9, blank and underscore
 * @param fileSetUid given when the same files must always make the same bytes
 * @throws RangeError when a file ID is not one
 */
export function writeDicomdir(files: Iterable<DirectoryFile>, fileSetId: string, fileSetUid = newUid()): Uint8Array {
  const patients = arrangeRecords(files)
  const all = flatten(patients)
  const meta = writeMeta(MediaStorageDirectory, fileSetUid, ExplicitLittleEndian)
  const start = meta.length + encodeHead(fileSetId, patients).length + SEQUENCE_HEADER_BYTES
  const writer = new ElementWriter(encoding)
  for (const record of all) {
    record.offset = start + writer.length
    writer.item(elementsOf(record))
  }
  // the offsets of other records are known now, and stand at the same place in each
  const next = nextSiblings(patients)
  for (const record of all) {
    const at = record.offset - start
    writer.setUint32(at + NEXT_AT, next.get(record)?.offset ?? 0)
    writer.setUint32(at + LOWER_AT, record.children[0]?.offset ?? 0)
  }
  return concatBytes([
    meta,
    encodeHead(fileSetId, patients),
    encodeRaw(Tag.DirectoryRecordSequence, 'SQ', writer.bytes(), encoding),
  ])
}

/**
 * Length in bytes of the DICOMDIR over these files, reckoned without writing the directory: an archive says its length
 * before the first byte, and the directory is its last entry.
 * @throws RangeError when a file ID is not one
 */
export function lengthOfDicomdir(files: Iterable<DirectoryFile>, fileSetId: string, fileSetUid: string): number {
  const patients = arrangeRecords(files)
  const meta = writeMeta(MediaStorageDirectory, fileSetUid, ExplicitLittleEndian)
  const start = meta.length + encodeHead(fileSetId, patients).length + SEQUENCE_HEADER_BYTES
  return flatten(patients).reduce((length, record) => length + lengthOfItem(elementsOf(record)), start)
}

/** Elements of a directory have VRs with a length of two bytes, and texts or one number each. */
function lengthOfItem(elements: readonly WriteElement[]): number {
  return elements.reduce((length, { vr, value }) => {
    const bytes = typeof value === 'string' ? utf8Length(value) : NUMBER_BYTES[vr]
    if (bytes === undefined) throw new RangeError(`A directory has no numbers of ${vr}`)
    return length + ELEMENT_HEADER_BYTES + bytes + (bytes % 2)
  }, ITEM_HEADER_BYTES)
}

function utf8Length(text: string): number {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 0x7f) return utf8.encode(text).length
  }
  return text.length
}

function encodeHead(fileSetId: string, patients: readonly DirectoryRecord[]): Uint8Array {
  return encodeElements(
    [
      { tag: Tag.FileSetID, vr: 'CS', value: fileSetId },
      { tag: Tag.OffsetOfTheFirstDirectoryRecordOfTheRootDirectoryEntity, vr: 'UL', value: patients[0]?.offset ?? 0 },
      {
        tag: Tag.OffsetOfTheLastDirectoryRecordOfTheRootDirectoryEntity,
        vr: 'UL',
        value: patients.at(-1)?.offset ?? 0,
      },
      { tag: Tag.FileSetConsistencyFlag, vr: 'US', value: 0 },
    ],
    encoding,
  )
}

/** The elements of a record; its two offsets are set later. */
function elementsOf(record: DirectoryRecord): WriteElement[] {
  return [
    { tag: Tag.OffsetOfTheNextDirectoryRecord, vr: 'UL', value: 0 },
    { tag: Tag.RecordInUseFlag, vr: 'US', value: RECORD_IN_USE },
    { tag: Tag.OffsetOfReferencedLowerLevelDirectoryEntity, vr: 'UL', value: 0 },
    { tag: Tag.DirectoryRecordType, vr: 'CS', value: record.type },
    { tag: Tag.SpecificCharacterSet, vr: 'CS', value: 'ISO_IR 192' },
    ...record.elements,
  ]
}

function arrangeRecords(files: Iterable<DirectoryFile>): DirectoryRecord[] {
  const patients: DirectoryRecord[] = []
  const byKey = new Map<string, DirectoryRecord>()
  const place = (siblings: DirectoryRecord[], key: string, type: string, elements: () => WriteElement[]) => {
    const found = byKey.get(key)
    if (found) return found
    const made: DirectoryRecord = { type, elements: elements(), children: [], offset: 0 }
    byKey.set(key, made)
    siblings.push(made)
    return made
  }
  const seriesOf = (file: DirectoryFile) => {
    const patientKey = JSON.stringify([file.patientId, file.patientName, file.patientBirthDate])
    const patient = place(patients, patientKey, 'PATIENT', () => patientElements(file))
    const studyKey = JSON.stringify([patientKey, file.studyUid])
    const study = place(patient.children, studyKey, 'STUDY', () => studyElements(file))
    const seriesKey = JSON.stringify([studyKey, file.seriesUid])
    return place(study.children, seriesKey, 'SERIES', () => seriesElements(file))
  }
  let last: { file: DirectoryFile; series: DirectoryRecord } | undefined
  for (const file of files) {
    // files mostly come series by series, and the keys of a thousand take longer than the rest
    const series = last && isOfSameSeries(last.file, file) ? last.series : seriesOf(file)
    series.children.push(fileRecord(file, series.children.length + 1))
    last = { file, series }
  }
  return patients
}

function isOfSameSeries(one: DirectoryFile, other: DirectoryFile): boolean {
  return (
    one.seriesUid === other.seriesUid &&
    one.studyUid === other.studyUid &&
    one.patientId === other.patientId &&
    one.patientName === other.patientName &&
    one.patientBirthDate === other.patientBirthDate
  )
}

function patientElements(file: DirectoryFile): WriteElement[] {
  return [
    { tag: Tag.PatientName, vr: 'PN', value: file.patientName },
    // The key must not be empty (PS3.3 F.5.1); a disc without IDs still has patients.
    { tag: Tag.PatientID, vr: 'LO', value: file.patientId || 'UNKNOWN' },
    { tag: Tag.PatientBirthDate, vr: 'DA', value: fullDate(file.patientBirthDate) },
    { tag: Tag.PatientSex, vr: 'CS', value: file.patientSex },
  ]
}

function studyElements(file: DirectoryFile): WriteElement[] {
  return [
    { tag: Tag.StudyDate, vr: 'DA', value: fullDate(file.studyDate) },
    { tag: Tag.StudyTime, vr: 'TM', value: file.studyTime },
    { tag: Tag.AccessionNumber, vr: 'SH', value: file.accessionNumber },
    { tag: Tag.StudyDescription, vr: 'LO', value: file.studyDescription },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: file.studyUid },
    { tag: Tag.StudyID, vr: 'SH', value: file.studyId || '1' },
  ]
}

function seriesElements(file: DirectoryFile): WriteElement[] {
  return [
    { tag: Tag.Modality, vr: 'CS', value: file.modality || 'OT' },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: file.seriesUid },
    { tag: Tag.SeriesNumber, vr: 'IS', value: String(file.seriesNumber ?? 0) },
    { tag: Tag.SeriesDescription, vr: 'LO', value: file.seriesDescription },
  ]
}

function fileRecord(file: DirectoryFile, position: number): DirectoryRecord {
  for (const component of file.fileId) {
    if (!/^[A-Z0-9_]{1,8}$/.test(component))
      throw new RangeError('A file ID holds at most 8 characters of A-Z, 0-9 and _')
  }
  if (file.fileId.length > 8) throw new RangeError('A file ID has at most 8 components')
  const { directoryRecordType: type } = sopClassOf(file.sopClassUid)
  const elements: WriteElement[] = [
    { tag: Tag.ReferencedFileID, vr: 'CS', value: file.fileId.join('\\') },
    { tag: Tag.ReferencedSOPClassUIDInFile, vr: 'UI', value: file.sopClassUid },
    { tag: Tag.ReferencedSOPInstanceUIDInFile, vr: 'UI', value: file.sopInstanceUid },
    { tag: Tag.ReferencedTransferSyntaxUIDInFile, vr: 'UI', value: file.transferSyntax },
    { tag: Tag.InstanceNumber, vr: 'IS', value: String(file.instanceNumber ?? position) },
  ]
  // A private record says what it is by a UID (PS3.3 F.6.1); the class that no record type is known for serves.
  if (type === 'PRIVATE') elements.push({ tag: Tag.PrivateRecordUID, vr: 'UI', value: file.sopClassUid })
  return { type, elements, children: [], offset: 0 }
}

function flatten(records: readonly DirectoryRecord[]): DirectoryRecord[] {
  return records.flatMap((record) => [record, ...flatten(record.children)])
}

function nextSiblings(records: readonly DirectoryRecord[], next = new Map<DirectoryRecord, DirectoryRecord>()) {
  for (const [index, record] of records.entries()) {
    const following = records[index + 1]
    if (following) next.set(record, following)
    nextSiblings(record.children, next)
  }
  return next
}

/** DA holds whole dates only. */
function fullDate(text: string): string {
  const date = parseDate(text)
  return date?.day === undefined ? '' : formatDicomDate(date)
}

function numbered(prefix: string, number: number): string {
  return prefix + String(number).padStart(6, '0')
}
