import { homePath } from './advanced-mode.ts'
import { firstStepsPlace } from './first-steps-place.ts'
import { startPlace } from './search-settings.ts'
import type { Session } from './session-store.ts'
import { takePlace } from './stored-session.ts'

/**
 * ROUTE-14, ROUTE-16: where whoever has signed in, by whatever way, goes on: back to where they were, to the first steps of
 * a new organisation, to the saved search that they begin with, or to the inbox or the Advanced UI.
 */
export function placeToBegin(session: Session): string {
  return takePlace(session) ?? firstStepsPlace(session) ?? wantedStart(session) ?? homePath()
}

/** The saved search that the person begins with, where the inbox is where they would begin. */
function wantedStart({ settings }: Session): string | undefined {
  return homePath() === '/group/list' ? startPlace(settings) : undefined
}
