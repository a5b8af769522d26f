import { accountGet } from '@hilum/contract/calls/account'
import { accountSet } from '@hilum/contract/calls/account-set'
import {
  accountAdd,
  type ClosedAccount,
  type SystemAccount,
  systemAccountAudit,
  systemAccountClosed,
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
import type { AuditSource } from './audit.ts'

export type { ClosedAccount, SystemAccount, SystemPerson }

export const systemAccountsKey = ['system-accounts']
const peopleKey = ['system-people']

const pageOf = ({ page, rows, sort }: GridView, name: string) => ({
  'page.rows': rows,
  'page.number': page,
  sort_by: `${sort.field}-${sort.isDescending ? 'desc' : 'asc'}`,
  ...(name ? { 'filter.name.like': `%${name}%` } : {}),
})

/** A page of the organisations of the installation. */
export const systemAccountsQuery = (view: GridView, name: string) =>
  queryOptions({
    queryKey: [...systemAccountsKey, view, name],
    queryFn: ({ signal }) => callApi(systemAccountList, {}, { signal, list: pageOf(view, name) }),
    placeholderData: keepPreviousData,
  })

/** A page of the organisations that were closed. */
export const closedAccountsQuery = (view: GridView, name: string) =>
  queryOptions({
    queryKey: [...systemAccountsKey, 'closed', view, name],
    queryFn: ({ signal }) => callApi(systemAccountClosed, {}, { signal, list: pageOf(view, name) }),
    placeholderData: keepPreviousData,
  })

/** The audit of an organisation that was closed, as somebody reads it who answers for it. */
export const auditOfClosed = (accountId: string): AuditSource => ({
  accountId,
  readPage: (list, signal) => callApi(systemAccountAudit, { account_id: accountId }, { list, signal }),
})

/** The name of one organisation that was closed; null where there is none. */
export const closedAccountQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...systemAccountsKey, 'closed', uuid],
    queryFn: async ({ signal }) => {
      const list = { 'page.rows': 1, 'filter.uuid.equals': uuid }
      return (await callApi(systemAccountClosed, {}, { signal, list })).accounts[0]?.name ?? null
    },
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
