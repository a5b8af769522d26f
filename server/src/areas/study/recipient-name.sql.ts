import { type RawBuilder, sql } from 'kysely'

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
