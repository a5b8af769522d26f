import type { CustomField } from '@hilum/contract/entities/page-fields'
import type { Db } from '../../db/database.ts'
import { presentFieldValues } from './customfield.presenter.ts'
import { listCapturedFields } from './customfield.sql.ts'

/** The form that whoever sends by a share code of the account fills in, empty. */
export async function listAskedFields(db: Db, accountUuid: string): Promise<CustomField[]> {
  return presentFieldValues(await listCapturedFields(db, accountUuid), {})
}
