import type { roleSet } from '@hilum/contract/calls/role'
import { changePeople } from '../account/change-people.command.ts'
import { demandWithin } from '../account/promotion.policy.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Tx } from '../../db/database.ts'
import { demandUnchanged } from '../demand-unchanged.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { differences, givenBy, readRoleWords, withChange } from './change-role.ts'
import { storeGiven } from './store-given.command.ts'
import { readPermissions } from './read-permissions.ts'
import { putRoleSettings, readRoleSettings } from './role-settings.command.ts'
import { presentRole } from './role.presenter.ts'
import { findRoleByName, findRoleUse, findWholeRole, type RoleRow } from './role.sql.ts'
import { type StoredRole, updateRole } from './role-write.sql.ts'

type Request = CallRequest<typeof roleSet>

export const set: Handler<typeof roleSet> = async (request) => {
  const { services, input, raw, caller, on, fail } = request
  const accountUuid = on.ownerUuid
  const sent = readPermissions(input.permissions, raw)
  const settings = readRoleSettings(on, input.settings, raw)
  const change = async (tx: Tx) => {
    const row = await findWholeRole(tx, accountUuid, input.uuid)
    if (!row) throw fail('NOT_FOUND')
    demandUnchanged(input.seen, presentRole(row))
    const before = givenBy(row)
    const after = withChange(before, sent)
    demandWithin(on, before, 'ROLE_ABOVE')
    demandWithin(on, after, 'permissions')
    const role = { ...(await readRole(request, tx, row)), permissions: after.permissions }
    const changes = { ...changesBetween(row, role), ...differences(before, after) }
    if (Object.keys(changes).length > 0) {
      await updateRole(tx, role)
      await storeGiven(tx, row.uuid, after)
    }
    const detail = { ...changes, ...(await putRoleSettings(tx, row.uuid, settings)) }
    if (Object.keys(detail).length === 0) return
    await writeAudit(tx, { accountUuid, caller, action: 'EDIT', type: 'Role', objectUuid: row.uuid, detail })
  }
  await changePeople(services.db, [accountUuid], change, fail('NO_OTHER_ROLE_EDIT'))
  return {}
}

async function readRole({ input, on, fail }: Request, tx: Tx, row: RoleRow): Promise<Omit<StoredRole, 'permissions'>> {
  const name = input.name === undefined ? row.name : readRoleWords('name', input.name)
  const taken = name === row.name ? undefined : await findRoleByName(tx, on.ownerUuid, name)
  if (taken && taken !== row.uuid) throw fail('ALREADY_EXISTS', { subtype: taken })
  const use = await findRoleUse(tx, row.uuid)
  const forPlace = (place: 'account' | 'group' | 'location') => {
    const isFor = (input[`for_${place}`] ?? Number(row[`for_${place}`])) === 1
    // people with the role would keep a right that nobody could give
    if (!isFor && row[`for_${place}`] && (use[place] || use.default)) throw fail('IN_USE', { subtype: `for_${place}` })
    return isFor
  }
  return {
    uuid: row.uuid,
    name,
    description: input.description === undefined ? row.description : readRoleWords('description', input.description),
    for_account: forPlace('account'),
    for_group: forPlace('group'),
    for_location: forPlace('location'),
  }
}

const fields = ['name', 'description', 'for_account', 'for_group', 'for_location'] as const

function changesBetween(before: RoleRow, after: Omit<StoredRole, 'permissions'>): Record<string, [unknown, unknown]> {
  return Object.fromEntries(
    fields.filter((field) => before[field] !== after[field]).map((field) => [field, [before[field], after[field]]]),
  )
}
