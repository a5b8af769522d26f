import type { Db } from '../../db/database.ts'
import { type CustomFieldRow, listDefinitions } from '../customfield/customfield.sql.ts'

/** The custom fields of studies by the account of their records. */
export type FieldDefinitions = ReadonlyMap<string, readonly CustomFieldRow[]>

/** The definitions of these records' accounts, in one question for all. */
export async function listFieldDefinitions(
  db: Db,
  records: readonly { account_uuid: string }[],
): Promise<FieldDefinitions> {
  const accounts = [...new Set(records.map((one) => one.account_uuid))]
  return Map.groupBy(await listDefinitions(db, accounts, 'Study'), (one) => one.account_uuid)
}
