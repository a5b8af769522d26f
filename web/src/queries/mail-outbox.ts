import type { OutputOf } from '@hilum/contract/call'
import { mailCancel, mailOutbox, mailRetry } from '@hilum/contract/calls/mail'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import type { GridView } from '../ui/grid-view.ts'
import { pageOf } from './page-of.ts'

export type OutboxMail = OutputOf<typeof mailOutbox>['mails'][number]

/** Mails of the account that wait, or those that left of late. */
export function mailOutboxQuery(accountId: string, view: GridView, which: 'waiting' | 'left', search: string) {
  return queryOptions({
    queryKey: ['mail-outbox', accountId, view, which, search],
    queryFn: ({ signal }) =>
      callApi(
        mailOutbox,
        { account_id: accountId, left: which === 'left' ? 1 : 0, search },
        { signal, list: pageOf(view) },
      ),
    placeholderData: keepPreviousData,
  })
}

export interface MailAct {
  act: 'cancel' | 'retry'
  mail: OutboxMail
}

/** Cancels a mail of the account's outbox, takes one that ended unsent off it, or has such a one tried again. */
export function useTendMail(accountId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ act, mail: { uuid } }: MailAct) =>
      callApi(act === 'cancel' ? mailCancel : mailRetry, { account_id: accountId, uuid }),
    onSettled: () => client.invalidateQueries({ queryKey: ['mail-outbox'] }),
  })
}
