import { useState } from 'react'

/** Fields of a thing as they were read; undefined to save over whatever was changed meanwhile. */
export type Seen = Record<string, unknown> | undefined

/**
 * A form's memory of the fields that saving would replace, as the form showed them first: saving is told of a change
 * by somebody else meanwhile.
 * @param read undefined for a new thing
 * @param send sends the form, with the fields as they were read
 */
export function useSeen<One extends object>(
  read: One | undefined,
  fields: readonly (keyof One & string)[],
  send: (seen: Seen) => void,
): { save: () => void; saveMine: () => void } {
  const [seen] = useState<Seen>(() => read && Object.fromEntries(fields.map((field) => [field, read[field]])))
  return { save: () => send(seen), saveMine: () => send(undefined) }
}
