import type { Log } from '../log.ts'
import type { Database } from '../db/database.ts'
import { actorOf, type Asker } from './caller.ts'
import { findCallerAgain } from './find-caller.ts'

/** Something that stays open for longer than one question: a download, an upload, a subscription, images on their way to a peer. */
export type WatchedDoor = CallersDoor | SendersDoor

interface CallersDoor {
  caller: Asker
  /** Whether the caller, as found anew, may still have this; without it a live session is enough. */
  stillMay?: (fresh: Asker) => Promise<boolean>
  close: () => void
}

/** A door without a session: images that a peer asked for, or that a job sends. */
interface SendersDoor {
  caller?: undefined
  /** The person whose rights count as well, or '' for nobody. */
  userUuid: string
  /** When the right was looked up (`performance.now()`). */
  askedAt: number
  stillMay: () => Promise<boolean>
  close: () => void
}

export interface AccessWatch {
  /** Keeps an eye on a door; returns how to stop. */
  open: (door: WatchedDoor) => () => void
  /** Settles when what is known to have changed about a person's rights has been looked at; undefined when nothing has. */
  settling: (userUuid: string) => Promise<void> | undefined
  /** Asks anew whether a door may stay open, and closes it when not; whether it is open then. */
  confirm: (door: WatchedDoor) => Promise<boolean>
  /** How many doors a person has open; everybody together by ''. */
  count: (userUuid: string) => number
  close: () => Promise<void>
}

/** The end of a right by the clock, not by a change (idle sessions, expired shares), is found within this time. */
const roundMs = 15_000
/** Between looking up a caller and opening the door passes no more than this. */
const remembersMs = 120_000

/**
 * Closes what is open when its right ends: at once when the database rings, and by the clock.
 * @param hearBell calls back with the person whose rights may have shrunk, or '' for everybody's
 */
export function watchAccess(
  db: Database,
  hearBell: (hear: (userUuid: string) => void) => () => void,
  log: Log,
): AccessWatch {
  const doors = new Map<string, Set<WatchedDoor>>()
  const looks = new Map<string, { running: Promise<void>; waiting?: Promise<void> }>()
  /** When a person's bell, or everybody's (''), was last heard. */
  const heard = new Map<string, number>()
  let isClosed = false

  function doorsOf(userUuid: string): WatchedDoor[] {
    return userUuid === '' ? [...doors.values()].flatMap((some) => [...some]) : [...(doors.get(userUuid) ?? [])]
  }

  /** One look after the other for each name; what changes during a look is seen by the next, however often it changes. */
  function look(userUuid: string): void {
    if (isClosed || doorsOf(userUuid).length === 0) return
    const before = looks.get(userUuid)
    if (!before) void begin(userUuid)
    else before.waiting ??= before.running.then(() => begin(userUuid))
  }

  function begin(userUuid: string): Promise<void> {
    const running = recheck(doorsOf(userUuid)).finally(() => {
      if (!looks.get(userUuid)?.waiting) looks.delete(userUuid)
    })
    looks.set(userUuid, { running })
    return running
  }

  function hear(userUuid: string): void {
    const now = performance.now()
    for (const [name, at] of heard) if (now - at > remembersMs) heard.delete(name)
    heard.set(userUuid, now)
    look(userUuid)
  }

  /** Whether a right of the person changed after the caller had been looked up, so that no door was there to be asked about. */
  function isOutdated(door: WatchedDoor): boolean {
    const { askedAt } = door.caller ?? door
    return [nameOf(door), ''].some((name) => (heard.get(name) ?? Number.NEGATIVE_INFINITY) >= askedAt)
  }

  async function recheck(some: readonly WatchedDoor[]): Promise<void> {
    for (const [, own] of Map.groupBy(some, (door) => door.caller?.sessionUuid ?? door)) {
      try {
        await recheckTogether(own)
      } catch (error) {
        // the next round asks again; nothing new is opened while the database is away
        if (!isClosed) log.warn({ event: 'rights not looked at', err: error })
      }
    }
  }

  /** @param own one door, or doors of one session */
  async function recheckTogether(own: readonly WatchedDoor[]): Promise<void> {
    const caller = own[0]?.caller
    const fresh = caller && (await findCallerAgain(db, caller, log))
    for (const door of own) {
      const may = door.caller ? fresh && (!door.stillMay || (await door.stillMay(fresh))) : await door.stillMay()
      if (!may) end(door)
    }
  }

  function end(door: WatchedDoor): void {
    if (forget(door)) door.close()
  }

  function forget(door: WatchedDoor): boolean {
    const name = nameOf(door)
    const own = doors.get(name)
    if (!own?.delete(door)) return false
    if (own.size === 0) doors.delete(name)
    return true
  }

  const deafen = hearBell(hear)
  const round = setInterval(() => look(''), roundMs)
  round.unref()

  return {
    open: (door) => {
      const name = nameOf(door)
      const own = doors.get(name) ?? new Set()
      doors.set(name, own.add(door))
      if (isOutdated(door)) look(name)
      return () => void forget(door)
    },
    settling: (userUuid) => {
      const under = [looks.get(userUuid), looks.get('')].flatMap((one) => (one ? [one.waiting ?? one.running] : []))
      return under.length === 0 ? undefined : Promise.all(under).then(() => undefined)
    },
    confirm: async (door) => {
      await recheckTogether([door])
      return doors.get(nameOf(door))?.has(door) ?? false
    },
    count: (userUuid) => doorsOf(userUuid).length,
    close: async () => {
      isClosed = true
      clearInterval(round)
      deafen()
      await Promise.all([...looks.values()].map((one) => one.waiting ?? one.running))
    },
  }
}

/** The name under which a bell finds a door. */
function nameOf(door: WatchedDoor): string {
  return door.caller ? actorOf(door.caller) : door.userUuid
}
