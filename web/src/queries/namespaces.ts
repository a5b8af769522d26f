import { linkList } from '@hilum/contract/calls/link'
import { studyUploadCheck } from '@hilum/contract/calls/study'
import { studyRevive } from '@hilum/contract/calls/study-acts'
import { type UserNamespace, userNamespaceList } from '@hilum/contract/calls/user'
import { type Designation, type InboxConfig, studyStates, type StudyState } from '@hilum/contract/inbox-config'
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { type Decided, inPlace, mayCall } from '../session/use-may.ts'
import { useEstablished } from '../session/session-store.ts'
import { logOnce } from './log-once.ts'

/** A place in the left navigation that holds studies (ENTITY-05). */
export interface Inbox {
  /** The group's uuid; of My studies the user's, of the Organisation inbox the account's. Stands in the address. */
  id: string
  name: string
  kind: 'group' | 'mine' | 'organisation'
  /** The field of calls that takes `id`; locations stand among the groups. */
  idField: UserNamespace['type']
  designation: Designation
  namespaceId: string
  permissions: Record<string, number>
  states: readonly StudyState[]
  /** Of a gatekeeper group: how it works. */
  gate?: InboxConfig
}

/** Where sends from other accounts arrive, and the person's own studies, stand as libraries. */
const kinds = { group_id: 'group', location_id: 'group', user_id: 'mine', account_id: 'organisation' } as const
/** SHELL-13 */
const order: readonly Designation[] = ['LIBRARY', 'GATEKEEPER', 'CLOUD']

export const namespacesQuery = (accountUuid: string) =>
  queryOptions({
    queryKey: ['namespaces', accountUuid],
    queryFn: async ({ signal }) => {
      const sent = { account_id: accountUuid, plus_phr: 1 as const }
      const { namespaces } = await callApi(userNamespaceList, sent, { signal })
      return sortInboxes(namespaces.map(toInbox))
    },
    staleTime: 5 * 60_000,
  })

/** The person's inboxes in the account they work in. Below the shell, which has loaded them. */
export function useInboxes(): readonly Inbox[] {
  const { account } = useEstablished()
  return useSuspenseQuery(namespacesQuery(account.uuid)).data
}

/** A person's rights in the place of a study: a study carries those alone that begin with `study_`. */
export function usePlaceFlags(): (study: { phi_namespace: string }) => Readonly<Record<string, number>> {
  const { account } = useEstablished()
  const { data: places } = useQuery(namespacesQuery(account.uuid))
  return (study) => places?.find(({ namespaceId }) => namespaceId === study.phi_namespace)?.permissions ?? {}
}

/** PERM-14, UPLOAD-02: whether the person may upload to a place: a cloud group where they hold study_upload. */
export const takesUploads = ({ kind, designation, permissions }: Inbox): boolean =>
  kind === 'group' && designation === 'CLOUD' && mayCall(studyUploadCheck, permissions)

/** A namespace of the wire as a place in the navigation. */
export function toInbox(namespace: UserNamespace): Inbox {
  const config = namespace.settings.inbox_config
  const kind = kinds[namespace.type]
  const designation = config?.group_designation ?? (kind === 'group' ? 'CLOUD' : 'LIBRARY')
  // ERROR-15: without the names of its fields nothing can be nominated, pushed or rejected there
  if (designation === 'GATEKEEPER' && Object.keys(config?.meta_info_customfields ?? {}).length === 0) {
    logOnce('GateKeeper configuration not found!')
  }
  return {
    id: namespace.type_uuid,
    name: namespace.name,
    kind,
    idField: namespace.type,
    designation,
    namespaceId: namespace.uuid,
    permissions: namespace.permissions,
    states: statesOf(designation, config?.active_study_filters ?? [], namespace.permissions),
    ...(designation === 'GATEKEEPER' && config ? { gate: config } : {}),
  }
}

/** Acts that states need the right to, e.g. to delete for the deleted studies; the others need the group alone. */
const stateNeeds: Partial<Record<StudyState, Decided>> = {
  Deleted: studyRevive,
  'Pending Requests': inPlace(linkList),
}

/** LIST-03…05: the designation's states, narrowed by the group's settings and by what the person may do there. */
export function statesOf(
  designation: Designation,
  active: readonly string[],
  permissions: Record<string, number>,
): readonly StudyState[] {
  const all: readonly StudyState[] = studyStates[designation]
  const permitted = all.filter((state) => {
    const need = stateNeeds[state]
    return need === undefined || mayCall(need, permissions)
  })
  const narrowed = permitted.filter((state) => active.includes(state))
  return narrowed.length > 0 ? narrowed : permitted
}

/** SHELL-13: libraries, then gatekeeper groups, then cloud groups, each by name; the personal places come first. */
export function sortInboxes(inboxes: readonly Inbox[]): readonly Inbox[] {
  const rank = (inbox: Inbox) => ({ mine: -2, organisation: -1, group: order.indexOf(inbox.designation) })[inbox.kind]
  return inboxes.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
}
