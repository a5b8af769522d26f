import { accountFirstSteps, type FirstStep, type FirstSteps } from '@hilum/contract/calls/account-first-steps'
import { mailTest } from '@hilum/contract/calls/mail'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'

export type { FirstStep, FirstSteps }

const key = 'first-steps'
const everyMs = 3000

/** The steps of a new organisation, read again every few seconds until none is open. */
export function firstStepsQuery(accountId: string) {
  return queryOptions({
    queryKey: [key, accountId],
    queryFn: ({ signal }) => callApi(accountFirstSteps, { account_id: accountId }, { signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }: { state: { data: FirstSteps | undefined } }) =>
      data?.steps.every(({ done }) => done === 1) ? false : everyMs,
  })
}

/** Mails the person a test. */
export function useTestMail(accountId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi(mailTest, { account_id: accountId }),
    onSuccess: () => client.invalidateQueries({ queryKey: [key] }),
  })
}
