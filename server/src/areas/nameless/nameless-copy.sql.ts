import type { NamelessDates } from '@hilum/contract/calls/study-deidentify'
import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { sourcesCopiedFrom, sourcesOf } from '../../access/source-rows.sql.ts'
import type { Db, Tx } from '../../db/database.ts'

export interface NamelessCopyRow {
  uuid: string
  phi_namespace: string
  study_uuid: string
  account_uuid: string
  study_uid: string
  copy_study_uid: string
  recipient: string
  pseudonym: string
  days: number
  dates: NamelessDates
  texts: string[]
  pixels_seen: boolean
  digest: string
  /** Records of others that its images come from. */
  copied_from: string[]
  state: 'making' | 'made' | 'failed'
  message: string
  images: number
  left_out: number
  user_uuid: string
}

const columns = sql`
  c.uuid, c.phi_namespace, c.study_uuid, c.account_uuid, c.study_uid, c.copy_study_uid, c.recipient, c.pseudonym, c.days,
  c.dates, c.texts, c.pixels_seen, c.digest, c.copied_from, c.state, c.message, c.images, c.left_out, c.user_uuid`

const SECRET_BYTES = 32

/** The secret of a place, made when it is first needed. */
export async function secretOf(db: Db, phiNamespace: string): Promise<Buffer> {
  await sql`
    insert into nameless_secret (phi_namespace, secret)
    values (${phiNamespace}, ${randomBytes(SECRET_BYTES)})
    on conflict do nothing
  `.execute(db)
  const { rows } = await sql<{ secret: Buffer }>`
    select secret
    from nameless_secret
    where phi_namespace = ${phiNamespace}
  `.execute(db)
  const [row] = rows
  if (!row) throw new Error('The secret of the place was not stored')
  return row.secret
}

export async function insertCopy(
  tx: Tx,
  row: Omit<NamelessCopyRow, 'state' | 'message' | 'images' | 'left_out'>,
): Promise<void> {
  await sql`
    insert into nameless_copy (uuid, phi_namespace, study_uuid, account_uuid, study_uid, copy_study_uid, recipient,
      pseudonym, days, dates, texts, pixels_seen, digest, copied_from, user_uuid)
    values (${row.uuid}, ${row.phi_namespace}, ${row.study_uuid}, ${row.account_uuid}, ${row.study_uid},
      ${row.copy_study_uid}, ${row.recipient}, ${row.pseudonym}, ${row.days}, ${row.dates}, ${row.texts}::text[],
      ${row.pixels_seen}, ${row.digest}, ${row.copied_from}::uuid[], ${row.user_uuid})
  `.execute(tx)
}

export async function findCopy(db: Db, uuid: string): Promise<NamelessCopyRow | undefined> {
  const { rows } = await sql<NamelessCopyRow>`
    select ${columns}
    from nameless_copy c
    where c.uuid = ${uuid}
  `.execute(db)
  return rows[0]
}

/** The copy that stands under a Study Instance UID in a place, being made or there; the newest one. */
export async function findLiveCopy(
  db: Db,
  phiNamespace: string,
  copyUid: string,
): Promise<NamelessCopyRow | undefined> {
  const { rows } = await sql<NamelessCopyRow>`
    select ${columns}
    from nameless_copy c
    where c.phi_namespace = ${phiNamespace}
      and c.copy_study_uid = ${copyUid}
      and (
        c.state = 'making'
        or exists (
          select
          from study s
          where s.phi_namespace = c.phi_namespace and s.study_uid = c.copy_study_uid and s.deleted_at is null
        )
      )
    order by c.created desc, c.uuid
    limit 1
  `.execute(db)
  return rows[0]
}

/** Study Instance UIDs of the copies of a study that are there, in its place. */
export async function listLiveCopyUids(db: Db, phiNamespace: string, studyUuid: string): Promise<string[]> {
  const { rows } = await sql<{ copy_study_uid: string }>`
    select distinct c.copy_study_uid
    from nameless_copy c
    join study s on s.phi_namespace = c.phi_namespace and s.study_uid = c.copy_study_uid and s.deleted_at is null
    where c.phi_namespace = ${phiNamespace} and c.study_uuid = ${studyUuid}
    order by c.copy_study_uid
  `.execute(db)
  return rows.map((row) => row.copy_study_uid)
}

/** A record that is a copy without names, or holds images of one. */
interface CopyRecord {
  phi_namespace: string
  uuid: string
  study_uid: string
  account_uuid: string
}

/**
 * Records of copies without names that were made of a record, and of images that others have of it, wherever a copy is:
 * also in the bin, and where the place that made it has none any more. Those of the makers come first. Uses
 * nameless_copy_copied_from and study_source_copied_from.
 */
