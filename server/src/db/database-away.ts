import pg from 'pg'

/** The database cannot be reached, or let go of the connection: the same may work in a moment. */
export class DatabaseAwayError extends Error {
  override readonly name = 'DatabaseAwayError'
  /** Stands for it where only codes are kept. */
  readonly code = 'DATABASE_AWAY'
}

/** Seconds after which a caller may ask again, as `Retry-After` says. */
export const databaseRetrySeconds = 5

/**
 * SQLSTATEs of a server that stops, starts, recovers, is full of connections, has become a standby or has no room on its
 * disk, which is given what was kept aside for it within seconds.
 */
const awayStates = /^(08...|57P0[1235]|53300|25006|53100)$/

/**
 * An error of a statement as what it means: one of the database's own stays, but for those by which it says good-bye;
 * an error of the driver itself is a lost connection.
 */
export function explainLoss(error: unknown): unknown {
  return isLoss(error) ? new DatabaseAwayError('The database does not answer', { cause: error }) : error
}

function isLoss(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return awayStates.test(error.code ?? '')
  // parsers of values throw errors of their own classes, the driver and the system plain ones
  return error instanceof AggregateError || (error instanceof Error && error.constructor === Error)
}
