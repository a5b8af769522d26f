interface PublicRoute {
  fullPath: string
  children?: unknown
}

/** ROUTE-18: what lies below a public address would be open to everybody, which nobody may have meant. */
export function warnOfChildren(routes: readonly PublicRoute[]): void {
  for (const { fullPath, children } of routes) {
    const count = Object.keys(children ?? {}).length
    // oxlint-disable-next-line no-console -- ROUTE-18: it is logged, and stops nobody
    if (count > 0) console.warn(`The public route ${fullPath} has children`)
  }
}
