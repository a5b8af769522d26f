import { type Kysely, sql } from 'kysely'

/**
 * Images by their SOP UID over all studies of a namespace, so that one that comes again in another study is found. The
 * index before began with the study; every question that names the study finds its images by this one as well.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index instance_by_sop_uid on instance (storage_namespace, sop_uid, study_key, seq)`.execute(db)
  await sql`drop index instance_by_sop`.execute(db)
}
