import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Events that people choose to be mailed of: two by the wire's names, and approval, which is ours. */
export type ChosenEvent = 'event_share' | 'event_harvest' | 'event_approve'

/** The stored choice of a person; undefined where the person has made none. */
export async function findChoice(
  db: Db,
  userUuid: string,
  namespaceUuid: string,
  event: ChosenEvent,
): Promise<boolean | undefined> {
  const { rows } = await sql<{ is_on: boolean }>`
    select c.is_on
    from event_choice c
    where c.user_uuid = ${userUuid} and c.namespace_uuid = ${namespaceUuid} and c.event = ${event}
  `.execute(db)
  return rows[0]?.is_on
}

export async function putChoice(
  db: Db,
  one: { userUuid: string; namespaceUuid: string; event: ChosenEvent; isOn: boolean },
): Promise<void> {
  await sql`
    insert into event_choice (user_uuid, namespace_uuid, event, is_on)
    values (${one.userUuid}, ${one.namespaceUuid}, ${one.event}, ${one.isOn})
    on conflict (user_uuid, namespace_uuid, event) do update set is_on = excluded.is_on
  `.execute(db)
}

/** Addresses of the members of a group or an account who chose to be mailed of an event, but for one person. */
export async function listChoosers(
  db: Db,
  place: { namespace_uuid: string },
  event: ChosenEvent,
  butUser: string,
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select u.email
    from event_choice c
    join namespace n on n.uuid = c.namespace_uuid
    join account_user au on au.account_uuid = n.account_uuid and au.user_uuid = c.user_uuid and not au.disabled
    join app_user u on u.uuid = c.user_uuid and not u.disabled
    where c.namespace_uuid = ${place.namespace_uuid} and c.event = ${event} and c.is_on and c.user_uuid <> ${butUser}
      and (n.kind = 'account'
        or exists (select from group_user gu where gu.user_uuid = c.user_uuid and gu.group_uuid = n.owner_uuid))
    order by u.email
  `.execute(db)
  return rows.map((row) => row.email)
}

/** Whether a person is mailed of what is harvested into a namespace: by the choice for it, else by that for the personal one. */
export const wantsHarvest = (
  userUuid: RawBuilder<unknown>,
  namespaceUuid: RawBuilder<unknown>,
): RawBuilder<boolean> => sql`coalesce(
  (
    select c.is_on
    from event_choice c
    where c.user_uuid = ${userUuid} and c.namespace_uuid = ${namespaceUuid} and c.event = 'event_harvest'
  ),
  (
    select c.is_on
    from event_choice c
    join app_user o on o.uuid = c.user_uuid and o.namespace_uuid = c.namespace_uuid
    where c.user_uuid = ${userUuid} and c.event = 'event_harvest'
  ),
  false
)`

export async function findHarvestChoice(db: Db, userUuid: string, namespaceUuid: string): Promise<boolean> {
  const { rows } = await sql<{ is_on: boolean }>`
    select ${wantsHarvest(sql`${userUuid}::uuid`, sql`${namespaceUuid}::uuid`)} as is_on
  `.execute(db)
  return rows[0]?.is_on ?? false
}

/** Addresses of those who are mailed of what is harvested into a namespace: of a group its members, of a person that person. */
export async function listHarvestChoosers(
  db: Db,
  namespaceUuid: string,
): Promise<{ account_uuid: string; email: string }[]> {
  const { rows } = await sql<{ account_uuid: string; email: string }>`
    select n.account_uuid, u.email
    from namespace n
    left join app_group g on g.namespace_uuid = n.uuid
    left join group_user gu on gu.group_uuid = g.uuid
    join app_user u on u.uuid = case when n.kind = 'user' then n.owner_uuid else gu.user_uuid end
    join account_user au on au.account_uuid = n.account_uuid and au.user_uuid = u.uuid and not au.disabled
    where n.uuid = ${namespaceUuid} and not u.disabled and ${wantsHarvest(sql`u.uuid`, sql`n.uuid`)}
    order by u.email
  `.execute(db)
  return rows
}

/**
 * Of these records the namespaces into which they were harvested, or came by a share code, those that wait for approval
 * left out; none while nobody is mailed of it.
 */
export async function listHarvestedPlaces(
  db: Db,
  records: readonly { phi_namespace: string; uuid: string }[],
): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    select distinct s.phi_namespace as uuid
    from unnest(
      ${records.map((one) => one.phi_namespace)}::uuid[],
      ${records.map((one) => one.uuid)}::uuid[]
    ) as r (phi_namespace, uuid)
    join study s on s.phi_namespace = r.phi_namespace and s.uuid = r.uuid
    where not s.must_approve
      and (s.source = 'harvest'
        or exists (select from link_request q where q.link_uuid = s.created_by and q.by_share_code))
      and exists (select from event_choice c where c.event = 'event_harvest' and c.is_on)
    order by s.phi_namespace
  `.execute(db)
  return rows.map((row) => row.uuid)
}

