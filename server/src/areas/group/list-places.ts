import { type Act, mayDo } from '@hilum/contract/acts'
import type { Place } from '@hilum/contract/entities/place'
import type { groupList } from '@hilum/contract/calls/group'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import { customFieldColumns, customFieldSorts } from '../customfield/field-columns.sql.ts'
import type { CallRequest } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { presentGroup } from './group.presenter.ts'
import { fieldsOfGroup, groupColumns, groupOrder, listGroups, type PlaceKind } from './group.sql.ts'
import { auditType } from './place.policy.ts'

type Asked = Pick<CallRequest<typeof groupList>, 'services' | 'list' | 'caller' | 'on'>

/** The groups or locations of an account: all of them for who may see them, else the caller's own. */
export async function listPlaces({ services, list, caller, on }: Asked, kind: PlaceKind, see: Act) {
  const own = (await caller.memberships()).filter((one) => one.kind === kind).map((one) => one.ownerUuid)
  const scope = { accountUuid: on.ownerUuid, kind, onlyUuids: mayDo(see, on) ? undefined : own }
  const definitions = await listDefinitions(services.db, [on.ownerUuid], auditType(kind))
  const sqlOfList = listSql(
    list,
    { ...groupColumns, ...customFieldColumns(definitions, fieldsOfGroup) },
    caller.timeZone,
    groupOrder,
    { ...groupColumns, ...customFieldSorts(definitions, fieldsOfGroup) },
  )
  const { rows, page } = toPage(await listGroups(services.db, scope, sqlOfList), list)
  return { rows: rows.map((row): Place => presentGroup(row, definitions)), page }
}
