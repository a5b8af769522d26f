import { create } from 'zustand'
import { useEstablished, useSession } from '../session/session-store.ts'

/*
 * Texts typed and not sent yet. Drafts live in memory only, as they may name patients, and outlast a session that ended
 * by itself: the same person finds them after signing in again, each in its organisation.
 */
interface Drafts {
  userUuid: string
  texts: ReadonlyMap<string, string>
}

const nothing: ReadonlyMap<string, string> = new Map()
const useStore = create<Drafts>(() => ({ userUuid: '', texts: nothing }))

useSession.subscribe(({ state }) => {
  if (state.status === 'signedOut' && state.reason === 'signedOut') clearDrafts()
})

/** A text that outlasts leaving its form and the end of the session. `key` names the form and what it is about. */
export function useDraft(key: string): [text: string, setText: (text: string) => void] {
  const { user, account } = useEstablished()
  const inAccount = `${account.uuid} ${key}`
  const text = useStore((drafts) => (drafts.userUuid === user.uuid ? drafts.texts.get(inAccount) : undefined)) ?? ''
  return [text, (next) => putDraft(user.uuid, inAccount, next)]
}

export function clearDrafts(): void {
  useStore.setState({ userUuid: '', texts: nothing })
}

function putDraft(userUuid: string, key: string, text: string): void {
  const before = useStore.getState()
  const texts = new Map(before.userUuid === userUuid ? before.texts : nothing)
  if (text === '') texts.delete(key)
  else texts.set(key, text)
  useStore.setState({ userUuid, texts })
}
