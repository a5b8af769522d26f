import { create } from 'zustand'

/*
 * Studies that the person tried to send to a PACS and that were refused. Where the study is gone as well, its panel ends
 * with all words in it, and this alone is left to tell what became of the act.
 */
const useStore = create<{ uuids: ReadonlySet<string> }>(() => ({ uuids: new Set() }))

export function useIsUnsent(uuid: string): boolean {
  return useStore(({ uuids }) => uuids.has(uuid))
}

export function noteUnsent(uuid: string): void {
  useStore.setState(({ uuids }) => ({ uuids: new Set([...uuids, uuid]) }))
}

/** A study that was sent after all. */
export function forgetUnsent(uuid: string): void {
  useStore.setState(({ uuids }) => ({ uuids: new Set([...uuids].filter((one) => one !== uuid)) }))
}
