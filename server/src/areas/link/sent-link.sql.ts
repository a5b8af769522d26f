import type { LinkRight } from '@hilum/contract/link-rights'
import { linkUndoMinutes } from '@hilum/contract/limits'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { patientToSend } from '../storage/sent-patient.sql.ts'

/** A link that sending by e-mail made. */
export interface SentLinkRow {
  uuid: string
  phi_namespace: string
  study_uuid: string
  account_uuid: string
  created_by: string
  permissions: LinkRight[]
  email: string
  is_ended: boolean
  asks_password: boolean
  asks_birth_date: boolean
  sealed_secret: Buffer | null
  mail_uuid: string | null
  /** Whole minutes until the link ends. */
  minutes_left: number
}

export async function findSentLink(db: Db, uuid: string): Promise<SentLinkRow | undefined> {
  const { rows } = await sql<SentLinkRow>`
    select l.uuid, ls.phi_namespace, ls.study_uuid, l.account_uuid, l.created_by, to_jsonb(l.permissions) as permissions,
      l.email, l.sealed_secret, l.mail_uuid,
      l.ended_at is not null or l.expires_at <= now() as is_ended, l.password_hash is not null as asks_password,
      l.password_is_dob as asks_birth_date,
      ceil(extract(epoch from l.expires_at - now()) / 60)::integer as minutes_left
    from link l
    join link_study ls on ls.link_uuid = l.uuid
    where l.uuid = ${uuid} and l.is_sent
    order by ls.study_uuid
    limit 1
  `.execute(db)
  return rows[0]
}

/** Marks a link as one that is sent, and when it is mailed. */
export async function markLinkSent(tx: Tx, uuid: string, delaySeconds: number): Promise<void> {
  await sql`
    update link set is_sent = true, mail_at = now() + make_interval(secs => ${delaySeconds}) where uuid = ${uuid}
  `.execute(tx)
  await notePatientsOfLink(tx, uuid)
}

/** Notes with a link of which patients its exams are now, as whoever wants it mailed sees them: its mails leave while they are so. */
export async function notePatientsOfLink(tx: Tx, uuid: string): Promise<void> {
  await sql`
    update link_study ls
    set for_patient = ${patientToSend}
    from study s
    where ls.link_uuid = ${uuid} and s.phi_namespace = ls.phi_namespace and s.uuid = ls.study_uuid
  `.execute(tx)
}

/** Forgets the patients of links that are over, and that nobody brings back. */
export async function forgetPatientsOfLinks(db: Db): Promise<void> {
  await sql`
    update link_study ls
    set for_patient = null
    from link l
    where ls.for_patient is not null and l.uuid = ls.link_uuid
      and least(l.ended_at, l.expires_at) <= now() - make_interval(mins => ${linkUndoMinutes})
  `.execute(db)
}

/** Locks a link that is to be mailed; false when it was mailed already or has ended. */
export async function lockUnmailed(tx: Tx, uuid: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from link where uuid = ${uuid} and mail_uuid is null and ended_at is null for update
  `.execute(tx)
  return rows.length > 0
}

/** The live links by which a record was sent, with their addresses. */
export async function listSentLinks(db: Db, studyUuid: string): Promise<{ uuid: string; name: string }[]> {
  const { rows } = await sql<{ uuid: string; name: string }>`
    select l.uuid, l.email as name
    from link_study ls
    join link l on l.uuid = ls.link_uuid
    where ls.study_uuid = ${studyUuid} and l.is_sent and l.ended_at is null and l.expires_at > now()
    order by l.email, l.uuid
  `.execute(db)
  return rows
}
