import { randomUUID } from 'node:crypto'
import type { roleAdd } from '@hilum/contract/calls/role'
import { addRole } from '../account/account-write.sql.ts'
import { changePeople } from '../account/change-people.command.ts'
import { demandWithin } from '../account/promotion.policy.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { differences, nothing, readRoleWords, userDefaults, withChange } from './change-role.ts'
import { storeGiven } from './store-given.command.ts'
import { readPermissions } from './read-permissions.ts'
import { putRoleSettings, readRoleSettings } from './role-settings.command.ts'
import { findRoleByName } from './role.sql.ts'
import { updateRole } from './role-write.sql.ts'

export const add: Handler<typeof roleAdd> = async ({ services, input, raw, caller, on, fail }) => {
  const accountUuid = on.ownerUuid
  const given = input.permissions ? withChange(nothing, readPermissions(input.permissions)) : userDefaults
  demandWithin(on, given, 'permissions')
  const settings = readRoleSettings(on, input.settings, raw)
  const role = {
    uuid: randomUUID(),
    name: readRoleWords('name', input.name),
    description: readRoleWords('description', input.description ?? ''),
    for_account: input.for_account !== 0,
    for_group: input.for_group !== 0,
    for_location: input.for_location !== 0,
    permissions: given.permissions,
  }
  await changePeople(services.db, [accountUuid], async (tx) => {
    const taken = await findRoleByName(tx, accountUuid, role.name)
    if (taken) throw fail('ALREADY_EXISTS', { subtype: taken })
    await addRole(tx, { ...role, accountUuid, type: '' })
    await updateRole(tx, role)
    await storeGiven(tx, role.uuid, given)
    const set = await putRoleSettings(tx, role.uuid, settings)
    const detail = { name: role.name, ...differences(nothing, given), ...set }
    await writeAudit(tx, { accountUuid, caller, action: 'ADD', type: 'Role', objectUuid: role.uuid, detail })
  })
  return { uuid: role.uuid }
}
