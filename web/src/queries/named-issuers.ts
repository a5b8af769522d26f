import { accountIssuers, type FoundIssuer } from '@hilum/contract/calls/account-issuers'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { useEstablished } from '../session/session-store.ts'
import { useMayCall } from '../session/use-may.ts'
import { useSaveOrganisation } from './account-settings.ts'

export type { FoundIssuer }

const key = 'named-issuers'

/** Authorities that exams name and that are no name of the organisation's own, for administrators; undefined while unknown. */
export function useNamedIssuers() {
  const { account } = useEstablished()
  const isAsked = useMayCall(accountIssuers)
  const { data } = useQuery({
    queryKey: [key, account.uuid],
    queryFn: ({ signal }) => callApi(accountIssuers, { account_id: account.uuid }, { signal }),
    staleTime: 5 * 60_000,
    enabled: isAsked,
  })
  return isAsked ? data : undefined
}

/** Both lists of names, as the settings of the organisation have them. */
type NamesSaid = {
  other_issuers: string
  outside_issuers: string
}

/** Says of the name of an authority whose it is. What is saved is the change; `before` of the result takes it back. */
export function useSayWhose() {
  const client = useQueryClient()
  const { account } = useEstablished()
  const save = useSaveOrganisation(account.uuid)
  const { other_issuers: own = '', outside_issuers: outside = '' } = account.settings
  const before: NamesSaid = { other_issuers: own, outside_issuers: outside }
  return useMutation({
    mutationFn: async (said: { issuer: string; isOurs: boolean } | { back: NamesSaid }) => {
      const now =
        'back' in said
          ? said.back
          : {
              other_issuers: withName(own, said.issuer, said.isOurs),
              outside_issuers: withName(outside, said.issuer, !said.isOurs),
            }
      await save.mutateAsync({ ...now, seen: before })
      await client.invalidateQueries({ queryKey: [key, account.uuid] })
      return before
    },
  })
}

/** Names between commas with or without one of them. */
function withName(names: string, name: string, isThere: boolean): string {
  const others = names.split(',').map((one) => one.trim())
  return [...others.filter((one) => one !== '' && one !== name), ...(isThere ? [name] : [])].join(', ')
}
