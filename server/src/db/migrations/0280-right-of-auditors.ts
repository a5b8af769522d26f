import { type Kysely, sql } from 'kysely'

/** Roles and keys that read the audit by `audit_view` and `account_edit` hold the right of auditors, so that they can give it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update role
    set permissions = permissions || array['account_audit_view']
    where permissions @> array['audit_view', 'account_edit']
      and not permissions @> array['account_audit_view']
  `.execute(db)
  // keys that hold what such a role holds, too, else they could give that role to nobody any more
  await sql`
    update session
    set scope = scope || array['account_audit_view']
    where scope @> array['audit_view', 'account_edit']
      and not scope @> array['account_audit_view']
  `.execute(db)
  // the shape of the table is changed by later steps of the same upgrade
  await sql`set constraints all immediate`.execute(db)
}
