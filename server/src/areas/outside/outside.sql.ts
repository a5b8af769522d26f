import type { OutsideKind, OutsideState } from '@hilum/contract/calls/outside'
import type { LinkRight } from '@hilum/contract/link-rights'
import { type RawBuilder, sql } from 'kysely'
import { sourcesByShare, sourcesCopiedFromAccount } from '../../access/source-rows.sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { stateOfLink } from '../link/link-session.sql.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'
import { organisationBehind } from '../study/recipient-name.sql.ts'
import { hasCopyBy } from '../study/share-lists.sql.ts'

/** Columns that accesses are found and sorted by. None is of the study, which not everybody may see. */
export const outsideColumns = {
  kind: { kind: 'exact', column: sql.ref('t.kind') },
  who: { kind: 'text', column: sql.ref('t.who') },
  namespace_name: { kind: 'text', column: sql.ref('t.namespace_name') },
  by_name: { kind: 'text', column: sql.ref('t.by_name') },
  state: { kind: 'exact', column: sql.ref('t.state') },
  is_outside: { kind: 'flag', column: sql.ref('t.is_outside') },
  created: { kind: 'stamp', column: sql.ref('t.created') },
  expires_at: { kind: 'stamp', column: sql.ref('t.expires_at') },
} as const satisfies FilterColumns

export const newestOutside = sql`t.created desc nulls last, t.uuid`

export interface OutsideRow {
  kind: OutsideKind
  uuid: string
  /** The user, group, location or account that a share went to. */
  who_uuid: string | null
  who: string
  user_email: string
  is_outside: boolean
  namespace_uuid: string
  namespace_name: string
  /** Null of a request and a share code. */
  study_uuid: string | null
  study_deleted: boolean | null
  must_approve: boolean | null
  patient_name: string | null
  study_description: string | null
  study_date: string | null
  /** The studies of a link besides that one that are there; one place has them all. */
  others: { patient_name: string; must_approve: boolean }[]
  /** Of a link that shows a study. */
  permissions: LinkRight[] | null
  by_code: boolean
  has_copy: boolean
  state: OutsideState
  by_user: string | null
  by_name: string
  created: string | null
  expires_at: string | null
  used_at: string | null
}

const stamp = (column: RawBuilder<unknown>) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00')`
const nameOf = (uuid: RawBuilder<unknown>) => sql`coalesce(
      (select coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) from app_user u where u.uuid = ${uuid}),
      '')`

/** Shares of an account that give access now or will: not those with members of the group, and no nominations. */
const shares = (accountUuid: string) => sql`
  select h.to_kind as kind, h.uuid, h.to_uuid as who_uuid, r.name || ${organisationBehind('r', 'n')} as who, coalesce(u.email, '') as user_email,
    r.account_uuid <> n.account_uuid as is_outside, n.uuid as namespace_uuid, n.name as namespace_name, h.study_uuid,
    null::text[] as permissions, h.by_code,
    case
      when h.state = 'scheduled' then 'scheduled'
      when h.awaits_approval or exists (
        select
        from ${sourcesByShare} o
        join study w on w.phi_namespace = o.phi_namespace and w.uuid = o.study_uuid and w.deleted_at is null
        where w.must_approve
      ) then 'waiting'
      else 'open'
    end as state,
    h.by_user, ${nameOf(sql`h.by_user`)} as by_name, h.created, h.expires_at, h.to_namespace, h.delivered_at
  from share h
  join namespace n on n.uuid = h.from_namespace
  join namespace r on r.owner_uuid = h.to_uuid and r.kind = h.to_kind
  left join app_user u on h.to_kind = 'user' and u.uuid = h.to_uuid
  where n.account_uuid = ${accountUuid}
    and h.to_kind in ('user', 'group', 'location', 'account')
    and h.state in ('scheduled', 'delivered')
    and (h.expires_at is null or h.expires_at > now())
    and not exists (select from nomination m where m.share_uuid = h.uuid)
    and not exists (select from share g where g.uuid = h.goes_with and g.state = 'delivered')
    and not exists (
      select
      from group_user gu
      where n.kind in ('group', 'location') and gu.group_uuid = n.owner_uuid and h.to_kind = 'user' and gu.user_uuid = h.to_uuid
    )`

