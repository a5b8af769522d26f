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

/** The address of a webhook as the audit has it: its origin alone, since its path, its query and the name in it may be secrets. */
export function addressOnRecord(url: string): string {
  const read = URL.parse(url)
  if (!read) return ''
  return read.origin === 'null' ? read.protocol : read.origin
}

/** The audited change of a webhook without what its parameters and address may hold; older rows have both whole. */
export function withoutSecrets(type: string, detail: Detail): Detail {
  if (type !== 'Webhook') return detail
  const { url, parameters } = detail
  return {
    ...detail,
    ...('url' in detail ? { url: addressesOnRecord(url) } : {}),
    ...(parameters === undefined ? {} : { parameters: 'changed' }),
  }
}

/** An address in a row, or the one before and the one after a change: 'changed' where their origins are the same. */
function addressesOnRecord(url: unknown): unknown {
  const bare = (one: unknown) => (typeof one === 'string' && URL.canParse(one) ? addressOnRecord(one) : one)
  if (!Array.isArray(url)) return bare(url)
  const [from, to] = url.map(bare)
  return from === to ? 'changed' : [from, to]
}
