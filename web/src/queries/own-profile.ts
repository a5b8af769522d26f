import { sessionUser } from '@hilum/contract/calls/session'
import { userSet } from '@hilum/contract/calls/user'
import type { User } from '@hilum/contract/entities/user'
import { useMutation } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { saveSetting } from '../session/put-setting.ts'
import { putSession, readSession } from '../session/session-store.ts'

export const dateFormatKey = 'date_format'

export type OwnProfile = Pick<
  User,
  'first' | 'last' | 'time_zone' | 'mobile_phone' | 'share_code' | 'share_description'
>

/** Reads the profile anew and puts it in force on every screen. */
export async function refetchProfile(): Promise<User> {
  const user = await callApi(sessionUser, {})
  const state = readSession()
  if (state.status === 'established') {
    putSession({ status: 'established', session: { ...state.session, user: { ...state.session.user, ...user } } })
  }
  return user
}

/** Saves the profile and the date format, then reads the profile anew (ACCOUNT-06). */
export function useSaveProfile() {
  return useMutation({
    mutationFn: async ({ profile, dateFormat }: { profile: OwnProfile; dateFormat: string | undefined }) => {
      await callApi(userSet, profile)
      if (dateFormat !== undefined) await saveSetting(dateFormatKey, dateFormat)
      return refetchProfile()
    },
  })
}

interface PasswordChange {
  old_password: string
  password: string
  password_confirm: string
}

/** @returns the server's word on it, shown as a notice (ACCOUNT-12) */
export function useChangePassword() {
  return useMutation({
    mutationFn: async (change: PasswordChange) => (await callApi(userSet, { ...change })).message ?? '',
  })
}
