import type { Study } from '@hilum/contract/entities/study'
import { useState } from 'react'
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
  const { studies, arrivedCount } = steadyList(before, fresh ?? [], isHeld, left)
  const isChanged = studies.length !== before?.length || studies.some((study, at) => study !== before[at])
  // Another page's rows, shown until this one's are here, are not this page's.
  if (isPlaceholder) return { studies: fresh ?? [], arrivedCount: 0, showAll: () => undefined }
  if (fresh && isChanged) setShown({ key, studies })
  return { studies, arrivedCount, showAll: () => setShown({ key, studies: fresh ?? [] }) }
}
