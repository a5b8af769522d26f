import type { OwnNames } from '@hilum/dicom/authority'
import { compareIdentities, type IdentityReason } from '@hilum/dicom/identity'
import type { findStudies } from '../../outbound/pacs/find-studies.ts'
import type { Services } from '../../services.ts'
import type { DestinationRow } from '../destination/destination.sql.ts'
import { findOwnNames } from '../storage/authority.sql.ts'
import { asIdentity, type ComparedPatient } from '../storage/compared-patient.ts'
import { askDestination, type LookedUp } from './ask-destination.command.ts'

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
  const ownNames = await findOwnNames(services.db, destination.account_uuid)
  const judged = (found: Parameters<typeof judge>[2]) => judge(ownNames, study, found)
  return askDestination(services, destination, { studyUid: study.study_uid }, { signal, judge: judged })
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
