import { maxBundleItems } from '@hilum/contract/limits'
import type { Origin } from '../../areas/handler.ts'
import type { Services } from '../../services.ts'
import { dispatch } from './dispatch.ts'

/** A bundle that cannot be read at all: answered 400, nothing of it runs. */
export class BundleError extends Error {
  override readonly name = 'BundleError'
}

/**
 * Runs the items of a bundle in order, each like a request of its own; one that fails does not stop the rest
 * (`api-facts` §1.3). `{{TOKEN}}` in a value is replaced from earlier replies by a dotted path: `{{uuid}}` reads the
 * newest reply that has it, `{{studies.[0].uuid}}` goes into lists.
 * @throws BundleError when the body is no list of objects with a URL each
 */
export async function runBundle(services: Services, body: unknown, origin: Origin): Promise<Record<string, unknown>[]> {
  if (!Array.isArray(body)) throw new BundleError('A bundle is a JSON list of calls')
  if (body.length > maxBundleItems) throw new BundleError(`A bundle holds at most ${maxBundleItems} calls`)
  const items = body.map(readItem)
  const replies: Record<string, unknown>[] = []
  for (const { path, raw } of items) {
    const { setCookie: _, ...inner } = origin
    const reply = await runItem(services, path, fillTokens(raw, replies), inner)
    replies.push(reply)
  }
  return replies
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

function fillTokens(
  raw: Record<string, unknown>,
  replies: readonly Record<string, unknown>[],
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, fill(value, replies)]))
}
function fill(value: unknown, replies: readonly Record<string, unknown>[]): unknown {
  if (typeof value === 'string') {
    return value.replace(/\{\{([^{}]+)\}\}/g, (token, path: string) => {
      const found = replies
        .toReversed()
        .map((reply) => valueAt(reply, path.trim()))
        .find((one) => one !== undefined)
      return found === undefined ? token : typeof found === 'string' ? found : JSON.stringify(found)
    })
  }
  if (Array.isArray(value)) return value.map((one) => fill(one, replies))
  if (typeof value === 'object' && value !== null) return fillTokens(value as Record<string, unknown>, replies)
  return value
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
