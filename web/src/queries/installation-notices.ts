import { accountNotices } from '@hilum/contract/calls/account'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { useEstablished } from '../session/session-store.ts'
import { useMayCall } from '../session/use-may.ts'

const everyMs = 60_000

/** Threats to the installation, for administrators; empty for everybody else, and while unknown. */
export function useInstallationNotices() {
  const { account } = useEstablished()
  const isAsked = useMayCall(accountNotices)
  const { data } = useQuery({
    queryKey: ['installation-notices', account.uuid],
    queryFn: async ({ signal }) => (await callApi(accountNotices, { account_id: account.uuid }, { signal })).notices,
    refetchInterval: everyMs,
    enabled: isAsked,
  })
  return isAsked ? (data ?? []) : []
}