export async function listCopiesOf(
  db: Db,
  { phi_namespace, uuid, study_uid }: Pick<CopyRecord, 'phi_namespace' | 'uuid' | 'study_uid'>,
): Promise<CopyRecord[]> {
  const { rows } = await sql<CopyRecord>`
    with copy as (
      select c.phi_namespace, c.copy_study_uid
      from nameless_copy c
      where c.copied_from @> array[${uuid}]::uuid[]
        or (c.phi_namespace = ${phi_namespace} and c.study_uuid = ${uuid})
    ), held as (
      select s.phi_namespace, s.uuid, s.phi_namespace = c.phi_namespace as is_maker
      from copy c
      join study s on s.study_uid = c.copy_study_uid
      where s.phi_namespace = c.phi_namespace
        or exists (
          select
          from ${sourcesOf('s')} o
          where o.storage_namespace = c.phi_namespace
        )
      union all
      select o.phi_namespace, o.study_uuid, false
      from ${sourcesCopiedFrom(uuid)} o
    )
    select s.phi_namespace, s.uuid, s.study_uid, s.account_uuid
    from held
    join study s on s.phi_namespace = held.phi_namespace and s.uuid = held.uuid
    where s.study_uid <> ${study_uid}
    group by s.phi_namespace, s.uuid, s.study_uid, s.account_uuid
    order by s.study_uid, bool_or(held.is_maker) desc, s.phi_namespace, s.uuid
  `.execute(db)
  return rows
}

/**
 * Condition: a record is a copy without names, in the place that made the copy or in one that it was shared with. Uses
 * nameless_copy_uid. @param study alias of the record
 */
export function isNamelessCopy(study: string): RawBuilder<boolean> {
  return sql`exists (
    select
    from nameless_copy nc
    where nc.phi_namespace in (${sql.ref(`${study}.phi_namespace`)}, ${sql.ref(`${study}.storage_namespace`)})
      and nc.copy_study_uid = ${sql.ref(`${study}.study_uid`)}
  )`
}

/** For whom a record is a copy without names, named with the place that made it; null of every other. @param study its alias */
export function recipientOfCopy(study: string): RawBuilder<string | null> {
  return sql`(
    select nc.phi_namespace::text || ' ' || nc.recipient
    from nameless_copy nc
    where nc.phi_namespace in (${sql.ref(`${study}.phi_namespace`)}, ${sql.ref(`${study}.storage_namespace`)})
      and nc.copy_study_uid = ${sql.ref(`${study}.study_uid`)}
    order by 1
    limit 1
  )`
}

/** Whether a record is a copy without names, whose attached files stay where they are. */
export async function isNameless(db: Db, key: { phi_namespace: string; uuid: string }): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from study s
    where s.phi_namespace = ${key.phi_namespace} and s.uuid = ${key.uuid} and ${isNamelessCopy('s')}
  `.execute(db)
  return rows.length > 0
}

/**
 * Ends the making of copies of a record, and of what others have of it, as it is taken back. Waits for whoever stores the
 * last of a copy at this moment.
 */
export async function failCopiesOf(tx: Tx, studyUuid: string): Promise<void> {
  await sql`
    update nameless_copy
    set state = 'failed', message = 'The exam was taken back', updated = now()
    where state = 'making' and (study_uuid = ${studyUuid} or copied_from @> array[${studyUuid}]::uuid[])
  `.execute(tx)
}

/** Whether a copy is still to be made: nobody took back what it comes from. Holds off who would do so now, to the end of the transaction. */
export async function isStillMaking(db: Db, uuid: string): Promise<boolean> {
  const { rows } = await sql`
    select c.uuid
    from nameless_copy c
    where c.uuid = ${uuid} and c.state = 'making'
      and not exists (
        select
        from retraction r
        where r.study_uuid = any(c.study_uuid || c.copied_from) and r.undone_at is null
      )
    for update of c
  `.execute(db)
  return rows.length > 0
}

/** Says how far a copy is. */
export async function noteCopy(
  db: Db,
  uuid: string,
  to: Partial<Pick<NamelessCopyRow, 'state' | 'message' | 'images' | 'left_out'>>,
): Promise<void> {
  await sql`
    update nameless_copy
    set state = coalesce(${to.state ?? null}::text, state), message = coalesce(${to.message ?? null}::text, message),
      images = coalesce(${to.images ?? null}::integer, images),
      left_out = coalesce(${to.left_out ?? null}::integer, left_out), updated = now()
    where uuid = ${uuid}
  `.execute(db)
}

type ListedCopy = NamelessCopyRow & { copy_uuid: string | null; created: string; created_by_name: string }

/** The copies of a study, the newest first. */
export async function listCopies(db: Db, phiNamespace: string, studyUuid: string): Promise<ListedCopy[]> {
  const { rows } = await sql<ListedCopy>`
    select ${columns}, s.uuid as copy_uuid, c.created::text as created,
      coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) as created_by_name
    from nameless_copy c
    join app_user u on u.uuid = c.user_uuid
    left join study s on s.phi_namespace = c.phi_namespace and s.study_uid = c.copy_study_uid and s.deleted_at is null
    where c.phi_namespace = ${phiNamespace}
      and c.study_uuid = ${studyUuid}
    order by c.created desc, c.uuid
  `.execute(db)
  return rows
}
