import { Button } from '@mantine/core'
import { t } from '../../labels/label.ts'
import type { StudyView } from '../../queries/study-view.ts'
import { filledFields } from '../../state/search-filters.ts'
import { QuietState } from '../../ui/quiet-state.tsx'

interface EmptyListProps {
  view: StudyView
  onShowAnyStatus: () => void
}

/** Why there is nothing here, and what would change that. */
export function EmptyList({ view, onShowAnyStatus }: EmptyListProps) {
  if (view.state === 'Pending Requests') return <QuietState title={t('list.pendingRequests')} />
  if (view.work !== 'any') {
    return (
      <QuietState title={t('list.empty.work')}>
        <Button variant="default" onClick={onShowAnyStatus}>
          {t('list.empty.showAll')}
        </Button>
      </QuietState>
    )
  }
  if (filledFields(view.filters).length > 0) {
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
