import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { HeldReport, NumberedReport } from './waiting-report.sql.ts'

/** The exam that somebody gave a report to, with what the report says of its patient and exam. */
type GivenReport = Pick<
  NumberedReport,
  'number' | 'patientid' | 'issuer' | 'study_uid' | 'accession_number' | 'order_numbers'
> & { study_uuid: string }

/** Notes that a report was given to an exam by hand; of a report given there again the last names count. */
export async function noteGiven(db: Db, report: HeldReport, studyUuid: string): Promise<void> {
  await sql`
    insert into given_report (namespace_uuid, sender, number, study_uuid, account_uuid, patientid, issuer, study_uid,
      accession_number, order_numbers)
    values (${report.namespace_uuid}, ${report.sender}, ${report.number}, ${studyUuid}, ${report.account_uuid},
      ${report.patientid}, ${report.issuer}, ${report.study_uid}, ${report.accession_number},
      ${report.order_numbers}::text[])
    on conflict (namespace_uuid, sender, number, study_uuid) do update
    set given = now(), patientid = excluded.patientid, issuer = excluded.issuer, study_uid = excluded.study_uid,
      accession_number = excluded.accession_number, order_numbers = excluded.order_numbers
  `.execute(db)
}

/** Reports of a sender under one number that were given to exams by hand. */
export async function listGivenReports(
  db: Db,
  namespaceUuid: string,
  sender: string,
  number: string,
): Promise<GivenReport[]> {
  const { rows } = await sql<GivenReport>`
    select g.study_uuid, g.number, g.patientid, g.issuer, g.study_uid, g.accession_number, g.order_numbers
    from given_report g
    where g.namespace_uuid = ${namespaceUuid} and g.sender = ${sender} and g.number = ${number}
    order by g.study_uuid
  `.execute(db)
  return rows
}
