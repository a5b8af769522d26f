import { randomUUID } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import type { DeclaredJob } from '../job.ts'
import { insertWork, type WorkAbout } from './work.sql.ts'

interface EnqueueOptions {
  /** Not before this time. */
  runAt?: Date
  /** Names a lane, as `destination:<uuid>`: of one group one piece of work runs at a time, of whatever job; no group waits for another, but that of the groups `owner/rest` of one owner two run at a time. */
  group?: string
  /** One piece of work waits under each key; asking twice is asking once. */
  key?: string
  /** People who may see the reason of a delay and cancel the work; without them the operator alone. */
  about?: WorkAbout
  uuid?: string
}

/**
 * Puts work on the queue as a part of the caller's transaction: rolled back it leaves nothing, committed it is done.
 * @returns the uuid of the work that waits
 */
export function enqueue<Payload extends object>(
  db: Db,
  job: DeclaredJob<Payload>,
  payload: Payload,
  { runAt, group, key, about, uuid = randomUUID() }: EnqueueOptions = {},
): Promise<string> {
  return insertWork(db, {
    ...about,
    uuid,
    job: job.name,
    payload: job.payload.parse(payload),
    lane: group ?? job.name,
    key,
    runAt,
  })
}
