import type { ArrivingIdentity } from '../storage/ingest.sql.ts'
import { isOtherPatient } from '../storage/other-patient.ts'

/** Images that moved to another study: the patients whom they name, those of the images that stayed, and series as a whole. */
export type MovedRule = {
  kind: 'split' | 'merge'
  /** Of a merge that left other images where they are. */
  is_part: boolean
  /** Patient and exam that images of a merge are given. */
  written: Partial<ArrivingIdentity>
  moved_identities: readonly ArrivingIdentity[]
  kept_identities: readonly ArrivingIdentity[]
  series_uids: readonly string[]
}

/**
 * Whether an image that comes for a study goes where others of it went. Its patient decides: an image that contradicts
 * the patient who moved stays, whatever else it has in common with moved ones. One that does not contradict goes along
 * where it contradicts the patient who stayed, where its series moved as a whole, or where it moved already. To an exam
 * that all images went to goes every image of its patient, and to one that got a part of them those of its patient that
 * moved already or whose series moved as a whole.
 */
export function follows(
  image: { identity: ArrivingIdentity; seriesUid: string; wasMoved: boolean },
  rule: MovedRule,
): boolean {
  const isOfMoved = image.wasMoved || rule.series_uids.includes(image.seriesUid)
  if (rule.kind === 'merge') return (isOfMoved || !rule.is_part) && isOfMerged(image.identity, rule)
  if (rule.moved_identities.some((one) => isOtherPatient(one, image.identity))) return false
  if (isOfMoved) return true
  return rule.kept_identities.some((one) => isOtherPatient(one, image.identity))
}

/**
 * The one of these separations that an image follows, each of which it may follow: the one by which it moved itself,
 * else the one by which its series moved as a whole, else the newest.
 * @param rules the newest first
 */
export function ruleOf<T extends MovedRule>(
  image: { identity: ArrivingIdentity; seriesUid: string },
  wasMoved: (rule: T) => boolean,
  rules: readonly T[],
): T | undefined {
  const fitting = rules.filter((rule) => follows({ ...image, wasMoved: wasMoved(rule) }, rule))
  return fitting.find(wasMoved) ?? fitting.find((rule) => rule.series_uids.includes(image.seriesUid)) ?? fitting[0]
}

/** An image of either spelling of the patient: as the images came, or as the exam writes him that they went to. */
function isOfMerged(identity: ArrivingIdentity, { moved_identities: moved, written }: MovedRule): boolean {
  const nobody = { patient_name: '', patientid: '', issuer: '', patient_birth_date: '', patient_sex: '' }
  return [...moved, { ...nobody, ...written }].some((one) => !isOtherPatient(one, identity))
}
