import type { Study, StudyDicomField } from '@hilum/contract/entities/study'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { wasRetracted } from '../storage/retracted.sql.ts'
import { columnAttributes, type SentColumns, type StudyEdit } from '../altered/study-edit.ts'

interface StudyChange {
  tags: Partial<Record<StudyDicomField, string>>
  search?: string
  issuer?: string
  edits?: readonly StudyEdit[]
  customfields?: Readonly<Record<string, string>>
  columns?: SentColumns
  workStatus?: Study['work_status']
  takenBy?: string | null
  priority?: number
}

const isColumn = new Set<string>(columnAttributes)

/** Writes a change of a locked record and steps its versions. */
export async function updateStudy(
  tx: Tx,
  key: { phi_namespace: string; uuid: string },
  change: StudyChange,
): Promise<void> {
  const others = Object.fromEntries(Object.entries(change.tags).filter(([tag]) => !isColumn.has(tag)))
  const set: RawBuilder<unknown>[] = Object.entries(change.tags)
    .filter(([tag]) => isColumn.has(tag))
    .map(([tag, value]) => sql`${sql.ref(tag)} = ${value}`)
  if (Object.keys(others).length > 0) set.push(sql`demographics = demographics || ${JSON.stringify(others)}::jsonb`)
  if (change.search !== undefined) set.push(sql`search = ${change.search}`)
  if (change.issuer !== undefined) set.push(sql`issuer = ${change.issuer}`)
  if (change.edits) set.push(sql`edits = ${JSON.stringify(change.edits)}::jsonb`, sql`phi_version = phi_version + 1`)
  if (change.customfields) set.push(sql`customfields = ${JSON.stringify(change.customfields)}::jsonb`)
  for (const [name, value] of Object.entries(change.columns ?? {})) set.push(sql`${sql.ref(name)} = ${value}`)
  if (change.priority !== undefined) set.push(sql`priority = ${change.priority}`)
  if (change.workStatus !== undefined)
    set.push(sql`status = ${change.workStatus}`, sql`taken_by = ${change.takenBy ?? null}`)
  await sql`
    update study
    set ${sql.join([...set, sql`updated = now()`, sql`row_version = row_version + 1`])}
    where phi_namespace = ${key.phi_namespace} and uuid = ${key.uuid}
  `.execute(tx)
}

interface Announcement {
  uuid: string
  phiNamespace: string
  storageNamespace: string
  storageGeneration: number
  accountUuid: string
  studyUid: string
  userUuid: string
  tags: Partial<Record<StudyDicomField, string>>
  search: string
  expectedCount: number | null
  integrationKey: string
  sourceAeTitle: string
  destinationAeTitle: string
  /** The images lie elsewhere: the study is listed at once and waits for as long as it takes. */
  isThin: boolean
  /** Custom fields by uuid. */
  customfields: Readonly<Record<string, string>>
}

/** Days after which an announced study that got no image is swept. */
const phantomDays = 7

/** Makes a record that has no image yet; false when the namespace has the study already. */
export async function insertAnnounced(tx: Tx, one: Announcement): Promise<boolean> {
  const others = Object.fromEntries(Object.entries(one.tags).filter(([tag]) => !isColumn.has(tag)))
  const columns = Object.entries(one.tags).filter(([tag]) => isColumn.has(tag))
  const { rows } = await sql`
    insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, search, demographics,
      customfields, expected_count, integration_key, source_ae_title, destination_ae_title, arrival, thin, phantom_until, must_approve,
      created_by, created, updated
      ${columns.length > 0 ? sql`, ${sql.join(columns.map(([tag]) => sql.ref(tag)))}` : sql``})
    select ${one.phiNamespace}, ${one.uuid}, ${one.studyUid}, ${one.storageNamespace}, ${one.accountUuid}, ${one.search},
      ${JSON.stringify(others)}::jsonb, ${JSON.stringify(one.customfields)}::jsonb, ${one.expectedCount}::integer, ${one.integrationKey}, ${one.sourceAeTitle},
      ${one.destinationAeTitle}, ${one.isThin ? 'complete' : 'announced'}, ${one.isThin},
      ${one.isThin ? null : sql`now() + make_interval(days => ${phantomDays})`},
      coalesce((select must_approve_upload from app_group where namespace_uuid = ${one.phiNamespace}), false)
        or ${wasRetracted(sql`${one.phiNamespace}::uuid`, sql`${one.studyUid}::text`)},
      ${one.userUuid}, now(), now()
      ${columns.length > 0 ? sql`, ${sql.join(columns.map(([, value]) => sql`${value}::text`))}` : sql``}
    on conflict (phi_namespace, study_uid) where deleted_at is null do nothing
    returning uuid
  `.execute(tx)
  if (rows.length === 0) return false
  await sql`
    insert into study_source (phi_namespace, study_uuid, storage_namespace, generation)
    values (${one.phiNamespace}, ${one.uuid}, ${one.storageNamespace}, ${one.storageGeneration})
  `.execute(tx)
  return true
}

/** Marks a record as seen, or as new again, for one user. */
export async function setUnread(
  db: Db,
  userUuid: string,
  phiNamespace: string,
  uuid: string,
  isUnread: boolean,
): Promise<void> {
  if (isUnread) {
    await sql`delete from study_read where user_uuid = ${userUuid} and study_uuid = ${uuid}`.execute(db)
    return
  }
  await sql`
    insert into study_read (user_uuid, phi_namespace, study_uuid)
    values (${userUuid}, ${phiNamespace}, ${uuid})
    on conflict do nothing
  `.execute(db)
}

/** Takes or renews the lease; false when another user holds it. */
export async function takeLock(
  db: Db,
  one: { phiNamespace: string; uuid: string; userUuid: string; sessionUuid: string; seconds: number },
): Promise<string | undefined> {
  const { rows } = await sql<{ until: string }>`
    insert into study_lock as l (phi_namespace, study_uuid, user_uuid, session_uuid, until)
    values (${one.phiNamespace}, ${one.uuid}, ${one.userUuid}, ${one.sessionUuid}, now() + make_interval(secs => ${one.seconds}))
    on conflict (study_uuid) do update
    set user_uuid = excluded.user_uuid, session_uuid = excluded.session_uuid, until = excluded.until
    where l.until <= now() or l.user_uuid = excluded.user_uuid
    returning to_char(until at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as until
  `.execute(db)
  return rows[0]?.until
}

/** Name of the user who holds the lease; empty when nobody does. */
export async function findLockHolder(db: Db, uuid: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select trim(u.first_name || ' ' || u.last_name) as name
    from study_lock l
    join app_user u on u.uuid = l.user_uuid
    where l.study_uuid = ${uuid} and l.until > now()
  `.execute(db)
  return rows[0]?.name ?? ''
}

/** Gives the lease back; false when another user holds it. */
export async function releaseLock(db: Db, uuid: string, userUuid: string): Promise<boolean> {
  const { rows } = await sql<{ user_uuid: string }>`
    with gone as (delete from study_lock where study_uuid = ${uuid} and (user_uuid = ${userUuid} or until <= now()) returning 1)
    select user_uuid from study_lock where study_uuid = ${uuid} and user_uuid <> ${userUuid} and until > now()
  `.execute(db)
  return rows.length === 0
}
