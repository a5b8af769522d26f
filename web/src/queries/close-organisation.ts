import { accountDelete } from '@hilum/contract/calls/account-delete'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { systemAccountsKey } from './system.ts'

/** Closes an organisation for good. */
export function useCloseOrganisation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (uuid: string) => callApi(accountDelete, { uuid }),
    onSuccess: () => client.invalidateQueries({ queryKey: systemAccountsKey }),
  })
}
