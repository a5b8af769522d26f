import { fetchedReportMinutes, reportHours, reportsOfPerson } from '@hilum/contract/limits'
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
  /** Namespaces whose patients it holds, where each has a right of its own. */
  places: readonly string[]
}

export interface MadeReport {
  uuid: string
  account_uuid: string
  namespace_uuid: string
  act: string
  name: string
  places: string[]
}

export async function addReport(tx: Tx, one: NewReport): Promise<void> {
  await sql`
    insert into report (uuid, user_uuid, account_uuid, namespace_uuid, act, name, csv, places)
    values (${one.uuid}, ${one.userUuid}, ${one.accountUuid}, ${one.namespaceUuid}, ${one.act}, ${one.name}, ${one.csv},
      ${one.places as string[]}::uuid[])
  `.execute(tx)
}

/** Removes the oldest reports of a person who has more than there may be. */
export async function deleteOldestReports(tx: Tx, userUuid: string): Promise<void> {
  await sql`
    delete from report
    where uuid in (
      select r.uuid
      from report r
      where r.user_uuid = ${userUuid}
      order by r.created desc, r.uuid
      offset ${reportsOfPerson}
    )
  `.execute(tx)
}

/** Removes every report of an account, any of which may hold a patient who is erased. */
export async function deleteReportsOfAccount(tx: Tx, accountUuid: string): Promise<void> {
  await sql`delete from report where account_uuid = ${accountUuid}`.execute(tx)
}

const isOver = sql`(created < now() - make_interval(hours => ${reportHours})
      or coalesce(fetched < now() - make_interval(mins => ${fetchedReportMinutes}), false))`

/** A report that a person had made, unless its time is over. */
export async function findReport(db: Db, userUuid: string, uuid: string): Promise<MadeReport | undefined> {
  const { rows } = await sql<MadeReport>`
    select uuid, account_uuid, namespace_uuid, act, name, places
    from report
    where uuid = ${uuid} and user_uuid = ${userUuid} and not ${isOver}
  `.execute(db)
  return rows[0]
}

/** Reads the file of a report; from the first time on its end is near. */
export async function takeReportFile(tx: Tx, uuid: string): Promise<{ csv: Buffer; created: Date } | undefined> {
  const { rows } = await sql<{ csv: Buffer; created: Date }>`
    update report
    set fetched = coalesce(fetched, now())
    where uuid = ${uuid}
    returning csv, created
  `.execute(tx)
  return rows[0]
}

export async function deleteOldReports(db: Db): Promise<void> {
  await sql`delete from report where ${isOver}`.execute(db)
}
