import type { Study } from '@hilum/contract/entities/study'

/** Whether copies without names stand among exams with names: whoever gets both reads whose the copies are. */
export function hasNamesBeside(studies: readonly Study[]): boolean {
  return new Set(studies.map((one) => one.is_deidentified)).size > 1
}
