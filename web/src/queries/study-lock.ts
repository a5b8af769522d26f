import { studyLock, studyUnlock } from '@hilum/contract/calls/study'
import { lockSeconds } from '@hilum/contract/limits'
import { callApi } from '../api/call-api.ts'

/** A lease is renewed twice within its time, so that one lost renewal does not end it. */
const RENEW_MS = (lockSeconds * 1000) / 2

/**
 * Does something to a study while this person holds it (PROCESS-19): takes the lock, renews it as long as the act takes,
 * and gives it back also when the act fails or the page is closed.
 * @throws ApiFailure LOCKED when another person holds it
 */
export async function whileLocked<Result>(
  uuid: string,
  act: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  await callApi(studyLock, { uuid }, signal ? { signal } : {})
  const renewal = setInterval(() => void renew(uuid), RENEW_MS)
  const release = () => void unlock(uuid, true)
  window.addEventListener('pagehide', release)
  try {
    return await act()
  } finally {
    window.removeEventListener('pagehide', release)
    clearInterval(renewal)
    await unlock(uuid)
  }
}

async function renew(uuid: string): Promise<void> {
  try {
    await callApi(studyLock, { uuid })
  } catch {
    return // The server asks for the lock again at the change itself.
  }
}

async function unlock(uuid: string, isUnloading = false): Promise<void> {
  try {
    await callApi(studyUnlock, { uuid }, { isUnloading })
  } catch {
    // The lock ends by itself; whether the change was made is what counts.
    return
  }
}
