import { type Kysely, sql } from 'kysely'

/** A node may go once its destinations are deleted: what is on record of them names none from then on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table destination
    alter column node_uuid drop not null,
    drop constraint destination_node_uuid_fkey,
    add constraint destination_node_uuid_fkey foreign key (node_uuid) references node (uuid) on delete set null,
    add constraint destination_has_node check (node_uuid is not null or deleted_at is not null)`,
  `alter table retrieval
    alter column node_uuid drop not null,
    drop constraint retrieval_node_uuid_fkey,
    add constraint retrieval_node_uuid_fkey foreign key (node_uuid) references node (uuid) on delete set null,
    add constraint retrieval_has_node check (node_uuid is not null or state in ('done', 'partial', 'failed'))`,
]
