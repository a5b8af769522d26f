import { create } from 'zustand'
import { useEstablished, useSession } from '../session/session-store.ts'

/*
 * What somebody typed and did not send yet. It lives in memory only, as it may name patients, and outlasts a session
 * that ended by itself: whoever signs in again finds it, if it is the same person.
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
  const { user } = useEstablished()
  const text = useStore((drafts) => (drafts.userUuid === user.uuid ? drafts.texts.get(key) : undefined)) ?? ''
  return [text, (next) => putDraft(user.uuid, key, next)]
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
