import { type Kysely, sql } from 'kysely'

/**
 * Of copies that recipients kept, from which accounts their images came, so that the page of access from outside reads the
 * copies of its account alone. The database keeps it by what was copied and by whose the places are: personal places go
 * with their people to another account.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table study_source add column copied_from_accounts uuid[]`,
  `create function note_accounts_of_copy() returns trigger language plpgsql as $$
    begin
      new.copied_from_accounts := array(
        select distinct n.account_uuid
        from study f
        join namespace n on n.uuid = f.phi_namespace
        where f.uuid = any(new.copied_from)
        order by n.account_uuid
      );
      return new;
    end
  $$`,
  `create trigger copied_notes_accounts before insert or update of copied_from on study_source
    for each row when (new.copied_from is not null) execute function note_accounts_of_copy()`,
  `create function note_accounts_of_moved() returns trigger language plpgsql as $$
    begin
      update study_source set copied_from = copied_from where copied_from_accounts @> array[old.account_uuid];
      return null;
    end
  $$`,
  `create trigger moved_notes_accounts after update of account_uuid on namespace
    for each row when (new.account_uuid <> old.account_uuid) execute function note_accounts_of_moved()`,
  `update study_source set copied_from = copied_from where copied_from is not null`,
  `create index study_source_copied_from_accounts on study_source using gin (copied_from_accounts)
    where copied_from_accounts is not null`,
]
