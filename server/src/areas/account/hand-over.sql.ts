import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** A person who gives and the one who takes. */
export interface HandOver {
  accountUuid: string
  from: string
  to: string
  /** Addresses of the two. */
  fromEmail: string
  toEmail: string
  /** Places that the taker belongs to. */
  namespaces: readonly string[]
}

/** A link, once for each of its studies. */
interface HeldLink {
  uuid: string
  namespace_uuid: string
  study_uuid: string
}
/** A request, and the place that it leads into. */
interface HeldRequest {
  uuid: string
  namespace_uuid: string
  study_uuid: null
}
/** A link, once for each of its studies, or a request. */
interface EndedLink {
  uuid: string
  namespace_uuid: string | null
  /** Null of a request, and of a link whose studies were purged. */
  study_uuid: string | null
}
/** A study, and its place. */
interface HeldStudy {
  phi_namespace: string
  uuid: string
}
interface NamedThing {
  uuid: string
  name: string
}

/** Open links to studies in places of the taker; whoever was told of their use is the taker now. */
export async function handOverLinks(tx: Tx, one: HandOver): Promise<HeldLink[]> {
  const { rows } = await sql<HeldLink>`
    with given as (
    update link l
    set created_by = ${one.to}, notify = array_replace(l.notify, ${one.fromEmail}, ${one.toEmail})
    where l.account_uuid = ${one.accountUuid} and l.created_by = ${one.from} and l.ended_at is null
      and l.expires_at > now() and l.action = 'STUDY_VIEW'
      and exists (
        select
        from link_study ls
        where ls.link_uuid = l.uuid and ls.phi_namespace = any(${[...one.namespaces]}::uuid[])
      )
    returning l.uuid
    )
    select g.uuid, ls.phi_namespace as namespace_uuid, ls.study_uuid
    from given g
    join link_study ls on ls.link_uuid = g.uuid
    order by g.uuid, ls.study_uuid
  `.execute(tx)
  return rows
}

/** Open requests into places of the taker. */
export async function handOverRequests(tx: Tx, one: HandOver): Promise<HeldRequest[]> {
  const { rows } = await sql<HeldRequest>`
    update link l
    set created_by = ${one.to}, notify = array_replace(l.notify, ${one.fromEmail}, ${one.toEmail})
    from link_request q
    where q.link_uuid = l.uuid and q.namespace_uuid = any(${[...one.namespaces]}::uuid[])
      and l.account_uuid = ${one.accountUuid} and l.created_by = ${one.from} and l.ended_at is null
      and l.expires_at > now()
    returning l.uuid, q.namespace_uuid, null::uuid as study_uuid
  `.execute(tx)
  return rows
}

export async function handOverSearches(tx: Tx, one: HandOver): Promise<NamedThing[]> {
  const { rows } = await sql<NamedThing>`
    update saved_search f
    set owner_uuid = ${one.to}, updated = now()
    where f.owner_uuid = ${one.from}
      and coalesce(f.account_uuid, (select n.account_uuid from namespace n where n.owner_uuid = f.owner_uuid))
        = ${one.accountUuid}
    returning uuid, name
  `.execute(tx)
  return rows
}

/** Rules go on as they are: they act in the right of the organisation, and name whoever answers for them. */
export async function handOverRules(tx: Tx, one: HandOver): Promise<NamedThing[]> {
  const { rows } = await sql<NamedThing>`
    update routing_rule
    set saved_by = ${one.to}, row_version = row_version + 1, updated = now()
    where account_uuid = ${one.accountUuid} and saved_by = ${one.from} and deleted_at is null
    returning uuid, name
  `.execute(tx)
  return rows
}

/** Nominations from places of the taker, who is told what becomes of them. */
export async function handOverNominations(tx: Tx, one: HandOver): Promise<HeldStudy[]> {
  const { rows } = await sql<HeldStudy>`
    update nomination
    set submitted_by = ${one.to}
    where account_uuid = ${one.accountUuid} and submitted_by = ${one.from} and state = 'nominated'
      and from_namespace = any(${[...one.namespaces]}::uuid[])
    returning from_namespace as phi_namespace, study_uuid as uuid
  `.execute(tx)
  return rows
}

