import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Services } from '../../services.ts'
import { withAccessions } from '../altered/outgoing-accessions.ts'
import type { OutgoingRecord } from '../altered/outgoing-record.sql.ts'
import type { DestinationRow } from '../destination/destination.sql.ts'
import { isConfirmedByTwo } from '../nomination/confirmed-by-two.command.ts'
import { asIdentity } from '../storage/compared-patient.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import type { LookedUp } from './ask-destination.command.ts'
import { findForeignIssuer } from './foreign-mrn.ts'
import { findHeldMrn } from './held-mrn.ts'
import { lacksMrn } from './lacks-mrn.ts'
import { lookUpPatient } from './look-up-patient.command.ts'
import { lookUpStudy } from './look-up-study.command.ts'
import { findFaultOfPush } from './order-fault.command.ts'
import { foreignMrnReason, heldBackReasons, orderFaultReasons } from './push-words.ts'

/** Why an exam does not leave as it is, in words without patient data. */
export type HeldBack = (
  record: StudyRecord,
  outgoing: OutgoingRecord,
  images: readonly StoredInstance[],
) => Promise<string | undefined>

/**
 * Holds exams back that a peer has sent to a destination (C-MOVE) for the reasons for which they are not pushed there. Only
 * a destination that cannot be asked whom it holds gets what it asks for itself, as over its own association (C-GET).
 */
export function holdBackFrom(
  services: Services,
  destination: DestinationRow,
  { isAsking, signal }: { isAsking: boolean; signal: AbortSignal },
): HeldBack {
  const known = new Map<string, LookedUp>()
  /** One question for all exams of a patient, and none after one that was not answered: the others wait meanwhile. */
  const ask = async (about: string, look: () => Promise<LookedUp>): Promise<LookedUp> => {
    const unanswered = destination.push_unchecked
      ? undefined
      : known.values().find((one) => one.kind === 'unknown' && one.mayPass)
    const found = known.get(about) ?? unanswered ?? (await look())
    known.set(about, found)
    return found
  }
  return async (record, outgoing, images) => {
    const named = await withAccessions(services.store, images)
    const push = { ...record, study_uuid: record.uuid }
    const fault = await services.db.transaction().execute(async (tx) => {
      if (!(await isConfirmedByTwo(tx, record, destination.uuid))) return heldBackReasons.unconfirmed
      if (await lacksMrn(tx, record, outgoing)) return heldBackReasons.withoutMrn
      if ((await findHeldMrn(tx, record, outgoing)) !== undefined) return heldBackReasons.mrnHeld
      if ((await findForeignIssuer(tx, destination, record, outgoing)) !== undefined) return foreignMrnReason
      const ofOrder = await findFaultOfPush(tx, push, outgoing, named)
      return ofOrder && orderFaultReasons[ofOrder]
    })
    if (fault) return fault
    const study = { ...outgoing, study_uid: record.study_uid }
    const byUid = await ask(record.study_uid, () => lookUpStudy(services, destination, study, signal))
    if (byUid.kind === 'other') return heldBackReasons.otherPatient
    const patient = JSON.stringify(asIdentity(outgoing))
    const byMrn = await ask(patient, () => lookUpPatient(services, destination, outgoing, signal))
    if (byMrn.kind === 'other') return heldBackReasons.otherOfMrn
    const isUnknown = [byUid, byMrn].some((one) => one.kind === 'unknown')
    const mayPass = destination.push_unchecked || (isAsking && !destination.can_search)
    return isUnknown && !mayPass ? heldBackReasons.notChecked : undefined
  }
}
