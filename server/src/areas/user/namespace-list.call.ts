import { mayDo } from '@hilum/contract/acts'
import type { UserNamespace, userNamespaceList } from '@hilum/contract/calls/user'
import type { Membership } from '../../access/caller.ts'
import type { Handler } from '../handler.ts'
import { presentNamespaceSettings } from '../namespace/namespace-settings.ts'
import { presentFlags } from '../role/permissions.presenter.ts'
import { listSettingsOf } from '../setting/setting.sql.ts'
import { listNamespaceFacts, type NamespaceFacts } from './user-namespace.sql.ts'

/** With an account its namespaces, plus_phr=1 adds the personal one; without an account all of them. */
export const namespaceList: Handler<typeof userNamespaceList> = async ({ services, input, caller }) => {
  const { account_id, plus_phr, name_and_id_only } = input
  const memberships = await caller.memberships()
  const listed = memberships.filter((one) =>
    one.kind === 'user' ? !account_id || plus_phr === 1 : !account_id || one.accountUuid === account_id,
  )
  if (name_and_id_only === 1) {
    const short = listed.map((one) => ({ uuid: one.namespaceUuid, name: one.name }))
    return { namespaces: short as UserNamespace[] } // the flag asks for exactly these two of the full shape
  }
  const uuids = listed.map((one) => one.namespaceUuid)
  const approving = listed.filter((one) => mayDo('approveStudy', one)).map((one) => one.namespaceUuid)
  const [settings, facts] = await Promise.all([
    listSettingsOf(services.db, 'namespace', uuids),
    listNamespaceFacts(services.db, uuids, approving),
  ])
  return {
    namespaces: listed.map((one) =>
      presentNamespace(
        one,
        presentNamespaceSettings(settings.get(one.namespaceUuid) ?? {}, mayDo('seeOperatorSettings', one)),
        facts.get(one.namespaceUuid),
      ),
    ),
  }
}

function presentNamespace(
  membership: Membership,
  settings: UserNamespace['settings'],
  facts: NamespaceFacts | undefined,
): UserNamespace {
  const mayRead = mayDo('viewStudy', membership)
  return {
    uuid: membership.namespaceUuid,
    name: membership.name,
    type: `${membership.kind}_id`,
    type_uuid: membership.ownerUuid,
    account_id: membership.accountUuid,
    role_id: membership.roleUuid,
    permissions: presentFlags(membership.permissions),
    settings,
    destinations: [],
    events: {},
    share_code: facts?.share_code ?? '',
    study_count: mayRead ? (facts?.study_count ?? 0) : 0,
    thin_study_count: mayRead ? (facts?.thin_study_count ?? 0) : 0,
  }
}
