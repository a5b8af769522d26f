/**
 * The part of a list's address behind the question mark. A parameter that is not understood is dropped, never an error.
 */
export interface ListSearch {
  sort?: string
  page?: number
  /** Uuid of the selected study. */
  study?: string
  tab?: string
  /** Uuid of the selected request for studies. */
  request?: string
  /** Work status that the list is narrowed by. */
  work?: string
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
    work: text(search['work']),
    filter: text(search['filter']),
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
