import { accountSet } from '@hilum/contract/calls/account-set'
import { accountUserList } from '@hilum/contract/calls/account-user'
import { auditAccount } from '@hilum/contract/calls/audit'
import { destinationSet } from '@hilum/contract/calls/destination'
import { groupUserList } from '@hilum/contract/calls/group'
import { locationUserList } from '@hilum/contract/calls/location'
import { retentionGet } from '@hilum/contract/calls/retention'
import { routeList } from '@hilum/contract/calls/route'
import { webhookList } from '@hilum/contract/calls/webhook'
import { useEstablished } from './session-store.ts'
import { mayCall } from './use-may.ts'

/** Calls of the pages that make somebody an administrator. */
const ofAdministrators = [
  accountSet,
  accountUserList,
  groupUserList,
  locationUserList,
  routeList,
  webhookList,
  destinationSet,
  retentionGet,
  auditAccount,
]

/** PERM-02: administrators of the account, and the two system flags above all roles. */
export function useIsAdministrator(): boolean {
  const { user, permissions } = useEstablished()
  return user.sysadmin === 1 || user.support === 1 || ofAdministrators.some((one) => mayCall(one, permissions))
}
