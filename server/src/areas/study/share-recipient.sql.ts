import type { RecipientKind, Shareable } from '@hilum/contract/calls/study-share'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'

/** Columns that recipients are found and sorted by. */
export const recipientColumns = {
  uuid: { kind: 'uuid', column: sql.ref('r.uuid') },
  name: { kind: 'text', column: sql.ref('r.name') },
} as const satisfies FilterColumns

export const recipientOrder = sql`lower(r.name), r.uuid`

/** A user, a group, a location or an account as the target of a share. */
export interface Recipient {
  kind: RecipientKind
  uuid: string
  name: string
  namespace_uuid: string
  /** The account that the namespace belongs to. */
  account_uuid: string
  must_approve: boolean
  /** Empty for groups, locations and accounts. */
  user_email: string
}

/** The active members of an account, as recipients. */
const users = (accountUuid: string): RawBuilder<unknown> => sql`(
  select 'user' as kind, u.uuid, coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) as name,
    n.uuid as namespace_uuid, n.account_uuid, false as must_approve, u.email as user_email
  from account_user au
  join app_user u on u.uuid = au.user_uuid
  join namespace n on n.uuid = u.namespace_uuid
  where au.account_uuid = ${accountUuid} and not au.disabled and not u.disabled
)`

/** The groups of an account that take shares. A gatekeeper group takes nominations alone. */
const groups = (accountUuid: string): RawBuilder<unknown> => sql`(
  select 'group' as kind, g.uuid, g.name, g.namespace_uuid, g.account_uuid, g.must_approve, '' as user_email
  from app_group g
  where g.account_uuid = ${accountUuid} and g.kind = 'group' and not g.no_share and g.designation <> 'GATEKEEPER'
)`

/** The locations of an account that take shares. */
const locations = (accountUuid: string): RawBuilder<unknown> => sql`(
  select 'location' as kind, g.uuid, g.name, g.namespace_uuid, g.account_uuid, g.must_approve, '' as user_email
  from app_group g
  where g.account_uuid = ${accountUuid} and g.kind = 'location' and not g.no_share
)`

/** The accounts that an account is connected with. */
const accounts = (accountUuid: string): RawBuilder<unknown> => sql`(
  select 'account' as kind, a.uuid, a.name, a.namespace_uuid, a.uuid as account_uuid, a.must_approve,
    '' as user_email
  from account_connection c
  join account a on a.uuid in (c.asking_account, c.asked_account) and a.uuid <> ${accountUuid}
  where ${accountUuid} in (c.asking_account, c.asked_account) and c.ended_at is null and c.connected_at is not null
    and not a.no_share
)`

const recipients = { user: users, group: groups, location: locations, account: accounts }

/** The recipient that takes studies in by this share code, or – once a study was sent there by one – by any. */
export async function findRecipientOfCode(
  db: Db,
  by: { code: string } | Pick<Recipient, 'kind' | 'uuid'>,
): Promise<(Recipient & { share_settings: string | null }) | undefined> {
  const code = 'code' in by ? by.code : null
  const uuid = 'uuid' in by ? by.uuid : null
  const { rows } = await sql<Recipient & { share_settings: string | null }>`
    select n.kind, n.owner_uuid as uuid, n.name, n.uuid as namespace_uuid, n.account_uuid,
      coalesce(g.must_approve, o.must_approve, false) as must_approve, coalesce(u.email, '') as user_email,
      coalesce(nullif(g.share_settings, '{}')::text, nullif(o.share_settings, '{}')::text, s.value) as share_settings
    from (
      select g.namespace_uuid, g.share_code from app_group g where not g.no_share and g.designation <> 'GATEKEEPER'
      union all
      select a.namespace_uuid, a.share_code from account a where not a.no_share
      union all
      select u.namespace_uuid, u.share_code
      from app_user u
      where not u.disabled
        and exists (select from account_user au where au.user_uuid = u.uuid and not au.disabled)
    ) t
    join namespace n on n.uuid = t.namespace_uuid
    left join app_group g on g.namespace_uuid = n.uuid
    left join account o on n.kind = 'account' and o.namespace_uuid = n.uuid
    left join app_user u on n.kind = 'user' and u.uuid = n.owner_uuid
    left join setting s on s.scope = 'namespace' and s.scope_uuid = n.uuid and s.key = 'share_settings'
    where t.share_code <> ''
      and (${code}::text is null or lower(t.share_code) = lower(${code}))
      and (${uuid}::uuid is null or n.owner_uuid = ${uuid})
    order by n.uuid
    limit 1
  `.execute(db)
  return rows[0]
}

/** A recipient of this account, unless it is gone or takes no shares. */
export async function findRecipient(
  db: Db,
  accountUuid: string,
  { kind, uuid }: Pick<Recipient, 'kind' | 'uuid'>,
): Promise<Recipient | undefined> {
  const { rows } = await sql<Recipient>`
    select r.*
    from ${recipients[kind](accountUuid)} r
    where r.uuid = ${uuid}
  `.execute(db)
  return rows[0]
}

/** A gatekeeper group of the account, as the recipient of a nomination. */
export async function findGatekeeper(db: Db, accountUuid: string, groupUuid: string): Promise<Recipient | undefined> {
  const { rows } = await sql<Recipient>`
    select 'group' as kind, g.uuid, g.name, g.namespace_uuid, g.account_uuid, true as must_approve, '' as user_email
    from app_group g
    where g.account_uuid = ${accountUuid} and g.kind = 'group' and g.designation = 'GATEKEEPER' and g.uuid = ${groupUuid}
  `.execute(db)
  return rows[0]
}

/** Whether an account has this group, though it may take no shares. */
export async function hasGroup(db: Db, accountUuid: string, groupUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select from app_group g where g.account_uuid = ${accountUuid} and g.uuid = ${groupUuid}
  `.execute(db)
  return rows.length > 0
}

/** Recipients of an account by name; each of the words stands in the name or the e-mail address. */
export async function listRecipients(
  db: Db,
  accountUuid: string,
  kind: RecipientKind,
  words: readonly string[],
  { where, orderBy, limit }: ListSql,
): Promise<Shareable[]> {
  const { rows } = await sql<Shareable>`
    select r.uuid, r.name, r.user_email, ${totalColumn}
    from ${recipients[kind](accountUuid)} r
    where ${where}
      and not exists (
        select
        from unnest(${words as string[]}::text[]) as w (word)
        where position(folded_name(w.word) in folded_name(r.name || ' ' || r.user_email)) = 0
      )
    order by ${orderBy}
    limit ${limit}
  `.execute(db)
  return rows
}

/** The recipient of a share by the record that it made; a connected account by the place that took it. */
export async function findReceiver(
  db: Db,
  record: { phi_namespace: string; account_uuid: string },
  { kind, uuid }: Pick<Recipient, 'kind' | 'uuid'>,
): Promise<Recipient | undefined> {
  if (kind !== 'account') return findRecipient(db, record.account_uuid, { kind, uuid })
  const place = { namespace_uuid: record.phi_namespace, account_uuid: record.account_uuid }
  return { kind, uuid, ...place, name: '', must_approve: false, user_email: '' }
}
