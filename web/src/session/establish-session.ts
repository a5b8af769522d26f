import { accountList } from '@hilum/contract/calls/account'
import { sessionLogout, sessionPermissions, sessionToken, sessionUser } from '@hilum/contract/calls/session'
import { settingGetAll } from '@hilum/contract/calls/setting'
import { failureCode } from '../api/api-failure.ts'
import { callApi } from '../api/call-api.ts'
import { beginAccount, lastAccountKey } from './begin-account.ts'
import { saveSetting } from './put-setting.ts'
import { putSession, readSession, type EndReason, type Session } from './session-store.ts'
import {
  accountOfPlace,
  clearStorage,
  hasPlace,
  storePlace,
  readStoredSession,
  storeSession,
} from './stored-session.ts'

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

let switches = 0

/** Works in another account of the same user, and begins there from now on; the place on screen is the caller's to change. */
export async function switchAccount(accountUuid: string): Promise<void> {
  const before = readSession()
  if (before.status !== 'established') return
  const mine = (switches += 1)
  const read = await readDetails(before.session, accountUuid)
  // signed out or in as somebody else meanwhile, or on the way to a third organisation
  const now = readSession()
  if (mine !== switches || now.status !== 'established' || now.session.sessionId !== before.session.sessionId) return
  const { sid, renewAt } = now.session
  establish({ ...read, sid, ...(renewAt === undefined ? {} : { renewAt }) })
  void saveSetting(lastAccountKey, accountUuid).catch(() => undefined) // the next sign-in begins where it did before
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
  const { user, account } = state.status === 'established' ? state.session : {}
  const of = user && account ? { userUuid: user.uuid, accountUuid: account.uuid } : readStoredSession()
  clearStorage()
  if (of && location.pathname !== '/') storePlace(of, `${location.pathname}${location.search}${location.hash}`)
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

/** How a session is called by, before anything is known of its person. */
export type SessionEntry = Pick<Session, 'sid' | 'renewAt' | 'sessionId'> & {
  /** The organisation whose provider opened the session. */
  providerAccount?: string
}

/** A third of a token's time is left for a slow line when it is renewed. */
export function toEntry(reply: { sid: string; session_id: string; expires_in?: number }): SessionEntry {
  const { sid, session_id: sessionId, expires_in: seconds } = reply
  return { sid, sessionId, ...(seconds === undefined ? {} : { renewAt: Date.now() + seconds * 1000 * (2 / 3) }) }
}

/** Makes a session complete: user details, settings, account, permissions. @throws ApiFailure */
export async function complete(entry: SessionEntry, accountUuid?: string): Promise<Session> {
  return establish(await readDetails(entry, accountUuid))
}

/** In the account that is named, else in that of the place to return to, of the provider, else where the person begins. */
async function readDetails(
  { sid, renewAt, sessionId, providerAccount }: SessionEntry,
  accountUuid?: string,
): Promise<Session> {
  const user = await callApi(sessionUser, {}, { sid })
  const { settings } = await callApi(settingGetAll, {}, { sid })
  const { accounts } = await callApi(accountList, { permissions: 1 }, { sid, list: { sort_by: 'name-asc' } })
  const named =
    accounts.find(({ uuid }) => uuid === (accountUuid || accountOfPlace(user.uuid))) ??
    accounts.find(({ uuid }) => uuid === providerAccount)
  const begin = beginAccount(accounts, { settings, homeUuid: user.home_account_id })
  const account = named ?? begin.account
  if (!account) throw new Error('The user belongs to no account')
  const { role_id: _role, ...flags } = await callApi(sessionPermissions, { account_id: account.uuid }, { sid })
  const permissions = Object.fromEntries(Object.entries(flags).map(([name, held]) => [name, Number(held)]))
  const entry = { sid, renewAt, sessionId }
  const proxy = user.is_proxy === 1 ? { proxyName: user.proxy_name ?? '' } : {}
  const asks = named || begin.isChosen ? {} : { asksAccount: { homeUuid: user.home_account_id } }
  const details = {
    user,
    ...proxy,
    ...asks,
    sessionExpire: user.session_expire,
    settings,
    accounts,
    account,
    permissions,
  }
  return { ...entry, ...details }
}

function establish(session: Session): Session {
  storeSession(session)
  putSession({ status: 'established', session })
  return session
}

/** @returns where the browser goes next to be signed out by the provider as well */
export async function logOutOnServer(sid: string): Promise<string | undefined> {
  try {
    return (await callApi(sessionLogout, {}, { sid })).logout_url
  } catch {
    // Signed out here already; a server that cannot be reached ends the session by its idle limit.
    return undefined
  }
}
