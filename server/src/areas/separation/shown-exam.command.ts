import { factsOfExam } from '@hilum/contract/calls/study-merge'
import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import type { StudyEdit } from '../altered/study-edit.ts'
import type { StoredKey } from '../storage/ingest.sql.ts'
import { listStoredInstances } from '../storage/instance.sql.ts'
import type { MergeSide } from './merge.sql.ts'
import { readNamed } from './named-images.command.ts'
import { type ExamBefore, type ExamFacts, listPinned, type SeparationRow } from './separation.sql.ts'
import { listExamsBefore, listHoldingElsewhere, setDemographics, type ShowingRecord } from './switch.sql.ts'

/** The exam as the first image of it says, which leaves, with the UID of that one, and as one says that stays. */
export type ShownExam = { sopUid: string; left: ExamFacts; stays: ExamFacts }

/** Images of which one that can be read is looked for. */
const MAX_TRIED = 10

/** The exam by both images, before a part of its images leaves with a merge. */
export async function readShownExam(
  services: Pick<Services, 'db' | 'store'>,
  one: SeparationRow,
): Promise<ShownExam | undefined> {
  if (!one.is_part) return undefined
  const key = { storage_namespace: one.phi_namespace, study_uid: one.study_uid, generation: one.study_generation }
  const moving = (await listPinned(services.db, one)).map(({ seq }) => seq)
  return readBothImages(services, key, new Set(moving))
}

/** Undefined where the first image stays, of which records show what it says, or no image that stays can be read. */
async function readBothImages(
  { db, store }: Pick<Services, 'db' | 'store'>,
  key: StoredKey,
  moving: ReadonlySet<number>,
): Promise<ShownExam | undefined> {
  const images = await listStoredInstances(db, key)
  const [first] = images
  if (!first || !moving.has(first.seq)) return undefined
  const staying = images.filter(({ seq }) => !moving.has(seq)).slice(0, MAX_TRIED)
  const named = await readNamed(store, [first, ...staying], key.storage_namespace)
  const left = named.find(({ instance }) => instance.seq === first.seq)
  const stays = named.find(({ instance }) => instance.seq !== first.seq)
  return left && stays && { sopUid: first.sop_uid, left: left.demographics, stays: stays.demographics }
}

/**
 * Gives records that show an exam as an image says that left, what one says that stays: every value that nobody corrected.
 * A record that has that image from elsewhere, too, shows what it showed.
 * @returns what was noted of each record, for Undo
 */
export async function showStayingExam(
  tx: Tx,
  records: readonly ShowingRecord[],
  from: { storage_namespace: string; key: number },
  { sopUid, left, stays }: ShownExam,
): Promise<ExamBefore[]> {
  const before: ExamBefore[] = []
  const uuids = records.map(({ uuid }) => uuid)
  const holding = await listHoldingElsewhere(tx, uuids, from, sopUid)
  for (const { phi_namespace, uuid, values, edits } of records) {
    if (holding.has(uuid)) continue
    const fields = fieldsOfLeft({ ...values, edits }, left)
    if (fields.length === 0) continue
    const taken = pick(stays, fields)
    await setDemographics(tx, { phi_namespace, uuid }, { ...values, ...taken }, edits)
    // values that both images have alike are noted, too: by the time of Undo another image may be the first one
    before.push({ phi_namespace, uuid, values: pick(left, fields), taken })
  }
  return before
}

/** Facts that a record shows as an image that leaves says, and that nobody corrected. */
function fieldsOfLeft(record: ExamFacts & { edits: readonly StudyEdit[] }, left: ExamFacts): (keyof ExamFacts)[] {
  return factsOfExam.filter((field) => record[field] === left[field] && !isCorrected(record.edits, field))
}

/** Facts that the record of an exam shows otherwise once some of its images have left. */
export async function listShownOtherwise(
  services: Pick<Services, 'db' | 'store'>,
  { record, key, side }: { record: { uuid: string }; key: StoredKey; side: MergeSide },
  seqs: readonly number[],
): Promise<{ field: keyof ExamFacts; before: string; after: string }[]> {
  const shown = await readBothImages(services, key, new Set(seqs))
  if (!shown) return []
  const { left, stays, sopUid } = shown
  const from = { storage_namespace: key.storage_namespace, key: side.study_key }
  if ((await listHoldingElsewhere(services.db, [record.uuid], from, sopUid)).size > 0) return []
  return fieldsOfLeft(side, left)
    .filter((field) => left[field] !== stays[field])
    .map((field) => ({ field, before: left[field], after: stays[field] }))
}

/**
 * Shows the exam again as records showed it before, now that its first image is back: every value that nobody changed
 * since. What another part changed that left is no such change, in whichever order the parts are put back.
 */
export async function showFormerExam(
  tx: Tx,
  records: readonly ShowingRecord[],
  one: Pick<SeparationRow, 'phi_namespace' | 'study_uuid' | 'before'>,
): Promise<void> {
  const noted = await listExamsBefore(tx, one)
  for (const { phi_namespace, uuid, values, edits } of records) {
    const was = one.before.find((before) => before.uuid === uuid)
    if (!was || !('taken' in was)) continue
    const known = noted.filter((before) => before.uuid === uuid)
    const isByImage = (field: keyof ExamFacts) =>
      known.some((before) => [before.values[field], before.taken[field]].includes(values[field]))
    const fields = factsOfExam.filter((field) => field in was.values && isByImage(field) && !isCorrected(edits, field))
    await setDemographics(tx, { phi_namespace, uuid }, { ...values, ...pick(was.values, fields) }, edits)
  }
}

function pick(facts: Partial<ExamFacts>, fields: readonly (keyof ExamFacts)[]): Partial<ExamFacts> {
  return Object.fromEntries(fields.map((field) => [field, facts[field]]))
}

function isCorrected(edits: readonly StudyEdit[], field: keyof ExamFacts): boolean {
  return edits.some(({ tag }) => tag === field)
}