/** Links and requests of an account that are not over; the page of a share code that somebody opened counts once something came. */
const links = (accountUuid: string) => sql`
  select case l.action when 'STUDY_UPLOAD' then 'request' else 'link' end, l.uuid, null::uuid, l.email, '', true, n.uuid, n.name,
    ls.study_uuid, l.permissions, coalesce(q.by_share_code, false), ${stateOfLink},
    case when q.by_share_code then null else l.created_by end,
    case when q.by_share_code then '' else ${nameOf(sql`l.created_by`)} end, l.created, l.expires_at, null::uuid,
    null::timestamptz
  from link l
  left join lateral (
    select o.phi_namespace, o.study_uuid
    from link_study o
    left join study w on w.phi_namespace = o.phi_namespace and w.uuid = o.study_uuid
    where o.link_uuid = l.uuid
    -- of several one that is there, as findPlaceOfLink has it
    order by w.uuid is null, w.deleted_at is not null, o.study_uuid
    limit 1
  ) ls on true
  left join link_request q on q.link_uuid = l.uuid
  join namespace n on n.uuid = coalesce(ls.phi_namespace, q.namespace_uuid)
  where l.account_uuid = ${accountUuid}
    and l.ended_at is null
    and l.expires_at > now()
    and (q.link_uuid is null or not q.by_share_code or q.begun_at is not null)`

/**
 * Copies of studies of an account that recipients kept, and that no share shows any more. Another account that was passed
 * the study on is named, and not its group or person.
 */
const copies = (accountUuid: string) => sql`
  select distinct on (w.uuid) 'copy', w.uuid, case when h.uuid is not null then r.owner_uuid end,
    case
      when r.account_uuid = n.account_uuid then r.name
      when h.uuid is null then coalesce((select a.name from account a where a.uuid = r.account_uuid), '')
      else r.name || ${organisationBehind('r', 'n')}
    end,
    '', r.account_uuid <> n.account_uuid, n.uuid, n.name, f.uuid, null::text[], coalesce(h.by_code, false), 'open', h.by_user,
    ${nameOf(sql`h.by_user`)}, coalesce(h.delivered_at, w.created), null::timestamptz, w.phi_namespace,
    coalesce(h.delivered_at, w.created)
  from ${sourcesCopiedFromAccount(accountUuid)} o
  join study w on w.phi_namespace = o.phi_namespace and w.uuid = o.study_uuid and w.deleted_at is null
  join namespace r on r.uuid = w.phi_namespace
  join study f on f.uuid = any(o.copied_from) and f.phi_namespace <> w.phi_namespace
  join namespace n on n.uuid = f.phi_namespace and n.account_uuid = ${accountUuid}
  left join lateral (
    select h.uuid, h.to_kind, h.by_code, h.by_user, h.delivered_at
    from share h
    where h.study_uuid = f.uuid and h.to_namespace = w.phi_namespace and h.delivered_at is not null
    order by h.delivered_at desc, h.uuid
    limit 1
  ) h on true
  where not exists (
      select
      from share x
      where x.study_uuid = any(o.copied_from) and x.to_namespace = w.phi_namespace and x.state = 'delivered'
        and (x.expires_at is null or x.expires_at > now())
    )
    and not exists (
      select
      from group_user gu
      where n.kind in ('group', 'location') and gu.group_uuid = n.owner_uuid and r.kind = 'user' and gu.user_uuid = r.owner_uuid
    )
  order by w.uuid, h.uuid is null, f.uuid`

/** Share codes of an account, by which others send studies in: of its groups, of itself and of its people. */
const codes = (accountUuid: string) => sql`
  select 'code', n.uuid, null::uuid, '', '', true, n.uuid, n.name, null::uuid, null::text[], true, 'open', c.by_user,
    case when c.by_user is null then '' else ${nameOf(sql`c.by_user`)} end, null::timestamptz, null::timestamptz, null::uuid,
    null::timestamptz
  from (
    select g.namespace_uuid, null::uuid as by_user
    from app_group g
    where g.account_uuid = ${accountUuid} and g.share_code <> '' and not g.no_share and g.designation <> 'GATEKEEPER'
    union all
    select a.namespace_uuid, null::uuid from account a where a.uuid = ${accountUuid} and a.share_code <> '' and not a.no_share
    union all
    select u.namespace_uuid, u.uuid
    from app_user u
    join account_user au on au.user_uuid = u.uuid and au.account_uuid = ${accountUuid} and not au.disabled
    where u.share_code <> '' and not u.disabled
  ) c
  join namespace n on n.uuid = c.namespace_uuid`

/**
 * A page of the accesses of people outside the places of an account.
 * @param byUser gives those of one person alone; undefined those of everybody
 */
