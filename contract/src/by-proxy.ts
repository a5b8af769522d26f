import type { AnyCall } from './call.ts'

/** Of the calls about the person who is signed in, the ones that leave everything of the person as it is. */
const harmless: ReadonlySet<string> = new Set(['session/logout', 'session/derive', 'job/cancel', 'job/retry'])

/** Calls that decide who signs in, and as whom. */
const ofLogins: ReadonlySet<string> = new Set([
  'account/user/add',
  'account/user/set',
  'account/user/delete',
  'user/add',
  'user/enable',
  'user/invite',
  'user/welcome',
  'user/pin/reset',
  'identity/provider/set',
  'identity/provider/delete',
  'mail/cancel',
  'mail/outbox',
  'mail/retry',
])

/**
 * Whether a supporter who signed in as somebody else may make a call: none that changes what is the person's own
 * (password, second factor, keys, identities, profile, settings, agreements), and none about logins of others.
 */
export function mayByProxy(call: Pick<AnyCall, 'path' | 'on' | 'reads'>): boolean {
  if (call.on.kind === 'system' || ofLogins.has(call.path)) return false
  return call.on.kind !== 'caller' || call.reads === true || harmless.has(call.path)
}
