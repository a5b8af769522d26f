import { foldId } from '@hilum/dicom/fold-id'
import type { Db } from '../../db/database.ts'
import type { OutgoingRecord } from '../altered/outgoing-record.sql.ts'
import { listMrnHolders, listOrderedUnderMrn } from '../altered/mrn-holders.sql.ts'
import { personDigest } from '../altered/person-digest.ts'
import type { ComparedPatient } from '../storage/compared-patient.ts'
import { findOwnNames } from '../storage/authority.sql.ts'
import { describeOthers, findOtherPeople, type OtherPeople } from './other-people.ts'

/** People to whom orders of the organisation give the MRN of an exam. What an order does not say speaks for nobody else. */
async function listOrdered(db: Db, accountUuid: string, outgoing: ComparedPatient): Promise<ComparedPatient[]> {
  const ordered = await listOrderedUnderMrn(db, accountUuid, outgoing.patientid)
  return ordered.map((one) => ({
    ...one,
    patient_name: one.patient_name || outgoing.patient_name,
    patient_birth_date: one.patient_birth_date || outgoing.patient_birth_date,
    patient_sex: one.patient_sex || outgoing.patient_sex,
  }))
}

/**
 * Compares the patient of an exam, as it leaves, with the people whom the organisation knows under its MRN, by exams and
 * by orders. An exam may have come with the number of somebody else, which no edit asked about.
 * @returns words without patient data for other people under the MRN, and their digests; undefined where there is none, or where whoever
 *   wrote the MRN said why both have it: that is about the people who had it by then
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
  const holders = await listMrnHolders(db, record.account_uuid, [outgoing.patientid])
  // the same exam elsewhere has the patient whom it came with, and nobody has looked at exams that wait or are announced
  const others = holders.filter(
    (holder) => holder.study_uid !== record.study_uid && !holder.must_approve && !holder.is_announced,
  )
  const ordered = await listOrdered(db, record.account_uuid, outgoing)
  const ownNames = await findOwnNames(db, record.account_uuid)
  const people = [...others, ...ordered].filter((one) => !known.has(personDigest(one)))
  return describeOthers(findOtherPeople(ownNames, outgoing, people), hereWords)
}

const hereWords = {
  isOther: 'Another patient of this organisation has this MRN',
  mayBeOther: 'Somebody of this organisation who may be another patient has this MRN',
}
