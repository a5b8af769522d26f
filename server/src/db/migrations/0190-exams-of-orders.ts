import { type Kysely, sql } from 'kysely'

/** Exams of orders: found by the Study Instance UID that the worklist gave, or by accession number and patient. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const part = (from: number) => `('x' || lpad(substr(replace(id::text, '-', ''), ${from}, 8), 16, '0'))::bit(64)::bigint`

const statements = [
  // the UID under which the images of an order shall come: the sender's, else 2.25 and the order's uuid as a number
  // (PS3.5 B.2), as `studyUidOf` of the worklist writes it
  `create function order_study_uid(study_uid text, id uuid) returns text language sql immutable strict parallel safe as $$
    select case when study_uid <> '' then study_uid else '2.25.' || (
      ((${part(1)}::numeric * 4294967296 + ${part(9)}) * 4294967296 + ${part(17)}) * 4294967296 + ${part(25)}
    )::text end
  $$`,
  // the orders that a study belongs to; accession numbers have an index already
  `create index order_by_study_uid on imaging_order (namespace_uuid, order_study_uid(study_uid, uuid))`,
  // one vocabulary for messages, calls and modalities
  `update order_step set mpps_status = 'IN_PROGRESS' where mpps_status = 'IN PROGRESS'`,
]
