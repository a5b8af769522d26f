import { type Kysely, sql } from 'kysely'

/** The words that were ever tags in a namespace, for suggestions; and the moments that uploads report. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table tag_word (
    phi_namespace uuid not null,
    tag text not null,
    primary key (phi_namespace, tag)
  )`,
  // a trigger, since records get tags in many ways: by hand, by a share, by a rule
  `create function note_tag_words() returns trigger language plpgsql as $$
    begin
      insert into tag_word (phi_namespace, tag)
      select new.phi_namespace, tag from unnest(new.tags) tag order by tag
      on conflict do nothing;
      return null;
    end
  $$`,
  `create trigger study_tag_words after insert or update of tags on study
    for each row when (new.tags <> '{}') execute function note_tag_words()`,
  `insert into tag_word (phi_namespace, tag)
    select distinct phi_namespace, unnest(tags) from study`,

  `create table study_timing (
    storage_namespace uuid not null,
    study_uid text not null,
    id bigint generated always as identity,
    event text not null,
    size bigint,
    by_user uuid,
    created timestamptz not null default now(),
    primary key (storage_namespace, study_uid, id)
  )`,
]
