import type { OutputOf } from '@hilum/contract/call'
import { mailOutbox } from '@hilum/contract/calls/mail'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
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
