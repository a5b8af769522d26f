import { foldId } from '@hilum/dicom/fold-id'
import type { Db } from '../../db/database.ts'
import type { OutgoingRecord } from '../altered/outgoing-record.sql.ts'
import { listMrnHolders } from '../altered/mrn-holders.sql.ts'
import { personDigest } from '../altered/person-digest.ts'
import { findOwnNames } from '../storage/authority.sql.ts'
import { findOtherPeople, wordsOfOthers } from './other-people.ts'

/** Digests of the people whom the organisation knows under the MRN of an exam. */
export async function listPeopleOfMrn(db: Db, accountUuid: string, mrn: string): Promise<string[]> {
  const holders = await listMrnHolders(db, accountUuid, [mrn])
  return [...new Set(holders.map(personDigest))].toSorted()
}

/**
 * Compares the patient of an exam, as it leaves, with the people whom the organisation knows under its MRN. An exam may
 * have come with the number of somebody else, which no edit asked about.
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
    (holder) =>
      holder.study_uid !== record.study_uid &&
      !holder.must_approve &&
      !holder.is_announced &&
      !known.has(personDigest(holder)),
  )
  const ownNames = await findOwnNames(db, record.account_uuid)
  const clashes = findOtherPeople(ownNames, outgoing, others)
  return wordsOfOthers(
    clashes.map(({ found }) => found),
    hereWords,
  )
}

const hereWords = {
  isOther: 'Another patient of this organisation has this MRN',
  mayBeOther: 'Somebody of this organisation who may be another patient has this MRN',
}
