/** Words for actors that have no name, as files have them. */
const namelessActors = { link: 'through a link', system: 'Hilum itself' } as const

interface Actor {
  who: string
  actor_kind: string
  detail: unknown
}

/**
 * The actor's name, or a DICOM node's AE title; a link and the installation itself have none.
 * @param words for those, in the language of the reader
 */
export function actorName(
  { who, actor_kind: kind, detail }: Actor,
  words: Readonly<Record<keyof typeof namelessActors, string>> = namelessActors,
): string {
  const { calling_ae: title } = (detail ?? {}) as { calling_ae?: unknown } // checked below
  return who || (typeof title === 'string' ? title : '') || (kind === 'link' ? words.link : words.system)
}
