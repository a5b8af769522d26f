import { type HeldThing, type HoldingKind, holdingKinds } from '@hilum/contract/calls/account-leaver'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'

export interface Leaver {
  user_id: string
  user_name: string
  user_email: string
  is_active: number
}

const columns = sql`u.uuid as user_id, coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) as user_name,
  u.email as user_email`

/** Somebody who belongs to an account, began in it, or holds something there. */
export async function findLeaver(db: Db, accountUuid: string, userUuid: string): Promise<Leaver | undefined> {
  const { rows } = await sql<Leaver>`
    select ${columns}, (not u.disabled and au.user_uuid is not null and not au.disabled)::int as is_active
    from app_user u
    left join account_user au on au.user_uuid = u.uuid and au.account_uuid = ${accountUuid}
    where u.uuid = ${userUuid}
      and (au.user_uuid is not null
        or exists (select from namespace n where n.uuid = u.namespace_uuid and n.account_uuid = ${accountUuid})
        or exists (select from link l where l.created_by = u.uuid and l.account_uuid = ${accountUuid})
        or exists (select from routing_rule r where r.saved_by = u.uuid and r.account_uuid = ${accountUuid})
        or exists (select from nomination m where m.submitted_by = u.uuid and m.account_uuid = ${accountUuid})
        or exists (select from study s where s.taken_by = u.uuid and s.account_uuid = ${accountUuid})
        or exists (select from saved_search f where f.owner_uuid = u.uuid and f.account_uuid = ${accountUuid}))
  `.execute(db)
  return rows[0]
}

/**
 * Holdings of people in an account. Studies without images here are nobody's to hand over, nor those that were handed over
 * already. Searches without an account, and keys, are counted where the person began.
 * @param ofWhom condition on the person, after the column
 */
const heldThings = (accountUuid: string, ofWhom: RawBuilder<unknown>) => sql`
    select 'studies' as kind, '' as name, n.uuid as namespace_uuid, s.uuid as study_uuid, null::timestamptz as expires_at,
      s.created, s.uuid, n.owner_uuid as user_uuid
    from namespace n
    join study s on s.phi_namespace = n.uuid and s.deleted_at is null and s.arrival <> 'announced' and not s.thin
    where n.kind = 'user' and n.owner_uuid ${ofWhom} and n.account_uuid = ${accountUuid}
      and not exists (
        select from share h where h.study_uuid = s.uuid and h.state = 'delivered' and h.by_user <> n.owner_uuid
      )
    union all
    select case l.action when 'STUDY_VIEW' then 'links' else 'requests' end, l.email,
      coalesce(ls.phi_namespace, q.namespace_uuid), ls.study_uuid, l.expires_at, l.created, l.uuid, l.created_by
    from link l
    left join lateral (
      select o.phi_namespace, o.study_uuid
      from link_study o
      where o.link_uuid = l.uuid
      order by o.study_uuid
      limit 1
    ) ls on true
    left join link_request q on q.link_uuid = l.uuid
    where l.account_uuid = ${accountUuid} and l.created_by ${ofWhom} and l.ended_at is null
      and l.expires_at > now()
    union all
    select 'searches', f.name, f.namespace_uuid, null, null, f.created, f.uuid, f.owner_uuid
    from saved_search f
    where f.owner_uuid ${ofWhom}
      and coalesce(f.account_uuid, (select n.account_uuid from namespace n where n.owner_uuid = f.owner_uuid))
        = ${accountUuid}
    union all
    select 'rules', r.name, r.namespace_uuid, null, null, r.created, r.uuid, r.saved_by
    from routing_rule r
    where r.account_uuid = ${accountUuid} and r.saved_by ${ofWhom} and r.deleted_at is null
    union all
    select 'nominations', m.group_name, m.from_namespace, m.study_uuid, null, m.submitted_at, m.uuid, m.submitted_by
    from nomination m
    where m.account_uuid = ${accountUuid} and m.submitted_by ${ofWhom} and m.state = 'nominated'
    union all
    select 'exams', '', s.phi_namespace, s.uuid, null, s.created, s.uuid, s.taken_by
    from study s
    where s.account_uuid = ${accountUuid} and s.taken_by ${ofWhom} and s.status = 'in_progress'
      and s.deleted_at is null
    union all
    select 'keys', k.name, null, null, k.expires_at, k.created, k.uuid, k.user_uuid
    from session k
    join namespace n on n.owner_uuid = k.user_uuid and n.account_uuid = ${accountUuid}
    where k.user_uuid ${ofWhom} and k.method = 'key' and k.expires_at > now()
`

export const leaverColumns = {
  user_name: { kind: 'text', column: sql`p.user_name` },
  user_email: { kind: 'text', column: sql`p.user_email` },
} satisfies FilterColumns
export const leaverOrder = sql`p.user_name, p.user_id`

interface LeaverWithHoldings extends Leaver {
  holdings: { kind: HoldingKind; count: number }[]
  /** People on all pages. */
  total: number
}

