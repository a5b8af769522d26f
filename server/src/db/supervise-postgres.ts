import { setTimeout as delay } from 'node:timers/promises'
import type { EmbeddedPostgres } from './embedded-postgres.ts'

/** Events of a database that ends and comes back. */
export type SupervisionEvent = 'ended' | 'not started' | 'started again'

export interface Supervision {
  /** Starts it; from the second time on with the socket folder of the first, so that its address stays. */
  start: (socketFolder?: string) => Promise<EmbeddedPostgres>
  /** Frees room that was kept for this, after a start that failed or an end unasked for. @returns whether there was some */
  makeRoom: () => Promise<boolean>
  tell: (event: SupervisionEvent, error?: unknown) => void
  firstDelayMs?: number
}

interface SupervisedPostgres {
  url: string
  /** Process number of the one that runs now. */
  pid: () => number
  isStopping: () => boolean
  /** Stops the one that runs now, in order; it is started again as after any other end. */
  startAnew: () => Promise<void>
  stop: () => Promise<void>
}

const longestDelayMs = 30_000
/** One that ran for this long ended for a new reason, so that the pauses begin anew. */
const soundMs = 60_000

/**
 * Starts PostgreSQL and starts it again whenever it ends, with pauses that double up to half a minute: a database that was
 * killed, or that a full disk ended, must not take the server with it.
 * @throws Error when the first start fails
 */
export async function supervisePostgres(supervision: Supervision): Promise<SupervisedPostgres> {
  const { start, makeRoom, tell, firstDelayMs = 200 } = supervision
  const stopping = new AbortController()
  let running = await startWithRoom(start, makeRoom)
  const { url, socketFolder } = running

  async function watch(): Promise<void> {
    let pauseMs = firstDelayMs
    while (!stopping.signal.aborted) {
      const began = performance.now()
      await running.ended
      if (stopping.signal.aborted) return
      tell('ended')
      if (performance.now() - began > soundMs) pauseMs = firstDelayMs
      await makeRoom()
      pauseMs = await startAgain(pauseMs)
    }
  }

  /** @returns how long to wait before the next start */
  async function startAgain(firstPauseMs: number): Promise<number> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestDelayMs)) {
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return pauseMs
      try {
        running = await start(socketFolder)
        tell('started again')
        return Math.min(2 * pauseMs, longestDelayMs)
      } catch (error) {
        tell('not started', error)
        await makeRoom()
      }
    }
  }

  const watching = watch()
  return {
    url,
    pid: () => running.pid,
    isStopping: () => running.isStopping(),
    startAnew: () => running.stop(),
    stop: async () => {
      stopping.abort()
      await running.stop()
      await watching
      // one that was being started meanwhile
      await running.stop()
    },
  }
}

/** Tries as long as there is room to give. */
async function startWithRoom(
  start: Supervision['start'],
  makeRoom: Supervision['makeRoom'],
): Promise<EmbeddedPostgres> {
  for (;;) {
    try {
      return await start()
    } catch (error) {
      if (!(await makeRoom())) throw error
    }
  }
}
