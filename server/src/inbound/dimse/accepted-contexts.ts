import { ContextResult, type ProposedContext } from '@hilum/dicom/dimse/association-pdu'
import { CommitmentPush } from '@hilum/dicom/dimse/commitment'
import { QueryClass } from '@hilum/dicom/dimse/query'
import { Verification } from '@hilum/dicom/dimse/services'
import { MediaStorageDirectory } from '@hilum/dicom/sop-classes'
import {
  DeflatedLittleEndian,
  ExplicitBigEndian,
  ExplicitLittleEndian,
  ImplicitLittleEndian,
  isKnownTransferSyntax,
  transferSyntaxOf,
} from '@hilum/dicom/transfer-syntaxes'

/** Classes that are services and nothing to keep, by how their UIDs begin: query, retrieve, worklist, printing, commitment. */
const serviceClasses = [
  '1.2.840.10008.5.1.4.1.2.',
  '1.2.840.10008.5.1.4.31',
  '1.2.840.10008.5.1.1.',
  '1.2.840.10008.1.',
]
const otherServices = [
  '1.2.840.10008.3.1.', // patient, visit, study and MPPS management
  '1.2.840.10008.5.1.4.32.', // general purpose worklist
  '1.2.840.10008.5.1.4.33', // instance availability
  '1.2.840.10008.5.1.4.34.', // unified procedure steps
  '1.2.840.10008.5.1.4.37.', // relevant patient information
  '1.2.840.10008.5.1.4.38.', // hanging protocols
  '1.2.840.10008.5.1.4.41', // product characteristics
  '1.2.840.10008.5.1.4.42', // substance approval
]

/** Of the uncompressed ones explicit little endian keeps the most; a compressed one is how the sender holds the image. */
const lastChoices = [ExplicitLittleEndian, DeflatedLittleEndian, ImplicitLittleEndian, ExplicitBigEndian]

/** The services of an association that its peer may use. */
interface Served {
  stores: boolean
  queries: boolean
  worklists: boolean
  /** Questions for storage commitment, or reports on our own. */
  commits: boolean
  /** Whether objects of a class go to the peer over this association (C-GET). */
  sendsBack: (sopClass: string) => boolean
}

const queryClasses: ReadonlySet<string> = new Set([
  QueryClass.PatientFind,
  QueryClass.PatientMove,
  QueryClass.PatientGet,
  QueryClass.StudyFind,
  QueryClass.StudyMove,
  QueryClass.StudyGet,
])

/**
 * In which syntax a proposed context is taken. Every class is that can hold an object, known or private; nothing is
 * decoded on arrival, so every syntax is, the sender's first choice when it compresses.
 * @returns a number from `ContextResult` when it is not taken
 */
export function chooseContext(
  { abstractSyntax, transferSyntaxes }: ProposedContext,
  { stores, queries, worklists, commits, sendsBack }: Served,
): string | number {
  const isAnswered =
    (queries && queryClasses.has(abstractSyntax)) ||
    (worklists && abstractSyntax === QueryClass.WorklistFind) ||
    (commits && abstractSyntax === CommitmentPush)
  if (abstractSyntax === Verification || isAnswered) {
    return [ImplicitLittleEndian, ExplicitLittleEndian].find((uid) => transferSyntaxes.includes(uid)) ?? unknownSyntaxes
  }
  if (isServiceClass(abstractSyntax) || abstractSyntax === MediaStorageDirectory) return ContextResult.UnknownClass
  const storable = transferSyntaxes.filter(isStorable)
  // uncompressed, so that every image can go: of a compressed one those alone that are stored so
  if (sendsBack(abstractSyntax)) {
    const plain = [ExplicitLittleEndian, ImplicitLittleEndian].find((uid) => storable.includes(uid))
    return plain ?? storable[0] ?? unknownSyntaxes
  }
  if (!stores) return ContextResult.Refused
  const first = storable.find((uid) => !lastChoices.includes(uid))
  return first ?? lastChoices.find((uid) => storable.includes(uid)) ?? unknownSyntaxes
}

/** Whether a class is a service rather than objects that can be stored. */
export function isServiceClass(abstractSyntax: string): boolean {
  return [...serviceClasses, ...otherServices].some((start) => abstractSyntax.startsWith(start))
}

const unknownSyntaxes = ContextResult.UnknownSyntaxes

/** A syntax that fetches the pixels from elsewhere would leave us without them. A private one is read as explicit little endian. */
function isStorable(uid: string): boolean {
  if (!isKnownTransferSyntax(uid)) return true
  return !transferSyntaxOf(uid).name.startsWith('JPIP')
}
