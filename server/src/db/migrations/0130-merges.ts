import { type Kysely, sql } from 'kysely'

/** Separations that move all images of an exam to one that is there already: merges. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table separation
    add column kind text not null default 'split' check (kind in ('split', 'merge')),
    -- of the stored study that the images go to
    add column to_generation integer not null default 1,
    -- images of a merge keep the UIDs that none of the images there has, up to this number
    add column to_up_to_seq bigint not null default 0,
    -- patient and exam that the images of a merge are given
    add column written jsonb not null default '{}'`,
]
