import type pg from 'pg'

/**
 * Lets go of a connection on which nothing has come or gone for so long while an answer is owed: a database that hangs
 * says neither yes nor no, and its operating system keeps the connection open for it. All that waits there fails then
 * as it does on a lost connection.
 * @param isOwedNothing whether silence is right, as on a connection that waits in the pool
 */
export function boundSilence(client: pg.Client, silenceMs: number, isOwedNothing: () => boolean): void {
  const { connection } = client
  const watch = () => {
    const { stream } = connection
    // the socket's own timer: begins anew with each byte, and costs nothing for each statement
    if ('setTimeout' in stream && typeof stream.setTimeout === 'function') stream.setTimeout(silenceMs)
    stream.on('timeout', () => {
      // TLS puts another stream into the place of the first, on which nothing is seen to come from then on
      if (stream === connection.stream && !isOwedNothing())
        stream.destroy(new Error(`The database has said nothing for ${silenceMs / 1000} s`))
    })
  }
  watch()
  connection.on('sslconnect', watch)
}
