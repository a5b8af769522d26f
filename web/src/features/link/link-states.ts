import type { LinkState } from '@hilum/contract/calls/link'
import { ApiFailure } from '../../api/api-failure.ts'

/** Why a link does not open: its own state, no such link, or too many tries from this network. */
export type ClosedState = Exclude<LinkState, 'open'> | 'unknown' | 'tooMany'

/** The state that a refusal tells of; undefined where it tells of none, as for a wrong password or a lost network. */
export function closedStateOf(failure: unknown): ClosedState | undefined {
  if (!(failure instanceof ApiFailure)) return undefined
  const { code, subtype } = failure
  if (code === 'NOT_FOUND') return 'unknown'
  if (code === 'PHANTOM') return 'waiting'
  if (code === 'LOCKOUT') return subtype === 'password' ? 'locked' : subtype === 'pin' ? undefined : 'tooMany'
  if (code !== 'EXPIRED') return undefined
  return subtype === 'used' || subtype === 'ended' ? subtype : 'expired'
}
