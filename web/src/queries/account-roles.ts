import type { OutputOf } from '@hilum/contract/call'
import {
  type Role,
  roleAdd,
  roleDelete,
  roleGet,
  roleList,
  type RolePerson,
  roleSet,
  roleUserList,
} from '@hilum/contract/calls/role'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import type { GridView } from '../ui/grid-view.ts'
import { within } from './account-groups.ts'
import { changedFields } from './changed-fields.ts'

export type { Role, RolePerson }
/** A role with what it is the default of, and its settings. */
export type RoleDetail = OutputOf<typeof roleGet>

export type RoleFilters = { name: string }
export const noRoleFilters: RoleFilters = { name: '' }

const key = 'roles-page'

function pageOf({ page, rows, sort }: GridView) {
  return { 'page.rows': rows, 'page.number': page, sort_by: `${sort.field}-${sort.isDescending ? 'desc' : 'asc'}` }
}

/** A page of the roles of an account. */
export function rolesPageQuery(accountId: string, view: GridView, { name }: RoleFilters) {
  return queryOptions({
    queryKey: [key, accountId, view, name],
    queryFn: ({ signal }) =>
      callApi(
        roleList,
        { account_id: accountId },
        { signal, list: { ...pageOf(view), 'filter.name.like': within(name) } },
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
}

export function roleQuery(roleId: string) {
  return queryOptions({
    queryKey: [key, 'one', roleId],
    queryFn: ({ signal }) => callApi(roleGet, { uuid: roleId }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
}

/** A page of the people who have a role. */
export function roleUsersQuery(roleId: string, view: GridView) {
  return queryOptions({
    queryKey: [key, roleId, 'users', view],
    queryFn: ({ signal }) => callApi(roleUserList, { uuid: roleId }, { signal, list: pageOf(view) }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
}

/** The values of the form of a role. */
export interface RoleValues {
  /** Undefined for a new role. */
  roleId: string | undefined
  name: string
  description: string
  forAccount: boolean
  forGroup: boolean
  forLocation: boolean
  /** Flags as 1 or 0, the access to fields of a study as letters; of a role that is saved those that differ. */
  permissions: Readonly<Record<string, number | string>>
  /** The role as the form shows it; undefined saves whatever others changed meanwhile. */
  seen: Readonly<Record<string, unknown>> | undefined
}

interface SentRole extends RoleValues {
  before: RoleValues
  /** Settings of the account that a new role sets otherwise. */
  settings: Readonly<Record<string, string>> | undefined
}

/** Makes a role, or changes what differs of one. */
export function useSaveRole(accountId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ before, settings, ...values }: SentRole) => {
      const { roleId, permissions, seen } = values
      const sent = sentRole(values)
      if (roleId) {
        await callApi(roleSet, { uuid: roleId, ...changedFields(sentRole(before), sent), permissions, seen })
      } else await callApi(roleAdd, { account_id: accountId, ...sent, permissions, ...(settings ? { settings } : {}) })
    },
    onSuccess: () => forget(client),
  })
}

function sentRole({ name, description, forAccount, forGroup, forLocation }: RoleValues) {
  const flag = (isOn: boolean) => (isOn ? (1 as const) : (0 as const))
  return {
    name: name.trim(),
    description: description.trim(),
    for_account: flag(forAccount),
    for_group: flag(forGroup),
    for_location: flag(forLocation),
  }
}

export function useDeleteRole() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (roleId: string) => callApi(roleDelete, { uuid: roleId }),
    onSettled: () => forget(client),
  })
}

async function forget(client: ReturnType<typeof useQueryClient>): Promise<void> {
  await Promise.all([key, 'roles', 'account-users'].map((one) => client.invalidateQueries({ queryKey: [one] })))
}
