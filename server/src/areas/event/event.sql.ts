import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

/** Channel of the notification that wakes every process after events were committed. */
export const doorbell = 'hilum_event'

/** Channel of the notifications that say how far a job is, which no table keeps each second. */
export const jobBell = 'hilum_job'

/** Channel that the database itself rings with the person whose rights shrank; see the migration `access-bell`. */
export const accessBell = 'hilum_access'

/** Has everything that is open asked anew whether it may stay so, once the transaction is committed. */
export async function ringAccessBell(tx: Tx): Promise<void> {
  await sql`select pg_notify(${accessBell}, '')`.execute(tx)
}

/** Hands a text of at most 8,000 bytes on to all processes. */
export async function ringJobBell(db: Db, handedOn: string): Promise<void> {
  await sql`select pg_notify(${jobBell}, ${handedOn})`.execute(db)
}

export async function ringDoorbell(db: Db): Promise<void> {
  await sql`select pg_notify(${doorbell}, '')`.execute(db)
}

/**
 * `study`: the record changed in any way. `ready`: all its images are there. `retracted`: its owner took it back. `order`:
 * an order was made, changed or deleted.
 */
type EventKind = 'study' | 'ready' | 'retracted' | 'order'

export interface EventRow {
  id: number
  namespace_uuid: string
  kind: EventKind
  uuid: string
  /** Whether the record waits for approval, so that only those who may approve are to know of it. */
  waits: boolean
}

/** Writes one event in the caller's transaction; ids only. Ring the doorbell after the commit. */
export async function writeEvent(db: Db, kind: EventKind, namespaceUuid: string, uuid: string): Promise<void> {
  await sql`
    insert into event (kind, namespace_uuid, uuid)
    values (${kind}, ${namespaceUuid}, ${uuid})
  `.execute(db)
}

/**
 * The next events after `afterId`, oldest first, but none at or above the oldest transaction still running: an id that
 * was taken earlier may be committed later, and would be missed for good.
 */
export async function listEventsAfter(db: Db, afterId: number, limit: number): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    /* prepared */
    select e.id, e.namespace_uuid, e.kind, e.uuid, coalesce(s.must_approve and e.kind <> 'order', false) as waits
    from event e
    left join study s on s.uuid = e.uuid
    where e.id > ${afterId}
      and e.tx < pg_snapshot_xmin(pg_current_snapshot())
    order by e.id
    limit ${limit}
  `.execute(db)
  return rows
}

export async function findNewestEventId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select coalesce(max(id), 0) as id
    from event
    where tx < pg_snapshot_xmin(pg_current_snapshot())
  `.execute(db)
  return rows[0]?.id ?? 0
}

/** Events are a doorbell, not a history: those older than a day are of no use to anybody. */
export async function deleteOldEvents(db: Db): Promise<void> {
  await sql`
    delete from event
    where at < now() - interval '1 day'
  `.execute(db)
}
