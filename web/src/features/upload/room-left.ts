import { formatSize } from '../../format/file-size.ts'
import type { Asked } from './request-parts.tsx'
import { listStudies, type UploadPlan } from './upload-plan.ts'

/**
 * Amounts that are chosen and left, in words, where more is chosen than the request may store; else undefined. Of studies
 * that were begun before, what is there is not sent again, so that they count only where they are too large by themselves.
 */
export function excessOf(
  { studies, max_bytes: most, left_bytes: left }: Pick<Asked, 'studies' | 'max_bytes' | 'left_bytes'>,
  plan: UploadPlan,
): { chosen: string; left: string; most: string } | undefined {
  const begun = new Set(studies.map((one) => one.study_uid))
  const isNew = ({ studyUid }: { studyUid: string }) => !begun.has(studyUid)
  const newBytes = listStudies(plan)
    .filter(isNew)
    .reduce((total, { sizeBytes }) => total + sizeBytes, 0)
  if (newBytes <= left && plan.sizeBytes <= most) return undefined
  return { chosen: formatSize(plan.sizeBytes), left: formatSize(left), most: formatSize(most) }
}
