import type { RecipientKind, Shareable } from '@hilum/contract/calls/study-share'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type ListSql, totalColumn } from '../list-page.ts'

/** A user or a group as the target of a share. */
export interface Recipient {
  kind: RecipientKind
  uuid: string
  name: string
  namespace_uuid: string
  /** The account that the namespace belongs to. */
  account_uuid: string
  must_approve: boolean
  /** Empty for groups. */
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
  where g.account_uuid = ${accountUuid} and not g.no_share and g.designation <> 'GATEKEEPER'
)`

const recipients = { user: users, group: groups }

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
