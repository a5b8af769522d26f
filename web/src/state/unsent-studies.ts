import { create } from 'zustand'
import { useSession } from '../session/session-store.ts'

/*
 * Studies that the person tried to send to a PACS and that were refused, by the time of the refusal. Where the study is
 * gone as well, its panel ends with all words in it, and this alone is left to tell what became of the act.
 */
const useStore = create<{ times: ReadonlyMap<string, number> }>(() => ({ times: new Map() }))

// the next person on this browser sent nothing
useSession.subscribe(({ state }) => {
  if (state.status === 'signedOut') useStore.setState({ times: new Map() })
})

export function useIsUnsent(uuid: string): boolean {
  return useStore(({ times }) => times.has(uuid))
}

export function noteUnsent(uuid: string): void {
  useStore.setState(({ times }) => ({ times: new Map([...times, [uuid, Date.now()]]) }))
}

/**
 * Forgets the refusal of a study that was sent after all, or of one that was read since: it was there, and whatever
 * became of it afterwards is none of that act.
 * @param readAt when the study was read; undefined once it is sent
 */
export function forgetUnsent(uuid: string, readAt = Number.POSITIVE_INFINITY): void {
  const { times } = useStore.getState()
  const noted = times.get(uuid)
  if (noted === undefined || readAt <= noted) return
  useStore.setState({ times: new Map([...times].filter(([one]) => one !== uuid)) })
}
