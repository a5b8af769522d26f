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
  putInForce(user)
  return user
}

function putInForce(user: Partial<User>): void {
  const state = readSession()
  if (state.status !== 'established') return
  putSession({ status: 'established', session: { ...state.session, user: { ...state.session.user, ...user } } })
}

interface ProfileChanges {
  /** The fields that were changed, and those alone: another tab may have changed others. */
  profile: Partial<OwnProfile>
  dateFormat: string | undefined
}

/** The profile was saved, and the date format was not, for the reason in `cause`. */
export class DateFormatUnsaved extends Error {
  override readonly name = 'DateFormatUnsaved'
}

/**
 * Saves what was changed of the profile and the date format, then reads the profile anew (ACCOUNT-06).
 * @throws DateFormatUnsaved where the rest was saved; ApiFailure where nothing was
 */
export function useSaveProfile() {
  return useMutation({
    mutationFn: async ({ profile, dateFormat }: ProfileChanges) => {
      let isProfileSaved = false
      try {
        if (Object.keys(profile).length > 0) {
          await callApi(userSet, profile)
          putInForce(profile)
          isProfileSaved = true
        }
        if (dateFormat !== undefined) await saveSetting(dateFormatKey, dateFormat)
      } catch (cause) {
        throw isProfileSaved ? new DateFormatUnsaved('The date format was not saved', { cause }) : cause
      } finally {
        // what was saved is in force already, also where it cannot be read anew
        await refetchProfile().catch(() => undefined)
      }
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
