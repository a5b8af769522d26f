import { maxBundleItems, maxCallBodyBytes } from '@hilum/contract/limits'
import { isLiveSid } from '../../access/find-caller.ts'
import type { Origin } from '../../areas/handler.ts'
import { DatabaseAwayError } from '../../db/database-away.ts'
import { StoreError } from '../../outbound/storage/store-error.ts'
import type { Services } from '../../services.ts'
import { dispatch, sidOf } from './dispatch.ts'
import { readCallPath } from './read-call-path.ts'
import { fillTokens, type TokenAllowance, TokenAllowanceError } from './fill-tokens.ts'

/** A bundle that cannot be read at all: answered 400, nothing of it runs. */
export class BundleError extends Error {
  override readonly name = 'BundleError'
}

/** Of the tokens of one bundle: what they bring in, and how much is looked through for them. */
const allowance = { chars: 1024 * 1024, lookups: 100_000 }
/** Characters that the replies of one bundle may come to; items behind that are not run. */
const maxReplyChars = 4 * maxCallBodyBytes

/** The answer to an item when the bundle has grown too large before it. */
const tooLarge = { status: 'ERROR', error_type: 'PAYLOAD_TOO_LARGE', HTTP_STATUS_CODE: '413' }

/** The answer to an item that would make a bundle without a session cost more than one call. */
const unauthorized = { status: 'ERROR', error_type: 'UNAUTHORIZED', HTTP_STATUS_CODE: '401' }

/**
 * Runs the items of a bundle in order, each like a request of its own; one that fails does not stop the rest
 * (`api-facts` §1.3). `{{TOKEN}}` in a value is replaced from earlier replies by a dotted path: `{{uuid}}` reads the
 * newest reply that has it, `{{studies.[0].uuid}}` goes into lists. Without a live session one item runs, and those
 * behind it only when it made a session.
 * @returns the list of replies, as JSON
 * @throws BundleError when the body is no list of objects with a URL each
 */
export async function runBundle(services: Services, body: unknown, origin: Origin): Promise<string> {
  if (!Array.isArray(body)) throw new BundleError('A bundle is a JSON list of calls')
  if (body.length > maxBundleItems) throw new BundleError(`A bundle holds at most ${maxBundleItems} calls`)
  const items = body.map(readItem)
  const { host, isHttps, clientAddress, sid, userAgent } = origin // no cookies
  const inner: Origin = { host, isHttps, clientAddress, sid, userAgent }
  const replies: Record<string, unknown>[] = []
  const texts: string[] = []
  const left = { ...allowance, replied: maxReplyChars }
  let hasSession = items.length > 1 && (await isSentBySomebody(services, items, origin))
  for (const [index, item] of items.entries()) {
    const mayRun = hasSession || index === 0
    const reply: Record<string, unknown> = mayRun
      ? await runNext(services, item, { origin: inner, replies, left })
      : unauthorized
    hasSession ||= 'sid' in reply
    const text = JSON.stringify(reply)
    left.replied -= text.length
    replies.push(reply)
    texts.push(text)
  }
  return `[${texts.join(',')}]`
}

/** Whether a live session stands behind the bundle: the one of its request, else the first that an item names. */
async function isSentBySomebody(services: Services, items: readonly Item[], origin: Origin): Promise<boolean> {
  const named = items.map(({ raw }) => sidOf(raw)).find((sid) => sid !== undefined)
  for (const sid of new Set([origin.sid, named])) {
    if (sid && (await isLiveSid(services.db, sid))) return true
  }
  return false
}

interface Course {
  origin: Origin
  replies: readonly Record<string, unknown>[]
  left: TokenAllowance & { replied: number }
}

async function runNext(services: Services, { path, raw }: Item, { origin, replies, left }: Course) {
  if (left.replied <= 0 || left.chars < 0 || left.lookups < 0) return tooLarge
  try {
    return await runItem(services, path, fillTokens(raw, replies, left), origin)
  } catch (error) {
    if (error instanceof TokenAllowanceError) return tooLarge
    throw error
  }
}

async function runItem(services: Services, path: string, raw: Record<string, unknown>, origin: Origin) {
  if (path === 'bundle') return { status: 'ERROR', error_type: 'NOT_FOUND', HTTP_STATUS_CODE: '404' }
  try {
    const { status, body } = await dispatch(services, path, raw, origin)
    return { ...body, HTTP_STATUS_CODE: String(status) }
  } catch (error) {
    if (error instanceof DatabaseAwayError || (error instanceof StoreError && error.fault === 'slow'))
      return { status: 'ERROR', error_type: 'SERVICE_UNAVAILABLE', HTTP_STATUS_CODE: '503' }
    services.log.error({ event: 'bundle item failed', call: path, err: error })
    return { status: 'ERROR', error_type: 'UNEXPECTED_ERROR', HTTP_STATUS_CODE: '500' }
  }
}

interface Item {
  path: string
  raw: Record<string, unknown>
}

function readItem(item: unknown): Item {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) throw new BundleError('Every item is an object')
  const { URL: url, ...raw } = item as Record<string, unknown>
  if (typeof url !== 'string' || !url) throw new BundleError('Every item names its call in URL')
  return { path: readCallPath(url).replace(/^api\/v3\//, ''), raw }
}
