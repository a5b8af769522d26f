import { foldId } from '@hilum/dicom/fold-id'
import type { Db } from '../../db/database.ts'
import type { OutgoingRecord } from '../altered/outgoing-record.sql.ts'
import { listMrnHolders, listOrderedUnderMrn } from '../altered/mrn-holders.sql.ts'
import { personDigest } from '../altered/person-digest.ts'
import type { ComparedPatient } from '../storage/compared-patient.ts'
import { findOwnNames } from '../storage/authority.sql.ts'
import { findOtherPeople, wordsOfOthers } from './other-people.ts'

/** Digests of the people whom the organisation knows under the MRN of an exam. */
export async function listPeopleOfMrn(db: Db, accountUuid: string, outgoing: ComparedPatient): Promise<string[]> {
  const holders = await listMrnHolders(db, accountUuid, [outgoing.patientid])
  const ordered = await listOrdered(db, accountUuid, outgoing)
  return [...new Set([...holders, ...ordered].map(personDigest))].toSorted()
}

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
 * @param knownPeople digests of people under the MRN for whom a person said why both have it, beside those of the edits
 * @returns words without patient data for another person under the MRN; undefined where there is none, or where whoever
 *   wrote the MRN said why both have it: that is about the people who had it by then
 */
export async function findHeldMrn(
  db: Db,
  record: { account_uuid: string; uuid: string; study_uid: string },
  outgoing: OutgoingRecord,
  knownPeople: readonly string[] = [],
): Promise<string | undefined> {
  const mrn = foldId(outgoing.patientid)
  const reasons = outgoing.edits.filter(({ held }) => held !== undefined && foldId(held) === mrn)
  if (reasons.some(({ heldWith }) => heldWith === undefined)) return undefined
  const known = new Set([...reasons.flatMap(({ heldWith = [] }) => heldWith), ...knownPeople])
  const holders = await listMrnHolders(db, record.account_uuid, [outgoing.patientid])
  // the same exam elsewhere has the patient whom it came with, and nobody has looked at exams that wait or are announced
  const others = holders.filter(
    (holder) => holder.study_uid !== record.study_uid && !holder.must_approve && !holder.is_announced,
  )
  const ordered = await listOrdered(db, record.account_uuid, outgoing)
  const ownNames = await findOwnNames(db, record.account_uuid)
  const people = [...others, ...ordered].filter((one) => !known.has(personDigest(one)))
  const clashes = findOtherPeople(ownNames, outgoing, people)
  return wordsOfOthers(
    clashes.map(({ found }) => found),
    hereWords,
  )
}

const hereWords = {
  isOther: 'Another patient of this organisation has this MRN',
  mayBeOther: 'Somebody of this organisation who may be another patient has this MRN',
}