/** Whether a person of the namespace's account chose to be mailed of exams that wait for approval. */
const hasApprovalChooser = (namespaceUuid: RawBuilder<unknown>): RawBuilder<boolean> => sql`exists (
  select
  from namespace n
  join account_user au on au.account_uuid = n.account_uuid and not au.disabled
  join app_user u on u.uuid = au.user_uuid and not u.disabled
  join event_choice c on c.user_uuid = u.uuid and c.namespace_uuid = u.namespace_uuid
  where n.uuid = ${namespaceUuid} and c.event = 'event_approve' and c.is_on
)`

/** Of these records the namespaces in which they wait for approval; none while nobody there is mailed of it. */
export async function listApprovalPlaces(
  db: Db,
  records: readonly { phi_namespace: string; uuid: string }[],
): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    select distinct s.phi_namespace as uuid
    from unnest(
      ${records.map((one) => one.phi_namespace)}::uuid[],
      ${records.map((one) => one.uuid)}::uuid[]
    ) as r (phi_namespace, uuid)
    join study s on s.phi_namespace = r.phi_namespace and s.uuid = r.uuid
    where (s.must_approve or s.has_waiting_shares) and ${hasApprovalChooser(sql`s.phi_namespace`)}
    order by s.phi_namespace
  `.execute(db)
  return rows.map((row) => row.uuid)
}

/** Places in which any of these records, or images beside it, wait for approval. */
export async function listWaitingPlaces(
  db: Db,
  records: readonly { phi_namespace: string; uuid: string }[],
): Promise<{ account_uuid: string; phi_namespace: string }[]> {
  const { rows } = await sql<{ account_uuid: string; phi_namespace: string }>`
    select distinct s.account_uuid, s.phi_namespace
    from unnest(
      ${records.map((one) => one.phi_namespace)}::uuid[],
      ${records.map((one) => one.uuid)}::uuid[]
    ) as r (phi_namespace, uuid)
    join study s on s.phi_namespace = r.phi_namespace and s.uuid = r.uuid
    where s.must_approve or s.has_waiting_shares
    order by s.phi_namespace
  `.execute(db)
  return rows
}

/**
 * People who chose to be mailed of exams that wait for approval, of the account of a namespace; nobody where none waits
 * any more. Whether each may approve there is the caller's to ask.
 */
export async function listApprovalChoosers(
  db: Db,
  namespaceUuid: string,
): Promise<{ account_uuid: string; user_uuid: string; email: string }[]> {
  const { rows } = await sql<{ account_uuid: string; user_uuid: string; email: string }>`
    select n.account_uuid, u.uuid as user_uuid, u.email
    from namespace n
    join account_user au on au.account_uuid = n.account_uuid and not au.disabled
    join app_user u on u.uuid = au.user_uuid and not u.disabled
    join event_choice c on c.user_uuid = u.uuid and c.namespace_uuid = u.namespace_uuid
    where n.uuid = ${namespaceUuid} and c.event = 'event_approve' and c.is_on
      and exists (
        select
        from study s
        where s.phi_namespace = n.uuid and s.deleted_at is null and (s.must_approve or s.has_waiting_shares)
      )
    order by u.email
  `.execute(db)
  return rows
}
