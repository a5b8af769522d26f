import type { Caller } from '../../access/caller.ts'
import type { Tx } from '../../db/database.ts'
import { asOutside, writeAudit } from '../audit/audit.sql.ts'
import { deleteGroup } from '../group/group-write.sql.ts'
import { takeExamsAlong } from '../storage/take-along.command.ts'
import { endAccess } from '../user/end-access.command.ts'
import { setDisabled } from '../user/operator.sql.ts'
import { lockAccountNames } from './account-security.sql.ts'
import {
  closePersonalPlaces,
  endLinksOfAccount,
  endSessionsInto,
  hasOtherOpenAccount,
  hasStudiesLeft,
  listFormerMembers,
  listOpenConnections,
  listPlacesOf,
  lockOpenAccount,
  lockPlaces,
  markClosed,
  movePersonalPlaces,
  stopAutomatons,
} from './close-account.sql.ts'
import { endConnection } from './connect.command.ts'
import { lockConnection } from './connection.sql.ts'
import { deleteMember } from './member.sql.ts'

type CloseRefusal = 'gone' | 'studies' | 'last' | 'operator'

/**
 * Closes an account: connections, links, sessions, keys, rules and groups end, its people leave, and those without
 * another account cannot sign in any more. The audit stays.
 * @returns why the account stays open, with nothing changed
 */
export async function closeAccount(
  tx: Tx,
  caller: Caller,
  accountUuid: string,
  address: string,
): Promise<CloseRefusal | undefined> {
  await lockAccountNames(tx)
  const account = await lockOpenAccount(tx, accountUuid)
  if (!account) return 'gone'
  if (!(await hasOtherOpenAccount(tx, accountUuid))) return 'last'
  await lockPlaces(tx, accountUuid)
  if (await hasStudiesLeft(tx, accountUuid)) return 'studies'
  const members = await listFormerMembers(tx, accountUuid)
  if (members.some((one) => one.is_operator && one.other_account === null)) return 'operator'
  const connections = await listOpenConnections(tx, accountUuid)
  for (const uuid of connections) {
    const one = await lockConnection(tx, accountUuid, { uuid })
    if (one) await endConnection(tx, caller, one, { accountUuid, address })
  }
  const links = await endLinksOfAccount(tx, accountUuid)
  await endSessionsInto(tx, accountUuid)
  await stopAutomatons(tx, accountUuid)
  await movePersonalPlaces(tx, accountUuid, members)
  await takeExamsAlong(
    tx,
    asOutside(caller),
    members.map((one) => one.user_uuid),
  )
  for (const { user_uuid: userUuid, other_account: other } of members) {
    await deleteMember(tx, accountUuid, userUuid)
    if (other !== null) continue
    await setDisabled(tx, userUuid, true)
    await endAccess(tx, userUuid)
  }
  await closePersonalPlaces(tx, accountUuid)
  const places = await listPlacesOf(tx, accountUuid)
  for (const place of places) await deleteGroup(tx, place)
  await markClosed(tx, { uuid: accountUuid, namespaceUuid: account.namespace_uuid })
  await writeAudit(tx, {
    accountUuid,
    caller,
    action: 'DELETE',
    type: 'Account',
    objectUuid: accountUuid,
    detail: {
      name: account.name,
      people: members.length,
      groups: places.length,
      links,
      connections: connections.length,
    },
  })
  return undefined
}
