import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Inbox } from '../../queries/namespaces.ts'
import { type GridPage, studiesQuery, studyCountQuery } from '../../queries/studies.ts'
import { useRestoreStudies, useSetWorkStatus, useStarStudy } from '../../queries/study-acts.ts'
import type { StudyView } from '../../queries/study-view.ts'
import { useMarked } from '../../state/marked-studies.ts'
import { useTellRestored } from '../../state/restored-message.ts'
import { noteStatusSet } from './act-notes.tsx'
import { useSteadyStudies } from './use-steady-studies.ts'

interface Listing {
  view: StudyView
  /** Names the view without page and order: marks are kept within it. */
  viewKey: string
  inboxes: readonly Inbox[]
  selectedUuid: string | undefined
  grid?: GridPage
}

/** The studies of a view for cards and rows alike: held still under a person's hand, with the acts that lists offer. */
export function useListedStudies({ view, viewKey, inboxes, selectedUuid, grid }: Listing) {
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = useQuery(studiesQuery(view, inboxes, grid))
  const { data: count } = useQuery(studyCountQuery(view, inboxes))
  const [lastCount, setLastCount] = useState<number>()
  if (count !== undefined && count !== lastCount) setLastCount(count)
  const marked = useMarked(viewKey)
  const [isTouched, setIsTouched] = useState(false)
  const isHeld = isTouched || selectedUuid !== undefined || marked.size > 0
  const pageKey = [viewKey, grid?.sortBy ?? view.sort, grid?.rows, view.page].join(' ')
  const { studies, arrivedCount, showAll } = useSteadyStudies(pageKey, data?.studies, isHeld, isPlaceholderData)
  return {
    studies,
    /** The count of the search before stays with its rows, so that the line does not empty at every letter. */
    count: count ?? (isPlaceholderData ? lastCount : undefined),
    error,
    /** LIST-16: a search that failed leaves nothing of the one before; a list that could not be refreshed stays. */
    isReset: error !== null && data === undefined,
    isRead: data !== undefined,
    hasMore: data?.hasMore ?? false,
    isPending,
    isFetching,
    isStale: isPlaceholderData,
    refetch: () => void refetch(),
    marked,
    pageKey,
    /** Studies that came while the list was held still. */
    arrivedCount: view.page === 1 ? arrivedCount : 0,
    showArrived: showAll,
    /** Tells whether the person's hand is on the list. */
    setIsTouched,
    star: useStarStudy(),
    setStatus: useSetWorkStatus(noteStatusSet),
    restore: useRestoreStudies(useTellRestored()),
  }
}

export type ListedStudies = ReturnType<typeof useListedStudies>
