import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Names of the assigning authority of an account's own numbers, folded: its issuer, and those of the setting `other_issuers`. */
const ownNames = (account: RawBuilder<unknown>) => sql`array(
  select folded_id(own.name)
  from account a
  left join setting s on s.scope = 'account' and s.scope_uuid = a.uuid and s.key = 'other_issuers'
  cross join lateral unnest(array_append(string_to_array(coalesce(s.value, ''), ','), a.issuer)) own (name)
  where a.uuid = ${account}
)`

/**
 * Condition that two numbers of an account's patients are of different assigning authorities. An authority that is not
 * named fits any; the names of the account's own are one.
 */
export function areOtherAuthorities(
  one: RawBuilder<unknown>,
  other: RawBuilder<unknown>,
  account: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`(folded_id(${one}) <> '' and folded_id(${other}) <> '' and folded_id(${one}) <> folded_id(${other})
    and not (array[folded_id(${one}), folded_id(${other})] <@ ${ownNames(account)}))`
}

/** Whether two numbers of an account's patients are of different assigning authorities. */
export async function isOtherAuthority(db: Db, accountUuid: string, one: string, other: string): Promise<boolean> {
  const { rows } = await sql<{ is_other: boolean }>`
    select ${areOtherAuthorities(sql`${one}::text`, sql`${other}::text`, sql`${accountUuid}::uuid`)} as is_other
  `.execute(db)
  return rows[0]?.is_other === true
}
