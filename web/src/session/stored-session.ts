import type { Session } from './session-store.ts'

/*
 * The session is kept in localStorage over a reload (ENTITY-02), so that the administration in a new tab is signed in
 * too. The token lies in a cookie that no script reads; the place to return to and the organisation are the tab's own:
 * a reload leads nowhere else because another tab switched. A new tab begins in the organisation of the tab that was used
 * last, which is the one that opened it.
 */
const sessionKey = 'hilum.session'
const returnKey = 'hilum.return'
const accountKey = 'hilum.account'
const usedKey = 'hilum.used'
const ownPrefix = 'hilum.'

interface StoredSession {
  sessionId: string
  userUuid: string
  accountUuid: string
}

export function storeSession(session: Session): void {
  const { sessionId, user, account } = session
  const accountUuid = beginsIn(session)
  sessionStorage.setItem(accountKey, JSON.stringify({ sessionId, accountUuid }))
  storeUse(session)
  localStorage.setItem(
    sessionKey,
    JSON.stringify({
      sessionId,
      userUuid: user.uuid,
      accountUuid,
      accountName: account.name,
      userFullName: user.name,
      email: user.email,
      namespaceId: user.namespace_id,
      uiJson: user.ui_json,
      sessionExpire: session.sessionExpire,
      permissions: session.permissions,
    }),
  )
}

/** Empty while a person of several organisations is asked which, so that a reload asks again. */
const beginsIn = ({ account, asksAccount }: Pick<Session, 'account' | 'asksAccount'>) =>
  asksAccount ? '' : account.uuid

export function readStoredSession(): StoredSession | undefined {
  const stored: unknown = parse(localStorage.getItem(sessionKey))
  if (typeof stored !== 'object' || stored === null) return undefined
  const { sessionId, userUuid, accountUuid } = stored as Partial<StoredSession> // checked on the next line
  if (typeof sessionId !== 'string' || typeof userUuid !== 'string' || typeof accountUuid !== 'string') return undefined
  const own = readAccount(sessionStorage.getItem(accountKey), sessionId)
  return {
    sessionId,
    userUuid,
    accountUuid: own ?? readAccount(localStorage.getItem(usedKey), sessionId) ?? accountUuid,
  }
}

/** The organisation that was stored with this session. */
function readAccount(text: string | null, sessionId: string): string | undefined {
  const stored = parse(text) as Partial<StoredSession> | null | undefined // checked here
  return stored?.sessionId === sessionId && typeof stored.accountUuid === 'string' ? stored.accountUuid : undefined
}

/** Notes that this tab is used, so that a tab that it opens begins in its organisation. */
export function storeUse(session: Pick<Session, 'sessionId' | 'account' | 'asksAccount'>): void {
  const text = JSON.stringify({ sessionId: session.sessionId, accountUuid: beginsIn(session) })
  if (localStorage.getItem(usedKey) !== text) localStorage.setItem(usedKey, text)
}

/** Calls back when somebody turns to this tab. */
export function onUse(listener: () => void): () => void {
  for (const event of useEvents) addEventListener(event, listener, true)
  return () => {
    for (const event of useEvents) removeEventListener(event, listener, true)
  }
}

const useEvents = ['focus', 'pointerdown', 'keydown'] as const

/** Empties the browser storage of all that is the session's (AUTH-16). The chosen colour scheme belongs to the device and stays. */
export function clearStorage(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(ownPrefix)) localStorage.removeItem(key)
  sessionStorage.clear()
}

/** Keeps where somebody was when their session ended; only the same user gets back there, in the same organisation. */
export function storePlace({ userUuid, accountUuid }: Omit<StoredSession, 'sessionId'>, address: string): void {
  sessionStorage.setItem(returnKey, JSON.stringify({ userUuid, accountUuid, address }))
}

/** Whether a session ended without its user's doing, and nobody has signed in since. */
export function hasPlace(): boolean {
  return sessionStorage.getItem(returnKey) !== null
}

/** The organisation of the kept place, if it is this user's. */
export function accountOfPlace(userUuid: string): string | undefined {
  const place = readPlace()
  return place?.userUuid === userUuid ? place.accountUuid : undefined
}

/** The kept place of this user in this organisation, once. */
export function takePlace({ user, account }: Session): string | undefined {
  const place = readPlace()
  sessionStorage.removeItem(returnKey)
  return place?.userUuid === user.uuid && place.accountUuid === account.uuid ? place.address : undefined
}

function readPlace(): { userUuid: string; accountUuid: string; address: string } | undefined {
  const stored: unknown = parse(sessionStorage.getItem(returnKey))
  if (typeof stored !== 'object' || stored === null) return undefined
  const { userUuid, accountUuid, address } = stored as Record<string, unknown> // checked on the next line
  const isPlace = [userUuid, accountUuid, address].every((one) => typeof one === 'string')
  return isPlace
    ? { userUuid: String(userUuid), accountUuid: String(accountUuid), address: String(address) }
    : undefined
}

/** Calls back when another tab signed out or in as somebody else. */
export function onStoredSessionChange(listener: () => void): () => void {
  const heard = (event: StorageEvent) => {
    if (event.key === sessionKey || event.key === null) listener()
  }
  addEventListener('storage', heard)
  return () => removeEventListener('storage', heard)
}

function parse(text: string | null): unknown {
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined // not ours, or damaged: as good as nothing kept
  }
}
