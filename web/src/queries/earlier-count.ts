interface Asked {
  queryKey: readonly unknown[]
}

/**
 * Placeholder of a query whose key ends in a number that grows as things come in: what was read before it grew. A count
 * read of anything else, of the study selected before say, never stands in for the count asked for.
 */
export function earlierCount(queryKey: readonly unknown[]) {
  return <T>(previous: T | undefined, asked: Asked | undefined): T | undefined =>
    queryKey.slice(0, -1).every((part, at) => part === asked?.queryKey[at]) ? previous : undefined
}
