import { linkSet } from '@hilum/contract/calls/link'
import { type OutsideAccess, type OutsideKind, outsideEnd, outsideList } from '@hilum/contract/calls/outside'
import { studyShareExtend, studyShareStop } from '@hilum/contract/calls/study-share'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callBundle } from '../api/call-bundle.ts'
import { callApi } from '../api/call-api.ts'
import type { GridView } from '../ui/grid-view.ts'
import { within } from './account-groups.ts'

export type { OutsideAccess }

export type OutsideFilters = { who: string; place: string; by: string; kind: '' | OutsideKind; reach: '' | '0' | '1' }
export const noOutsideFilters: OutsideFilters = { who: '', place: '', by: '', kind: '', reach: '' }

const key = 'outside-access'

/** A page of what people outside have access to: by the person's own hand, or by anybody's of the account. */
export const outsideQuery = (
  accountId: string,
  isEveryone: boolean,
  { page, rows, sort }: GridView,
  filters: OutsideFilters,
) =>
  queryOptions({
    queryKey: [key, accountId, isEveryone, page, rows, sort, filters],
    queryFn: ({ signal }) =>
      callApi(
        outsideList,
        { account_id: accountId, ...(isEveryone ? { everyone: 1 as const } : {}) },
        {
          signal,
          list: {
            'page.rows': rows,
            'page.number': page,
            sort_by: `${sort.field}-${sort.isDescending ? 'desc' : 'asc'}`,
            'filter.who.like': within(filters.who),
            'filter.namespace_name.like': within(filters.place),
            'filter.by_name.like': within(filters.by),
            'filter.kind.equals': filters.kind || undefined,
            'filter.is_outside.equals': filters.reach || undefined,
          },
        },
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })

export type OutsideAct = { kind: 'end' } | { kind: 'restore' } | { kind: 'extend'; minutes: number }

/** Acts that a dialog asks about before they are done. */
export type AskedAct = Exclude<OutsideAct['kind'], 'restore'>

/** Whether an act can be done to an access by this person. */
export function canDo({ kind }: Pick<OutsideAct, 'kind'>, access: OutsideAccess): boolean {
  const may = { end: access.may_end, restore: access.may_restore, extend: access.may_extend }
  return may[kind] === 1
}

/** The outcome of an act on one access. */
export interface OutsideResult {
  access: OutsideAccess
  failure: unknown
}

/** Ends or extends accesses; one that fails stops no other. */
export function useActOnOutside(accountId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ act, accesses }: { act: OutsideAct; accesses: readonly OutsideAccess[] }) => {
      const shares = accesses.filter(isShare)
      const links = accesses.filter((one) => !isShare(one))
      const done = await (act.kind === 'end'
        ? callBundle(
            outsideEnd,
            [...shares, ...links].map((one) => ({
              parameters: { account_id: accountId, [isShare(one) ? 'share_id' : 'link_id']: one.uuid },
            })),
          )
        : Promise.all([
            act.kind === 'restore'
              ? callBundle(
                  studyShareStop,
                  shares.map((one) => ({ parameters: { ...sharedWith(one), restore: 1 as const } })),
                )
              : callBundle(
                  studyShareExtend,
                  shares.map((one) => ({ parameters: { ...sharedWith(one), minutes_left: act.minutes } })),
                ),
            callBundle(
              linkSet,
              links.map(({ uuid }) => ({
                parameters: {
                  uuid,
                  ...(act.kind === 'restore' ? { restore: 1 as const } : { minutes_left: act.minutes }),
                },
              })),
            ),
          ]).then((parts) => parts.flat()))
      return [...shares, ...links].map((access, at): OutsideResult => {
        const result = done[at]
        return { access, failure: result?.isDone ? undefined : (result?.failure ?? new Error('no answer')) }
      })
    },
    onSettled: () => void client.invalidateQueries({ queryKey: [key] }),
  })
}

const sharedWith = (one: OutsideAccess) => ({ uuid: one.study_id, [`${one.kind}_id`]: one.who_id })

function isShare({ kind }: OutsideAccess): boolean {
  return kind === 'user' || kind === 'group' || kind === 'location' || kind === 'account'
}
