import type { Study } from '@hilum/contract/entities/study'
import { create } from 'zustand'

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

export function putActMessages(messages: readonly ActMessage[]): void {
  useStore.setState({ messages })
}

export function clearActMessages(): void {
  useStore.setState({ messages: none })
}
