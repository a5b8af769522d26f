import { foldId } from '@hilum/dicom/fold-id'
import type { Db } from '../../db/database.ts'
import type { OutgoingRecord } from '../altered/outgoing-record.sql.ts'
import { findClashes } from '../altered/find-clashes.ts'
import { listMrnHolders } from '../altered/mrn-holders.sql.ts'
import { findOwnNames } from '../storage/authority.sql.ts'
import { asOutgoing, differenceWords } from './look-up-patient.command.ts'

/**
 * Compares the patient of an exam, as it leaves, with the people whom the organisation knows under its MRN. An exam may
 * have come with the number of somebody else, which no edit asked about.
 * @returns words without patient data for another person under the MRN; undefined where there is none, or where whoever
 *   wrote the MRN said why both have it
 */
export async function findHeldMrn(
  db: Db,
  record: { account_uuid: string; uuid: string; study_uid: string },
  outgoing: OutgoingRecord,
): Promise<string | undefined> {
  const mrn = foldId(outgoing.patientid)
  if (outgoing.edits.some(({ held }) => held !== undefined && foldId(held) === mrn)) return undefined
  const holders = await listMrnHolders(db, record.account_uuid, [outgoing.patientid])
  // the same exam elsewhere has the patient whom it came with, and nobody has looked at exams that wait or are announced
  const others = holders.filter(
    (holder) => holder.study_uid !== record.study_uid && !holder.must_approve && !holder.is_announced,
  )
  const ownNames = await findOwnNames(db, record.account_uuid)
  const clashes = findClashes(ownNames, asOutgoing(outgoing, ownNames), others)
  const different = clashes.flatMap(({ found }) => (found.verdict === 'different' ? found.reasons : []))
  return different.length > 0
    ? `Another patient of this organisation has this MRN: other ${differenceWords(different)}`
    : undefined
}
