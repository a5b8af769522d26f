import type { RouteRun } from '@hilum/contract/calls/route'
import { t } from '../../../labels/label.ts'

interface Result {
  name?: string
  result?: string
  reason?: string
}

/** The outcome of a run, and the reason. */
export function runText({ state, reason, detail }: Pick<RouteRun, 'state' | 'reason' | 'detail'>): string {
  const word = t(`routing.run.${state}`)
  const actions = (detail.actions ?? []) as Result[] // as a run keeps them
  const failed = actions.filter((one) => one.result === 'failed')
  if (failed.length > 0) {
    const texts = failed.map((one) => t('routing.runAction', { name: one.name ?? '', reason: whyText(one.reason, []) }))
    return t('routing.runWith', { state: word, reason: texts.join('; ') })
  }
  if (!reason) return word
  return t('routing.runWith', { state: word, reason: whyText(reason, (detail.failed ?? []) as number[]) })
}

const whys = [
  'AWAITS_APPROVAL',
  'OUTSIDE_SCHEDULE',
  'LOOP',
  'RULE_DELETED',
  'RULE_DISABLED',
  'STUDY_GONE',
  'TARGET_GONE',
  'NOT_AVAILABLE',
  'WEBHOOK_DISABLED',
  'OTHER_PATIENT',
  'NO_IMAGES',
  'NOT_READY',
  'SECOND_PERSON',
  'FOREIGN_MRN',
  'FROZEN',
] as const

function whyText(reason: string | undefined, failed: readonly number[]): string {
  if (reason === 'CONDITIONS')
    return t('routing.why.CONDITIONS', { numbers: failed.map((at) => String(at + 1)).join(', ') })
  const known = whys.find((one) => one === reason)
  return t(known ? `routing.why.${known}` : 'routing.why.other')
}
