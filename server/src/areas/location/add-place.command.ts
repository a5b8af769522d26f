import type { groupAdd } from '@hilum/contract/calls/group'
import { changePeople } from '../account/change-people.command.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { changeFieldValues } from '../customfield/change-field-values.command.ts'
import type { CallRequest } from '../handler.ts'
import { changePlace, type PlaceInput } from './change-place.command.ts'
import { createGroup } from '../group/create-group.command.ts'
import { findGroup, findGroupByName, type PlaceKind } from '../group/group.sql.ts'
import { auditType, designationIn, readPlaceName } from '../group/place.policy.ts'

type Asked = Pick<CallRequest<typeof groupAdd>, 'services' | 'raw' | 'caller' | 'on' | 'fail'> & {
  input: PlaceInput & { name: string }
}

/** Makes a group or location with all that is said of it, or nothing. */
export async function addPlace(request: Asked, kind: PlaceKind): Promise<{ uuid: string; namespace_id: string }> {
  const { services, input, raw, caller, on, fail } = request
  const accountUuid = on.ownerUuid
  const name = readPlaceName(input.name)
  const group_designation = designationIn(input.inbox_config, kind)
  return changePeople(services.db, [accountUuid], async (tx) => {
    if (await findGroupByName(tx, accountUuid, name)) throw fail('DUP_NAMESPACE_NAME')
    const made = await createGroup(tx, { accountUuid, kind, name, config: { group_designation } })
    const row = await findGroup(tx, made.groupUuid)
    if (!row) throw fail('NOT_FOUND')
    const { name: _name, ...change } = input
    const { detail } = await changePlace(tx, { row, kind, own: on, byUser: caller.userUuid }, change)
    const owner = { object: auditType(kind), accountUuid, groupUuid: made.groupUuid }
    const fields = await changeFieldValues(tx, owner, raw)
    await writeAudit(tx, {
      accountUuid,
      caller,
      action: 'ADD',
      type: auditType(kind),
      objectUuid: made.groupUuid,
      detail: { name, group_designation, ...detail, ...fields },
    })
    return { uuid: made.groupUuid, namespace_id: made.namespaceUuid }
  })
}
