import {
  sessionPinBegin,
  sessionPinCodes,
  sessionPinConfirm,
  sessionPinRemove,
  sessionPinState,
  sessionProve,
  userPinReset,
} from '@hilum/contract/calls/session-pin'
import type { OutputOf } from '@hilum/contract/call'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { getSid, renewSid } from '../api/credentials.ts'
import { refetchProfile } from './own-profile.ts'

const key = ['two-factor']

export type BegunTwoFactor = Pick<OutputOf<typeof sessionPinBegin>, 'secret' | 'address'>

export const twoFactorQuery = queryOptions({
  queryKey: key,
  queryFn: ({ signal }) => callApi(sessionPinState, {}, { signal }),
  staleTime: 0,
  gcTime: 0,
})

/** Begins a set-up; for the session in force, or for the one that waits for it. */
export async function askTwoFactor(sid?: string): Promise<BegunTwoFactor> {
  return callApi(sessionPinBegin, {}, await speakFor(sid))
}

/** @returns the recovery codes */
export async function sendTwoFactorCode(pin: string, sid?: string): Promise<readonly string[]> {
  return (await callApi(sessionPinConfirm, { pin }, await speakFor(sid))).recovery_codes
}

/** The calls of the second factor take sessions that wait as well, so that they are sent with their sid by name. */
async function speakFor(sid: string | undefined): Promise<{ sid?: string }> {
  if (sid) return { sid }
  await renewSid()
  const own = getSid()
  return own ? { sid: own } : {}
}

export function useRecoveryCodes() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => (await callApi(sessionPinCodes, {})).recovery_codes,
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  })
}

export function useRemoveTwoFactor() {
  return useMutation({
    mutationFn: async () => {
      await callApi(sessionPinRemove, {})
      await refetchProfile()
    },
  })
}

/** Proves who sits here: by the password, or with a second factor by a code. */
export function useProve() {
  return useMutation({ mutationFn: (proof: { password: string } | { pin: string }) => callApi(sessionProve, proof) })
}

/** For an administrator: takes the second factor off somebody. */
export function useResetTwoFactor() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (uuid: string) => callApi(userPinReset, { uuid }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['account-users'] }),
  })
}
