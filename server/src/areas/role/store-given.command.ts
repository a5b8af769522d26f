import type { Tx } from '../../db/database.ts'
import { deleteSetting, putSetting } from '../setting/setting.sql.ts'
import type { Given } from './change-role.ts'

/** Keeps what a role gives besides its flags: the access to fields of a study, and the JSON for screens. */
export async function storeGiven(tx: Tx, roleUuid: string, { fields, uiJson }: Given): Promise<void> {
  const stored = Object.keys(fields).length > 0 ? JSON.stringify(fields) : ''
  for (const [key, value] of [
    ['study_field_flags', stored],
    ['ui_json', uiJson],
  ] as const) {
    if (value === '') await deleteSetting(tx, 'role', roleUuid, key)
    else await putSetting(tx, 'role', roleUuid, key, value)
  }
}
