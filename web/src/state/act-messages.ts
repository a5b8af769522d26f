import type { Study } from '@hilum/contract/entities/study'
import { create } from 'zustand'
import { readSession, useEstablished } from '../session/session-store.ts'

/** Outcome of an act that left nothing on screen to tell it by (PANEL-01). */
export interface ActMessage {
  tone: 'completed' | 'failed'
  text: string
  /** One line for each thing that it says something of, e.g. why an exam was not deleted. */
  details: readonly string[]
  /** Deleted studies that Undo brings back. */
  restorable: readonly Study[]
  /** Takes back an act of another kind; false where not all of it went back. */
  undo?: (() => Promise<boolean>) | undefined
}

const none: readonly ActMessage[] = []
const useStore = create<{ messages: readonly ActMessage[] }>(() => ({ messages: none }))

/** The messages that stand in place of the panels; none most of the time. */
export function useActMessages(): readonly ActMessage[] {
  return useStore(({ messages }) => messages)
}

/** Puts messages of acts of this organisation; of one that was left meanwhile, whose exams they name, none is put. */
export function usePutActMessages(): (messages: readonly ActMessage[]) => void {
  const { account } = useEstablished()
  return (messages) => {
    const now = readSession()
    if (now.status === 'established' && now.session.account.uuid === account.uuid) useStore.setState({ messages })
  }
}

export function clearActMessages(): void {
  useStore.setState({ messages: none })
}
