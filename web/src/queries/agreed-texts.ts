import { accountGet } from '@hilum/contract/calls/account'
import {
  accountTexts,
  accountTextsSet,
  accountTextsVersions,
  type AgreedTextKind,
  agreedTextKinds,
} from '@hilum/contract/calls/account-text'
import { userSet } from '@hilum/contract/calls/user'
import type { OutputOf } from '@hilum/contract/call'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { putSession, readSession, type Session } from '../session/session-store.ts'

type AgreedText = OutputOf<typeof accountTexts>['texts'][number]
export type TextVersion = OutputOf<typeof accountTextsVersions>['versions'][number]

const key = 'agreed-texts'

/** Kinds of texts of the account in use that a person has not agreed to. */
export function openTexts({ account, user }: Session): AgreedTextKind[] {
  return agreedTextKinds.filter((kind) => {
    const md5 = account.settings[`${kind}_md5`] ?? ''
    return md5 !== '' && md5 !== user[`${kind}_md5`]
  })
}

/** Texts of an account in force. */
export function textsQuery(accountId: string) {
  return queryOptions({
    queryKey: [key, accountId],
    queryFn: async ({ signal }) => (await callApi(accountTexts, { account_id: accountId }, { signal })).texts,
    staleTime: 0,
  })
}

/** Every version of the texts, with how many people agreed to it last. */
export function versionsQuery(accountId: string) {
  return queryOptions({
    queryKey: [key, 'versions', accountId],
    queryFn: ({ signal }) => callApi(accountTextsVersions, { account_id: accountId }, { signal }),
    staleTime: 0,
  })
}

/** Agrees to texts as they were shown, and notes in the session what is in force and what was agreed to. */
export function useAgree() {
  return useMutation({
    mutationFn: async (texts: readonly AgreedText[]) => {
      const agreed = Object.fromEntries(texts.map(({ kind, md5 }) => [`${kind}_md5`, md5]))
      if (texts.length > 0) await callApi(userSet, agreed)
      const before = readSession()
      if (before.status !== 'established') return
      const { settings } = await callApi(accountGet, { uuid: before.session.account.uuid })
      const state = readSession()
      if (state.status !== 'established') return
      const { account, user } = state.session
      const session = { ...state.session, account: { ...account, settings }, user: { ...user, ...agreed } }
      putSession({ status: 'established', session })
    },
  })
}

interface TextChange {
  kind: AgreedTextKind
  text: string
  /** The text as it was read. */
  seen: Record<string, unknown> | undefined
}

/** Puts a text in force; an empty one ends the asking. */
export function useSaveText(accountId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ kind, text, seen }: TextChange) =>
      callApi(accountTextsSet, { account_id: accountId, kind, text, seen }),
    onSuccess: () => client.invalidateQueries({ queryKey: [key] }),
  })
}
