import { sessionTtl, sessionUser } from '@hilum/contract/calls/session'
import { sessionCheckMs } from '@hilum/contract/limits'
import { failureCode } from '../api/api-failure.ts'
import { callApi } from '../api/call-api.ts'
import { onLineLost } from '../api/channel.ts'
import { freshSid, onSessionRefused, onSidNeeded } from '../api/credentials.ts'
import { endSessionHere, renewToken } from './establish-session.ts'
import { putSession, readSession } from './session-store.ts'
import { onStoredSessionChange, onUse, readStoredSession, storeUse } from './stored-session.ts'

/** Milliseconds between looks at the session's time to live. */
const ttlPollMs = 60_000

/** Notices the end of the session, however it comes. Returns the way to stop watching. */
export function watchSession(): () => void {
  onSidNeeded(renewToken)
  const stopRefused = onSessionRefused(() => endSessionHere('ended'))
  // a session that is ended elsewhere loses its channels first
  onLineLost(() => void pollTtl())
  const stopStored = onStoredSessionChange(followOtherTab)
  const stopUse = onUse(noteUse)
  const ttlTimer = setInterval(() => void pollTtl(), ttlPollMs)
  const checkTimer = setInterval(() => {
    if (document.hasFocus()) void checkSession()
  }, sessionCheckMs)
  return () => {
    stopRefused()
    onLineLost(() => undefined)
    stopStored()
    stopUse()
    clearInterval(ttlTimer)
    clearInterval(checkTimer)
  }
}

/** AUTH-14: reads the session anew, if it is still the stored one. A 401 ends it on its way through the call. */
export async function checkSession(): Promise<void> {
  const state = readSession()
  if (state.status !== 'established') return
  const { session } = state
  const stored = readStoredSession()
  if (stored?.sessionId !== session.sessionId) {
    endSessionHere('ended')
    return
  }
  try {
    const user = await callApi(sessionUser, {})
    const now = readSession()
    if (now.status === 'established' && now.session.sessionId === session.sessionId) {
      putSession({ status: 'established', session: { ...now.session, user, sessionExpire: user.session_expire } })
    }
  } catch (failure) {
    if (failureCode(failure) === 'UNEXPECTED_ERROR') throw failure
    // Network down or server busy: neither ends a session.
  }
}

let looking: Promise<void> | undefined

/**
 * AUTH-15: EXPIRED ends the session; a look at it does not extend it. Requests that come meanwhile wait for the same
 * look.
 */
export function pollTtl(): Promise<void> {
  looking ??= lookAtTtl().finally(() => {
    looking = undefined
  })
  return looking
}

async function lookAtTtl(): Promise<void> {
  const state = readSession()
  if (state.status !== 'established') return
  const { sessionId } = state.session
  try {
    await callApi(sessionTtl, { sid: await freshSid() })
  } catch (failure) {
    const now = readSession()
    const isSame = now.status === 'established' && now.session.sessionId === sessionId
    if (isSame && failureCode(failure) === 'EXPIRED') endSessionHere('ended')
  }
}

function noteUse(): void {
  const state = readSession()
  // a tab of a session that is over says nothing
  if (state.status === 'established' && readStoredSession()?.sessionId === state.session.sessionId)
    storeUse(state.session)
}

/** Another tab signed out, or in as somebody else: this one must not go on with what it had. */
function followOtherTab(): void {
  const state = readSession()
  if (state.status === 'established' && readStoredSession()?.sessionId !== state.session.sessionId) {
    putSession({ status: 'signedOut', reason: 'ended' })
  }
}
