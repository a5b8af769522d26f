import type { ApiFailure } from '../../../api/api-failure.ts'
import { t } from '../../../labels/label.ts'

/** Why a rule was refused, in words: which part of it, and the reason. Two people at one rule are told by StaleBanner. */
export function ruleFaultText({ code, subtype, data }: ApiFailure): string {
  const { at } = (data ?? {}) as { at?: unknown } // checked below
  const number = typeof at === 'number' ? at + 1 : 1
  switch (code) {
    case 'NOT_PERMITTED':
      return t(subtype === 'share_code' ? 'routing.fault.mayNot' : 'routing.fault.mayNotEdit')
    case 'LOCKOUT':
      return t('routing.fault.lockout')
    case 'INVALID_ACTION':
      return t('routing.fault.action', { number, reason: reasonText(subtype) })
    case 'INVALID_CONDITION':
      return t('routing.fault.condition', { number, reason: reasonText(subtype) })
    case 'INVALID_SCHEDULE':
      return t(subtype === 'UNKNOWN_ZONE' ? 'routing.fault.zone' : 'routing.fault.schedule')
    case 'INVALID_LINKAGE':
    case 'INVALID_OTHER_NAMESPACES':
      return t('routing.fault.placeGone')
    case 'INVALID_MANUAL_ROLES':
      return t('routing.fault.roleGone')
    case 'INVALID_OPTION':
      return t('routing.fault.option')
    case 'INVALID_FIELD':
      return t(subtype === 'name' ? 'routing.fault.name' : 'routing.fault.other')
    case 'NOT_FOUND':
      return t('routing.fault.gone')
    case 'ERR_NETWORK':
      return t('routing.fault.network')
    default:
      return t('routing.fault.other')
  }
}

/** Whether the refusal is about values of the form, so that another value may end its cause. */
export function isOfValues({ code, subtype }: ApiFailure): boolean {
  return code.startsWith('INVALID_') || code === 'LOCKOUT' || subtype === 'share_code'
}

const reasons = ['GONE', 'LOOP', 'TAKES_NO_SHARES', 'TAKES_NO_PUSH', 'NOT_AVAILABLE'] as const

function reasonText(subtype: unknown): string {
  const known = reasons.find((one) => one === subtype)
  return t(known ? `routing.reason.${known}` : 'routing.reason.other')
}
