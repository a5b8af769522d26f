import {
  type Webhook,
  webhookAdd,
  webhookDelete,
  webhookDeliveries,
  webhookList,
  type WebhookEvent,
  type WebhookMethod,
  webhookSet,
  webhookTest,
  webhookTryAgain,
} from '@hilum/contract/calls/webhook'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import type { GridView } from '../ui/grid-view.ts'
import { within } from './account-groups.ts'
import { pageOf } from './page-of.ts'

export type { Webhook }

const key = 'webhooks'

export type WebhookFilters = { name: string }
export const noWebhookFilters: WebhookFilters = { name: '' }

/** A page of the webhooks of an account. */
export function webhooksQuery(accountId: string, view: GridView, { name }: WebhookFilters) {
  return queryOptions({
    queryKey: [key, accountId, view, name],
    queryFn: ({ signal }) =>
      callApi(
        webhookList,
        { account_id: accountId },
        { signal, list: { ...pageOf(view), 'filter.name.like': within(name) } },
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
}

/** A page of the calls of a webhook. */
export function deliveriesQuery(uuid: string, view: GridView) {
  return queryOptions({
    queryKey: [key, 'deliveries', uuid, view],
    queryFn: ({ signal }) => callApi(webhookDeliveries, { uuid }, { signal, list: pageOf(view) }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: 5000,
  })
}

export interface WebhookValues {
  name: string
  event: WebhookEvent
  url: string
  method: WebhookMethod
  suspended: 0 | 1
  retry: 0 | 1
  new_secret: 0 | 1
}

interface SentWebhook extends WebhookValues {
  /** As it was read; undefined to save over whatever was changed meanwhile. */
  row_version: number | undefined
}

/** Makes or changes a webhook; gives a secret where it got one. */
export function useSaveWebhook(accountId: string, webhook: Webhook | undefined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ new_secret, row_version, ...values }: SentWebhook): Promise<string | undefined> => {
      const seen = row_version === undefined ? {} : { row_version }
      const { secret } = webhook
        ? await callApi(webhookSet, { ...values, new_secret, uuid: webhook.uuid, ...seen })
        : await callApi(webhookAdd, { ...values, account_id: accountId })
      return secret
    },
    onSuccess: () => client.invalidateQueries({ queryKey: [key] }),
  })
}

export function useDeleteWebhook() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ uuid }: Webhook) => callApi(webhookDelete, { uuid }),
    onSettled: () => client.invalidateQueries({ queryKey: [key] }),
  })
}

export function useTestWebhook() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ uuid }: Webhook) => callApi(webhookTest, { uuid }),
    onSettled: () => client.invalidateQueries({ queryKey: [key] }),
  })
}

/** Tries a call again that failed for good. */
export function useTryAgain(uuid: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (deliveryId: string) => callApi(webhookTryAgain, { uuid, delivery_id: deliveryId }),
    onSettled: () => client.invalidateQueries({ queryKey: [key] }),
  })
}
