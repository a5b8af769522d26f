import { sql } from 'kysely'
import { passedOn, sourcesByShare, sourcesOf } from '../../access/source-rows.sql.ts'
import type { Tx } from '../../db/database.ts'
import { lockSharing } from '../storage/lock-sharing.sql.ts'

/*
 * The order of locks of every act on shares: the sharing of the study, its shares, stored studies, records. Stored
 * studies and records are each locked at once and in the order of their keys, as by arriving images.
 */

/** Locks the sharing of the study of a share; the sender's record may have been purged. */
export async function lockSharingOf(tx: Tx, shareUuid: string): Promise<void> {
  const { rows } = await sql<{ study_uid: string | null }>`
    select coalesce(
      (select s.study_uid from study s where s.phi_namespace = h.from_namespace and s.uuid = h.study_uuid),
      (select s.study_uid
        from ${sourcesByShare} o
        join study s on s.phi_namespace = o.phi_namespace and s.uuid = o.study_uuid
        limit 1)
    ) as study_uid
    from share h
    where h.uuid = ${shareUuid}
  `.execute(tx)
  await lockSharing(tx, rows[0]?.study_uid ?? shareUuid)
}

/** The shares and the record that an act on shares reaches. */
interface Reached {
  /** Shares that it ends, and by them whatever was passed on. */
  shares: readonly string[]
  /** The record that it shares, and the namespace that is given it. */
  given?: { from: { phi_namespace: string; uuid: string; study_uid: string }; toNamespace: string }
  /** Records besides, by their uuids, with their own images. */
  besides?: readonly string[]
}

/** Locks all stored studies and records that an act reaches. The caller holds the sharing of the study. */
export async function lockReached(tx: Tx, { shares, given, besides = [] }: Reached): Promise<void> {
  const { from, toNamespace = null } = given ?? {}
  const studyUid = from?.study_uid ?? null
  const records = sql`
    with recursive ended as (${passedOn(shares)}), reached as (
      select phi_namespace, study_uuid as uuid from ended
      union
      select s.phi_namespace, s.uuid
      from share h
      join study s on s.phi_namespace = h.from_namespace and s.uuid = h.study_uuid
      where h.uuid = any(${shares as string[]}::uuid[]) or h.uuid in (select share_uuid from ended)
      union
      select s.phi_namespace, s.uuid
      from study s
      where s.study_uid = ${studyUid}
        and ((s.phi_namespace = ${from?.phi_namespace ?? null} and s.uuid = ${from?.uuid ?? null})
          or (s.phi_namespace = ${toNamespace} and s.deleted_at is null))
      union
      select s.phi_namespace, s.uuid
      from study s
      where s.uuid = any(${besides as string[]}::uuid[])
    )`
  await sql`
    ${records}
    select t.key
    from stored_study t
    where (t.storage_namespace, t.study_uid, t.generation) in (
        select o.storage_namespace, s.study_uid, o.generation
        from reached r
        join study s on s.phi_namespace = r.phi_namespace and s.uuid = r.uuid
        join lateral ${sourcesOf('s')} o on true
        union
        select p.storage_namespace, p.study_uid, p.generation
        from stored_study p
        where p.storage_namespace = ${toNamespace} and p.study_uid = ${studyUid} and p.ended_at is null
        union
        select p.storage_namespace, p.study_uid, p.generation
        from study s
        join stored_study p on p.storage_namespace = s.phi_namespace and p.study_uid = s.study_uid and p.ended_at is null
        where s.uuid = any(${besides as string[]}::uuid[])
      )
    order by t.storage_namespace, t.study_uid, t.generation
    for update of t
  `.execute(tx)
  await sql`
    ${records}
    select s.uuid
    from study s
    where (s.phi_namespace, s.uuid) in (select phi_namespace, uuid from reached)
    order by s.phi_namespace, s.uuid
    for update of s
  `.execute(tx)
}
