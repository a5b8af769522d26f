import { findExams } from './find-exams.ts'
import type { UploadJob } from './upload-job.ts'
import { listFiles, listStudies, type PlannedFile } from './upload-plan.ts'
import type { WalkBatch } from './walk.ts'

/** Files of an upload that could be read no more: found in another choice, or still lacking. */
export interface Renewal {
  found: number
  lacking: number
}

/**
 * Looks through another choice for the files of a failed upload that can be read no more, since they were moved or
 * changed, and takes those found in their place: DICOM files by study and SOP Instance UID, others by name and size.
 */
export async function renewFiles(
  job: UploadJob,
  walk: AsyncIterable<WalkBatch>,
  signal: AbortSignal,
): Promise<Renewal> {
  const open = job.studies.flatMap(({ study }) => listFiles(study)).filter((one) => !job.acknowledged.has(one))
  const gone: PlannedFile[] = []
  for (const one of open) if (!(await isReadable(one.file))) gone.push(one)
  const { plan, others } = await findExams(walk, { onProgress: () => undefined, signal })
  const images = new Map(
    listStudies(plan)
      .flatMap(listFiles)
      .map((one) => [imageKey(one), one]),
  )
  const files = new Map(others.map((one) => [fileKey(one), one]))
  let found = 0
  for (const one of gone) {
    const other = job.kind === 'dicom' ? images.get(imageKey(one)) : files.get(fileKey(one))
    if (!other) continue
    one.path = other.path
    one.file = other.file
    job.hashes.delete(one)
    found++
  }
  return { found, lacking: gone.length - found }
}

const imageKey = ({ studyUid, sopUid }: PlannedFile) => `${studyUid} ${sopUid}`
const fileKey = ({ path, file }: { path: string; file: File }) => `${path.split('/').at(-1)} ${file.size}`

async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer()
    return true
  } catch {
    return false // moved, changed or on a disc that was taken out
  }
}
