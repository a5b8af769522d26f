import { randomUUID } from 'node:crypto'
import type { Database, Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import {
  endUnderWay,
  enterUnderWay,
  findDepartures,
  type KnownDepartures,
  noteDeparture,
  putOffEnd,
  takeTurnToDepart,
} from '../altered/departure.sql.ts'
import { noteEvery } from '../job/note-every.ts'

interface Departing {
  record: { account_uuid: string; phi_namespace: string; uuid: string; study_uid: string }
  destinationUuid: string
  /** Digest of the patient and accession number that the exam leaves under. */
  sentAs: Buffer
  /** Departures before the destination was asked. */
  before: KnownDepartures
}

/** Other doors wait that long at most for a departure whose process has died; one that lives puts its end off more often. */
const usualTimes = { leaseMs: 60_000, putOffMs: 15_000 }

/**
 * Departures by C-MOVE or C-GET over the associations of one retrieval. Pushes and other retrievals hear of each until `end`,
 * or until its time is over: a destination may list an exam only once the association has ended.
 */
export class Departures {
  readonly #services: Pick<Services, 'db' | 'log'>
  readonly #times: typeof usualTimes
  readonly #begun = new Map<string, { uuid: string; until: number; maySend: Promise<boolean> }>()
  #notes: ReturnType<typeof noteEvery> | undefined
  #isOver = false

  constructor(services: Pick<Services, 'db' | 'log'>, times = usualTimes) {
    this.#services = services
    this.#times = times
  }

  /**
   * Asked before each image; the first notes the departure. False where images of the exam have left or leave under another
   * patient since the destination was asked, from whichever record and by whichever door; also where that happened after
   * the time of this departure was over.
   */
  maySend(departing: Departing): Promise<boolean> {
    const key = `${departing.record.uuid} ${departing.sentAs.toString('hex')}`
    const known = this.#begun.get(key)
    if (known && performance.now() < known.until) return known.maySend
    const now = performance.now()
    const uuid = randomUUID()
    const seconds = this.#times.leaseMs / 1000
    const one = {
      uuid,
      until: Number.POSITIVE_INFINITY,
      maySend: begin(this.#services.db, departing, { uuid, seconds }),
    }
    one.maySend = one.maySend.then((isBegun) => {
      if (isBegun) one.until = now + this.#times.leaseMs
      return isBegun
    })
    this.#begun.set(key, one)
    this.#notes ??= noteEvery(
      this.#times.putOffMs,
      () => this.#note(),
      (error) => this.#services.log.error({ event: 'departure not noted', err: error }),
    )
    return one.maySend
  }

  /** The associations have ended. */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#notes?.stop()
  }

  async #note(): Promise<void> {
    const { db } = this.#services
    const begun = [...this.#begun.values()]
    const uuids = begun.map((one) => one.uuid)
    if (this.#isOver) return endUnderWay(db, uuids)
    const now = performance.now()
    const putOff = new Set(await putOffEnd(db, uuids, this.#times.leaseMs / 1000))
    for (const one of begun) if (putOff.has(one.uuid)) one.until = now + this.#times.leaseMs
  }
}

function begin(db: Database, departing: Departing, lease: { uuid: string; seconds: number }): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { record, destinationUuid, sentAs } = departing
    if (!(await takeTurn(tx, departing))) return false
    await noteDeparture(tx, record, destinationUuid, sentAs)
    await enterUnderWay(tx, { ...lease, exam: record, destinationUuid, sentAs })
    return true
  })
}

/** The same question of a push, whose state tells the other doors that it is under way; it notes the images that were taken. */
export function mayBeginPush(db: Database, departing: Departing): Promise<boolean> {
  return db.transaction().execute((tx) => takeTurn(tx, departing))
}

async function takeTurn(tx: Tx, { record, destinationUuid, sentAs, before }: Departing): Promise<boolean> {
  await takeTurnToDepart(tx, record, destinationUuid)
  const now = await findDepartures(tx, record, destinationUuid)
  // one that was under way when the destination was asked may not have been listed there yet, though it has ended since
  if ([...before.underWay, ...now.underWay].some((one) => !one.equals(sentAs))) return false
  return now.former === null || now.former.sentAs.equals(sentAs) || now.former.at === before.former?.at
}
