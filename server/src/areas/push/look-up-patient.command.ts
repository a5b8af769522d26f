import { foldId } from '@hilum/dicom/fold-id'
import type { findStudies } from '../../outbound/pacs/find-studies.ts'
import type { Services } from '../../services.ts'
import type { DestinationRow } from '../destination/destination.sql.ts'
import { findOwnNames } from '../storage/authority.sql.ts'
import type { ComparedPatient } from '../storage/compared-patient.ts'
import { askDestination, type LookedUp } from './ask-destination.command.ts'
import { describeOthers, findOtherPeople } from './other-people.ts'

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
  const judge = ({ studies, hasUnnamed }: Awaited<ReturnType<typeof findStudies>>): LookedUp => {
    const others = describeOthers(findOtherPeople(ownNames, patient, studies), thereWords)
    if (others) return { kind: 'other', ...others }
    // more answers than are listened to are about the one person of all these
    return !hasUnnamed && studies.every((there) => foldId(there.patientid) !== '')
      ? { kind: 'free' }
      : { kind: 'unknown', words: 'the destination did not say which exam or MRN its answer is about', mayPass: false }
  }
  return askDestination(services, destination, { patientId: patient.patientid }, { signal, judge })
}

const thereWords = {
  isOther: 'The destination holds another patient under this MRN',
  mayBeOther: 'The destination holds somebody under this MRN who may be another patient',
}
