import type { Study } from '@hilum/contract/entities/study'
import { create } from 'zustand'
import { clearActMessages } from './act-messages.ts'

/*
 * Studies marked for an act on several. Kept over the pages of one view; another view, search or group starts anew
 * (LIST-15): marks of another view count for nothing, and are forgotten once one is shown, also for the way back.
 */
interface Marked {
  view: string
  studies: ReadonlyMap<string, Study>
  /** The last one marked, from which Shift extends. */
  anchor: string | undefined
}

const nothing: ReadonlyMap<string, Study> = new Map()
const useMarkedStore = create<Marked>(() => ({ view: '', studies: nothing, anchor: undefined }))

/** The studies marked in this view, by uuid. */
export function useMarked(view: string): ReadonlyMap<string, Study> {
  return useMarkedStore((marked) => (marked.view === view ? marked.studies : nothing))
}

/**
 * Marks or unmarks these, as the first of them says. `anchor` is where a later Shift begins. Messages of the act before
 * give way to what is marked now.
 */
export function mark(view: string, studies: readonly Study[], isMarked: boolean, anchor?: string): void {
  if (isMarked) clearActMessages()
  const before = useMarkedStore.getState()
  const next = new Map(before.view === view ? before.studies : nothing)
  for (const study of studies) {
    if (isMarked) next.set(study.uuid, study)
    else next.delete(study.uuid)
  }
  useMarkedStore.setState({ view, studies: next, anchor: anchor ?? before.anchor })
}

/** The studies from the last marked one to this one, in the order shown; only this one when there is no such range. */
export function rangeTo(view: string, shown: readonly Study[], uuid: string): readonly Study[] {
  const { anchor, view: ofView } = useMarkedStore.getState()
  const to = shown.findIndex((study) => study.uuid === uuid)
  const from = ofView === view ? shown.findIndex((study) => study.uuid === anchor) : -1
  if (to < 0) return []
  return from < 0 ? shown.slice(to, to + 1) : shown.slice(Math.min(from, to), Math.max(from, to) + 1)
}

/** Notes which view is shown. Marks made in another are forgotten, so that none stand again when somebody goes back to it. */
export function enterView(view: string): void {
  if (useMarkedStore.getState().view !== view) useMarkedStore.setState({ view, studies: nothing, anchor: undefined })
}

export function unmarkAll(): void {
  useMarkedStore.setState({ view: '', studies: nothing, anchor: undefined })
}
