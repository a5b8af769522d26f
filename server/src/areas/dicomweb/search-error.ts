/** A search that cannot be understood: answered 400 in words. */
export class SearchError extends Error {
  override readonly name = 'SearchError'
}
