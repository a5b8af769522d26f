import type { ExamDifference, ExpectedExam } from '@hilum/contract/calls/link'
import { foldText } from '@hilum/dicom/person-name'
import type { ArrivedExam } from './link-list.sql.ts'

/**
 * Compares the study that came with the exam that a request expects. A fact that one side leaves out is no difference;
 * of the words one that both have in common is enough, since each hospital describes exams in its own.
 */
export function compareExam(expected: ExpectedExam, exam: ArrivedExam): ExamDifference[] {
  const isOther: Record<ExamDifference, boolean> = {
    date: expected.study_date !== '' && exam.study_date !== '' && expected.study_date !== exam.study_date,
    modality: isOtherModality(expected.modality, exam.modalities.filter(Boolean)),
    description: areOtherWords(wordsOf([expected.study_description]), wordsOf(exam.descriptions)),
  }
  return (['date', 'modality', 'description'] as const).filter((one) => isOther[one])
}

/** Modalities of plain radiographs, which are named by the detector (PS3.3 C.7.3.1.1.1). */
const radiographs = new Set(['CR', 'DX', 'RG'])

function isOtherModality(expected: string, found: readonly string[]): boolean {
  if (expected === '' || found.length === 0) return false
  const kindOf = (modality: string) => (radiographs.has(modality) ? 'DX' : modality)
  return !found.some((one) => kindOf(one.toUpperCase()) === kindOf(expected))
}

/** Words of three letters and more. */
function wordsOf(texts: readonly string[]): string[] {
  return foldText(texts.join(' ')).match(/[\p{L}\p{N}]{3,}/gu) ?? []
}

/** Letters of which one word may begin another: knee and knees, Knie and Kniegelenk. */
const stemLength = 4

function areOtherWords(expected: readonly string[], found: readonly string[]): boolean {
  if (expected.length === 0 || found.length === 0) return false
  const isLike = (one: string, other: string) => one === other || (other.length >= stemLength && one.startsWith(other))
  return !expected.some((one) => found.some((other) => isLike(one, other) || isLike(other, one)))
}
