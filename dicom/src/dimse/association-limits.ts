/** How long a peer may take. */
export type AssociationLimits = {
  /** Until the whole answer or request to associate is there, and for ending (ARTIM). */
  negotiationMs: number
  /** Between two messages. */
  idleMs: number
  /** Without a byte inside a message, or without reading what we send. */
  stallMs: number
}
export const defaultLimits: AssociationLimits = { negotiationMs: 15_000, idleMs: 120_000, stallMs: 30_000 }
