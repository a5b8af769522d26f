import { type ShareSettings, writeShareSettings } from '@hilum/contract/share-settings'
import { accountUserList } from '@hilum/contract/calls/account-user'
import { isMailable, readOneAddress } from '@hilum/contract/mail-address'
import type { Place, PlaceDetail, PlaceMember } from '@hilum/contract/entities/place'
import type { Designation, InboxConfig, RiskLine } from '@hilum/contract/inbox-config'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiFailure } from '../api/api-failure.ts'
import { callApi } from '../api/call-api.ts'
import { callBundle } from '../api/call-bundle.ts'
import type { GridView } from '../ui/grid-view.ts'
import { changedFields } from './changed-fields.ts'
import { fieldParameters, filledParameters } from './field-parameters.ts'
import { fetchPlaces, placeCalls, type PlaceKinds } from './place-calls.ts'

export type { Place, PlaceDetail, PlaceKinds, PlaceMember }

export type PlaceFilters = { name: string; type: string }
export const noPlaceFilters: PlaceFilters = { name: '', type: '' }
export type MemberFilters = { person: string }
export const noMemberFilters: MemberFilters = { person: '' }

const key = 'groups-page'

function pageOf({ page, rows, sort }: GridView) {
  return {
    'page.rows': rows,
    'page.number': page,
    sort_by: `${sort.field}-${sort.isDescending ? 'desc' : 'asc'}`,
  }
}

/** Anywhere in the text; the wire's `%` alone stands for anything. */
export function within(typed: string): string | undefined {
  const word = typed.trim().replaceAll('%', '')
  return word ? `%${word}%` : undefined
}