/** A page of the people who cannot work in an account any more and still hold something there, with how much of each kind. */
export async function listLeavers(
  db: Db,
  accountUuid: string,
  { where, orderBy, limit }: ListSql,
): Promise<LeaverWithHoldings[]> {
  const { rows } = await sql<LeaverWithHoldings>`
    with person as materialized (
      select p.*, ${totalColumn}, row_number() over (order by ${orderBy}) as place
      from (
        select ${columns}, 0 as is_active
        from app_user u
        where u.uuid in (
            select n.owner_uuid
            from namespace n
            where n.account_uuid = ${accountUuid} and n.kind = 'user'
              and (exists (
                  select
                  from study s
                  where s.phi_namespace = n.uuid and s.deleted_at is null and s.arrival <> 'announced' and not s.thin
                    and not exists (
                      select from share h where h.study_uuid = s.uuid and h.state = 'delivered' and h.by_user <> n.owner_uuid
                    )
                )
                or exists (select from saved_search f where f.owner_uuid = n.owner_uuid and f.account_uuid is null)
                or exists (
                  select from session k where k.user_uuid = n.owner_uuid and k.method = 'key' and k.expires_at > now()
                ))
            union
            select l.created_by
            from link l
            where l.account_uuid = ${accountUuid} and l.ended_at is null and l.expires_at > now()
            union
            select r.saved_by from routing_rule r where r.account_uuid = ${accountUuid} and r.deleted_at is null
            union
            select f.owner_uuid from saved_search f where f.account_uuid = ${accountUuid}
            union
            select m.submitted_by from nomination m where m.account_uuid = ${accountUuid} and m.state = 'nominated'
            union
            select s.taken_by
            from study s
            where s.account_uuid = ${accountUuid} and s.taken_by is not null and s.status = 'in_progress'
              and s.deleted_at is null
          )
          and (u.disabled or not exists (
            select
            from account_user au
            where au.user_uuid = u.uuid and au.account_uuid = ${accountUuid} and not au.disabled
          ))
      ) p
      where ${where}
      order by place
      limit ${limit}
    ), held as (
      ${heldThings(accountUuid, sql`in (select p.user_id from person p)`)}
    )
    select p.user_id, p.user_name, p.user_email, p.is_active, p.total,
      (
        select json_agg(
          json_build_object('kind', c.kind, 'count', c.count)
          order by array_position(${[...holdingKinds]}::text[], c.kind)
        )
        from (select h.kind, count(*)::int as count from held h where h.user_uuid = p.user_id group by h.kind) c
      ) as holdings
    from person p
    order by p.place
  `.execute(db)
  return rows
}

/** Things of one kind that are named one by one. */
const named = 5

interface Holding {
  kind: HoldingKind
  count: number
  /** The oldest of them. */
  first: HeldThing[]
}

/** Counts a person's holdings in an account by kind, and names the oldest of each. */
export async function listHoldings(db: Db, accountUuid: string, userUuid: string): Promise<Holding[]> {
  const { rows } = await sql<Holding>`
    with held as (
      ${heldThings(accountUuid, sql`= ${userUuid}`)}
    ), numbered as (
      select h.*, row_number() over (partition by h.kind order by h.created, h.uuid) as nth
      from held h
    )
    select h.kind, count(*)::int as count,
      coalesce(
        json_agg(json_build_object(
          'name', h.name,
          'namespace_name', coalesce(n.name, ''),
          'patient_name', coalesce(s.patient_name, ''),
          'patientid', coalesce(s.patientid, ''),
          'study_description', coalesce(s.study_description, ''),
          'study_date', coalesce(s.study_date, ''),
          'expires_at', to_char(h.expires_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00')
        ) order by h.nth) filter (where h.nth <= ${named}),
        '[]'
      ) as first
    from numbered h
    left join namespace n on h.nth <= ${named} and n.uuid = h.namespace_uuid
    left join study s on h.nth <= ${named} and s.phi_namespace = h.namespace_uuid and s.uuid = h.study_uuid
    group by h.kind
  `.execute(db)
  return holdingKinds.flatMap((kind) => rows.filter((one) => one.kind === kind))
}

export interface HeldStudy {
  uuid: string
  created: string
}

/**
 * Personal studies that were not handed over, the oldest first.
 * @param after the last of those that were listed before
 */
export async function listHeldStudies(
  db: Db,
  accountUuid: string,
  userUuid: string,
  after: HeldStudy | undefined,
  limit: number,
): Promise<HeldStudy[]> {
  const { rows } = await sql<HeldStudy>`
    select s.uuid, s.created::text as created
    from namespace n
    join study s on s.phi_namespace = n.uuid and s.deleted_at is null and s.arrival <> 'announced' and not s.thin
    where n.kind = 'user' and n.owner_uuid = ${userUuid} and n.account_uuid = ${accountUuid}
      and not exists (
        select from share h where h.study_uuid = s.uuid and h.state = 'delivered' and h.by_user <> n.owner_uuid
      )
      and (${after?.uuid ?? null}::uuid is null
        or (s.created, s.uuid) > (${after?.created ?? null}::timestamptz, ${after?.uuid ?? null}::uuid))
    order by s.created, s.uuid
    limit ${limit}
  `.execute(db)
  return rows
}
