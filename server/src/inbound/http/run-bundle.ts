import { maxBundleItems, maxCallBodyBytes } from '@hilum/contract/limits'
import type { Origin } from '../../areas/handler.ts'
import type { Services } from '../../services.ts'
import { dispatch } from './dispatch.ts'

/** A bundle that cannot be read at all: answered 400, nothing of it runs. */
export class BundleError extends Error {
  override readonly name = 'BundleError'
}

/** Characters that the tokens of one bundle may bring in: an item that doubles the one before it would fill all memory. */
const maxFilledChars = maxCallBodyBytes
/** Characters that the replies of one bundle may come to; items behind that are not run. */
const maxReplyChars = 4 * maxCallBodyBytes

/** What an item is answered with when the bundle has grown too large before it. */
const tooLarge = { status: 'ERROR', error_type: 'PAYLOAD_TOO_LARGE', HTTP_STATUS_CODE: '413' }

/**
 * Runs the items of a bundle in order, each like a request of its own; one that fails does not stop the rest
 * (`api-facts` §1.3). `{{TOKEN}}` in a value is replaced from earlier replies by a dotted path: `{{uuid}}` reads the
 * newest reply that has it, `{{studies.[0].uuid}}` goes into lists.
 * @returns the list of replies, as JSON
 * @throws BundleError when the body is no list of objects with a URL each
 */
export async function runBundle(services: Services, body: unknown, origin: Origin): Promise<string> {
  if (!Array.isArray(body)) throw new BundleError('A bundle is a JSON list of calls')
  if (body.length > maxBundleItems) throw new BundleError(`A bundle holds at most ${maxBundleItems} calls`)
  const items = body.map(readItem)
  const { setCookie: _, ...inner } = origin
  const replies: Record<string, unknown>[] = []
  const texts: string[] = []
  const left = { filled: maxFilledChars, replied: maxReplyChars }
  for (const { path, raw } of items) {
    const filled = left.replied > 0 ? fillTokens(raw, replies, left) : raw
    const isTooLarge = left.replied <= 0 || left.filled < 0
    const reply = isTooLarge ? tooLarge : await runItem(services, path, filled, inner)
    const text = JSON.stringify(reply)
    left.replied -= text.length
    replies.push(reply)
    texts.push(text)
  }
  return `[${texts.join(',')}]`
}

async function runItem(services: Services, path: string, raw: Record<string, unknown>, origin: Origin) {
  if (path === 'bundle') return { status: 'ERROR', error_type: 'NOT_FOUND', HTTP_STATUS_CODE: '404' }
  try {
    const { status, body } = await dispatch(services, path, raw, origin)
    return { ...body, HTTP_STATUS_CODE: String(status) }
  } catch (error) {
    services.log.error({ event: 'bundle item failed', call: path, err: error })
    return { status: 'ERROR', error_type: 'UNEXPECTED_ERROR', HTTP_STATUS_CODE: '500' }
  }
}

function readItem(item: unknown): { path: string; raw: Record<string, unknown> } {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) throw new BundleError('Every item is an object')
  const { URL: url, ...raw } = item as Record<string, unknown>
  if (typeof url !== 'string' || !url) throw new BundleError('Every item names its call in URL')
  return { path: url.replace(/^\/+|\/+$/g, '').replace(/^api\/v3\//, ''), raw }
}

/** How many characters tokens may still bring in; below zero once they came to more. */
type Left = { filled: number }

function fillTokens(
  raw: Record<string, unknown>,
  replies: readonly Record<string, unknown>[],
  left: Left,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, fill(value, replies, left)]))
}
function fill(value: unknown, replies: readonly Record<string, unknown>[], left: Left): unknown {
  if (typeof value === 'string') {
    return value.replace(/\{\{([^{}]+)\}\}/g, (token, path: string) => {
      if (left.filled < 0) return ''
      const found = findNewest(replies, path.trim())
      if (found === undefined) return token
      const text = typeof found === 'string' ? found : JSON.stringify(found)
      left.filled -= text.length
      return left.filled < 0 ? '' : text
    })
  }
  if (Array.isArray(value)) return value.map((one) => fill(one, replies, left))
  if (typeof value === 'object' && value !== null) return fillTokens(value as Record<string, unknown>, replies, left)
  return value
}
function findNewest(replies: readonly Record<string, unknown>[], path: string): unknown {
  for (let at = replies.length - 1; at >= 0; at -= 1) {
    const found = valueAt(replies[at] ?? {}, path)
    if (found !== undefined) return found
  }
  return undefined
}
function valueAt(reply: Record<string, unknown>, path: string): unknown {
  let at: unknown = reply
  for (const step of path.split('.')) {
    const key = /^\[(\d+)\]$/.exec(step)?.[1] ?? step
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<string, unknown>)[key]
  }
  return at
}