export async function listOutside(
  db: Db,
  { accountUuid, byUser }: { accountUuid: string; byUser: string | undefined },
  { where, orderBy, limit }: ListSql,
): Promise<OutsideRow[]> {
  // the last use is looked up for the rows of the page alone
  const { rows } = await sql<OutsideRow>`
    select t.kind, t.uuid, t.who_uuid, t.who, t.user_email, t.is_outside, t.namespace_uuid, t.namespace_name, t.study_uuid,
      s.uuid is null or s.deleted_at is not null as study_deleted, s.must_approve, s.patient_name, s.study_description, s.study_date,
      (
        select coalesce(json_agg(json_build_object('patient_name', w.patient_name, 'must_approve', w.must_approve)
          order by w.patient_name, w.uuid), '[]')
        from link_study o
        join study w on w.phi_namespace = o.phi_namespace and w.uuid = o.study_uuid and w.deleted_at is null
        where t.kind = 'link' and o.link_uuid = t.uuid and o.study_uuid <> t.study_uuid
      ) as others,
      to_jsonb(t.permissions) as permissions, t.by_code,
      t.kind = 'copy' or exists (select from share h where h.uuid = t.uuid and h.state = 'delivered' and ${hasCopyBy}) as has_copy,
      t.state, t.by_user, t.by_name, ${stamp(sql`t.created`)} as created,
      ${stamp(sql`t.expires_at`)} as expires_at,
      ${stamp(sql`case
        when t.kind in ('link', 'request') then (select max(o.opened_at) from link_use o where o.link_uuid = t.uuid)
        when t.kind = 'code' then (
          select max(l.created)
          from link_request q
          join link l on l.uuid = q.link_uuid
          where q.namespace_uuid = t.namespace_uuid and q.by_share_code
        )
        else (
          select max(a.at)
          from study w
          join audit a on a.object_uuid = w.uuid and a.action in ('STUDY_VIEW', 'STUDY_DOWNLOAD') and a.at >= t.delivered_at
          where w.phi_namespace = t.to_namespace and w.study_uid = s.study_uid
        )
      end`)} as used_at,
      t.total
    from (
      select t.*, row_number() over (order by ${orderBy}) as at, ${totalColumn}
      from (${shares(accountUuid)} union all (${copies(accountUuid)}) union all ${links(accountUuid)} union all ${codes(accountUuid)}) t
      where (${byUser ?? null}::uuid is null or t.by_user = ${byUser ?? null}::uuid) and ${where}
      order by at
      limit ${limit}
    ) t
    left join study s on s.phi_namespace = t.namespace_uuid and s.uuid = t.study_uuid
    order by t.at
  `.execute(db)
  return rows
}

/** A share that is listed. @returns the person who made it */
export async function findOutsideShare(
  tx: Tx,
  accountUuid: string,
  uuid: string,
): Promise<{ by_user: string | null } | undefined> {
  const { rows } = await sql<{ by_user: string | null }>`
    select t.by_user from (${shares(accountUuid)}) t where t.uuid = ${uuid}
  `.execute(tx)
  return rows[0]
}

/** The person who gave a share of an account that is over. */
export async function findEndedShare(
  tx: Tx,
  accountUuid: string,
  uuid: string,
): Promise<{ by_user: string | null } | undefined> {
  const { rows } = await sql<{ by_user: string | null }>`
    select h.by_user
    from share h
    join namespace n on n.uuid = h.from_namespace
    where h.uuid = ${uuid}
      and n.account_uuid = ${accountUuid}
      and (h.state not in ('scheduled', 'delivered') or h.expires_at <= now())
      and not exists (select from nomination m where m.share_uuid = h.uuid)
  `.execute(tx)
  return rows[0]
}

/** A link of an account, ended or not, with its place and its study. */
export async function findOutsideLink(
  tx: Tx,
  accountUuid: string,
  uuid: string,
): Promise<{ by_user: string; namespace_uuid: string; study_uuid: string | null } | undefined> {
  const { rows } = await sql<{
    by_user: string
    namespace_uuid: string
    study_uuid: string | null
  }>`
    select l.created_by as by_user, coalesce(ls.phi_namespace, q.namespace_uuid) as namespace_uuid, ls.study_uuid
    from link l
    left join link_study ls on ls.link_uuid = l.uuid
    left join link_request q on q.link_uuid = l.uuid
    where l.account_uuid = ${accountUuid} and l.uuid = ${uuid}
    order by ls.study_uuid
    limit 1
  `.execute(tx)
  return rows[0]
}
