/*
 * Which session the calls speak for. The session store sets it; the calls read it and say when the server no longer
 * knows it. Kept here, below the session, so that a call needs nothing of the product.
 */
let currentSid: string | undefined
const listeners = new Set<() => void>()

/** The sid to send, if somebody is signed in. */
export function getSid(): string | undefined {
  return currentSid
}

export function setSid(sid: string | undefined): void {
  currentSid = sid
}

/** Calls back when the server refuses the sid in force (401). Returns the way to stop listening. */
export function onSessionRefused(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A late 401 for a sid that has been replaced meanwhile says nothing about the session in force. */
export function reportRefused(sid: string): void {
  if (sid !== currentSid) return
  for (const listener of listeners) listener()
}
