import type { roleDelete } from '@hilum/contract/calls/role'
import { changePeople } from '../account/change-people.command.ts'
import { demandWithin } from '../account/promotion.policy.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { listRulesOfRole } from '../routing/uses.sql.ts'
import { differences, givenBy, nothing } from './change-role.ts'
import { findRoleUse, findWholeRole } from './role.sql.ts'
import { deleteRole } from './role-write.sql.ts'

/** The two roles that the system made and knows by their type stay. */
export const remove: Handler<typeof roleDelete> = async ({ services, input, caller, on, fail }) => {
  const accountUuid = on.ownerUuid
  await changePeople(services.db, [accountUuid], async (tx) => {
    const row = await findWholeRole(tx, accountUuid, input.uuid)
    if (!row) throw fail('NOT_FOUND')
    const given = givenBy(row)
    demandWithin(on, given, 'ROLE_ABOVE')
    if (row.type !== '') throw fail('NOT_PERMITTED', { subtype: 'SYSTEM_ROLE' })
    const use = await findRoleUse(tx, row.uuid)
    const used = (['account', 'group', 'location', 'default'] as const).filter((one) => use[one])
    if (used.length > 0) throw fail('IN_USE', { subtype: used })
    // without the last of its roles everybody could start the rule
    const routes = await listRulesOfRole(tx, accountUuid, row.uuid)
    if (routes.length > 0) throw fail('IN_USE', { subtype: ['route'], data: { routes } })
    await deleteRole(tx, row.uuid)
    const detail = { name: row.name, ...differences(given, nothing) }
    await writeAudit(tx, { accountUuid, caller, action: 'DELETE', type: 'Role', objectUuid: row.uuid, detail })
  })
  return {}
}
