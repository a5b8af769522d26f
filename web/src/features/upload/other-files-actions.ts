import { newUid } from '@hilum/dicom/uid'
import { todayIn } from '../../format/date-range.ts'
import type { DateFormat } from '../../format/dates.ts'
import { resetUploadProgress, setUploadProgress } from '../../state/upload-progress.ts'
import { emptyExam, type ExamField, type ExamForm, findExamFaults, typeInto } from './exam-form.ts'
import { findExams } from './find-exams.ts'
import { findKinds, type OtherFile, type OtherFiles } from './other-files.ts'
import type { PickedFile, SkippedFile } from './picked-files.ts'
import { useUpload } from './upload-store.ts'
import type { WalkBatch } from './walk.ts'

const { getState: read, setState: put } = useUpload

/** The facts of the destination and the person that wrapping needs. */
export interface WrapTerms {
  /** Root of new UIDs; '' for those from random UUIDs. */
  uidRoot: string
  dateFormat: DateFormat
  /** Nothing is attached to the study: files that become no images are left out. */
  imagesOnly?: boolean
}

/** Takes files as one new study of pictures and documents, and moves to its form (UPLOAD-06). */
export async function takeOtherFiles(
  files: readonly PickedFile[],
  leftOut: readonly SkippedFile[],
  { uidRoot, dateFormat, imagesOnly = false }: WrapTerms,
): Promise<void> {
  const sorted = await sortFiles(files, imagesOnly)
  if (sorted.files.length === 0) {
    const skipped = [...leftOut, ...sorted.leftOut]
    put({ search: { kind: 'failed', reason: 'no-exams', skipped, others: [] } })
    return
  }
  const other: OtherFiles = {
    // UPLOAD-26
    studyUid: newUid(uidRoot || undefined),
    files: sorted.files,
    leftOut: [...leftOut, ...sorted.leftOut],
    imagesOnly,
    exam: emptyExam,
    dateFormat,
    changed: new Set(),
    refusedNexts: 0,
  }
  put({ search: { kind: 'other', other }, selected: new Set([other.studyUid]), step: 2 })
}

/** Adds more files to those that are listed. DICOM files among them cannot go along, and are listed as left out. */
export async function addOtherFiles(walk: (signal: AbortSignal) => AsyncIterable<WalkBatch>): Promise<void> {
  const { signal } = new AbortController()
  setUploadProgress('preparing')
  try {
    const { others, plan, skipped } = await findExams(walk(signal), { signal, onProgress: () => undefined })
    const dicom = plan.patients.flatMap(({ studies }) =>
      studies.flatMap(({ series }) => series.flatMap((one) => one.files)),
    )
    const leftOut = [
      ...leftOutOf(skipped),
      ...dicom.map(({ path, file }) => ({ path, sizeBytes: file.size, reason: { kind: 'is-dicom' } as const })),
    ]
    const { search } = read()
    const added = await sortFiles(others, search.kind === 'other' && search.other.imagesOnly)
    change((other) => ({
      files: [...other.files, ...added.files.filter((one) => !other.files.some((known) => isSameFile(known, one)))],
      leftOut: [...other.leftOut, ...leftOut, ...added.leftOut],
    }))
  } finally {
    resetUploadProgress()
  }
}

/** Files with their kinds, and those that cannot go where nothing is attached. */
async function sortFiles(
  files: readonly PickedFile[],
  imagesOnly: boolean,
): Promise<{ files: OtherFile[]; leftOut: SkippedFile[] }> {
  const found = await findKinds(files)
  const isOut = ({ kind }: OtherFile) => imagesOnly && kind === 'attachment'
  const leftOut = found
    .filter(isOut)
    .map(({ path, file }) => ({ path, sizeBytes: file.size, reason: { kind: 'no-picture' } as const }))
  return { files: found.filter((one) => !isOut(one)), leftOut }
}

/** Files that can go in no way: damaged, empty or unreadable ones. */
export const leftOutOf = (skipped: readonly SkippedFile[]) =>
  skipped.filter(({ reason }) => reason.kind !== 'not-dicom')

/** A file that is chosen twice goes once. */
const isSameFile = (a: PickedFile, b: PickedFile) =>
  a.path === b.path && a.file.size === b.file.size && a.file.lastModified === b.file.lastModified

export function selectOtherFiles(chosen: readonly OtherFile[], isSelected: boolean): void {
  const named = new Set(chosen)
  change(({ files }) => ({ files: files.map((one) => (named.has(one) ? { ...one, isSelected } : one)) }))
}

/** Types into a field of the form; from then on the field tells its fault (UPLOAD-18). */
export function typeExam<Field extends ExamField>(field: Field, value: ExamForm[Field]): void {
  change((other) => ({
    exam: typeInto(other.exam, field, value, termsOf(other)),
    changed: new Set(other.changed).add(field),
  }))
}

/** A field that was left tells its fault, also when nothing was typed. */
export function checkField(field: ExamField): void {
  change(({ changed }) => ({ changed: new Set(changed).add(field) }))
}

/** UPLOAD-24: Next was pressed while the form has faults. */
export function refuseNext(): void {
  change(({ refusedNexts }) => ({ refusedNexts: refusedNexts + 1 }))
}

export const isFormValid = (other: OtherFiles) => Object.keys(findExamFaults(other.exam, termsOf(other))).length === 0

/** Today as the calendar of this computer has it. */
export function termsOf({ dateFormat }: Pick<OtherFiles, 'dateFormat'>) {
  const today = todayIn('').replaceAll('-', '')
  return { dateFormat, today }
}

function change(make: (other: OtherFiles) => Partial<OtherFiles>): void {
  const { search } = read()
  if (search.kind !== 'other') return
  put({ search: { kind: 'other', other: { ...search.other, ...make(search.other) } } })
}
