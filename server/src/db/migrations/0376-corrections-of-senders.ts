import { type Kysely, sql } from 'kysely'

/**
 * Digest of the corrections that a sender had made when the exam was nominated, so that a later correction is told. Of nominations
 * that are there: as of now, unless a correction is newer than the nomination.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table nomination add column edits_digest bytea`.execute(db)
  await sql`
    update nomination m
    set edits_digest = case
      when exists (
        select from jsonb_array_elements(s.edits) as e (edit)
        where (e.edit ->> 'when')::timestamptz > m.submitted_at
      ) then ''
      else sha256(convert_to(s.edits::text, 'UTF8'))
    end
    from study s
    where s.uuid = m.study_uuid
  `.execute(db)
}