/** Exams in progress in places of the taker. */
export async function handOverExams(tx: Tx, one: HandOver): Promise<HeldStudy[]> {
  const { rows } = await sql<HeldStudy>`
    update study
    set taken_by = ${one.to}, row_version = row_version + 1, updated = now()
    where account_uuid = ${one.accountUuid} and taken_by = ${one.from} and status = 'in_progress'
      and deleted_at is null and phi_namespace = any(${[...one.namespaces]}::uuid[])
    returning phi_namespace, uuid
  `.execute(tx)
  return rows
}

/** Ends the open links of a person, or the requests. */
export async function endLinksOf(
  tx: Tx,
  accountUuid: string,
  userUuid: string,
  action: 'STUDY_VIEW' | 'STUDY_UPLOAD',
): Promise<EndedLink[]> {
  const { rows } = await sql<EndedLink>`
    with ended as (
      update link
      set ended_at = now(), sealed_secret = null
      where account_uuid = ${accountUuid} and created_by = ${userUuid} and ended_at is null and expires_at > now()
        and action = ${action}
      returning uuid
    )
    select l.uuid, coalesce(ls.phi_namespace, q.namespace_uuid) as namespace_uuid, ls.study_uuid
    from ended l
    left join link_study ls on ls.link_uuid = l.uuid
    left join link_request q on q.link_uuid = l.uuid
    order by l.uuid, ls.study_uuid
  `.execute(tx)
  return rows
}

export async function deleteSearchesOf(tx: Tx, accountUuid: string, userUuid: string): Promise<NamedThing[]> {
  const { rows } = await sql<NamedThing>`
    delete from saved_search f
    where f.owner_uuid = ${userUuid}
      and coalesce(f.account_uuid, (select n.account_uuid from namespace n where n.owner_uuid = f.owner_uuid))
        = ${accountUuid}
    returning uuid, name
  `.execute(tx)
  return rows
}

/** Rules are marked as deleted, as by hand. */
export async function deleteRulesOf(tx: Tx, accountUuid: string, userUuid: string): Promise<NamedThing[]> {
  const { rows } = await sql<NamedThing>`
    update routing_rule
    set deleted_at = now(), row_version = row_version + 1, updated = now()
    where account_uuid = ${accountUuid} and saved_by = ${userUuid} and deleted_at is null
    returning uuid, name
  `.execute(tx)
  return rows
}

/** Exams in progress are new again. */
export async function releaseExamsOf(tx: Tx, accountUuid: string, userUuid: string): Promise<HeldStudy[]> {
  const { rows } = await sql<HeldStudy>`
    update study
    set status = 'new', taken_by = null, row_version = row_version + 1, updated = now()
    where account_uuid = ${accountUuid} and taken_by = ${userUuid} and status = 'in_progress' and deleted_at is null
    returning phi_namespace, uuid
  `.execute(tx)
  return rows
}

/** Keys of somebody who began in the account. */
export async function endKeysOf(tx: Tx, accountUuid: string, userUuid: string): Promise<NamedThing[]> {
  const { rows } = await sql<NamedThing>`
    delete from session k
    using namespace n
    where n.owner_uuid = k.user_uuid and n.account_uuid = ${accountUuid}
      and k.user_uuid = ${userUuid} and k.method = 'key'
    returning k.uuid, k.name
  `.execute(tx)
  return rows
}

/** Puts a live share of a study with a person into the name of whoever hands the study over. */
export async function adoptShare(tx: Tx, studyUuid: string, toUser: string, byUser: string): Promise<boolean> {
  const { rows } = await sql`
    update share
    set by_user = ${byUser}
    where study_uuid = ${studyUuid} and to_kind = 'user' and to_uuid = ${toUser} and state = 'delivered'
    returning 1
  `.execute(tx)
  return rows.length > 0
}
