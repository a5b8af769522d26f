import { QueryClient } from '@tanstack/react-query'
import { failureCode } from '../api/api-failure.ts'

/** Only what may be repeated is: a read that never reached the server, twice more. */
function retry(failures: number, failure: Error): boolean {
  return failures < 2 && failureCode(failure) === 'ERR_NETWORK'
}

/** The server data of the page. Emptied when somebody else signs in. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry, staleTime: 30_000, refetchOnWindowFocus: true, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
})
