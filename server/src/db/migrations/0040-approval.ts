import { type Kysely, sql } from 'kysely'

/**
 * Shares that wait for approval beside a record that is approved already (`awaits_approval`; a record whose first source
 * waits has `must_approve` itself), the words of whoever rejected a share (`reply`), and `approved` as a reason to be ready.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table share add column awaits_approval boolean not null default false`,
  `alter table share add column reply text not null default ''`,
  `alter table study add column has_waiting_shares boolean not null default false`,
  `alter table study_ready drop constraint study_ready_reason_check`,
  `alter table study_ready add constraint study_ready_reason_check
    check (reason in ('quiet', 'synced', 'joined', 'restored', 'approved'))`,
]
