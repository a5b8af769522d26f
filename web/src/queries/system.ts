import { accountGet } from '@hilum/contract/calls/account'
import { accountSet } from '@hilum/contract/calls/account-set'
import {
  accountAdd,
  type SystemAccount,
  systemAccountList,
  systemAccountUsers,
  type SystemPerson,
  systemUserList,
  systemUserSet,
} from '@hilum/contract/calls/system'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { putSession, readSession } from '../session/session-store.ts'
import type { GridView } from '../ui/grid-view.ts'

export type { SystemAccount, SystemPerson }

export const systemAccountsKey = ['system-accounts']
const peopleKey = ['system-people']

/** A page of the organisations of the installation. */
export const systemAccountsQuery = ({ page, rows, sort }: GridView, name: string) =>
  queryOptions({
    queryKey: [...systemAccountsKey, page, rows, sort, name],
    queryFn: ({ signal }) => {
      const list = {
        'page.rows': rows,
        'page.number': page,
        sort_by: `${sort.field}-${sort.isDescending ? 'desc' : 'asc'}`,
        ...(name ? { 'filter.name.like': `%${name}%` } : {}),
      }
      return callApi(systemAccountList, {}, { signal, list })
    },
    placeholderData: keepPreviousData,
  })

interface NewOrganisation {
  name: string
  issuer: string
  /** Undefined where the person who makes the organisation administers it. */
  administrator: { email: string; first: string; last: string } | undefined
}

export function useAddOrganisation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ name, issuer, administrator }: NewOrganisation) =>
      callApi(accountAdd, {
        name,
        ...(issuer ? { issuer } : {}),
        ...(administrator
          ? {
              administrator_email: administrator.email,
              administrator_first: administrator.first,
              administrator_last: administrator.last,
            }
          : {}),
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: systemAccountsKey }),
  })
}

/** System administrators and supporters. */
export const systemPeopleQuery = queryOptions({
  queryKey: peopleKey,
  queryFn: async ({ signal }) => (await callApi(systemUserList, {}, { signal })).users,
})

export function useSetFlags() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (sent: { email: string; sysadmin?: 0 | 1; support?: 0 | 1 }) => callApi(systemUserSet, sent),
    onSettled: () => client.invalidateQueries({ queryKey: peopleKey }),
  })
}

/** People of an organisation as whom a supporter may sign in. */
export const proxiedQuery = (accountId: string, search: string) =>
  queryOptions({
    queryKey: ['system-proxied', accountId, search],
    queryFn: ({ signal }) => callApi(systemAccountUsers, { account_id: accountId, search }, { signal }),
    placeholderData: keepPreviousData,
  })

/** Lets supporters in for some hours, or no longer, and shows until when. */
export function useSupportAccess(uuid: string) {
  return useMutation({
    mutationFn: async (hours: number) => {
      await callApi(accountSet, { uuid, support_hours: hours })
      const { support_until } = await callApi(accountGet, { uuid })
      const state = readSession()
      if (state.status !== 'established') return
      const account = { ...state.session.account, support_until }
      putSession({ status: 'established', session: { ...state.session, account } })
    },
  })
}
