import { ownNamesOf, type OwnNames } from '@hilum/dicom/authority'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Names of the assigning authority of an account's own numbers: its issuer, and those of the setting `other_issuers`. */
export async function findOwnNames(db: Db, accountUuid: string): Promise<OwnNames> {
  const { rows } = await sql<{ issuer: string; others: string }>`
    select a.issuer, coalesce(s.value, '') as others
    from account a
    left join setting s on s.scope = 'account' and s.scope_uuid = a.uuid and s.key = 'other_issuers'
    where a.uuid = ${accountUuid}
  `.execute(db)
  return rows[0] ? ownNamesOf(rows[0].issuer, rows[0].others) : []
}

/** The same names as an array of the database, folded. */
export const ownNamesIn = (account: RawBuilder<unknown>): RawBuilder<string[]> => sql`array(
  select folded_id(own.name)
  from account own_account
  left join setting own_setting on own_setting.scope = 'account' and own_setting.scope_uuid = own_account.uuid
    and own_setting.key = 'other_issuers'
  cross join lateral
    unnest(array_append(string_to_array(coalesce(own_setting.value, ''), ','), own_account.issuer)) own (name)
  where own_account.uuid = ${account} and folded_id(own.name) <> ''
)`

/**
 * Condition that two numbers of an account's patients are of different assigning authorities, as `areOtherAuthorities` of
 * `@hilum/dicom/authority` says: the names of the account's own are one, and so is a number without a name.
 */
export function areOtherAuthoritiesIn(
  one: RawBuilder<unknown>,
  other: RawBuilder<unknown>,
  account: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`(
    select authority.one <> authority.other
      and (cardinality(authority.own) > 0 or (authority.one <> '' and authority.other <> ''))
    from (
      select own.names as own,
        case when folded_id(${one}) = any(own.names) then '' else folded_id(${one}) end as one,
        case when folded_id(${other}) = any(own.names) then '' else folded_id(${other}) end as other
      from (select ${ownNamesIn(account)} as names) own
    ) authority
  )`
}

/**
 * Condition that two numbers of an account's patients may be of one assigning authority, where nobody asks for more: one
 * that comes without a name may be of any.
 */
export function mayBeOneAuthority(
  one: RawBuilder<unknown>,
  other: RawBuilder<unknown>,
  account: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`(folded_id(${one}) = '' or folded_id(${other}) = '' or not ${areOtherAuthoritiesIn(one, other, account)})`
}
