import type { Study } from '@hilum/contract/entities/study'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { studyQuery } from '../../queries/studies.ts'
import { useLeftStudies } from '../../state/left-studies.ts'
import { steadyList } from './steady-list.ts'

/** The studies to show and those held back, by what stood on screen at the last render of this view. */
export function useSteadyStudies(
  key: string,
  fresh: readonly Study[] | undefined,
  isHeld: boolean,
  isPlaceholder: boolean,
) {
  const [shown, setShown] = useState<{ key: string; studies: readonly Study[] } | undefined>()
  const left = useLeftStudies()
  const before = shown?.key === key ? shown.studies : undefined
  const { studies: steady, arrivedCount } = steadyList(before, fresh ?? [], isHeld, left)
  const studies = useOpenValues(steady, fresh)
  const isChanged = studies.length !== before?.length || studies.some((study, at) => study !== before[at])
  // Another page's rows, shown until this one's are here, are not this page's.
  if (isPlaceholder) return { studies: fresh ?? [], arrivedCount: 0, showAll: () => undefined }
  if (fresh && isChanged) setShown({ key, studies })
  return { studies, arrivedCount, showAll: () => setShown({ key, studies: fresh ?? [] }) }
}

/** A row that the fresh list has lost takes its values from the panel beside, which reads its study itself. */
function useOpenValues(studies: readonly Study[], fresh: readonly Study[] | undefined): readonly Study[] {
  const listed = new Set(fresh?.map(({ uuid }) => uuid))
  const lost = fresh ? studies.filter(({ uuid }) => !listed.has(uuid)) : []
  // a study that nothing shows any more may be older than its row
  const cache = useQueryClient().getQueryCache()
  const open = lost.filter(({ uuid }) => cache.find({ queryKey: studyQuery(uuid).queryKey })?.isActive())
  const known = useQueries({
    queries: open.map(({ uuid }) => ({ ...studyQuery(uuid), enabled: false })),
    combine: (results) => new Map(results.flatMap(({ data }) => (data ? [[data.uuid, data] as const] : []))),
  })
  return studies.map((study) => known.get(study.uuid) ?? study)
}
