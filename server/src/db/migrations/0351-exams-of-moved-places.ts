import { type Kysely, sql } from 'kysely'

/**
 * Deleted exams of personal places that went to another account when theirs was closed go along. What kept them there
 * keeps them on: a hold on the patient as a hold on the exam, the rule as a date.
 */
export async function up<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`
    with moving as (
      select s.phi_namespace, s.uuid, n.account_uuid as to_account, was.name as from_name, become.name as to_name,
        case when not s.hold then (
          select h.reason
          from patient_hold h
          where h.account_uuid = s.account_uuid and folded_id(h.patientid) <> '' and (
            (h.issuer = s.issuer and folded_id(h.patientid) = folded_id(s.patientid))
            or exists (
              select
              from study_source o
              join stored_study t on t.storage_namespace = o.storage_namespace and t.study_uid = s.study_uid
                and t.generation = o.generation
              cross join jsonb_array_elements(t.identities) as i
              where o.phi_namespace = s.phi_namespace and o.study_uuid = s.uuid
                and folded_id(i ->> 'patientid') = folded_id(h.patientid) and i ->> 'issuer' = h.issuer
            )
          )
          order by h.at, h.patientid
          limit 1
        ) end as patient_hold,
        (
          select (date_trunc('day', (s.created + make_interval(days => v.value::integer)) at time zone 'UTC')
            + interval '1 day') at time zone 'UTC'
          from setting v
          where v.scope = 'account' and v.scope_uuid = s.account_uuid and v.key = 'retention_days' and v.value ~ '^\\d{1,5}$'
        ) as rule_until,
        s.retain_until,
        case when s.patientid <> '' and folded_id(s.issuer) = '' then nullif(was.issuer, '') end as named_issuer
      from study s
      join namespace n on n.uuid = s.phi_namespace
      join account was on was.uuid = s.account_uuid
      join account become on become.uuid = n.account_uuid
      where n.kind = 'user' and s.account_uuid <> n.account_uuid
    ), moved as (
      update study s
      set account_uuid = m.to_account,
        hold = s.hold or m.patient_hold is not null,
        hold_reason = coalesce(m.patient_hold, s.hold_reason),
        retain_until = case when m.rule_until > now() then greatest(s.retain_until, m.rule_until) else s.retain_until end,
        issuer = coalesce(m.named_issuer, s.issuer),
        updated = now(), row_version = s.row_version + 1
      from moving m
      where s.phi_namespace = m.phi_namespace and s.uuid = m.uuid
      returning s.phi_namespace, s.uuid, m.to_account, m.from_name, m.to_name, m.patient_hold, m.named_issuer,
        coalesce(to_char((m.retain_until - interval '1 microsecond') at time zone 'UTC', 'YYYY-MM-DD'), '') as retained_before,
        coalesce(to_char((s.retain_until - interval '1 microsecond') at time zone 'UTC', 'YYYY-MM-DD'), '') as retained_after
    ), edits as (
      insert into audit (account_uuid, actor_kind, actor_name, action, type, object_uuid, phi_namespace, detail, client_address, proxy)
      select to_account, 'system', '', 'EDIT', 'Study', uuid, phi_namespace,
        jsonb_strip_nulls(jsonb_build_object(
          'account', jsonb_build_array(from_name, to_name),
          'issuer', case when named_issuer is not null then jsonb_build_array('', named_issuer) end,
          'retain_until',
            case when retained_before <> retained_after then jsonb_build_array(retained_before, retained_after) end,
          'reason', case when retained_before <> retained_after then 'Rule of retention of ' || from_name end
        )), '', ''
      from moved
    )
    insert into audit (account_uuid, actor_kind, actor_name, action, type, object_uuid, phi_namespace, detail, client_address, proxy)
    select to_account, 'system', '', 'HOLD', 'Study', uuid, phi_namespace, jsonb_build_object('reason', patient_hold), '', ''
    from moved
    where patient_hold is not null
  `.execute(db)
}
