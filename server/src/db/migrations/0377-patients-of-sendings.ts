import { type Kysely, sql } from 'kysely'

/**
 * The patient that an exam was of when somebody asked to send it later, or to mail a link to it: where it is of another one
 * by then, nothing leaves. And mails that were held for that, and mails that remind of a link, which are not its sending.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const patient = `jsonb_build_object('patient_name', s.patient_name, 'patientid', s.patientid, 'issuer', s.issuer,
  'patient_birth_date', s.patient_birth_date, 'patient_sex', s.patient_sex)`

const statements = [
  `alter table share add column for_patient jsonb`,
  `update share h set for_patient = ${patient} from study s where h.state = 'scheduled' and s.phi_namespace = h.from_namespace
    and s.uuid = h.study_uuid`,
  `alter table link_study add column for_patient jsonb`,
  `create index link_study_with_patient on link_study (link_uuid) where for_patient is not null`,
  `update link_study ls
    set for_patient = ${patient}
    from study s, link l
    where s.phi_namespace = ls.phi_namespace and s.uuid = ls.study_uuid and l.uuid = ls.link_uuid
      and l.email <> '' and l.ended_at is null and l.expires_at > now()`,
  `alter table mail
    add column held boolean not null default false,
    add column is_reminder boolean not null default false`,
]
