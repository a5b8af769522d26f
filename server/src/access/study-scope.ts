import { type Act, mayDo } from '@hilum/contract/acts'
import type { Asker, Membership } from './caller.ts'
import { withholdsFormer, withholdsReports } from './study-access.ts'

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
  /** Reports among the images stay hidden. */
  readonly withholdsReports: boolean
  /** Former patients of corrected images stay hidden. */
  readonly withholdsFormer: boolean
  readonly [madeHere]: true
}

export async function visibleStudies(caller: Asker): Promise<StudyScope> {
  const namespaces = (await caller.memberships()).filter((one) => mayDo('viewStudy', one))
  const where = (act: Act) => new Set(namespaces.filter((one) => mayDo(act, one)).map((one) => one.namespaceUuid))
  return {
    namespaces,
    approving: where('approveStudy'),
    deleting: where('deleteStudy'),
    withholdsReports: namespaces.some((one) => withholdsReports(caller, one)),
    withholdsFormer: withholdsFormer(caller),
    ...(caller.derivedStudies ? { onlyStudies: caller.derivedStudies } : {}),
  } as unknown as StudyScope // the brand is given in two places alone: here, and below for peers
}

/** Of these the studies in the Organisation inbox, groups and locations of one account where an act is allowed. */
export async function studiesOfAccount(caller: Asker, accountUuid: string, act: Act): Promise<StudyScope> {
  const scope = await visibleStudies(caller)
  const isOf = (one: Membership) => one.accountUuid === accountUuid && one.kind !== 'user'
  const namespaces = scope.namespaces.filter((one) => isOf(one) && mayDo(act, one))
  return { ...scope, namespaces }
}

/**
 * The studies that a DICOM peer sees which may query a place: the records that a reader of the place sees who approves and
 * deletes nothing. Whether the peer may ask is decided before, by the setting of the place.
 */
export function visibleToPeer(place: { namespaceUuid: string; accountUuid: string }): StudyScope {
  const { namespaceUuid, accountUuid } = place
  const seen = { namespaceUuid, accountUuid }
  return {
    namespaces: [seen],
    approving: new Set(),
    deleting: new Set(),
    withholdsReports: false,
    withholdsFormer: false,
  } as unknown as StudyScope
}
