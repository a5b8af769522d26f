import { sql } from 'kysely'
import type { pushStatus } from '@hilum/contract/entities/study'
import type * as z from 'zod/mini'
import type { Db, Tx } from '../../db/database.ts'

/** N waits, I runs, P waits for another try with some images sent, S and F are over. */
type PushStatus = z.infer<typeof pushStatus>['status']

export interface PushRow {
  uuid: string
  phi_namespace: string
  study_uuid: string
  account_uuid: string
  destination_uuid: string
  destination_name: string
  user_uuid: string | null
  status: PushStatus
  /** Versions of the images that the peer has taken. */
  sent: string[]
}

const columns = sql`
  p.uuid, p.phi_namespace, p.study_uuid, p.account_uuid, p.destination_uuid, p.destination_name, p.user_uuid, p.status, p.sent`

/** Enters a push; one that was over makes room. False while one is on its way. */
export async function insertPush(tx: Tx, one: Omit<PushRow, 'status' | 'sent'>): Promise<boolean> {
  const { rows } = await sql`
    insert into push (phi_namespace, study_uuid, destination_uuid, uuid, account_uuid, destination_name, user_uuid, status)
    values (${one.phi_namespace}, ${one.study_uuid}, ${one.destination_uuid}, ${one.uuid}, ${one.account_uuid},
      ${one.destination_name}, ${one.user_uuid}, 'N')
    on conflict (phi_namespace, study_uuid, destination_uuid) do update
    set uuid = excluded.uuid, destination_name = excluded.destination_name, user_uuid = excluded.user_uuid, status = 'N',
      message = '', total = null, sent = '{}', created = now(), updated = now()
    where push.status in ('S', 'F')
    returning 1
  `.execute(tx)
  return rows.length > 0
}

export async function findPush(db: Db, uuid: string): Promise<PushRow | undefined> {
  const { rows } = await sql<PushRow>`
    select ${columns}
    from push p
    where p.uuid = ${uuid}
  `.execute(db)
  return rows[0]
}

/** Says how far a push is; images that were taken come to those of before. */
export async function notePush(
  db: Db,
  uuid: string,
  to: { status: PushStatus; message?: string; total?: number; taken?: readonly string[] },
): Promise<void> {
  await sql`
    update push
    set status = ${to.status}, message = coalesce(${to.message ?? null}::text, message),
      total = coalesce(${to.total ?? null}::integer, total), sent = sent || ${[...(to.taken ?? [])]}::uuid[], updated = now()
    where uuid = ${uuid}
  `.execute(db)
}
