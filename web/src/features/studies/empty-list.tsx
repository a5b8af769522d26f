import { t } from '../../labels/label.ts'
import type { StudyView } from '../../queries/study-view.ts'
import { QuietState } from '../../ui/quiet-state.tsx'

/** Why there is nothing here, and what would change that. */
export function EmptyList({ view }: { view: StudyView }) {
  if (view.state === 'Pending Requests') return <QuietState title={t('list.pendingRequests')} />
  if (view.patientName) {
    return (
      <QuietState title={t('list.empty.search')}>
        <p>{t('list.empty.searchHint')}</p>
      </QuietState>
    )
  }
  if (view.state !== 'Inbox') return <QuietState title={t('list.empty.other')} />
  return (
    <QuietState title={t('list.empty.Inbox')}>
      <p>{t('list.empty.InboxHint')}</p>
    </QuietState>
  )
}
