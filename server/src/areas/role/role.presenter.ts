import type { Role } from '@hilum/contract/calls/role'
import { studyFieldFlags } from '@hilum/contract/permissions'
import { readStoredFieldFlags } from '../../access/stored-field-flags.ts'
import { presentFlags } from './permissions.presenter.ts'
import { givenBy } from './change-role.ts'
import type { RoleRow } from './role.sql.ts'

export function presentRole(row: RoleRow): Role {
  const everyField = Object.fromEntries(studyFieldFlags.map((flag) => [flag, 'F']))
  return {
    uuid: row.uuid,
    name: row.name,
    description: row.description,
    type: row.type,
    for_account: row.for_account ? 1 : 0,
    for_group: row.for_group ? 1 : 0,
    for_location: row.for_location ? 1 : 0,
    permissions: {
      ...presentFlags(new Set(givenBy(row).permissions)),
      ...everyField,
      ...readStoredFieldFlags(row.field_flags).flags,
      ui_json: row.ui_json ?? '',
    },
    user_count: row.user_count,
  }
}
