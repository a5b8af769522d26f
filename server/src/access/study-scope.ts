import { readStudy } from '@hilum/contract/calls/study'
import { holdsOne } from '@hilum/contract/permissions'
import type { Caller, Membership } from './caller.ts'

declare const madeHere: unique symbol

/** The namespaces whose studies a caller may list. Only this file makes one, so no list can run unscoped. */
export interface StudyScope {
  readonly namespaces: readonly Membership[]
  /** Namespaces where records that wait for approval are shown too. */
  readonly approving: ReadonlySet<string>
  /** Namespaces where deleted records are shown when asked for. */
  readonly deleting: ReadonlySet<string>
  /** In a derived session: the only records. */
  readonly onlyStudies?: ReadonlySet<string>
  readonly [madeHere]: true
}

export async function visibleStudies(caller: Caller): Promise<StudyScope> {
  const namespaces = (await caller.memberships()).filter((one) => holdsOne(one.permissions, readStudy))
  const where = (needed: 'study_approve' | 'study_delete') =>
    new Set(namespaces.filter((one) => one.permissions.has(needed)).map((one) => one.namespaceUuid))
  return {
    namespaces,
    approving: where('study_approve'),
    deleting: where('study_delete'),
    ...(caller.derivedStudies ? { onlyStudies: caller.derivedStudies } : {}),
  } as unknown as StudyScope // the only place where the brand is given
}
