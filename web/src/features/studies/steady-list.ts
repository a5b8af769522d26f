import type { Study } from '@hilum/contract/entities/study'

interface SteadyList {
  /** To be shown in this order. */
  studies: readonly Study[]
  /** How many of the fresh ones are held back. */
  arrivedCount: number
}

/**
 * Keeps a list from moving under somebody's hand: while it is held, its studies stay where they are, with their fresh
 * values, and what has come meanwhile is only counted.
 * @param shown what stands on screen, undefined for a new view
 * @param left uuids of what was deleted, restored or taken back: these rows go at once
 */
export function steadyList(
  shown: readonly Study[] | undefined,
  fresh: readonly Study[],
  isHeld: boolean,
  left: ReadonlySet<string> = new Set(),
): SteadyList {
  if (!shown || shown.length === 0 || !isHeld) return { studies: fresh, arrivedCount: 0 }
  const freshByUuid = new Map(fresh.map((study) => [study.uuid, study]))
  const studies = shown
    .filter(({ uuid }) => freshByUuid.has(uuid) || !left.has(uuid))
    .map((study) => freshByUuid.get(study.uuid) ?? study)
  const known = new Set(shown.map(({ uuid }) => uuid))
  return { studies, arrivedCount: fresh.filter(({ uuid }) => !known.has(uuid)).length }
}
