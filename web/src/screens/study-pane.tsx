import type { Study } from '@hilum/contract/entities/study'
import type { StudyState } from '@hilum/contract/inbox-config'
import { lazy, type ReactNode, Suspense, useDeferredValue, useEffect } from 'react'
import type { ExamTab } from '../state/exam-tabs.ts'
import { t } from '../labels/label.ts'
import { clearActMessages, useActMessages } from '../state/act-messages.ts'
import type { Inbox } from '../queries/namespaces.ts'
import { LoadingState } from '../ui/quiet-state.tsx'

// The list comes first; the panel is fetched while it is being read, so that the first selection need not wait.
const loadPanel = () => import('../features/exam/exam-panel.tsx')
const ExamPanel = lazy(async () => ({ default: (await loadPanel()).ExamPanel }))
const MultiPanel = lazy(async () => ({ default: (await import('../features/exam/multi-panel.tsx')).MultiPanel }))
const MessagePanel = lazy(async () => ({
  default: (await import('../features/exam/message-panel.tsx')).MessagePanel,
}))

/** The pane that a screen of list and panel shows where there is room for one only. */
export function usePane(selectedUuid: string | undefined, markedCount: number): 'panel' | 'list' {
  const hasMessages = useActMessages().length > 0
  return selectedUuid || markedCount > 1 || hasMessages ? 'panel' : 'list'
}

interface StudyPaneProps {
  selectedUuid: string | undefined
  marked: readonly Study[]
  inboxes: readonly Inbox[]
  state: StudyState
  tab: string | undefined
  onTab: (tab: ExamTab) => void
  onClose: () => void
  /** Opens an exam that a message names. */
  onOpen: (uuid: string) => void
  /** Takes back the selection after an act on several (LIST-15), one of which it may have been. */
  onDeselect: () => void
  /** Content while no study is selected. */
  children?: ReactNode
}

/** The pane beside a list: messages, acts on several studies, one study, or nothing yet (PANEL-01). */
export function StudyPane({ selectedUuid, marked, inboxes, onOpen, onDeselect, children, ...rest }: StudyPaneProps) {
  const hasMessages = useActMessages().length > 0
  // A study has the tabs of its own place (PANEL-03…05), whichever list it is opened beside; one of another account those of a library.
  const designationOf = ({ phi_namespace: place }: Study) =>
    inboxes.find(({ namespaceId }) => namespaceId === place)?.designation ?? 'LIBRARY'
  // The card is marked at once; the panel, which is much to draw, comes in pieces that never hold up a key or a click.
  const shown = useDeferredValue(selectedUuid)
  useEffect(() => {
    const timer = setTimeout(() => void loadPanel(), 300)
    return () => {
      clearTimeout(timer)
      clearActMessages() // the notices belong to acts in this view
    }
  }, [])
  return (
    <Suspense fallback={<LoadingState label={t('loading')} />}>
      {hasMessages ? (
        <MessagePanel onOpen={onOpen} />
      ) : marked.length > 1 ? (
        <MultiPanel studies={marked} onDeleted={onDeselect} />
      ) : shown ? (
        <ExamPanel uuid={shown} designationOf={designationOf} {...rest} />
      ) : (
        children
      )}
    </Suspense>
  )
}
