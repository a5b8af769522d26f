import {
  type AccountUser,
  accountUserAdd,
  accountUserDelete,
  accountUserGet,
  accountUserList,
  accountUserSet,
  userEnable,
} from '@hilum/contract/calls/account-user'
import { userWelcome } from '@hilum/contract/calls/user-invite'
import { roleList } from '@hilum/contract/calls/role'
import { groupList } from '@hilum/contract/calls/group'
import { locationList } from '@hilum/contract/calls/location'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiFailure } from '../api/api-failure.ts'
import { callApi } from '../api/call-api.ts'
import { callBundle } from '../api/call-bundle.ts'
import { within } from './account-groups.ts'
import { changedFields } from './changed-fields.ts'
import { fieldParameters, filledParameters } from './field-parameters.ts'

export type { AccountUser }

export type UserFilters = {
  first: string
  last: string
  email: string
  roleId: string
  state: '' | 'active' | 'disabled'
}
export const noUserFilters: UserFilters = { first: '', last: '', email: '', roleId: '', state: '' }

interface Page {
  page: number
  rows: number
  sort: { field: string; isDescending: boolean }
}

const key = 'account-users'

/** A page of the people of an account. */
export function accountUsersQuery(accountId: string, { page, rows, sort }: Page, filters: UserFilters) {
  return queryOptions({
    queryKey: [key, accountId, page, rows, sort, filters],
    queryFn: ({ signal }) =>
      callApi(
        accountUserList,
        { uuid: accountId },
        {
          signal,
          list: { 'page.rows': rows, 'page.number': page, ...narrowed(sort, filters) },
        },
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
}

function narrowed(sort: Page['sort'], filters: UserFilters) {
  return {
    sort_by: `${sort.field}-${sort.isDescending ? 'desc' : 'asc'}`,
    'filter.user.first.like': within(filters.first),
    'filter.user.last.like': within(filters.last),
    'filter.user_email.like': within(filters.email),
    'filter.role_id.equals': filters.roleId || undefined,
    'filter.user_disabled.equals': filters.state ? Number(filters.state === 'disabled') : undefined,
  }
}

/** Everybody whom the filter finds, page after page, in the order of the grid. */
export async function listEveryUser(
  accountId: string,
  sort: Page['sort'],
  filters: UserFilters,
): Promise<AccountUser[]> {
  const found: AccountUser[] = []
  for (let page = 1; ; page += 1) {
    const list = { 'page.rows': 1000, 'page.number': page, ...narrowed(sort, filters) }
    const reply = await callApi(accountUserList, { uuid: accountId }, { list })
    found.push(...reply.users)
    if (reply.page.more !== 1) return found
  }
}

/** Most roles, groups or locations that are read to choose from. */
export const mostPlaces = 1000
const most = { 'page.rows': mostPlaces, 'page.number': 1, sort_by: 'name-asc' }

export function rolesQuery(accountId: string) {
  return queryOptions({
    queryKey: ['roles', accountId],
    queryFn: async ({ signal }) =>
      (await callApi(roleList, { account_id: accountId }, { signal, list: { ...most, 'fields.role': roleFields } }))
        .roles,
  })
}
const roleFields = ['uuid', 'name', 'for_account', 'for_group', 'for_location', 'is_above']

export function accountGroupsQuery(accountId: string) {
  return queryOptions({
    queryKey: ['account-groups', accountId],
    queryFn: async ({ signal }) =>
      (
        await callApi(
          groupList,
          { account_id: accountId },
          { signal, list: { ...most, 'fields.group': ['uuid', 'name'] } },
        )
      ).groups,
  })
}

/** Locations of an account by name. */
export function accountLocationsQuery(accountId: string) {
  return queryOptions({
    queryKey: ['account-locations', accountId],
    queryFn: async ({ signal }) => {
      const list = { ...most, 'fields.location': ['uuid', 'name'] }
      return (await callApi(locationList, { account_id: accountId }, { signal, list })).locations
    },
  })
}

export function accountUserQuery(accountId: string, userId: string) {
  return queryOptions({
    queryKey: [key, accountId, 'one', userId],
    queryFn: ({ signal }) => callApi(accountUserGet, { uuid: accountId, user_id: userId }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
}

export interface UserValues {
  /** Undefined for somebody who is invited. */
  userId: string | undefined
  first: string
  last: string
  email: string
  roleId: string
  /** Undefined leaves the groups as they are. */
  groups: { uuid: string; role_id: string }[] | undefined
  /** Whether the second factor is required of the person; undefined leaves it as it is. */
  isPinDemanded: boolean | undefined
  /** Whether the person signs in by the organisation's provider alone; undefined leaves it as it is. */
  isProviderOnly: boolean | undefined
  /** Values of custom fields by their uuids. */
  fields: Readonly<Record<string, string>>
  /** The person as the form shows one; undefined saves whatever others changed meanwhile. */
  seen: Readonly<Record<string, unknown>> | undefined
}

/** Invites somebody, or changes what differs of somebody. */
export function useSaveUser(accountId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ before, ...values }: UserValues & { before: UserValues }) => {
      const { userId, seen } = values
      const [sent, was] = [sentUser(values), sentUser(before)]
      if (!userId) return callApi(accountUserAdd, { uuid: accountId, ...sent, ...filledParameters(values.fields) })
      const changed = changedFields(
        { ...was, ...fieldParameters(before.fields) },
        { ...sent, ...fieldParameters(values.fields) },
      )
      await callApi(accountUserSet, { uuid: accountId, user_id: userId, ...changed, seen })
      return undefined
    },
    onSuccess: () => client.invalidateQueries({ queryKey: [key] }),
  })
}

function sentUser({ first, last, email, roleId, groups, isPinDemanded, isProviderOnly }: UserValues) {
  const flag = (isOn: boolean) => (isOn ? (1 as const) : (0 as const))
  return {
    first: first.trim(),
    last: last.trim(),
    email: email.trim(),
    ...(roleId ? { role_id: roleId } : {}),
    ...(groups ? { groups } : {}),
    ...(isPinDemanded === undefined ? {} : { pin_demanded: flag(isPinDemanded) }),
    ...(isProviderOnly === undefined ? {} : { sso_only: flag(isProviderOnly) }),
  }
}

export type UserAct = 'enable' | 'disable' | 'delete'

/** Does one thing to people, in one request; tells what became of each (GRID-05). */
export function useActOnUsers(accountId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ act, users }: { act: UserAct; users: readonly AccountUser[] }) => {
      const results =
        act === 'delete'
          ? await callBundle(
              accountUserDelete,
              users.map((one) => ({ parameters: { uuid: accountId, user_id: one.user_id } })),
            )
          : await callBundle(
              userEnable,
              users.map((one) => ({ parameters: { uuid: one.user_id, disable: act === 'disable' ? 1 : 0 } })),
            )
      return users.map((user, at) => {
        const result = results[at]
        if (!result) return { user, failure: new ApiFailure('UNEXPECTED_ERROR') }
        return { user, failure: result.isDone ? undefined : result.failure }
      })
    },
    onSettled: () => client.invalidateQueries({ queryKey: [key] }),
  })
}

/** Mails an invitation again, to somebody who has not signed in yet. */
export function useInviteAgain(accountId: string) {
  return useMutation({
    mutationFn: (email: string) => callApi(userWelcome, { account_id: accountId, email }),
  })
}
