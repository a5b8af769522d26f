/** The part of a list's address behind the question mark. What is not understood is dropped, never an error. */
export interface ListSearch {
  sort?: string
  page?: number
  /** Uuid of the selected study. */
  study?: string
  tab?: string
}

export function readListSearch(search: Record<string, unknown>): ListSearch {
  const page = Number(search['page'])
  return {
    sort: text(search['sort']),
    page: Number.isSafeInteger(page) && page > 1 ? page : undefined,
    study: text(search['study']),
    tab: text(search['tab']),
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
