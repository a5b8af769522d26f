/**
 * Parameters of an address that stand for a part of the search: what names no patient. `exam` and `uploaded` are ranges
 * of days; the other names are those of the fields. docs/decisions/0090
 */
export const filterParameters = [
  'work',
  'modality',
  'starred',
  'thin',
  'unread',
  'mixed',
  'incomplete',
  'exam',
  'uploaded',
] as const
export type FilterParameter = (typeof filterParameters)[number]

/** The part of the search that stands in an address, as it is written there. */
export type AddressFilters = Partial<Record<FilterParameter, string | undefined>>

/**
 * The part of a list's address behind the question mark. A parameter that is not understood is left out of what is
 * shown; the screen says so (`readAddressFaults`).
 */
export interface ListSearch extends AddressFilters {
  sort?: string
  page?: number
  /** Uuid of the selected study. */
  study?: string
  tab?: string
  /** Uuid of the selected request for studies. */
  request?: string
  /** `ended` for the requests that are over. */
  requests?: string
  /** Uuid of a search kept on the server (Copy link): the address of a search without the patient in it. */
  filter?: string
}

/** The worklist's address: as a list's, with the group and the rows of a page. */
export interface WorklistSearch extends ListSearch {
  group?: string
  rows?: number
}

export function readWorklistSearch(search: Record<string, unknown>): WorklistSearch {
  const rows = Number(search['rows'])
  return {
    ...readListSearch(search),
    group: text(search['group']),
    rows: Number.isSafeInteger(rows) && rows > 0 ? rows : undefined,
  }
}

export function readListSearch(search: Record<string, unknown>): ListSearch {
  const page = Number(search['page'])
  return {
    sort: text(search['sort']),
    page: Number.isSafeInteger(page) && page > 1 ? page : undefined,
    study: text(search['study']),
    tab: text(search['tab']),
    request: text(search['request']),
    requests: text(search['requests']),
    ...readAddressFilters(search),
    filter: text(search['filter']),
  }
}

/** The part of the search that an address has, as it is written there: what is wrong in it is told, so nothing is dropped. */
export function readAddressFilters(search: Record<string, unknown>): AddressFilters {
  const asWritten = (value: unknown) =>
    value === undefined || typeof value === 'string' ? value || undefined : JSON.stringify(value)
  return Object.fromEntries(filterParameters.map((name) => [name, asWritten(search[name])]))
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
