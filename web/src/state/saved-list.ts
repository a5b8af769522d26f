import { create } from 'zustand'

/*
 * How often the list of saved searches was asked for beside the search itself since it was closed: the search bar of this
 * screen, or of the one that is on its way, opens at it.
 */
const useStore = create<{ asked: number }>(() => ({ asked: 0 }))

export function useSavedListAsked(): number {
  return useStore(({ asked }) => asked)
}

export function askForSavedList(): void {
  useStore.setState(({ asked }) => ({ asked: asked + 1 }))
}

export function forgetSavedList(): void {
  useStore.setState({ asked: 0 })
}
