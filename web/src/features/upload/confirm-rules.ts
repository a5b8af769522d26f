import { findHeldClashes, type HeldClash, type HeldMrns, listQuestions } from './held-mrns.ts'
import { findRowClashes, listMissingMrns, listUnwritableMrns, type MrnEntries, type RowClash } from './mrn-rules.ts'
import type { PlannedPatient } from './upload-plan.ts'

/** All that decides on the confirm step who is uploaded under which MRN. */
interface ConfirmFacts extends MrnEntries {
  namespaceId: string
  held: HeldMrns
  /** Clashes to which the person said yes. */
  answers: ReadonlySet<string>
}

/** Obstacles between the confirm step and the upload: keys of patients, and clashes, answered ones too. */
export interface Hindrances {
  missing: readonly string[]
  /** Patients whose new MRN DICOM cannot hold. */
  unwritable: readonly string[]
  rowClashes: readonly RowClash[]
  heldClashes: readonly HeldClash[]
  /** Patients that cannot be uploaded as they stand. */
  blocked: ReadonlySet<string>
}

/** Whether a clash wants nothing more: different people never may, all else takes an answer. */
export const isSettled = (clash: RowClash | HeldClash, answers: ReadonlySet<string>) =>
  !isRefused(clash) && answers.has(clash.id)

export const isRefused = (clash: RowClash | HeldClash) =>
  'isRefused' in clash ? clash.isRefused : clash.verdict === 'different'

export function findHindrances(rows: readonly PlannedPatient[], facts: ConfirmFacts): Hindrances {
  const { namespaceId, held, answers } = facts
  const missing = listMissingMrns(rows, facts)
  const unwritable = listUnwritableMrns(rows, facts)
  const rowClashes = findRowClashes(rows, facts)
  const heldClashes = findHeldClashes(listQuestions(namespaceId, rows, facts), held)
  const openRows = rowClashes.filter((clash) => !isSettled(clash, answers)).flatMap((clash) => clash.rows)
  const openHeld = heldClashes.filter((clash) => !isSettled(clash, answers)).map((clash) => clash.row)
  const blocked = new Set([...missing, ...unwritable, ...[...openRows, ...openHeld].map((row) => row.key)])
  return { missing, unwritable, rowClashes, heldClashes, blocked }
}
