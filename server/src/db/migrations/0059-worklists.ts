import { type Kysely, sql } from 'kysely'

/** Modalities ask for the steps of a group on a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create index order_of_group on imaging_order (namespace_uuid) where namespace_uuid is not null`,
  `create index step_by_date on order_step (scheduled_procedure_step_start_date, account_uuid, order_uuid)`,
]
