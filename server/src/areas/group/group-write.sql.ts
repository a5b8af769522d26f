import type { Designation } from '@hilum/contract/inbox-config'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { PlaceKind } from './group.sql.ts'

export interface StoredGroup {
  uuid: string
  name: string
  designation: Designation
  must_approve: boolean
  must_approve_upload: boolean
  must_approve_harvest: boolean
  must_approve_move: boolean
  no_share: boolean
  share_code: string
  share_description: string
  share_settings: Record<string, unknown>
  default_role_uuid: string | null
}

export async function addGroup(
  db: Db,
  group: {
    uuid: string
    kind: PlaceKind
    accountUuid: string
    name: string
    namespaceUuid: string
    designation: Designation
    mustApprove: boolean
  },
): Promise<void> {
  await sql`
    insert into app_group (uuid, kind, account_uuid, name, namespace_uuid, designation, must_approve)
    values (${group.uuid}, ${group.kind}, ${group.accountUuid}, ${group.name}, ${group.namespaceUuid},
      ${group.designation}, ${group.mustApprove})
  `.execute(db)
}

/** Changes a group or location, and the name of its namespace with it. */
export async function updateGroup(db: Db, group: StoredGroup): Promise<void> {
  await sql`
    with changed as (
      update app_group
      set name = ${group.name}, designation = ${group.designation}, must_approve = ${group.must_approve},
        must_approve_upload = ${group.must_approve_upload}, must_approve_harvest = ${group.must_approve_harvest},
        must_approve_move = ${group.must_approve_move}, no_share = ${group.no_share}, share_code = ${group.share_code},
        share_description = ${group.share_description}, share_settings = ${JSON.stringify(group.share_settings)}::jsonb,
        default_role_uuid = ${group.default_role_uuid}
      where uuid = ${group.uuid}
      returning namespace_uuid
    )
    update namespace
    set name = ${group.name}
    where uuid in (select namespace_uuid from changed)
  `.execute(db)
}

/** Makes the user a member; without a role of its own here the group's default holds, else the one in the account. */
export async function addGroupMember(db: Db, groupUuid: string, userUuid: string, roleUuid?: string): Promise<void> {
  await sql`
    insert into group_user (group_uuid, user_uuid, role_uuid)
    values (${groupUuid}, ${userUuid}, ${roleUuid ?? null})
    on conflict (group_uuid, user_uuid) do update
    set role_uuid = excluded.role_uuid
  `.execute(db)
}

/** Locks a namespace against studies that come in, until the transaction ends. */
export async function lockNamespace(db: Db, namespaceUuid: string): Promise<void> {
  await sql`select from namespace where uuid = ${namespaceUuid} for update`.execute(db)
}

/**
 * Removes an empty group or location with what was kept for it; its namespace takes in nothing any more. Its rule of
 * retention stays, since the bin of the namespace does.
 */
export async function deleteGroup(db: Db, group: { uuid: string; namespaceUuid: string }): Promise<void> {
  await sql`delete from group_user where group_uuid = ${group.uuid}`.execute(db)
  await sql`delete from app_group where uuid = ${group.uuid}`.execute(db)
  await sql`
    delete from setting
    where scope = 'namespace' and scope_uuid = ${group.namespaceUuid} and key <> 'retention_days'
  `.execute(db)
  await sql`delete from event_choice where namespace_uuid = ${group.namespaceUuid}`.execute(db)
  // a search that was kept for the place goes back to its owner alone
  await sql`update saved_search set namespace_uuid = null where namespace_uuid = ${group.namespaceUuid}`.execute(db)
  await sql`delete from saved_search_share where kind in ('group', 'location') and target_uuid = ${group.uuid}`.execute(
    db,
  )
  await sql`update namespace set gone_at = now() where uuid = ${group.namespaceUuid}`.execute(db)
}