/** A page of the groups or locations of an account. */
export function placesQuery(of: PlaceKinds, accountId: string, view: GridView, filters: PlaceFilters) {
  return queryOptions({
    queryKey: [key, of, accountId, view, filters],
    queryFn: ({ signal }) =>
      fetchPlaces(of, accountId, {
        signal,
        list: {
          ...pageOf(view),
          'filter.name.like': within(filters.name),
          'filter.group_designation.equals': filters.type || undefined,
        },
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
}

export function placeQuery(of: PlaceKinds, placeId: string) {
  return queryOptions({
    queryKey: [key, 'one', placeId],
    queryFn: ({ signal }) => callApi(placeCalls[of].get, { uuid: placeId }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
}

/** The gatekeeper groups of an account. */
export function gatekeepersQuery(accountId: string) {
  return queryOptions({
    queryKey: [key, accountId, 'gatekeepers'],
    queryFn: async ({ signal }) => {
      const list = { 'page.rows': 1000, sort_by: 'name-asc', 'filter.group_designation.equals': 'GATEKEEPER' }
      return (await fetchPlaces('groups', accountId, { signal, list })).rows
    },
    staleTime: 0,
    gcTime: 0,
  })
}

/** A page of the people of a group or location. */
export function membersQuery(of: PlaceKinds, placeId: string, view: GridView, { person }: MemberFilters) {
  return queryOptions({
    queryKey: [key, placeId, 'members', view, person],
    queryFn: ({ signal }) =>
      callApi(
        placeCalls[of].listUsers,
        { uuid: placeId },
        { signal, list: { ...pageOf(view), 'filter.user_name.like': within(person) } },
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
}

/** People of the account whose names hold what is typed, to be put into a group or location. */
export function peopleToAddQuery(accountId: string, typed: string) {
  return queryOptions({
    queryKey: [key, accountId, 'people', typed],
    queryFn: async ({ signal }) => {
      const address = readOneAddress(typed)
      const found = isMailable(address)
        ? { 'filter.user_email.like': within(address) }
        : { 'filter.user_name.like': within(typed) }
      const list = { 'page.rows': 20, sort_by: 'user_name-asc', 'filter.user_disabled.equals': 0, ...found }
      const { users, page } = await callApi(accountUserList, { uuid: accountId }, { signal, list })
      return { users, hasMore: page.more > 0 }
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
}

/** The values of the form of a group or location. */
export interface PlaceValues {
  /** Undefined for a new place. */
  placeId: string | undefined
  name: string
  designation: Designation
  states: string[]
  roleId: string
  shareCode: string
  shareDescription: string
  approves: boolean
  approvesUploads: boolean
  approvesHarvests: boolean
  takesNoShares: boolean
  /** How the place takes in what outsiders send. */
  taking: ShareSettings
  /** Share settings as they are kept, others than those of the form too. */
  storedSettings: Record<string, unknown>
  promotesTo: string[]
  preference: InboxConfig['pacs_promote_preference']
  /** Of the form of a gatekeeper group: uuids of custom fields, in their order. */
  formFields: string[]
  /** Destinations that a gatekeeper group may send to, by uuid; empty for all that are open to it. */
  pushable: string[]
  riskLine: RiskLine
  /** Values of the priority in a gatekeeper group, line by line. */
  priorities: string[]
  aeTitle: string
  senders: string[]
  /** The peers that may query and retrieve, line by line. */
  askers: string[]
  /** The peers that may ask for the worklist, line by line. */
  modalities: string[]
  /** Senders of orders by HL7 that are allowed, line by line. */
  orderSenders: string[]
  /** Values of custom fields by their uuids. */
  fields: Readonly<Record<string, string>>
  /** The place as the form shows it; undefined saves whatever others changed meanwhile. */
  seen: Readonly<Record<string, unknown>> | undefined
}

/** Makes a group or location, or changes what differs of one. */
export function useSavePlace(of: PlaceKinds, accountId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ before, ...values }: PlaceValues & { before: PlaceValues }) => {
      const sent = sentPlace(values)
      if (!values.placeId) {
        return callApi(placeCalls[of].add, { account_id: accountId, ...sent, ...filledParameters(values.fields) })
      }
      const was = sentPlace(before)
      const { inbox_config: config, ...changed } = changedFields(was, sent)
      const changedConfig = config && { inbox_config: changedFields(was.inbox_config, config) }
      const changedValues = changedFields(fieldParameters(before.fields), fieldParameters(values.fields))
      const change = { ...changed, ...changedConfig, ...changedValues }
      return callApi(placeCalls[of].set, { uuid: values.placeId, ...change, seen: values.seen })
    },
    onSuccess: () => forget(client),
  })
}

function sentPlace(values: PlaceValues) {
  const flag = (isOn: boolean) => (isOn ? (1 as const) : (0 as const))
  const isGatekeeper = values.designation === 'GATEKEEPER'
  return {
    name: values.name.trim(),
    must_approve: flag(values.approves || isGatekeeper),
    must_approve_upload: flag(values.approvesUploads),
    must_approve_harvest: flag(values.approvesHarvests),
    no_share: flag(values.takesNoShares),
    share_code: values.shareCode.trim(),
    share_description: values.shareDescription.trim(),
    share_settings: settingsOf(values),
    role_id: values.roleId,
    inbox_config: {
      group_designation: values.designation,
      active_study_filters: values.states,
      pacs_promote_groups: values.designation === 'CLOUD' ? values.promotesTo : [],
      pacs_promote_preference: values.preference,
      ...(isGatekeeper
        ? {
            pacs_form_customfields: values.formFields,
            pushable_destinations: values.pushable,
            risk_line: values.riskLine,
            priority_values: writtenLines(values.priorities),
          }
        : {}),
    },
    dicom_ae_title: values.aeTitle.trim(),
    dicom_allowed_peers: values.senders,
    dicom_query_peers: values.askers,
    dicom_worklist_peers: values.modalities,
    hl7_senders: values.orderSenders,
  }
}

/** Lines that say something. */
export const writtenLines = (lines: readonly string[]): string[] =>
  lines.map((one) => one.trim()).filter((one) => one !== '')

/** Keys that the form does not know stay. */
function settingsOf({ storedSettings, taking }: PlaceValues): Record<string, unknown> {
  const { enable_dicom_wrapping: _chosen, ...rest } = storedSettings
  return { ...rest, ...writeShareSettings(taking) }
}

/** Lists of places anywhere on the screen, the left navigation too. */
async function forget(client: ReturnType<typeof useQueryClient>): Promise<void> {
  const keys = [key, 'account-groups', 'namespaces', 'account-users', 'share-settings']
  await Promise.all(keys.map((one) => client.invalidateQueries({ queryKey: [one] })))
}

/** The outcome of each of several. */
export interface MemberOutcome<One> {
  one: One
  failure: unknown
}

/** Removes groups or locations in one request (GRID-05). */
export function useDeletePlaces(of: PlaceKinds) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (places: readonly Place[]): Promise<MemberOutcome<Place>[]> => {
      const results = await callBundle(
        placeCalls[of].remove,
        places.map(({ uuid }) => ({ parameters: { uuid } })),
      )
      return outcomes(places, results)
    },
    onSettled: () => forget(client),
  })
}

/** Puts people into a group or location, or gives them another role there; without a role the default holds. */
export function useAddMembers(of: PlaceKinds, placeId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({
      users,
      roleId,
    }: {
      users: readonly { user_id: string; user_name: string; user_email: string }[]
      roleId: string
    }) => {
      const results = await callBundle(
        placeCalls[of].addUser,
        users.map(({ user_id }) => ({
          parameters: { uuid: placeId, user_id, ...(roleId ? { role_id: roleId } : {}) },
        })),
      )
      return outcomes(users, results)
    },
    onSettled: () => forget(client),
  })
}

/** Takes people out of a group or location. */
export function useRemoveMembers(of: PlaceKinds, placeId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (users: readonly PlaceMember[]) => {
      const results = await callBundle(
        placeCalls[of].removeUser,
        users.map(({ user_id }) => ({ parameters: { uuid: placeId, user_id } })),
      )
      return outcomes(users, results)
    },
    onSettled: () => forget(client),
  })
}

function outcomes<One>(
  sent: readonly One[],
  results: readonly ({ isDone: true } | { isDone: false; failure: ApiFailure })[],
): MemberOutcome<One>[] {
  return sent.map((one, at) => {
    const result = results[at]
    if (!result) return { one, failure: new ApiFailure('UNEXPECTED_ERROR') }
    return { one, failure: result.isDone ? undefined : result.failure }
  })
}
