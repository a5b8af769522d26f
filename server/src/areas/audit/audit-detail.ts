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
