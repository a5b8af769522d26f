import { create } from 'zustand'

/*
 * Studies that were taken out of a list: deleted, restored, taken back or shared no more, by the person or by others. A
 * list that is held still keeps its rows whatever else changes, but not these.
 */
const useStore = create<{ uuids: ReadonlySet<string> }>(() => ({ uuids: new Set() }))

export function useLeftStudies(): ReadonlySet<string> {
  return useStore(({ uuids }) => uuids)
}

export function noteLeft(uuids: readonly string[]): void {
  useStore.setState(({ uuids: before }) => ({ uuids: new Set([...before, ...uuids]) }))
}
