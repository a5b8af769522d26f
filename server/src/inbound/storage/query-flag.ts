/** A flag of a query: `1`, or `true` as some clients write it. */
export function isSet(sent: string | undefined): boolean {
  return sent === '1' || sent?.toLowerCase() === 'true'
}
