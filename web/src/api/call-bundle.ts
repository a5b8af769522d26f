import type { AnyCall, OutputOf } from '@hilum/contract/call'
import { maxBundleItems } from '@hilum/contract/limits'
import { addressOf } from '@hilum/contract/route'
import { bundle } from '@hilum/contract/routes/others'
import { ApiFailure } from './api-failure.ts'
import { noteOutcome, withKey } from './once-keys.ts'
import { zoneOf } from './list-zone.ts'
import { type ListParameters, type Parameters, postJson, toFailure } from './call-api.ts'

export interface BundleItem<C extends AnyCall> {
  parameters: Parameters<C>
  list?: ListParameters
  /** Tells the act from others of its call, where that is not told by its parameters: with others it is the same act still. */
  act?: string
}

/** Outcome of one item: its reply, or why there is none. */
type ItemResult<C extends AnyCall> = { isDone: true; reply: OutputOf<C> } | { isDone: false; failure: ApiFailure }

/**
 * Makes the same call many times in one request (GRID-05), or in as few as `maxBundleItems` lets; one that fails does
 * not stop the rest. Where a request fails after others were answered, its items and those not yet sent fail alone.
 * @returns one result for each item, in their order
 * @throws ApiFailure when nothing was answered; AbortError when `signal` fires
 */
export async function callBundle<C extends AnyCall>(
  call: C,
  items: readonly BundleItem<C>[],
  signal?: AbortSignal,
): Promise<ItemResult<C>[]> {
  const results: ItemResult<C>[] = []
  for (let at = 0; at < items.length; at += maxBundleItems) {
    try {
      results.push(...(await sendPart(call, items.slice(at, at + maxBundleItems), signal)))
    } catch (failure) {
      if (at === 0 || !(failure instanceof ApiFailure)) throw failure
      results.push(...items.slice(at).map(() => ({ isDone: false, failure }) as const))
      break
    }
  }
  return results
}

/** @throws ApiFailure when the request failed: whether its items were done is not known */
async function sendPart<C extends AnyCall>(
  call: C,
  items: readonly BundleItem<C>[],
  signal: AbortSignal | undefined,
): Promise<ItemResult<C>[]> {
  const named = items.map(({ parameters, list }) => ({ ...parameters, ...list }))
  const acts = items.map(({ act }, at) => act ?? JSON.stringify(named[at]))
  const sent = named.map((one, at) => withKey(call, acts[at] ?? '', { URL: `/${call.path}`, ...one, ...zoneOf(one) }))
  const replies = await postJson(addressOf(bundle, {}), sent, { signal })
  if (!Array.isArray(replies) || replies.length !== items.length) throw new ApiFailure('UNEXPECTED_ERROR')
  const results = replies.map((reply: unknown) => readItem<C>(reply))
  for (const [at, result] of results.entries())
    noteOutcome(call, acts[at] ?? '', result.isDone ? undefined : result.failure)
  return results
}

/** GRID-05: the status is text, and anything but '200' is a failure. */
function readItem<C extends AnyCall>(item: unknown): ItemResult<C> {
  const { HTTP_STATUS_CODE: status, ...reply } = item as Record<string, unknown> // an object by the wire
  if (status === '200') return { isDone: true, reply: reply as OutputOf<C> }
  return { isDone: false, failure: toFailure({ status: Number(status), statusText: '' }, reply) }
}
