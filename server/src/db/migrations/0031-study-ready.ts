import { type Kysely, sql } from 'kysely'

/**
 * Each time that a record became ready: how many images had come since the time before, and the last of them, so that
 * late images are told from what was there. What is ready already gets its first line.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table study_ready (
    phi_namespace uuid not null,
    study_uuid uuid not null,
    number integer not null,
    reason text not null check (reason in ('quiet', 'synced', 'joined', 'restored')),
    images integer not null,
    up_to_seq bigint not null,
    at timestamptz not null default now(),
    primary key (phi_namespace, study_uuid, number)
  )`,
  `insert into study_ready (phi_namespace, study_uuid, number, reason, images, up_to_seq, at)
    select s.phi_namespace, s.uuid, 1, 'quiet', n.images, n.up_to_seq, s.updated
    from study s
    cross join lateral (
      select max(o.generation) as generation
      from study_source o
      where o.phi_namespace = s.phi_namespace and o.study_uuid = s.uuid and o.storage_namespace = s.phi_namespace
    ) o
    join stored_study t on t.storage_namespace = s.phi_namespace and t.study_uid = s.study_uid
      and t.generation = o.generation
    cross join lateral (
      select count(*)::integer as images, max(i.seq) as up_to_seq
      from instance i
      where i.storage_namespace = t.storage_namespace and i.study_key = t.key
    ) n
    where s.arrival in ('complete', 'incomplete')
      and n.images > 0`,
]
