import { filterAdd, filterDelete, filterGet, filterList, filterSet } from '@hilum/contract/calls/filter'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { isDateRange } from '../format/date-range.ts'
import { noFilters, type SearchFilters } from '../state/search-filters.ts'
import { toExpressions } from './search-expressions.ts'

const keys = { all: ['saved-searches'] } as const

/** Our own part of a kept search: the form as it was filled, since "last 7 days" must stay what it says. */
const formKey = 'web'

export interface ListedSearch {
  uuid: string
  name: string
  filters: SearchFilters
  /** Undefined when it is the owner's alone, else the place whose members see it. */
  namespaceId: string | undefined
  ownerName: string
  isMine: boolean
  mayEdit: boolean
}

/** The person's searches and those of their groups, by name; those that only the API understands are left out. */
export const savedSearchesQuery = (accountUuid: string) =>
  queryOptions({
    queryKey: [...keys.all, accountUuid],
    queryFn: async ({ signal }): Promise<ListedSearch[]> => {
      const sent = { type: 'Study', account_id: accountUuid } as const
      const { filters } = await callApi(filterList, sent, { signal, list: { sort_by: 'name-asc' } })
      return filters.flatMap((stored) => {
        const form = readForm(stored.configuration)
        return form
          ? [
              {
                uuid: stored.uuid,
                name: stored.name,
                filters: form,
                namespaceId: stored.namespace_id ?? undefined,
                ownerName: stored.owner_name,
                isMine: stored.is_mine === 1,
                mayEdit: stored.may_edit === 1,
              },
            ]
          : []
      })
    },
  })

/** Stands in an address in place of a search that is not there for this reader. */
export const goneSearch = 'gone'

/** True when the address names a search that could not be read yet: what it would show is not known. */
export function isUnreadSearch(filter: string | undefined): boolean {
  return filter !== undefined && filter !== goneSearch
}

/** A search that was kept for a copied link; null when it holds none of ours. */
export const linkedSearchQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...keys.all, 'linked', uuid],
    queryFn: async ({ signal }) => readForm((await callApi(filterGet, { uuid }, { signal })).configuration) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Acts on saved searches; each refreshes the lists of them. */
export function useSavedSearchActs(accountUuid: string, today: string) {
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: keys.all })
  const save = useMutation({
    mutationFn: ({ name, filters, namespaceId }: { name: string; filters: SearchFilters; namespaceId?: string }) =>
      callApi(filterAdd, {
        name,
        type: 'Study',
        configuration: toConfiguration(filters, today),
        account_id: accountUuid,
        namespace_id: namespaceId,
      }),
    onSuccess,
  })
  const rename = useMutation({
    mutationFn: ({ uuid, name }: { uuid: string; name: string }) => callApi(filterSet, { uuid, name }),
    onSuccess,
  })
  const remove = useMutation({ mutationFn: (uuid: string) => callApi(filterDelete, { uuid }), onSuccess })
  return { save, rename, remove }
}

/** Keeps a search so that its address can be given away: by its uuid, with nothing of the patient in it. */
export async function storeSearchForLink(accountUuid: string, name: string, filters: SearchFilters, today: string) {
  const configuration = toConfiguration(filters, today)
  const { uuid } = await callApi(filterAdd, { name, type: 'Link', configuration, account_id: accountUuid })
  return uuid
}

/** Expressions of the wire without their prefix, for every client, and the form for ours. */
function toConfiguration(filters: SearchFilters, today: string): Record<string, unknown> {
  const expressions = Object.entries(toExpressions(filters, today)).map(([key, value]) => [
    key.replace(/^filter\./, ''),
    value,
  ])
  return { ...Object.fromEntries(expressions), [formKey]: filters }
}

/** The form in a configuration; what it lacks is empty, what is of the wrong kind is left out. */
function readForm(configuration: unknown): SearchFilters | undefined {
  if (typeof configuration !== 'object' || configuration === null || !(formKey in configuration)) return undefined
  const form: unknown = configuration[formKey]
  if (typeof form !== 'object' || form === null) return undefined
  const stored = Object.entries(form).filter(([key, value]) => {
    const empty: unknown = Object.hasOwn(noFilters, key) ? noFilters[key as keyof SearchFilters] : undefined
    if (Array.isArray(empty)) return Array.isArray(value) && value.every((one) => typeof one === 'string')
    return typeof empty === 'string' ? typeof value === 'string' : empty !== undefined && isDateRange(value)
  })
  return { ...noFilters, ...Object.fromEntries(stored) }
}
