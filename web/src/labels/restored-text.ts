import type { RestoredAccess } from '@hilum/contract/calls/study-acts'
import { t } from './label.ts'

/** Numbers of shares and links of restored exams that give access again, and that stay ended and why; undefined where there were none. */
export function restoredText({ shares, links, expired, ended, one_patient }: RestoredAccess): string | undefined {
  const back = [
    shares > 0 && t('restored.shares', { count: shares }),
    links > 0 && t('restored.links', { count: links }),
  ]
    .filter((text) => text !== false)
    .join(', ')
  const over = [
    expired > 0 && t('restored.expired', { count: expired }),
    ended > 0 && t('restored.ended', { count: ended }),
    one_patient > 0 && t('restored.onePatient', { count: one_patient }),
  ]
    .filter((text) => text !== false)
    .join(', ')
  if (over === '') return back === '' ? undefined : t('restored.back', { back })
  return back === '' ? t('restored.over', { over }) : t('restored.backAndOver', { back, over })
}

/** Whether access to restored exams stays ended that was in force when they were deleted. */
export const lacksAccess = ({ expired, ended, one_patient }: RestoredAccess) => expired + ended + one_patient > 0

/** The access of several restored exams together. */
export function sumAccess(all: readonly (RestoredAccess | undefined)[]): RestoredAccess {
  const sum = { shares: 0, links: 0, expired: 0, ended: 0, one_patient: 0 }
  for (const one of all) {
    sum.shares += one?.shares ?? 0
    sum.links += one?.links ?? 0
    sum.expired += one?.expired ?? 0
    sum.ended += one?.ended ?? 0
    sum.one_patient += one?.one_patient ?? 0
  }
  return sum
}
