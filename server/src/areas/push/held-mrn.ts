import type { OwnNames } from '@hilum/dicom/authority'
import { foldId } from '@hilum/dicom/fold-id'
import type { Db } from '../../db/database.ts'
import { listMrnHolders, listOrderedUnderMrn, mostCompared } from '../altered/mrn-holders.sql.ts'
import type { OutgoingRecord } from '../altered/outgoing-record.sql.ts'
import { personDigest } from '../altered/person-digest.ts'
import { findOwnNames } from '../storage/authority.sql.ts'
import type { ComparedPatient } from '../storage/compared-patient.ts'
import { describeOthers, findOtherPeople, type OtherPeople } from './other-people.ts'

/**
 * Compares the patient of an exam, as it leaves, with the people whom the organisation knows under its MRN, by other exams
 * and by orders: the number may have come with the images, and is then compared here for the first time. Who wrote the MRN
 * and gave a reason, answered for the people who had the number at that moment; a reason from before these were kept
 * answers for all.
 * @returns words without patient data for the others under the MRN, and their digests; undefined where nobody else has it
 */
export async function findHeldMrn(
  db: Db,
  record: { account_uuid: string; uuid: string; study_uid: string },
  outgoing: OutgoingRecord,
): Promise<OtherPeople | undefined> {
  const mrn = foldId(outgoing.patientid)
  const reasons = outgoing.edits.filter(({ held }) => held !== undefined && foldId(held) === mrn)
  if (reasons.some(({ heldWith }) => heldWith === undefined)) return undefined
  const known = new Set(reasons.flatMap(({ heldWith = [] }) => heldWith))
  const isNew = (one: ComparedPatient) => !known.has(personDigest(one))
  const holders = await listMrnHolders(db, record.account_uuid, [outgoing.patientid])
  const ordered = await listOrderedUnderMrn(db, record.account_uuid, outgoing.patientid)
  if (holders.length > mostCompared || ordered.length > mostCompared) return tooMany
  // the same exam elsewhere has the patient whom it came with, and nobody has looked at exams that wait or are announced
  const others = holders.filter(
    (holder) => holder.study_uid !== record.study_uid && !holder.must_approve && !holder.is_announced,
  )
  const ownNames = await findOwnNames(db, record.account_uuid)
  return describeOthers(
    [
      ...findOtherPeople<ComparedPatient>(ownNames, outgoing, others.filter(isNew)),
      ...findOtherOrdered(ownNames, outgoing, ordered.filter(isNew)),
    ],
    hereWords,
  )
}

const hereWords = {
  isOther: 'Another patient of this organisation has this MRN',
  mayBeOther: 'Somebody of this organisation who may be another patient has this MRN',
}

/** One question for all of these, whoever they are. */
const tooMany: OtherPeople = {
  words: `More than ${mostCompared} exams or orders of this organisation have this MRN, more than are compared with one`,
  people: ['more'],
}

/** Stand for a name and a birth date that an order does not say. */
const unsaid = { name: 'UNSAID', birthDate: '19000101' }

/**
 * Orders of the organisation that give the MRN of an exam to somebody else. What an order does not say is compared with
 * nothing: it speaks for nobody else.
 */
function findOtherOrdered(ownNames: OwnNames, outgoing: OutgoingRecord, ordered: readonly ComparedPatient[]) {
  return ordered.flatMap((order) => {
    const asSaid = (one: ComparedPatient): ComparedPatient => ({
      ...one,
      patient_name: order.patient_name ? one.patient_name : unsaid.name,
      patient_birth_date: order.patient_birth_date ? one.patient_birth_date : unsaid.birthDate,
    })
    return findOtherPeople(ownNames, asSaid(outgoing), [asSaid(order)])
  })
}
