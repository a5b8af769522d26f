import type { Account } from '@hilum/contract/calls/account'
import type { User } from '@hilum/contract/entities/user'
import { create } from 'zustand'
import { setSid } from '../api/credentials.ts'

/** The signed-in user and their rights in the account they work in (ENTITY-02). */
export interface Session {
  /** A short token, in memory alone; renewed from `renewAt` on. */
  sid: string
  /** When its time is nearly over, by this machine's clock in milliseconds. */
  renewAt?: number
  /** Names the session, opens nothing. */
  sessionId: string
  user: User
  /** Name of the supporter who is signed in as the user. */
  proxyName?: string
  /** Minutes of idleness after which the server ends the session. */
  sessionExpire: number
  /** The user's own settings by key. */
  settings: Record<string, string>
  accounts: Account[]
  account: Account
  /** Somebody of several organisations has chosen none yet, and is asked; the login was made in `homeUuid`. */
  asksAccount?: { homeUuid: string }
  /** Flags of the account role; those of a group come with the group. */
  permissions: Record<string, number | string>
}

/** Why somebody who was signed in sees the login screen. */
export type EndReason = 'ended' | 'signedOut' | 'resetDone' | 'notEstablished'

/** AUTH-12: the states of authentication. `unknown` only until the stored session was looked at. */
type SessionState =
  | { status: 'unknown' }
  | { status: 'signedOut'; reason?: EndReason }
  | { status: 'signingIn' }
  | { status: 'established'; session: Session }

export const useSession = create<{ state: SessionState }>(() => ({ state: { status: 'unknown' } }))

/** The state now, for code outside components. */
export function readSession(): SessionState {
  return useSession.getState().state
}

/** Puts a state in force, for the calls too: they speak for the sid of an established session only. */
export function putSession(state: SessionState): void {
  setSid(state.status === 'established' ? state.session.sid : undefined)
  useSession.setState({ state })
}

/** The session of whoever is signed in. Only below the routes that need one. */
export function useEstablished(): Session {
  const state = useSession((store) => store.state)
  const last = lastEstablished(state)
  if (!last) throw new Error('No session is established here')
  return last
}

/** The session of whoever is signed in; undefined for somebody without a login, on the page of a link. */
export function useOwnSession(): Session | undefined {
  return lastEstablished(useSession((store) => store.state))
}

let remembered: Session | undefined

/** Screens that are being left still render once after the session ended: they see the last one. */
function lastEstablished(state: SessionState): Session | undefined {
  if (state.status === 'established') remembered = state.session
  return remembered
}
