import { sql } from 'kysely'
import { isLive } from '../../access/record-sources.sql.ts'
import { sourcesOf } from '../../access/source-rows.sql.ts'
import type { Tx } from '../../db/database.ts'

/**
 * Ends the receiving of shared records, up to a number of them, none of whose sources receives still. Incomplete is what
 * one of the sources left incomplete. A record that takes images of its own ends its receiving itself (`complete_at`).
 */
export async function completeShared(tx: Tx, limit: number): Promise<{ phi_namespace: string; uuid: string }[]> {
  const { rows } = await sql<{ phi_namespace: string; uuid: string }>`
    with due as (
      select r.phi_namespace, r.uuid
      from study r
      where r.arrival in ('announced', 'receiving') and r.source = 'share' and r.complete_at is null
        and not exists (${senders} and s.arrival in ('announced', 'receiving'))
      order by r.phi_namespace, r.uuid
      limit ${limit}
      for update skip locked
    )
    update study r
    set arrival = case when exists (${senders} and s.arrival = 'incomplete') then 'incomplete' else 'complete' end, updated = now()
    from due
    where r.phi_namespace = due.phi_namespace and r.uuid = due.uuid
    returning r.phi_namespace, r.uuid
  `.execute(tx)
  return rows
}

/** The records whose own images record `r` shows. A source that waits for approval, or is over, shows none. */
const senders = sql`
  select
  from ${sourcesOf('r')} o
  join study s on s.phi_namespace = o.storage_namespace and s.study_uid = r.study_uid
  join lateral ${sourcesOf('s')} own on own.storage_namespace = o.storage_namespace and own.generation = o.generation
  where ${isLive}`

/** A record whose share was approved while its sender receives still receives again; `completeShared` ends that. */
export async function receiveAgain(tx: Tx, record: { phi_namespace: string; uuid: string }): Promise<void> {
  await sql`
    update study r
    set arrival = 'receiving', updated = now()
    where r.phi_namespace = ${record.phi_namespace} and r.uuid = ${record.uuid}
      and r.source = 'share' and r.complete_at is null and r.arrival in ('complete', 'incomplete')
      and exists (${senders} and s.arrival in ('announced', 'receiving'))
  `.execute(tx)
}
