import { closeChannel } from '../api/channel.ts'
import { forgetAnswers } from '../queries/answer-times.ts'
import { queryClient } from '../queries/query-client.ts'
import { useSession } from '../session/session-store.ts'
import { clearSearchFilters } from '../state/search-filters.ts'
import { forgetSearches } from '../state/search-trail.ts'
import { unmarkAll } from '../state/marked-studies.ts'
import { router } from './router.tsx'

/** When a session ends, forgets all that its user saw and goes to the login screen (AUTH-16, AUTH-17). */
export function followSession(): () => void {
  return useSession.subscribe(({ state }, { state: before }) => {
    if (before.status !== 'established' || state.status === 'established') return
    closeChannel()
    clearSearchFilters()
    forgetSearches()
    forgetAnswers()
    unmarkAll()
    void router.navigate({ to: '/', replace: true }).then(() => queryClient.clear())
  })
}
