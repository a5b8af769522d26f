import type { InputOf, OutputOf } from '@hilum/contract/call'
import {
  identityBegin,
  identityEnd,
  identityLinkBegin,
  identityList,
  identityOffer,
  identityProviderDelete,
  identityProviderGet,
  identityProviderSet,
  identityProviderTest,
} from '@hilum/contract/calls/identity'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { failureCode } from '../api/api-failure.ts'
import { callApi } from '../api/call-api.ts'

/** The provider to offer on the sign-in screen, none when it cannot be asked for, and the brand of the organisation of this host. */
export const offerQuery = (vanity: string, provider: string) =>
  queryOptions({
    queryKey: ['identity-offer', vanity, provider],
    queryFn: async ({ signal }) => {
      const asked = { ...(vanity ? { vanity } : {}), ...(provider ? { provider } : {}) }
      const { provider: offered, begin_at: beginAt, ...brand } = await callApi(identityOffer, asked, { signal })
      return {
        provider: offered && { ...offered, beginAt },
        name: brand.brand_name,
        logo: brand.brand_logo,
        color: brand.brand_color,
      }
    },
    staleTime: 60_000,
    retry: false,
  })

/**
 * Sends the browser to a provider to sign in. The way back leads to the public address alone: from another name of the host
 * the person begins anew there, since a cookie of this name would not be sent.
 */
export async function goToProvider({ uuid: provider, beginAt }: { uuid: string; beginAt: string }): Promise<void> {
  if (new URL(beginAt).origin !== location.origin) {
    location.assign(`${beginAt}?provider=${provider}`)
    return
  }
  const { address } = await callApi(identityBegin, { provider })
  location.assign(address)
}

/** Sends the browser to a provider to connect the person’s login there, or to prove by it who sits here. */
export function useConnect(purpose: 'link' | 'prove' = 'link') {
  return useMutation({
    mutationFn: async (provider: string) => {
      const { address } = await callApi(identityLinkBegin, { provider, purpose })
      location.assign(address)
    },
  })
}

export const ownIdentitiesQuery = queryOptions({
  queryKey: ['own-identities'],
  queryFn: async ({ signal }) => (await callApi(identityList, {}, { signal })).identities,
  staleTime: 0,
  gcTime: 0,
})

export function useDisconnect() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (provider: string) => callApi(identityEnd, { provider }),
    onSettled: () => client.invalidateQueries({ queryKey: ['own-identities'] }),
  })
}

const providerKey = (accountUuid: string) => ['identity-provider', accountUuid]

export type ProviderPage = OutputOf<typeof identityProviderGet>

export const providerQuery = (accountUuid: string) =>
  queryOptions({
    queryKey: providerKey(accountUuid),
    queryFn: ({ signal }) => callApi(identityProviderGet, { account_id: accountUuid }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })

export type ProviderValues = Omit<InputOf<typeof identityProviderSet>, 'account_id'>

export function useSaveProvider(accountUuid: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (values: ProviderValues) => callApi(identityProviderSet, { account_id: accountUuid, ...values }),
    onSuccess: () => client.invalidateQueries({ queryKey: providerKey(accountUuid) }),
    // fields that were not changed here show the other change
    onError: (failure) =>
      failureCode(failure) === 'STALE' ? client.invalidateQueries({ queryKey: providerKey(accountUuid) }) : undefined,
  })
}

export function useTestProvider(accountUuid: string) {
  return useMutation({
    mutationFn: async () => (await callApi(identityProviderTest, { account_id: accountUuid })).steps,
  })
}

export function useDeleteProvider(accountUuid: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi(identityProviderDelete, { account_id: accountUuid }),
    onSuccess: () => client.invalidateQueries({ queryKey: providerKey(accountUuid) }),
  })
}
