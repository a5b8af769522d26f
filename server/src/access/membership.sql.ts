import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { NamespaceKind } from './caller.ts'

export interface MembershipRow {
  namespace_uuid: string
  kind: NamespaceKind
  owner_uuid: string
  account_uuid: string
  name: string
  /** Null on one's own namespace. */
  role_uuid: string | null
  /** The role's permissions as PostgreSQL writes a list, `{study_view,study_edit}`; with one row of each role only. */
  permissions: string | null
  /** JSON texts of flags by field, of the role and of the namespace; null where none are kept. */
  role_fields: string | null
  namespace_fields: string | null
}

/**
 * Every namespace a user belongs to, as a JSON list of `MembershipRow`: the own one, those of the accounts, those of
 * the groups. The role in a group is the one given there, else the group's default, else the one in the account.
 */
function membershipsOf(userUuid: RawBuilder<string>): RawBuilder<MembershipRow[]> {
  return sql`(
    with held as (
      select n.uuid as namespace_uuid, n.kind, n.owner_uuid, n.account_uuid, n.name, null::uuid as role_uuid
      from namespace n
      where n.kind = 'user' and n.owner_uuid = ${userUuid}
      union all
      select n.uuid, n.kind, n.owner_uuid, n.account_uuid, n.name, au.role_uuid
      from account_user au
      join account a on a.uuid = au.account_uuid
      join namespace n on n.uuid = a.namespace_uuid
      where au.user_uuid = ${userUuid} and not au.disabled
      union all
      select n.uuid, n.kind, n.owner_uuid, n.account_uuid, n.name,
        coalesce(gu.role_uuid, g.default_role_uuid, au.role_uuid)
      from group_user gu
      join app_group g on g.uuid = gu.group_uuid
      join account_user au on au.account_uuid = g.account_uuid and au.user_uuid = gu.user_uuid and not au.disabled
      join namespace n on n.uuid = g.namespace_uuid
      where gu.user_uuid = ${userUuid}
    ), listed as (
      select h.namespace_uuid, h.kind, h.owner_uuid, h.account_uuid, h.name, h.role_uuid,
        case when row_number() over (partition by h.role_uuid order by h.namespace_uuid) = 1 then r.permissions::text end
          as permissions,
        rf.value as role_fields, nf.value as namespace_fields
      from held h
      left join role r on r.uuid = h.role_uuid
      left join setting rf on rf.scope = 'role' and rf.scope_uuid = h.role_uuid and rf.key = 'study_field_flags'
      left join setting nf on nf.scope = 'namespace' and nf.scope_uuid = h.namespace_uuid and nf.key = 'study_field_flags'
    )
    select coalesce(json_agg(listed order by name, namespace_uuid), '[]')
    from listed
  )`
}

/** The places of the studies of a link, each with the rights of the link, as `MembershipRow`. @param link alias of the row */
export function membershipsOfLink(link: RawBuilder<unknown>): RawBuilder<MembershipRow[]> {
  return sql`(
    with listed as (
      select distinct n.uuid as namespace_uuid, n.kind, n.owner_uuid, n.account_uuid, n.name, ls.link_uuid as role_uuid,
        ${link}.permissions::text as permissions, null::text as role_fields, nf.value as namespace_fields
      from link_study ls
      join namespace n on n.uuid = ls.phi_namespace
      left join setting nf on nf.scope = 'namespace' and nf.scope_uuid = n.uuid and nf.key = 'study_field_flags'
      where ls.link_uuid = ${link}.uuid
    )
    select coalesce(json_agg(listed order by name, namespace_uuid), '[]')
    from listed
  )`
}

/**
 * The records that session `s` of a link shows at this moment: none where a date of birth opened it and its studies say
 * another one by now, or several, since one of them was corrected to another patient.
 */
export function studiesOfLink(): RawBuilder<string[]> {
  return sql`(
    select case
      when bool_or(k.password_is_dob) and (
        count(distinct w.patient_birth_date) > 1
        or s.birth_date_digest is distinct from
          sha256(convert_to(s.uuid::text || coalesce(min(w.patient_birth_date), ''), 'UTF8'))
      ) then '{}'
      else coalesce(array_agg(ls.study_uuid), '{}') end
    from link_study ls
    join link k on k.uuid = ls.link_uuid
    left join study w on w.phi_namespace = ls.phi_namespace and w.uuid = ls.study_uuid and w.deleted_at is null
    where ls.link_uuid = s.link_uuid
  )`
}

/** Where a person belongs, and the epoch of rights in which that holds. */
export async function gatherMemberships(
  db: Db,
  userUuid: string,
): Promise<{ rights_epoch: string | null; memberships: MembershipRow[] }> {
  const { rows } = await sql<{ rights_epoch: string | null; memberships: MembershipRow[] }>`
    /* prepared */
    select (select epoch from rights_epoch) as rights_epoch, ${membershipsOf(sql`${userUuid}::uuid`)} as memberships
  `.execute(db)
  return rows[0] ?? { rights_epoch: null, memberships: [] }
}

/** Where a person belongs now, for work that goes on without a session; nowhere when the person may not sign in any more. */
export async function listMembershipsOfUser(db: Db, userUuid: string): Promise<MembershipRow[]> {
  const { rows } = await sql<{ memberships: MembershipRow[] }>`
    select ${membershipsOf(sql`u.uuid`)} as memberships
    from app_user u
    where u.uuid = ${userUuid}
      and not u.disabled
  `.execute(db)
  return rows[0]?.memberships ?? []
}
