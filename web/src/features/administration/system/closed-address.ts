const noneOfGrids = {
  page: undefined,
  sort: undefined,
  name: undefined,
  who: undefined,
  act: undefined,
  kind: undefined,
  from: undefined,
  to: undefined,
}

/** The parameters of an address that leads to a part of the page of all organisations, without page and filter of the part before. */
export function openingOf(part: 'organisations' | 'closed' | { audit: string }) {
  return {
    ...noneOfGrids,
    view: part === 'organisations' ? undefined : 'closed',
    audit: typeof part === 'string' ? undefined : part.audit,
  }
}
