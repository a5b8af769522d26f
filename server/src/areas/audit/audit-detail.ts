type Detail = Readonly<Record<string, unknown>>
/** Filters of a report, and those of its saved search. */
const filtersOf = ['filters', 'any_of']

/** The audited change, but for fields that a role may not see, and for filters, whose values may be those of any field. */
export function withoutHidden(detail: Detail, hidden: ReadonlySet<string>): Detail {
  return Object.fromEntries(
    Object.entries(detail).filter(([name]) => !hidden.has(name) && !(hidden.size > 0 && filtersOf.includes(name))),
  )
}

/** The other party of a share, as its audit row names it. */
export function withWhom(detail: Detail): string {
  return 'with' in detail ? String(detail['with']) : ''
}

/** The address of a webhook as the audit has it: without its query and the name and password in it, which may be secrets. */
export function addressOnRecord(url: string): string {
  const read = URL.parse(url)
  return read ? `${read.origin === 'null' ? read.protocol : read.origin}${read.pathname}` : ''
}

/** The audited change of a webhook without what its parameters and address may hold; older rows have both whole. */
export function withoutSecrets(type: string, detail: Detail): Detail {
  if (type !== 'Webhook') return detail
  const { url, parameters } = detail
  const bare = (one: unknown) => (typeof one === 'string' && URL.canParse(one) ? addressOnRecord(one) : one)
  return {
    ...detail,
    ...('url' in detail ? { url: Array.isArray(url) ? url.map(bare) : bare(url) } : {}),
    ...(parameters === undefined ? {} : { parameters: 'changed' }),
  }
}
