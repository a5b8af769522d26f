/*
 * The sid of all calls: a short-lived token, in memory alone. The session store sets it; the calls read it and
 * say when the server no longer knows it. Kept here, below the session, so that a call needs nothing of the product.
 */
let currentSid: string | undefined
let renewal: (() => Promise<void> | undefined) | undefined
const listeners = new Set<() => void>()

/** The token to send, if somebody is signed in; it may have run out while the machine slept, see `freshSid`. */
export function getSid(): string | undefined {
  return currentSid
}

/** Renews the token when its time is nearly over; undefined when there is nothing to wait for. */
export function renewSid(): Promise<void> | undefined {
  return currentSid ? renewal?.() : undefined
}

/** The token to send, renewed before when its time is nearly over. */
export async function freshSid(): Promise<string | undefined> {
  await renewSid()
  return currentSid
}

export function setSid(sid: string | undefined): void {
  currentSid = sid
}

/** Says how a token is renewed when its time is nearly over; the session does. */
export function onSidNeeded(renew: () => Promise<void> | undefined): void {
  renewal = renew
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
