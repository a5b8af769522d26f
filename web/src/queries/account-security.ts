import { accountGet } from '@hilum/contract/calls/account'
import { accountSet } from '@hilum/contract/calls/account-set'
import { useMutation } from '@tanstack/react-query'
import { failureCode } from '../api/api-failure.ts'
import { callApi } from '../api/call-api.ts'
import { putSession, readSession } from '../session/session-store.ts'

export interface AccountSecurity {
  password_expire: number
  session_expire: number
  pin_required: 0 | 1
}

interface SecurityChange extends Partial<AccountSecurity> {
  /** Changed fields as they were read. */
  seen: Partial<AccountSecurity> | undefined
}

/** Saves what was changed of how people sign in, then reads the account anew, as after a change by somebody else. */
export function useSaveSecurity(uuid: string) {
  const readAnew = async () => {
    const { password_expire, session_expire, pin_required } = await callApi(accountGet, { uuid })
    const state = readSession()
    if (state.status !== 'established') return
    const account = { ...state.session.account, password_expire, session_expire, pin_required }
    putSession({ status: 'established', session: { ...state.session, account } })
  }
  return useMutation({
    mutationFn: async ({ seen, ...security }: SecurityChange) => {
      await callApi(accountSet, { uuid, ...security, seen })
      await readAnew()
    },
    onError: (failure) => (failureCode(failure) === 'STALE' ? readAnew() : undefined),
  })
}
