import { identityFinish } from '@hilum/contract/calls/identity'
import { sessionLogin } from '@hilum/contract/calls/session'
import { sessionPin } from '@hilum/contract/calls/session-pin'
import { sessionProxy } from '@hilum/contract/calls/system'
import { callApi } from '../api/call-api.ts'
import { getSid, renewSid } from '../api/credentials.ts'
import { complete, type SessionEntry, logOutOnServer, toEntry } from './establish-session.ts'
import { putSession, readSession, type Session } from './session-store.ts'
import { clearStorage } from './stored-session.ts'

interface Credentials {
  login: string
  password: string
  vanity?: string
  new_password?: string
}

/**
 * Signs in and makes the session complete: login, user details, settings, permissions (AUTH-13).
 * @throws ApiFailure; of a step after the login only once the user is logged out again
 */
export function askToSignIn(credentials: Credentials): Promise<Session | Waiting> {
  return untilFailure(async () => {
    const reply = await callApi(sessionLogin, { ...credentials, short: 1 })
    const entry = toEntry(reply)
    if (reply.pin_required !== 1) return completeOrLogOut(entry)
    putSession({ status: 'signedOut' })
    return { ...entry, waitsFor: reply.pin_via === 'setup' ? 'setup' : 'pin' }
  })
}

/** The answer with which a provider of identities sent the browser back. */
export type ReturnedQuery = { state: string; code?: string; iss?: string; error?: string }

/**
 * Finishes a way to a provider of identities: a session or one that waits; `done` for a connection or a proof.
 * @throws ApiFailure
 */
export async function returnFromProvider(sent: ReturnedQuery): Promise<Session | Waiting | 'done'> {
  const wasIn = readSession().status === 'established'
  // the session that went to the provider says so by name; a sign-in has none
  if (wasIn) await renewSid()
  const own = wasIn ? getSid() : undefined
  const finish = () => callApi(identityFinish, { ...sent, ...(own ? { sid: own } : {}) })
  // another tab of this browser may have signed in meanwhile: the newer session counts
  const early = wasIn ? await finish() : undefined
  if (early && early.purpose !== 'sign-in') return 'done'
  return untilFailure(async () => {
    const { sid, session_id, expires_in, pin_required, pin_via, account_id } = early ?? (await finish())
    if (sid === undefined || session_id === undefined) throw new Error('The sign-in opened no session')
    const entry: SessionEntry = {
      ...toEntry({ sid, session_id, ...(expires_in === undefined ? {} : { expires_in }) }),
      ...(account_id === undefined ? {} : { providerAccount: account_id }),
    }
    if (pin_required !== 1) return completeOrLogOut(entry)
    putSession({ status: 'signedOut' })
    return { ...entry, waitsFor: pin_via === 'setup' ? 'setup' : 'pin' }
  })
}

/** A sign-in whose password was right, and that opens nothing before its second factor. */
export type Waiting = SessionEntry & { waitsFor: 'pin' | 'setup' }

/** Gives the second factor of a sign-in, and makes the session complete. @throws ApiFailure */
export function enterPin(waiting: Waiting, pin: string, isRemembered: boolean): Promise<Session> {
  return untilFailure(async () => {
    await callApi(sessionPin, { pin, ...(isRemembered ? { remember_device: 1 as const } : {}) }, { sid: waiting.sid })
    return completeOrLogOut(waiting)
  })
}

/** Signs a supporter in as somebody else; this browser's own session ends. @throws ApiFailure */
export async function signInAs(sent: { account_id: string; user_id: string; reason: string }): Promise<Session> {
  return completeOrLogOut(toEntry(await callApi(sessionProxy, { ...sent, short: 1 })))
}

/** Makes the session complete of somebody who has just set up a second factor. @throws ApiFailure */
export function completeSetUp(waiting: Waiting): Promise<Session> {
  return untilFailure(() => completeOrLogOut(waiting))
}

async function untilFailure<Result>(act: () => Promise<Result>): Promise<Result> {
  putSession({ status: 'signingIn' })
  try {
    return await act()
  } catch (failure) {
    if (readSession().status === 'signingIn') putSession({ status: 'signedOut' })
    throw failure
  }
}

async function completeOrLogOut(entry: SessionEntry): Promise<Session> {
  try {
    return await complete(entry)
  } catch (failure) {
    clearStorage()
    putSession({ status: 'signedOut', reason: 'notEstablished' })
    await logOutOnServer(entry.sid)
    throw failure
  }
}
