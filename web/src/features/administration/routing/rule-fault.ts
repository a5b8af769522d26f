import type { ApiFailure } from '../../../api/api-failure.ts'
import { t } from '../../../labels/label.ts'

/** Why a rule was refused, in words: which part of it, and the reason. */
export function ruleFaultText({ code, subtype, data }: ApiFailure): string {
  if (code === 'STALE') return t('routing.fault.stale')
  if (code === 'NOT_PERMITTED' && subtype === 'share_code') return t('routing.fault.mayNot')
  if (code === 'LOCKOUT') return t('routing.fault.lockout')
  if (code === 'INVALID_SCHEDULE') return t('routing.fault.schedule')
  const { at } = (data ?? {}) as { at?: unknown } // checked below
  const number = typeof at === 'number' ? at + 1 : 1
  const reason = reasonText(subtype)
  if (code === 'INVALID_ACTION') return t('routing.fault.action', { number, reason })
  if (code === 'INVALID_CONDITION') return t('routing.fault.condition', { number, reason })
  return t('routing.fault.other')
}

const reasons = ['GONE', 'LOOP', 'TAKES_NO_SHARES', 'TAKES_NO_PUSH', 'NOT_AVAILABLE'] as const

function reasonText(subtype: unknown): string {
  const known = reasons.find((one) => one === subtype)
  return t(known ? `routing.reason.${known}` : 'routing.reason.other')
}
