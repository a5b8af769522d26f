import { accountList } from '@hilum/contract/calls/account'
import { identityFinish } from '@hilum/contract/calls/identity'
import {
  sessionLogin,
  sessionLogout,
  sessionPermissions,
  sessionToken,
  sessionUser,
} from '@hilum/contract/calls/session'
import { sessionPin } from '@hilum/contract/calls/session-pin'
import { settingGetAll } from '@hilum/contract/calls/setting'
import { sessionProxy } from '@hilum/contract/calls/system'
import { failureCode } from '../api/api-failure.ts'
import { callApi } from '../api/call-api.ts'
import { getSid, renewSid } from '../api/credentials.ts'
import { putSession, readSession, type EndReason, type Session } from './session-store.ts'
import { clearStorage, hasPlace, storePlace, readStoredSession, storeSession } from './stored-session.ts'

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
    const { sid, session_id, expires_in, pin_required, pin_via } = early ?? (await finish())
    if (sid === undefined || session_id === undefined) throw new Error('The sign-in opened no session')
    const entry = toEntry({ sid, session_id, ...(expires_in === undefined ? {} : { expires_in }) })
    if (pin_required !== 1) return completeOrLogOut(entry)
    putSession({ status: 'signedOut' })
    return { ...entry, waitsFor: pin_via === 'setup' ? 'setup' : 'pin' }
  })
}

/** A sign-in whose password was right, and that opens nothing before its second factor. */
export type Waiting = Entry & { waitsFor: 'pin' | 'setup' }

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

/**
 * Takes up the session of the cookie after a reload, if it still lives and is the one that was stored.
 * @throws ApiFailure when the server cannot be asked: then nothing is settled and nothing forgotten
 */
export async function resumeSession(): Promise<void> {
  const stored = readStoredSession()
  if (!stored) {
    // The page may have noticed the end, and been loaded again before anybody read why.
    putSession(hasPlace() ? { status: 'signedOut', reason: 'ended' } : { status: 'signedOut' })
    return
  }
  try {
    const entry = await callApi(sessionToken, {})
    if (entry.session_id === stored.sessionId) await complete(toEntry(entry), stored.accountUuid)
    else endSessionHere('ended')
  } catch (failure) {
    if (['ERR_NETWORK', 'HTTP_ERROR'].includes(failureCode(failure))) throw failure
    endSessionHere('ended')
  }
}

/** Works in another account of the same user; the place on screen is the caller's to change. */
export async function switchAccount(accountUuid: string): Promise<void> {
  const state = readSession()
  if (state.status === 'established') await complete(state.session, accountUuid)
}

/** Logs out here at once, and on the server as far as it can be reached. */
export async function signOut(): Promise<void> {
  const state = readSession()
  clearStorage()
  putSession({ status: 'signedOut', reason: 'signedOut' })
  if (state.status !== 'established') return
  const address = await logOutOnServer(state.session.sid)
  // the provider that the session was opened by signs the browser out as well
  if (address) location.assign(address)
}

/** The session is over without the person's doing (AUTH-15, AUTH-17): clears storage, but keeps the place for the same user. */
export function endSessionHere(reason: EndReason): void {
  const state = readSession()
  const userUuid = state.status === 'established' ? state.session.user.uuid : readStoredSession()?.userUuid
  clearStorage()
  if (userUuid && location.pathname !== '/') {
    storePlace(userUuid, `${location.pathname}${location.search}${location.hash}`)
  }
  putSession({ status: 'signedOut', reason })
}

let renewing: Promise<void> | undefined

/** Renews the token in force when its time is nearly over; asked many times at once, it is renewed once. */
export function renewToken(): Promise<void> | undefined {
  const state = readSession()
  if (state.status !== 'established' || !(Date.now() >= (state.session.renewAt ?? Infinity))) return undefined
  renewing ??= renew(state.session).finally(() => (renewing = undefined))
  return renewing
}

async function renew(session: Session): Promise<void> {
  try {
    const entry = await callApi(sessionToken, {})
    const now = readSession()
    if (now.status !== 'established' || now.session.sessionId !== session.sessionId) return
    if (entry.session_id === session.sessionId) {
      putSession({ status: 'established', session: { ...now.session, ...toEntry(entry) } })
    } else endSessionHere('ended') // another person's session is in this browser now
  } catch (failure) {
    if (failureCode(failure) === 'EXPIRED') endSessionHere('ended')
    // A server that cannot be reached: the call that needed the token says so.
  }
}

type Entry = Pick<Session, 'sid' | 'renewAt' | 'sessionId'>

/** A third of a token's time is left for a slow line when it is renewed. */
function toEntry(reply: { sid: string; session_id: string; expires_in?: number }): Entry {
  const { sid, session_id: sessionId, expires_in: seconds } = reply
  return { sid, sessionId, ...(seconds === undefined ? {} : { renewAt: Date.now() + seconds * 1000 * (2 / 3) }) }
}

async function completeOrLogOut(entry: Entry): Promise<Session> {
  try {
    return await complete(entry)
  } catch (failure) {
    clearStorage()
    putSession({ status: 'signedOut', reason: 'notEstablished' })
    await logOutOnServer(entry.sid)
    throw failure
  }
}

async function complete({ sid, renewAt, sessionId }: Entry, accountUuid?: string): Promise<Session> {
  const user = await callApi(sessionUser, {}, { sid })
  const { settings } = await callApi(settingGetAll, {}, { sid })
  const { accounts } = await callApi(accountList, { permissions: 1 }, { sid, list: { sort_by: 'name-asc' } })
  const account = accounts.find(({ uuid }) => uuid === accountUuid) ?? accounts[0]
  if (!account) throw new Error('The user belongs to no account')
  const { role_id: _role, ...flags } = await callApi(sessionPermissions, { account_id: account.uuid }, { sid })
  const permissions = Object.fromEntries(Object.entries(flags).map(([name, held]) => [name, Number(held)]))
  const entry = { sid, renewAt, sessionId }
  const proxy = user.is_proxy === 1 ? { proxyName: user.proxy_name ?? '' } : {}
  const details = { user, ...proxy, sessionExpire: user.session_expire, settings, accounts, account, permissions }
  const session = { ...entry, ...details }
  storeSession(session)
  putSession({ status: 'established', session })
  return session
}

async function logOutOnServer(sid: string): Promise<string | undefined> {
  try {
    return (await callApi(sessionLogout, {}, { sid })).logout_url
  } catch {
    // Signed out here already; a server that cannot be reached ends the session by its idle limit.
    return undefined
  }
}
