import type { Db } from '../../db/database.ts'
import { listCapturedFields } from '../customfield/customfield.sql.ts'

/** Whether an account asks whoever sends by a share code for something that has to be answered: a rule answers nothing. */
export async function asksOfSenders(db: Db, accountUuid: string): Promise<boolean> {
  return (await listCapturedFields(db, accountUuid)).some((one) => one.required)
}
