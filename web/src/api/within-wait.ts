/**
 * The longest that an answer is waited for. The server gives up sooner (30 s of the database, peers by their own limits),
 * so that only a line that is silent takes this long.
 */
const LONGEST_WAIT_MS = 120_000

/** A signal that fires when the caller gives up, or when an answer has taken too long. */
export function withinWait(asked?: AbortSignal): AbortSignal {
  const limit = AbortSignal.timeout(LONGEST_WAIT_MS)
  return asked ? AbortSignal.any([asked, limit]) : limit
}
