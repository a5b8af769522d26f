import type { Study } from '@hilum/contract/entities/study'
import { create } from 'zustand'

const MOST = 8

/** Studies opened since the page was loaded, the last one first: in memory alone, and of one session. */
interface Recent {
  sessionId: string
  studies: readonly Study[]
}

const useRecent = create<Recent>(() => ({ sessionId: '', studies: [] }))

/** The studies that this session opened, the last one first. */
export function useRecentStudies(sessionId: string): readonly Study[] {
  return useRecent((recent) => (recent.sessionId === sessionId ? recent.studies : none))
}
const none: readonly Study[] = []

/** Studies that were deleted, or that the person no longer sees, are led to no more; without a list none is. */
export function forgetRecentStudies(uuids?: readonly string[]): void {
  useRecent.setState(({ studies }) => ({ studies: uuids ? studies.filter(({ uuid }) => !uuids.includes(uuid)) : none }))
}

/** Puts a study first. */
export function noteRecentStudy(sessionId: string, study: Study): void {
  const before = useRecent.getState()
  const others = before.sessionId === sessionId ? before.studies.filter(({ uuid }) => uuid !== study.uuid) : []
  useRecent.setState({ sessionId, studies: [study, ...others].slice(0, MOST) })
}
