import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Events that people choose to be mailed of, by the wire's names. */
export type ChosenEvent = 'event_share'

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

/** Addresses of the members of a group who chose to be mailed of an event, but for one person. */
export async function listChoosers(
  db: Db,
  group: { uuid: string; namespace_uuid: string },
  event: ChosenEvent,
  butUser: string,
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select u.email
    from event_choice c
    join group_user gu on gu.user_uuid = c.user_uuid and gu.group_uuid = ${group.uuid}
    join app_group g on g.uuid = gu.group_uuid
    join account_user au on au.account_uuid = g.account_uuid and au.user_uuid = c.user_uuid and not au.disabled
    join app_user u on u.uuid = c.user_uuid and not u.disabled
    where c.namespace_uuid = ${group.namespace_uuid} and c.event = ${event} and c.is_on and c.user_uuid <> ${butUser}
    order by u.email
  `.execute(db)
  return rows.map((row) => row.email)
}
