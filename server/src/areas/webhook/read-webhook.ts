import { maxWebhookUrl, type WebhookMethod } from '@hilum/contract/calls/webhook'
import { ApiError } from '@hilum/contract/errors'
import { isIP } from 'node:net'
import { isPublicAddress } from '../../outbound/webhook/public-address.ts'
import type { WebhookRow } from './webhook.sql.ts'

interface Sent {
  name?: string | undefined
  event?: string | undefined
  url?: string | undefined
  method?: WebhookMethod | undefined
  suspended?: 0 | 1 | undefined
  parameters?: unknown
  retry?: 0 | 1 | undefined
}

const maxParameters = 50

/**
 * A webhook with what was sent put over it.
 * @throws ApiError INVALID_FIELD for the name, INVALID_URL for an address that is none or is private, NOT_HASH
 */
export function readWebhook(before: WebhookRow, sent: Sent, allowsPrivate: boolean): WebhookRow {
  const name = (sent.name ?? before.name).trim()
  if (name === '' || name.length > 200 || /\p{Cc}/u.test(name)) throw new ApiError('INVALID_FIELD', { subtype: 'name' })
  return {
    ...before,
    name,
    event: sent.event ?? before.event,
    url: sent.url === undefined ? before.url : readUrl(sent.url, allowsPrivate),
    method: sent.method ?? before.method,
    suspended: sent.suspended === undefined ? before.suspended : sent.suspended === 1,
    retry: sent.retry === undefined ? before.retry : sent.retry === 1,
    parameters: sent.parameters === undefined ? before.parameters : readParameters(sent.parameters),
  }
}

function readUrl(sent: string, allowsPrivate: boolean): string {
  const text = sent.trim()
  const url = URL.parse(text)
  const isGood =
    url !== null &&
    text.length <= maxWebhookUrl &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.password === ''
  if (!isGood) throw new ApiError('INVALID_URL', { subtype: 'FORM' })
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // names are looked up at each call
  if (!allowsPrivate && (host === 'localhost' || (isIP(host) && !isPublicAddress(host))))
    throw new ApiError('INVALID_URL', { subtype: 'PRIVATE_ADDRESS' })
  return url.href
}

function readParameters(sent: unknown): Record<string, string> {
  if (sent === '' || sent === null) return {}
  if (typeof sent !== 'object' || Array.isArray(sent)) throw new ApiError('NOT_HASH', { subtype: 'parameters' })
  const entries = Object.entries(sent)
  const isGood = entries.length <= maxParameters && entries.every(([, value]) => isShort(value))
  if (!isGood) throw new ApiError('INVALID_FIELD', { subtype: 'parameters' })
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

function isShort(value: unknown): boolean {
  return (typeof value === 'string' || typeof value === 'number') && String(value).length <= 1000
}
