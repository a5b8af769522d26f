import { densityOf } from './preferences.ts'
import { useSession } from './session-store.ts'

/** Marks the page with the person's density, for the styles of lists. */
export function followDensity(root: HTMLElement): void {
  useSession.subscribe(({ state }) => {
    if (state.status === 'established') root.dataset['density'] = densityOf(state.session.settings)
    else delete root.dataset['density']
  })
}
