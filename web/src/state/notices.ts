import { create } from 'zustand'

/** A passing word of what was done (ERROR-16). A failure stays where it happened, as a banner. */
export interface Notice {
  id: number
  text: string
}

/** ERROR-16 */
export const noticeMs = 4000
const shownNotices = 3

const useStore = create<{ notices: readonly Notice[] }>(() => ({ notices: [] }))
let lastId = 0

/** The notices that stand now, oldest first; more than fit wait until one has gone. */
export function useNotices(): readonly Notice[] {
  return useStore(({ notices }) => notices).slice(0, shownNotices)
}

export function putNotice(text: string): void {
  lastId += 1
  const notice = { id: lastId, text }
  useStore.setState(({ notices }) => ({ notices: [...notices, notice] }))
}

export function dropNotice(id: number): void {
  useStore.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) }))
}
