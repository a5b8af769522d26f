import { notifyManager, QueryClient } from '@tanstack/react-query'
import { ApiFailure, failureCode } from '../api/api-failure.ts'

/** Only what may be repeated is: a read that never reached the server, twice more. */
function retry(failures: number, failure: Error): boolean {
  return failures < 2 && failureCode(failure) === 'ERR_NETWORK'
}

const healMs = 5_000

/** A read that failed because the server or its database could not be reached is made again until it succeeds. */
function untilHealed({ state }: { state: { status: string; error: Error | null } }): number | false {
  const { error } = state
  const passes = failureCode(error) === 'ERR_NETWORK' || (error instanceof ApiFailure && error.status === 503)
  return state.status === 'error' && passes ? healMs : false
}

/*
 * A click that waits behind another in the browser's queue finds the button of a running act switched off: what began is
 * drawn before the next event, not one task later.
 */
notifyManager.setScheduler(queueMicrotask)

/** The server data of the page. Emptied when somebody else signs in. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry,
      staleTime: 30_000,
      refetchOnWindowFocus: true,
      refetchOnReconnect: true, // the browser says when its network is back; `networkMode` would turn it off
      refetchInterval: untilHealed,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})
