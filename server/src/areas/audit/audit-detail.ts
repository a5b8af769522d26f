type Detail = Readonly<Record<string, unknown>>

/** The audited change, but for fields that a role may not see. */
export function withoutHidden(detail: Detail, hidden: ReadonlySet<string>): Detail {
  return Object.fromEntries(Object.entries(detail).filter(([name]) => !hidden.has(name)))
}

/** The other party of a share, as its audit row names it. */
export function withWhom(detail: Detail): string {
  return 'with' in detail ? String(detail['with']) : ''
}
