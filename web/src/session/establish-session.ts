import { accountList } from '@hilum/contract/calls/account'
import { sessionLogin, sessionLogout, sessionPermissions, sessionUser } from '@hilum/contract/calls/session'
import { settingGetAll } from '@hilum/contract/calls/setting'
import { failureCode } from '../api/api-failure.ts'
import { callApi } from '../api/call-api.ts'
import { putSession, readSession, type EndReason, type Session } from './session-store.ts'
import { clearStorage, hasPlace, keepPlace, readStoredSession, storeSession } from './stored-session.ts'

export interface Credentials {
  login: string
  password: string
  vanity?: string
  new_password?: string
}

/**
 * Signs in and makes the session complete: login, user details, settings, permissions (AUTH-13).
 * @throws ApiFailure; of a step after the login only once the user is logged out again
 */
export async function signIn(credentials: Credentials): Promise<Session> {
  putSession({ status: 'signingIn' })
  try {
    const { sid } = await callApi(sessionLogin, credentials)
    return await completeOrLogOut(sid)
  } catch (failure) {
    if (readSession().status === 'signingIn') putSession({ status: 'signedOut' })
    throw failure
  }
}

/**
 * Takes up the session of the stored sid, if it still lives.
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
    await complete(stored.sid, stored.accountUuid)
  } catch (failure) {
    if (['ERR_NETWORK', 'HTTP_ERROR'].includes(failureCode(failure))) throw failure
    endSession('ended')
  }
}

/** Works in another account of the same user; the place on screen is the caller's to change. */
export async function switchAccount(accountUuid: string): Promise<void> {
  const state = readSession()
  if (state.status === 'established') await complete(state.session.sid, accountUuid)
}

/** Logs out here at once, and on the server as far as it can be reached. */
export async function signOut(): Promise<void> {
  const state = readSession()
  clearStorage()
  putSession({ status: 'signedOut', reason: 'signedOut' })
  if (state.status === 'established') await logOutOnServer(state.session.sid)
}

/** The session is over without the person's doing (AUTH-15, AUTH-17): clears storage, but keeps the place for the same user. */
export function endSession(reason: EndReason): void {
  const state = readSession()
  const userUuid = state.status === 'established' ? state.session.user.uuid : readStoredSession()?.userUuid
  clearStorage()
  if (userUuid && location.pathname !== '/') {
    keepPlace(userUuid, `${location.pathname}${location.search}${location.hash}`)
  }
  putSession({ status: 'signedOut', reason })
}

async function completeOrLogOut(sid: string): Promise<Session> {
  try {
    return await complete(sid)
  } catch (failure) {
    clearStorage()
    putSession({ status: 'signedOut', reason: 'notEstablished' })
    await logOutOnServer(sid)
    throw failure
  }
}

async function complete(sid: string, accountUuid?: string): Promise<Session> {
  const user = await callApi(sessionUser, {}, { sid })
  const { settings } = await callApi(settingGetAll, {}, { sid })
  const { accounts } = await callApi(accountList, { permissions: 1 }, { sid, list: { sort_by: 'name-asc' } })
  const account = accounts.find(({ uuid }) => uuid === accountUuid) ?? accounts[0]
  if (!account) throw new Error('The user belongs to no account')
  const { role_id: _role, ...flags } = await callApi(sessionPermissions, { account_id: account.uuid }, { sid })
  const permissions = Object.fromEntries(Object.entries(flags).map(([name, held]) => [name, Number(held)]))
  const session = { sid, user, sessionExpire: user.session_expire, settings, accounts, account, permissions }
  storeSession(session)
  putSession({ status: 'established', session })
  return session
}

async function logOutOnServer(sid: string): Promise<void> {
  try {
    await callApi(sessionLogout, {}, { sid })
  } catch {
    // Signed out here already; a server that cannot be reached ends the session by its idle limit.
    return
  }
}
