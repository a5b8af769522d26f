import type { AnyCall } from '@hilum/contract/call'
import { ApiFailure } from './api-failure.ts'
import { randomKey } from './random-key.ts'

interface Unanswered {
  key: string
  since: number
}

/** Acts whose answer has not come, by their names. */
const unanswered = new Map<string, Unanswered>()
/** The longest between a press whose answer was lost and another one that is meant as the same. */
const longestMs = 300_000
/** Acts by which somebody may have taken back what an act without an answer had made. */
const takesBack = /\/(?:cancel|delete|end|reject|retract|stop)$/

/**
 * The parameters of an act, of calls that take one with the key under which the server does it once: the key of the same
 * act before, where its answer never came.
 * @param name tells the act from others of its call
 */
export function withKey(call: AnyCall, name: string, sent: object): object {
  return call.once ? { ...sent, idempotency_key: keyOf(`${call.path} ${name}`) } : sent
}

function keyOf(act: string): string {
  const before = unanswered.get(act)
  const isHeld = before && Date.now() - before.since < longestMs
  const { key } = isHeld ? before : { key: randomKey() }
  if (!isHeld) unanswered.set(act, { key, since: Date.now() })
  return key
}

/** Notes the outcome of an act: an answer ends its key, and a line that broke does not. */
export function noteOutcome(call: AnyCall, name: string, failure?: unknown): void {
  if (failure !== undefined && (isLost(failure) || wasDoneBefore(failure))) return
  if (failure === undefined && takesBack.test(call.path)) unanswered.clear()
  unanswered.delete(`${call.path} ${name}`)
}

/** No answer, or one of something in between: whether the act was done is not known. */
function isLost(failure: unknown): boolean {
  return !(failure instanceof ApiFailure) || failure.status === 0 || failure.status >= 500
}

/** Refused since the same act was done with other values: a further press must not do it under a new key. */
export function wasDoneBefore(failure: unknown): boolean {
  return failure instanceof ApiFailure && failure.code === 'ANSWERED_BEFORE' && failure.subtype === 'other_values'
}
