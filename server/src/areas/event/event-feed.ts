import type { Log } from '../../log.ts'
import type { ConnectionPool, Database, PooledConnection } from '../../db/database.ts'
import {
  accessBell,
  doorbell,
  type EventRow,
  findNewestEventId,
  jobBell,
  listEventsAfter,
  ringDoorbell,
  ringJobBell,
} from './event.sql.ts'

const batch = 500
/** Rings closer together than this are one: ingest commits hundreds of times a second, and people do not look that often. */
const ringMs = 100
/** A lost notification costs at most this long. */
const pollMs = 2_000
/** Events held back by a running transaction are asked for again after this long. */
const recheckMs = 50
const reconnectMs = 1_000

export interface EventFeed {
  /** Hears every event from now on; returns how to stop. */
  listen: (hear: (event: EventRow) => void) => () => void
  /** Hears whose rights may have shrunk, before any event of the time after; '' is everybody. Returns how to stop. */
  listenToAccess: (hear: (userUuid: string) => void) => () => void
  /** Hears how far jobs are that this and other processes do, as they handed it on. Returns how to stop. */
  listenToJobs: (hear: (handedOn: string) => void) => () => void
  /** Hands on how far a job is, to all processes; a text that cannot go is logged. */
  handOnJob: (message: string) => Promise<void>
  /** Rings all processes; many rings at once are one notification. */
  ring: () => void
  close: () => Promise<void>
}

/**
 * Tails the outbox: woken by an empty notification after commits, resumed by id, polled in case one is lost. Each
 * process has one feed, shared by all its subscribers.
 */
export async function openEventFeed(db: Database, pool: ConnectionPool, log: Log): Promise<EventFeed> {
  const listeners = new Set<(event: EventRow) => void>()
  const accessListeners = new Set<(userUuid: string) => void>()
  const jobListeners = new Set<(handedOn: string) => void>()
  let lastId = await findNewestEventId(db)
  let isReading = false
  let isWanted = false
  let isClosed = false
  let isRinging = false
  let recheck: NodeJS.Timeout | undefined
  let lastRing = -ringMs

  /** Whether somebody asked while a reading was under way; asked once, it is granted once. */
  function takeDemand(): boolean {
    const was = isWanted
    isWanted = false
    return was
  }

  async function read(): Promise<void> {
    if (isReading || isClosed) {
      isWanted = true
      return
    }
    isReading = true
    try {
      let count: number
      do {
        const events = await listEventsAfter(db, lastId, batch)
        count = events.length
        for (const event of events) {
          lastId = event.id
          for (const hear of listeners) hear(event)
        }
        if (isClosed) return
      } while (count === batch || takeDemand())
    } catch (error) {
      if (!isClosed) log.warn({ event: 'event feed read failed', err: error })
    } finally {
      isReading = false
    }
  }

  let client: PooledConnection | undefined
  let reconnect: NodeJS.Timeout | undefined

  /** One connection stays with the feed, to hear the doorbell; when it is lost, the poll goes on until there is another. */
  async function connect(): Promise<void> {
    const made = await pool.connect()
    if (isClosed) return made.release()
    client = made
    made.on('notification', ({ channel, payload = '' }) => {
      if (channel === accessBell) {
        for (const hear of accessListeners) hear(payload)
        return
      }
      if (channel === jobBell) {
        for (const hear of jobListeners) hear(payload)
        return
      }
      void read()
      recheck ??= setTimeout(() => {
        recheck = undefined
        void read()
      }, recheckMs)
    })
    made.once('error', (error) => {
      letGo(made)
      if (isClosed) return
      log.warn({ event: 'event feed connection lost', err: error })
      connectLater()
    })
    try {
      await made.query(`listen ${accessBell}; listen ${doorbell}; listen ${jobBell}`)
      // events that were rung while nobody listened
      for (const hear of accessListeners) hear('')
    } catch (error) {
      letGo(made)
      throw error
    }
  }

  /** Once, whoever notices first that the connection is of no use: one that is kept would be missing in the pool. */
  function letGo(made: PooledConnection): void {
    if (client !== made) return
    client = undefined
    made.release(true)
  }

  function connectLater(): void {
    clearTimeout(reconnect)
    reconnect = setTimeout(async () => {
      try {
        await connect()
      } catch (error) {
        log.debug({ event: 'event feed cannot connect', err: error })
        if (!isClosed) connectLater()
      }
    }, reconnectMs)
  }

  await connect()
  const poll = setInterval(() => void read(), pollMs)
  poll.unref()

  return {
    listen: (hear) => {
      listeners.add(hear)
      return () => listeners.delete(hear)
    },
    listenToAccess: (hear) => {
      accessListeners.add(hear)
      return () => accessListeners.delete(hear)
    },
    handOnJob: async (message) => {
      try {
        await ringJobBell(db, message)
      } catch (error) {
        if (!isClosed) log.warn({ event: 'progress of a job not handed on', err: error })
      }
    },
    listenToJobs: (hear) => {
      jobListeners.add(hear)
      return () => jobListeners.delete(hear)
    },
    ring: () => {
      if (isRinging || isClosed) return
      isRinging = true
      setTimeout(
        async () => {
          isRinging = false
          if (isClosed) return
          lastRing = performance.now()
          try {
            await ringDoorbell(db)
          } catch (error) {
            log.warn({ event: 'doorbell failed', err: error }) // the poll of every process finds the events all the same
          }
        },
        Math.max(0, lastRing + ringMs - performance.now()),
      )
    },
    close: async () => {
      isClosed = true
      clearInterval(poll)
      clearTimeout(recheck)
      clearTimeout(reconnect)
      if (client) letGo(client)
    },
  }
}
