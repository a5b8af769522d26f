import { accountSet } from '@hilum/contract/calls/account-set'
import { accountUserList } from '@hilum/contract/calls/account-user'
import { auditAccount, auditRefused } from '@hilum/contract/calls/audit'
import { customfieldList, customfieldSet } from '@hilum/contract/calls/customfield'
import { destinationSet } from '@hilum/contract/calls/destination'
import { groupUserList } from '@hilum/contract/calls/group'
import { identityProviderSet } from '@hilum/contract/calls/identity'
import { locationUserList } from '@hilum/contract/calls/location'
import { retentionGet } from '@hilum/contract/calls/retention'
import { roleList } from '@hilum/contract/calls/role'
import { routeList } from '@hilum/contract/calls/route'
import { webhookList } from '@hilum/contract/calls/webhook'
import { useIsAdministrator } from './is-administrator.ts'
import { useEstablished } from './session-store.ts'
import { useIsOfSystem, useMayCall } from './use-may.ts'

/** Pages about the person who is signed in (ROUTE-07). */
export const accountPages = [
  { to: '/account-settings', name: 'profile.title' },
  { to: '/account-settings/password', name: 'password.title' },
  { to: '/account-settings/notifications', name: 'notify.title' },
  { to: '/account-settings/appearance', name: 'appearance.title' },
  { to: '/account-settings/two-factor', name: 'pin.title' },
  { to: '/account-settings/sign-in', name: 'ownIdentities.title' },
  { to: '/account-settings/sessions', name: 'sessions.title' },
  { to: '/account-settings/keys', name: 'programKeys.title' },
  { to: '/account-settings/outside', name: 'outside.title' },
] as const

const ofUsers = [{ to: '/administration/users', name: 'users.title' }] as const
const ofGroups = [{ to: '/administration/groups', name: 'groups.title' }] as const
const ofLocations = [{ to: '/administration/locations', name: 'locations.title' }] as const
const ofRoles = [{ to: '/administration/roles', name: 'roles.title' }] as const
const ofRoutes = [{ to: '/administration/routing-rules', name: 'routing.title' }] as const
const ofWebhooks = [{ to: '/administration/webhooks', name: 'webhooks.title' }] as const
const ofDestinations = [{ to: '/administration/destinations', name: 'destinations.title' }] as const
const ofConnections = [
  { to: '/administration/connections', name: 'connections.title' },
  { to: '/administration/outside', name: 'outside.title' },
] as const
const ofSettings = [
  { to: '/administration', name: 'firstSteps.title' },
  { to: '/administration/organisation', name: 'organisation.title' },
  { to: '/administration/security', name: 'security.title' },
] as const
const ofRetention = [{ to: '/administration/retention', name: 'retention.title' }] as const
const ofSignIn = [{ to: '/administration/sign-in', name: 'provider.title' }] as const
const ofFields = [{ to: '/administration/custom-fields', name: 'customFields.title' }] as const
const ofAudit = [{ to: '/administration/audit', name: 'audit.title' }] as const
const ofInstallation = [{ to: '/administration/system', name: 'system.title' }] as const
const ofRefusals = [{ to: '/administration/refused', name: 'refused.title' }] as const
const ofActivity = [
  { to: '/administration/outbox', name: 'admin.outbox' },
  { to: '/administration/work', name: 'jobs.title' },
] as const

/** ADMIN-USERS-02: only the pages that the person may open, by what they are about. */
export function useAdministrationPages() {
  const isAdministrator = useIsAdministrator()
  const maySeeUsers = useMayCall(accountUserList)
  const maySeeGroups = useMayCall(groupUserList)
  const maySeeLocations = useMayCall(locationUserList)
  const maySeeRoles = useMayCall(roleList)
  const maySeeRoutes = useMayCall(routeList)
  const maySeeWebhooks = useMayCall(webhookList)
  const mayAccount = useMayCall(accountSet)
  const maySignIn = useMayCall(identityProviderSet)
  const mayFields = [useMayCall(customfieldList), useMayCall(customfieldSet)].every(Boolean)
  const maySeeRetention = useMayCall(retentionGet)
  const maySeeAudit = useMayCall(auditAccount)
  const maySeeRefusals = useMayCall(auditRefused)
  const mayDestinations = useMayCall(destinationSet)
  const { isSystem, isSupporter } = useIsOfSystem()
  return [
    {
      part: 'people',
      pages: [
        ...(maySeeUsers ? ofUsers : []),
        ...(maySeeGroups ? ofGroups : []),
        ...(maySeeLocations ? ofLocations : []),
        ...(isAdministrator && maySeeRoles ? ofRoles : []),
      ],
    },
    {
      part: 'exchange',
      pages: [
        ...(maySeeRoutes ? ofRoutes : []),
        ...(maySeeWebhooks ? ofWebhooks : []),
        ...(mayDestinations ? ofDestinations : []),
        ...(mayAccount ? ofConnections : []),
      ],
    },
    {
      part: 'settings',
      pages: [
        ...(mayAccount ? ofSettings : []),
        ...(maySeeRetention ? ofRetention : []),
        ...(maySignIn ? ofSignIn : []),
        ...(isAdministrator && mayFields ? ofFields : []),
      ],
    },
    {
      part: 'activity',
      pages: [
        ...(maySeeAudit ? ofAudit : []),
        ...(maySeeRefusals ? ofRefusals : []),
        ...(mayAccount ? ofActivity : []),
      ],
    },
    { part: 'installation', pages: isSystem || isSupporter ? ofInstallation : [] },
  ] as const
}

/** Whether the way to the administration is offered (SHELL-05: an account may hide it from everybody). */
export function useHasAdministration(): boolean {
  const { account } = useEstablished()
  const isAdministrator = useIsAdministrator()
  return isAdministrator && account.settings['hide_administration_tab'] !== '1'
}

/** SHELL-06: whether the worklist is offered: where the account lets people choose, and to whoever administers it. */
export function useHasWorklist(): boolean {
  const { account } = useEstablished()
  const isAdministrator = useIsAdministrator()
  return isAdministrator || account.settings['inbox_allow_switch_between_modes'] === '1'
}
