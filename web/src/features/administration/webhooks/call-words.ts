import { type WebhookDelivery, webhookEvents } from '@hilum/contract/calls/webhook'
import { failureCode } from '../../../api/api-failure.ts'
import { t } from '../../../labels/label.ts'

const errors = [
  'BAD_STATUS',
  'REDIRECT',
  'PRIVATE_ADDRESS',
  'TIMEOUT',
  'UNREACHABLE',
  'SWITCHED_OFF',
  'TOO_MANY_WAITING',
] as const

/** Why a webhook was not called, or changed, as somebody asked. */
export function undoneText(thrown: unknown): string {
  return t(failureCode(thrown) === 'LOCKOUT' ? 'webhooks.tooOften' : 'webhooks.undone')
}

/** Why a call of a webhook failed. */
export function errorText(error: string, status: number): string {
  const known = errors.find((one) => one === error)
  if (known === 'BAD_STATUS' || known === 'REDIRECT')
    return t(`webhooks.error.${known}`, { status: status > 0 ? status : '…' })
  return known ? t(`webhooks.error.${known}`) : error
}

/** The occasion on which a webhook is called. */
export function eventText(event: string): string {
  const known = webhookEvents.find((one) => one === event)
  return known ? t(`webhooks.event.${known}`) : event
}

/** The rule or the event for which a webhook was called; a call without either was a test. */
export function occasionText({ route_name: rule, event }: WebhookDelivery): string {
  if (rule) return t('webhooks.byRule', { name: rule })
  const known = webhookEvents.find((one) => one === event && one !== 'ROUTE_RULE')
  return known ? t(`webhooks.event.${known}`) : t('webhooks.isTest')
}
