import type { OwnNames } from '@hilum/dicom/authority'
import { foldId } from '@hilum/dicom/fold-id'
import type { IdentityReason } from '@hilum/dicom/identity'
import { findMrnClash } from '@hilum/dicom/identity-mrn'
import type { findStudies } from '../../outbound/pacs/find-studies.ts'
import type { Services } from '../../services.ts'
import type { DestinationRow } from '../destination/destination.sql.ts'
import { findOwnNames } from '../storage/authority.sql.ts'
import { asIdentity, type ComparedPatient } from '../storage/compared-patient.ts'
import { askDestination, type LookedUp } from './ask-destination.command.ts'

/**
 * Asks a destination by C-FIND whom it holds under the MRN that an exam leaves under, and compares each with the patient of
 * the exam. The question names the MRN alone: most archives keep no issuer, and one that does is compared.
 * @throws what ends the work, when `signal` is aborted
 */
export async function lookUpPatient(
  services: Pick<Services, 'config' | 'db'>,
  destination: DestinationRow,
  patient: ComparedPatient,
  signal: AbortSignal,
): Promise<LookedUp> {
  if (foldId(patient.patientid) === '') return { kind: 'free' }
  const ownNames = await findOwnNames(services.db, destination.account_uuid)
  const outgoing = asOutgoing(patient, ownNames)
  const judge = ({ studies, hasUnnamed }: Awaited<ReturnType<typeof findStudies>>): LookedUp => {
    const others = studies.flatMap((there) => {
      const clash = findMrnClash(asIdentity(outgoing, ownNames), asIdentity(there, ownNames))
      return clash?.verdict === 'different' ? clash.reasons : []
    })
    if (others.length > 0) {
      const words = `The destination holds another patient under this MRN: other ${differenceWords(others)}`
      return { kind: 'other', words }
    }
    // more answers than are listened to are about the one person of all these
    return !hasUnnamed && studies.every((there) => foldId(there.patientid) !== '')
      ? { kind: 'free' }
      : { kind: 'unknown', words: 'the destination did not say which exam or MRN its answer is about', mayPass: false }
  }
  return askDestination(services, destination, { patientId: patient.patientid }, { signal, judge })
}

/** The patient as the exam leaves: a number without an authority leaves as the organisation's own (docs/decisions/0155). */
export function asOutgoing(patient: ComparedPatient, [own = '']: OwnNames): ComparedPatient {
  return { ...patient, issuer: patient.issuer || own }
}

/** The attributes in which two people differ, in words, each once. */
export function differenceWords(reasons: readonly IdentityReason[]): string {
  return [...new Set(reasons.flatMap((one) => attributes[one] ?? []))].join(', ')
}

const attributes: Partial<Record<IdentityReason, string>> = {
  'name-different': 'name',
  'birth-date-different': 'birth date',
  'sex-different': 'sex',
}
