import { create } from 'zustand'

/*
 * Studies that the person's own acts took out of a list (deleted, restored). A list that is held still keeps its rows
 * whatever others do, but not those that the person has just sent away.
 */
const useStore = create<{ uuids: ReadonlySet<string> }>(() => ({ uuids: new Set() }))

export function useLeftStudies(): ReadonlySet<string> {
  return useStore(({ uuids }) => uuids)
}

export function noteLeft(uuids: readonly string[]): void {
  useStore.setState(({ uuids: before }) => ({ uuids: new Set([...before, ...uuids]) }))
}
