import type { RestoredAccess } from '@hilum/contract/calls/study-acts'
import { t } from '../labels/label.ts'
import { lacksAccess, restoredText } from '../labels/restored-text.ts'
import { usePutActMessages } from './act-messages.ts'
import { putNotice } from './notices.ts'

/**
 * Tells how many exams were restored and what of their shares and links works again: in passing, and where some of these
 * stay ended, in the message tab.
 */
export function useTellRestored(): (outcome: { done: number; access: RestoredAccess }) => void {
  const putMessages = usePutActMessages()
  return ({ done, access }) => {
    if (done === 0) return
    const text = restoredText(access)
    if (text !== undefined && lacksAccess(access)) {
      putMessages([{ tone: 'completed', text: t('message.undone', { count: done }), details: [text], restorable: [] }])
      return
    }
    putNotice(t('list.restored', { count: done }))
    if (text !== undefined) putNotice(text)
  }
}
