import { sessionTtl, sessionUser } from '@hilum/contract/calls/session'
import { sessionCheckMs } from '@hilum/contract/limits'
import { failureCode } from '../api/api-failure.ts'
import { callApi } from '../api/call-api.ts'
import { onSessionRefused } from '../api/credentials.ts'
import { endSession } from './establish-session.ts'
import { putSession, readSession } from './session-store.ts'
import { onStoredSessionChange, readStoredSession } from './stored-session.ts'

/** Milliseconds between looks at the session's time to live. */
export const ttlPollMs = 60_000

/** Notices the end of the session, however it comes. Returns the way to stop watching. */
export function watchSession(): () => void {
  const stopRefused = onSessionRefused(() => endSession('ended'))
  const stopStored = onStoredSessionChange(followOtherTab)
  const ttlTimer = setInterval(() => void pollTtl(), ttlPollMs)
  const checkTimer = setInterval(() => {
    if (document.hasFocus()) void checkSession()
  }, sessionCheckMs)
  return () => {
    stopRefused()
    stopStored()
    clearInterval(ttlTimer)
    clearInterval(checkTimer)
  }
}

/** AUTH-14: reads the session anew by the stored sid. A 401 ends it on its way through the call. */
export async function checkSession(): Promise<void> {
  const state = readSession()
  if (state.status !== 'established') return
  const { session } = state
  const stored = readStoredSession()
  if (stored?.sid !== session.sid) {
    endSession('ended')
    return
  }
  try {
    const user = await callApi(sessionUser, {})
    const now = readSession()
    if (now.status === 'established' && now.session.sid === session.sid) {
      putSession({ status: 'established', session: { ...now.session, user, sessionExpire: user.session_expire } })
    }
  } catch (failure) {
    if (failureCode(failure) === 'UNEXPECTED_ERROR') throw failure
    // Network down or server busy: neither ends a session.
  }
}

/** AUTH-15: EXPIRED ends the session; a look at it does not extend it. */
export async function pollTtl(): Promise<void> {
  const state = readSession()
  if (state.status !== 'established') return
  const { sid } = state.session
  try {
    await callApi(sessionTtl, { sid })
  } catch (failure) {
    const now = readSession()
    const isSame = now.status === 'established' && now.session.sid === sid
    if (isSame && failureCode(failure) === 'EXPIRED') endSession('ended')
  }
}

/** Another tab signed out, or in as somebody else: this one must not go on with what it had. */
function followOtherTab(): void {
  const state = readSession()
  if (state.status === 'established' && readStoredSession()?.sid !== state.session.sid) {
    putSession({ status: 'signedOut', reason: 'ended' })
  }
}
