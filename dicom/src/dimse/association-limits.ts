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

/** The longest P-DATA-TF taken and given: the largest that DCMTK sends, and good for its throughput. */
export const MAX_PDU_BYTES = 131_072
/** A data set that comes slower than this, after the first stall time, is given up: it would hold its place for ever. */
export const MIN_BYTES_PER_SECOND = 1024
/** Between our last word and the end of the connection. */
export const CLOSING_MS = 2_000
