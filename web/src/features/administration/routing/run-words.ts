import type { RouteRun } from '@hilum/contract/calls/route'
import { ApiFailure } from '../../../api/api-failure.ts'
import { hasLabel, t } from '../../../labels/label.ts'

interface Result {
  kind?: string
  name?: string
  result?: string
  reason?: string
}

/** The outcome of a run with its reason, and what came of each action. */
export function runTexts({ state, reason, detail }: Pick<RouteRun, 'state' | 'reason' | 'detail'>): string[] {
  const word = t(`routing.run.${state}`)
  const actions = (detail.actions ?? []) as Result[] // as a run keeps them
  // why a run failed stands with its actions
  if (!reason || (state === 'failed' && actions.length > 0)) return [word, ...actions.map(resultText)]
  const outcome = t('routing.runWith', { state: word, reason: whyText(reason, (detail.failed ?? []) as number[]) })
  return [outcome, ...actions.map(resultText)]
}

function resultText({ kind, name = '', result, reason }: Result): string {
  if (result === 'failed')
    return t('routing.runAction', { name: name || t('routing.gone'), reason: whyText(reason, []) })
  if (result === 'before') return t('routing.ranBefore', { name: name || t('routing.gone') })
  const way = ways.find((one) => one === kind) ?? 'namespace'
  return t(`routing.ran.${way}.${result === 'unchanged' ? 'unchanged' : 'done'}`, { name })
}

const ways = ['namespace', 'share_code', 'destination', 'webhook'] as const

/** The event by which a rule looked at the study. */
export function triggerText({ trigger }: Pick<RouteRun, 'trigger'>): string {
  const key = `routing.trigger.${trigger}`
  return hasLabel(key) ? t(key as 'routing.trigger.upload') : '' // without slots
}

const whys = [
  'AWAITS_APPROVAL',
  'OUTSIDE_SCHEDULE',
  'FIELD_GONE',
  'BAD_CONDITION',
  'LOOP',
  'RULE_DELETED',
  'RULE_DISABLED',
  'OTHER_PLACE',
  'OTHER_TRIGGER',
  'STUDY_GONE',
  'TARGET_GONE',
  'NOT_AVAILABLE',
  'WEBHOOK_DISABLED',
  'OTHER_PATIENT',
  'NO_IMAGES',
  'NOT_READY',
  'SECOND_PERSON',
  'FOREIGN_MRN',
  'NOT_NOMINATED',
  'NOT_CONFIGURED',
  'REJECTED',
  'FROZEN',
] as const

/** Why a rule was not run again, in words. */
export function againFaultText(failure: unknown): string {
  if (!(failure instanceof ApiFailure)) return t('routing.runAgainFailed')
  if (failure.code === 'ALREADY_EXISTS') return t('routing.runAgainLater')
  if (failure.code !== 'ROUTE_NOT_MATCHED') return t('routing.runAgainFailed')
  const subtype = [failure.subtype].flat()[0] ?? ''
  const known = whysNotAgain.find((one) => one === subtype)
  return t(known ? `routing.notAgain.${known}` : 'routing.runAgainFailed')
}

const whysNotAgain = [
  'RULE_DISABLED',
  'OTHER_PLACE',
  'OTHER_TRIGGER',
  'OUTSIDE_SCHEDULE',
  'CONDITIONS',
  'FIELD_GONE',
  'BAD_CONDITION',
] as const

function whyText(reason: string | undefined, failed: readonly number[]): string {
  if (reason === 'CONDITIONS')
    return t('routing.why.CONDITIONS', { numbers: failed.map((at) => String(at + 1)).join(', ') })
  const known = whys.find((one) => one === reason)
  return t(known ? `routing.why.${known}` : 'routing.why.other')
}
