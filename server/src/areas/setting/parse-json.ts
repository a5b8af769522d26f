/** A JSON setting; undefined when it is not readable. */
export function parseJson(kept: string): unknown {
  try {
    return JSON.parse(kept)
  } catch {
    return undefined // a setting is whatever text somebody kept; what cannot be read counts as unset
  }
}
