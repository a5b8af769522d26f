import type { DateFormat } from '../../format/dates.ts'
import { type ExamField, type ExamForm, patientOf, studyMomentOf } from './exam-form.ts'
import type { PickedFile, SkippedFile } from './picked-files.ts'
import { emptyPlan, type UploadPlan } from './upload-plan.ts'

/** How the server keeps a file: pictures and documents become images of the study, anything else is attached to it. */
type OtherKind = 'picture' | 'document' | 'attachment'

export interface OtherFile extends PickedFile {
  kind: OtherKind
  isSelected: boolean
}

/** Files that are no DICOM, and the one study that they become (ENTITY-20: nonDicomUploadInfo, patientAndExamDetails). */
export interface OtherFiles {
  studyUid: string
  files: readonly OtherFile[]
  /** Files that were chosen and cannot go, with the reason. */
  leftOut: readonly SkippedFile[]
  /** Nothing is attached to the study: every file becomes images. */
  imagesOnly: boolean
  exam: ExamForm
  dateFormat: DateFormat
  /** Fields that tell their faults. */
  changed: ReadonlySet<ExamField>
  /** Times that Next was pressed while the form had faults: from then on all fields tell them (UPLOAD-24). */
  refusedNexts: number
}

/** The one patient of such an upload. */
const patientKey = 'form'

/** The selected files as a plan of one study; an empty one when nothing is selected. */
export function planOther({ studyUid, files, exam, dateFormat }: OtherFiles): UploadPlan {
  const chosen = files.filter((one) => one.isSelected)
  if (chosen.length === 0) return emptyPlan
  const patient = patientOf(exam, dateFormat)
  const sizeBytes = chosen.reduce((total, { file }) => total + file.size, 0)
  const study = {
    studyUid,
    patientKey,
    ...studyMomentOf(exam, dateFormat),
    description: exam.studyDescription.trim(),
    accessionNumber: '',
    referringPhysician: '',
    modalities: [],
    series: [
      {
        seriesUid: '',
        number: undefined,
        modality: '',
        description: '',
        files: chosen.map(({ path, file }) => ({ path, file, studyUid, seriesUid: '', sopUid: '' })),
        sizeBytes,
      },
    ],
    fileCount: chosen.length,
    sizeBytes,
    people: [patient],
    sameUidFiles: 0,
  }
  return {
    patients: [{ ...patient, key: patientKey, isTyped: true, studies: [study] }],
    studyCount: 1,
    partCount: 0,
    fileCount: chosen.length,
    sizeBytes,
  }
}

/** Whether something is selected that becomes an image: a study of attachments alone shows nothing. */
export const hasImages = ({ files }: OtherFiles) => files.some((one) => one.isSelected && one.kind !== 'attachment')

/** Openings of files that the server makes images of. */
const openings: readonly (readonly [string, OtherKind])[] = [
  ['%PDF-', 'document'],
  ['\xff\xd8\xff', 'picture'],
  ['\x89PNG\r\n\x1a\n', 'picture'],
  ['II*\0', 'picture'],
  ['MM\0*', 'picture'],
]

/** The kinds that the server will take files for, by their first bytes as the server does. */
export function findKinds(files: readonly PickedFile[]): Promise<OtherFile[]> {
  return Promise.all(files.map(async (one) => ({ ...one, kind: await findKind(one.file), isSelected: true })))
}

async function findKind(file: File): Promise<OtherKind> {
  try {
    const head = String.fromCharCode(...new Uint8Array(await file.slice(0, 8).arrayBuffer()))
    return openings.find(([opening]) => head.startsWith(opening))?.[1] ?? 'attachment'
  } catch {
    return 'attachment' // Sending the file tells why it cannot be read.
  }
}
