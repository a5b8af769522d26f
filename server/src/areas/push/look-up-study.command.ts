import type { OwnNames } from '@hilum/dicom/authority'
import { compareIdentities, type IdentityReason } from '@hilum/dicom/identity'
import { DimseError } from '@hilum/dicom/dimse/dimse-error'
import { findStudies } from '../../outbound/pacs/find-studies.ts'
import { isPassingError } from '../../outbound/pacs/send-instances.ts'
import type { Services } from '../../services.ts'
import type { DestinationRow } from '../destination/destination.sql.ts'
import { peerOf } from '../destination/peer-of-destination.ts'
import { findOwnNames } from '../storage/authority.sql.ts'
import { asIdentity, type ComparedPatient } from '../storage/compared-patient.ts'

/** Records of one study that a peer is listened to about. */
const MAX_ANSWERS = 50
const MAX_LOOKUP_MS = 60_000

/**
 * The answer of a destination about a study that it is about to be sent. `free`: it holds none, or one of the same patient.
 * `other`: it holds the study under another patient. `unknown`: it did not say; `mayPass` where asking later may help.
 */
type LookedUp =
  | { kind: 'free' }
  | { kind: 'other'; words: string }
  | { kind: 'unknown'; words: string; mayPass: boolean }

/**
 * Asks a destination by C-FIND whether it holds a study, and compares its patient with the one that would be sent.
 * @throws what ends the work, when `signal` is aborted
 */
export async function lookUpStudy(
  services: Pick<Services, 'config' | 'db'>,
  destination: DestinationRow,
  study: ComparedPatient & { study_uid: string },
  signal: AbortSignal,
): Promise<LookedUp> {
  if (!destination.can_search)
    return { kind: 'unknown', words: 'the destination is set up without search', mayPass: false }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_LOOKUP_MS)])
  try {
    const criteria = { ...anything, studyUid: study.study_uid }
    const found = await findStudies(await peerOf(services, destination), criteria, {
      maxStudies: MAX_ANSWERS,
      signal: limit,
    })
    return judge(await findOwnNames(services.db, destination.account_uuid), study, found)
  } catch (error) {
    if (signal.aborted) throw error
    if (limit.aborted) return { kind: 'unknown', words: 'the destination did not answer in time', mayPass: true }
    if (error instanceof DimseError) return { kind: 'unknown', words: error.message, mayPass: isPassingError(error) }
    throw error
  }
}

const anything = {
  patientName: '',
  patientId: '',
  accessionNumber: '',
  description: '',
  modality: '',
  firstDate: '',
  lastDate: '',
}

function judge(
  ownNames: OwnNames,
  study: ComparedPatient,
  { studies, isCut, hasUnnamed }: Awaited<ReturnType<typeof findStudies>>,
): LookedUp {
  for (const there of studies) {
    const reasons = contradictionsOf(ownNames, study, there)
    if (reasons.length > 0) {
      const words = [...new Set(reasons.map((one) => attributes[one]))].join(', ')
      return { kind: 'other', words: `The destination holds this exam under another patient: other ${words}` }
    }
  }
  const unclear = (words: string): LookedUp => ({ kind: 'unknown', words, mayPass: false })
  if (isCut) return unclear('the destination gave too many answers')
  if (hasUnnamed) return unclear('the destination did not say which exam its answer is about')
  if (studies.some((one) => one.patientid === '' || one.patient_name === ''))
    return unclear('the destination holds this exam and did not say of which patient')
  return studies.every((there) => tellsOnePatient(ownNames, study, there))
    ? { kind: 'free' }
    : unclear('the destination holds this exam, and this one says too little of its patient to compare them')
}

/** Lack of evidence joins nobody: a study without an MRN would be filed under whomever the archive has. */
function tellsOnePatient(ownNames: OwnNames, study: ComparedPatient, there: ComparedPatient): boolean {
  const { verdict, reasons } = compareIdentities(asIdentity(study, ownNames), asIdentity(there, ownNames))
  return verdict !== 'different' && !reasons.includes('mrn-unknown')
}

/**
 * An archive files a study under one MRN. Another one counts as another patient here, however alike the people are, since
 * the archive would hold one exam under two numbers.
 */
const attributes = {
  'name-different': 'name',
  'birth-date-different': 'birth date',
  'sex-different': 'sex',
  'mrn-different': 'MRN',
  'mrn-other-issuer': 'issuer of the MRN',
} as const satisfies Partial<Record<IdentityReason, string>>

function contradictionsOf(
  ownNames: OwnNames,
  study: ComparedPatient,
  there: ComparedPatient,
): (keyof typeof attributes)[] {
  const { verdict, reasons } = compareIdentities(asIdentity(study, ownNames), asIdentity(there, ownNames))
  const found = reasons.filter((one): one is keyof typeof attributes => one in attributes)
  const isOther = verdict === 'different' || found.some((one) => one.startsWith('mrn-'))
  return isOther ? found : []
}
