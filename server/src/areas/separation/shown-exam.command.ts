import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import type { Demographics } from '../storage/image-facts.ts'
import { listStoredInstances } from '../storage/instance.sql.ts'
import { readNamed } from './named-images.command.ts'
import { listPinned, type RecordBefore, type SeparationRow } from './separation.sql.ts'
import { setDemographics, type ShowingRecord } from './switch.sql.ts'

/** Facts of the exam that a record shows, without those of the patient. */
const examFields = [
  'accession_number',
  'study_description',
  'study_date',
  'study_time',
  'referring_physician',
  'modality',
] as const
type ExamFacts = Record<(typeof examFields)[number], string>

/** The exam as the first image of it says, which leaves, and as one says that stays. */
export type ShownExam = { left: ExamFacts; stays: ExamFacts }

/** Images of which one that can be read is looked for. */
const MAX_TRIED = 10

/**
 * The exam by both images, before a part of its images leaves: undefined where the first image stays, of which records
 * show what it says, or no image that stays can be read.
 */
export async function readShownExam(
  { db, store }: Pick<Services, 'db' | 'store'>,
  one: SeparationRow,
): Promise<ShownExam | undefined> {
  if (!one.is_part) return undefined
  const key = { storage_namespace: one.phi_namespace, study_uid: one.study_uid, generation: one.study_generation }
  const images = await listStoredInstances(db, key)
  const moving = new Set((await listPinned(db, one)).map(({ seq }) => seq))
  const [first] = images
  if (!first || !moving.has(first.seq)) return undefined
  const staying = images.filter(({ seq }) => !moving.has(seq)).slice(0, MAX_TRIED)
  const named = await readNamed(store, [first, ...staying], one.phi_namespace)
  const left = named.find(({ instance }) => instance.seq === first.seq)
  const stays = named.find(({ instance }) => instance.seq !== first.seq)
  return left && stays && { left: left.demographics, stays: stays.demographics }
}

/**
 * Gives records that show an exam as an image says that left, what one says that stays: every value that nobody corrected.
 * @returns the records that changed, as they were before
 */
export async function showStayingExam(
  tx: Tx,
  records: readonly ShowingRecord[],
  { left, stays }: ShownExam,
): Promise<RecordBefore[]> {
  const before: RecordBefore[] = []
  for (const { phi_namespace, uuid, values, edits, row_version } of records) {
    const fields = examFields.filter(
      (field) => values[field] === left[field] && stays[field] !== left[field] && !isCorrected(edits, field),
    )
    if (fields.length === 0) continue
    const taken = Object.fromEntries(fields.map((field) => [field, stays[field]]))
    await setDemographics(tx, { phi_namespace, uuid }, { ...values, ...taken }, edits)
    before.push({ phi_namespace, uuid, values, edits, row_version, taken })
  }
  return before
}

/** Shows the exam again as records showed it before, now that its images are back: every value that nobody changed since. */
export async function showFormerExam(
  tx: Tx,
  records: readonly ShowingRecord[],
  before: readonly RecordBefore[],
): Promise<void> {
  for (const { phi_namespace, uuid, values, edits } of records) {
    const was = before.find((one) => one.uuid === uuid)
    if (!was?.taken) continue
    const { taken, values: former } = was
    const fields = examFields.filter((field) => values[field] === taken[field] && !isCorrected(edits, field))
    const back = Object.fromEntries(fields.map((field) => [field, former[field]]))
    await setDemographics(tx, { phi_namespace, uuid }, { ...values, ...back }, edits)
  }
}

function isCorrected(edits: ShowingRecord['edits'], field: keyof Demographics | 'modality'): boolean {
  return edits.some(({ tag }) => tag === field)
}
