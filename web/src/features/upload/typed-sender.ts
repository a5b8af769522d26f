/** The name that the page of a request was given, kept in this tab while its session lasts. */
const storageKey = 'hilum.sender'

export function readSender(sid: string): string | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')
    const { sid: of, sender } = (stored ?? {}) as Record<string, unknown> // checked below
    return of === sid && typeof sender === 'string' ? sender : undefined
  } catch {
    return undefined // a browser without storage, or somebody else's text there
  }
}

export function storeSender(sid: string, sender: string): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ sid, sender }))
  } catch {
    // a browser that keeps nothing asks for the name again after a reload
  }
}
