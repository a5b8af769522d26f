/** Fields of a form that are not what they were, compared by content; all of them where nothing was before. */
export function changedFields<Fields extends object>(
  before: Partial<Fields> | undefined,
  now: Fields,
): Partial<Fields> {
  const was = new Map<string, unknown>(Object.entries(before ?? {}))
  const isChanged = ([field, value]: [string, unknown]) => JSON.stringify(was.get(field)) !== JSON.stringify(value)
  return Object.fromEntries(Object.entries(now).filter(isChanged)) as Partial<Fields> // fields of it
}
