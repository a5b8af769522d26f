import { fetchedReportMinutes, reportHours } from '@hilum/contract/limits'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

interface NewReport {
  uuid: string
  userUuid: string
  accountUuid: string
  /** The place that the act was allowed in. */
  namespaceUuid: string
  act: string
  name: string
  csv: Buffer
}

export async function addReport(tx: Tx, one: NewReport): Promise<void> {
  await sql`
    insert into report (uuid, user_uuid, account_uuid, namespace_uuid, act, name, csv)
    values (${one.uuid}, ${one.userUuid}, ${one.accountUuid}, ${one.namespaceUuid}, ${one.act}, ${one.name}, ${one.csv})
  `.execute(tx)
}

const isOver = sql`(created < now() - make_interval(hours => ${reportHours})
      or coalesce(fetched < now() - make_interval(mins => ${fetchedReportMinutes}), false))`

/** A report that a person had made, unless its time is over. */
export async function findReport(
  db: Db,
  userUuid: string,
  uuid: string,
): Promise<{ namespace_uuid: string; act: string } | undefined> {
  const { rows } = await sql<{ namespace_uuid: string; act: string }>`
    select namespace_uuid, act
    from report
    where uuid = ${uuid} and user_uuid = ${userUuid} and not ${isOver}
  `.execute(db)
  return rows[0]
}

/** Reads the file of a report; from the first time on its end is near. */
export async function fetchReport(
  db: Db,
  uuid: string,
): Promise<{ name: string; csv: Buffer; created: Date } | undefined> {
  const { rows } = await sql<{ name: string; csv: Buffer; created: Date }>`
    update report
    set fetched = coalesce(fetched, now())
    where uuid = ${uuid}
    returning name, csv, created
  `.execute(db)
  return rows[0]
}

export async function deleteOldReports(db: Db): Promise<void> {
  await sql`delete from report where ${isOver}`.execute(db)
}
