import { type Kysely, sql } from 'kysely'

/** A study that is deleted, or waits for approval, is hidden from most at once: rings as when a right ends. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create trigger study_hidden after update on study
        for each row when (
          (new.deleted_at is not null and old.deleted_at is null) or (new.must_approve and not old.must_approve)
        )
        execute function ring_access_of_all()`,
    )
    .execute(db)
}
