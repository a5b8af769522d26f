/** Settings of a person about the saved searches: their order in the navigation, and where somebody begins after signing in. */
export const searchOrderKey = 'search_order'
export const startPlaceKey = 'start_place'
/** Value of a start that is no search. */
export const startAtInbox = 'inbox'

type Settings = Readonly<Record<string, string>>

/** Searches as the person put them; those that were never moved follow by name, as they come. */
export function inChosenOrder<Search extends { uuid: string }>(saved: readonly Search[], settings: Settings): Search[] {
  const order = readUuids(settings[searchOrderKey])
  const placeOf = ({ uuid }: Search) => (order.includes(uuid) ? order.indexOf(uuid) : order.length)
  return [...saved].sort((one, other) => placeOf(one) - placeOf(other))
}

/** Address that puts a kept search in force: in a group, or in all of them. */
export function placeOfSearch(uuid: string, groupId: string | undefined): string {
  return `/group/${groupId ?? 'list'}?filter=${uuid}`
}

/** Where the person wants to begin; undefined for the inbox. Nothing but the place of a search is taken for one. */
export function startPlace(settings: Settings): string | undefined {
  const place = settings[startPlaceKey] ?? ''
  return /^\/group\/[\w-]+\?filter=[\w-]+$/.test(place) ? place : undefined
}

function readUuids(text: string | undefined): readonly string[] {
  try {
    const read: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(read) ? read.filter((one) => typeof one === 'string') : []
  } catch {
    return [] // of another client
  }
}
