/** A JSON setting; undefined when it is not readable. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // a setting is whatever text somebody kept; what cannot be read counts as unset
  }
}
