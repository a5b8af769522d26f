import { type Kysely, sql } from 'kysely'

/**
 * Nominations that were rejected with the deletion of their record wait again when the record is restored. Those that wait
 * for a record that is deleted or gone are rejected: nobody can decide them.
 */
export async function up<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`alter table nomination add column rejected_by_deletion boolean not null default false`.execute(db)
  const reason = 'Deleted by the gatekeeper group'
  await sql`
    with rejected as (
      update nomination m
      set state = 'rejected', decided_at = now(), reason = ${reason},
        rejected_by_deletion = exists (
          select from study s where s.phi_namespace = m.gate_namespace and s.uuid = m.gate_uuid
        )
      where m.state = 'nominated' and not exists (
        select
        from study s
        where s.phi_namespace = m.gate_namespace and s.uuid = m.gate_uuid and s.deleted_at is null
      )
      returning m.account_uuid, m.from_namespace, m.study_uuid
    ), told as (
      select m.from_namespace, m.study_uuid, jsonb_object_agg(c.uuid::text, v.value) as fields
      from rejected m
      cross join (values ('is_process_form_rejected', '1'), ('process_rejection_reason', ${reason})) as v (key, value)
      join customfield c on c.account_uuid = m.account_uuid and c.gate_key = v.key and c.deleted_at is null
      group by m.from_namespace, m.study_uuid
    )
    update study s
    set customfields = s.customfields || told.fields, row_version = s.row_version + 1, updated = now()
    from told
    where s.phi_namespace = told.from_namespace and s.uuid = told.study_uuid
  `.execute(db)
}
