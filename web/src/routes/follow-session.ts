import { closeChannel } from '../api/channel.ts'
import { forgetAnswers } from '../queries/answer-times.ts'
import { queryClient } from '../queries/query-client.ts'
import { useSession } from '../session/session-store.ts'
import { clearActMessages } from '../state/act-messages.ts'
import { unmarkAll } from '../state/marked-studies.ts'
import { forgetRecentStudies } from '../state/recent-studies.ts'
import { clearSearchFilters } from '../state/search-filters.ts'
import { forgetSearches } from '../state/search-trail.ts'
import { router } from './router.tsx'

/**
 * Forgets all that was seen and chosen when a session ends, which leads to the login screen (AUTH-16, AUTH-17), and when
 * its person goes to another organisation: rows of one never stand under the name of the other. Screens are drawn anew
 * there (`SignedInScreen`).
 */
export function followSession(): () => void {
  return useSession.subscribe(({ state }, { state: before }) => {
    if (before.status !== 'established') return
    if (state.status !== 'established') {
      closeChannel()
      forgetChoices()
      void router.navigate({ to: '/', replace: true }).then(() => queryClient.clear())
    } else if (state.session.account.uuid !== before.session.account.uuid) {
      forgetChoices()
      queryClient.clear()
    }
  })
}

function forgetChoices(): void {
  clearSearchFilters()
  forgetSearches()
  forgetAnswers()
  unmarkAll()
  forgetRecentStudies()
  clearActMessages()
}
