import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/**
 * Organisation of the recipient of share `h`, to stand behind its name: of a group or location elsewhere, and of whoever a
 * code of another organisation led to. Many organisations have a group of one name. Empty of one's own, and of an account.
 * @param to alias of the recipient's namespace
 * @param from alias of the namespace that the share came from
 */
export const organisationBehind = (to: string, from: string): RawBuilder<string> => sql`
    case when h.to_kind <> 'account' and (h.to_kind <> 'user' or h.by_code)
        and ${sql.ref(`${to}.account_uuid`)} <> ${sql.ref(`${from}.account_uuid`)}
      then coalesce((select ', ' || a.name from account a where a.uuid = ${sql.ref(`${to}.account_uuid`)}), '') else '' end`

/** Name of user `uuid`: the address where no other is known. */
export const nameOfUser = (uuid: RawBuilder<unknown>) =>
  sql`(select coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) from app_user u where u.uuid = ${uuid})`

/** Name of the recipient of share `h`, with the organisation behind it. */
export const recipientName = sql<string>`(coalesce(
      (select a.name from account a where h.to_kind = 'account' and a.uuid = h.to_uuid),
      (select g.name from app_group g where h.to_kind in ('group', 'location') and g.uuid = h.to_uuid),
      case when h.to_kind = 'user' then ${nameOfUser(sql`h.to_uuid`)} end,
      '') || coalesce((
        select ${organisationBehind('t', 'f')}
        from namespace t
        join namespace f on f.uuid = h.from_namespace
        where t.owner_uuid = h.to_uuid and t.kind = h.to_kind
      ), ''))`

/** Name of the recipient of a share, as histories tell it: with the organisation behind it. */
export async function findRecipientName(tx: Tx, shareUuid: string): Promise<string> {
  const { rows } = await sql<{
    name: string
  }>`select ${recipientName} as name from share h where h.uuid = ${shareUuid}`.execute(tx)
  return rows[0]?.name ?? ''
}
