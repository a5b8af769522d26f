import { studyGet } from '@hilum/contract/calls/study'
import { studyStates } from '@hilum/contract/inbox-config'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { t } from '../../labels/label.ts'
import { type Inbox, takesUploads } from '../../queries/namespaces.ts'
import { readWorkFilter } from '../../queries/search-expressions.ts'
import type { StudyView } from '../../queries/study-view.ts'
import { mayCall } from '../../session/use-may.ts'
import {
  countNarrowing,
  filledFields,
  type SearchFilters,
  shownField,
  withTextAlone,
} from '../../state/search-filters.ts'
import { QuietState } from '../../ui/quiet-state.tsx'

/** States with a hint: those of a gatekeeper group, which few know by heart. */
const stateHints = studyStates.GATEKEEPER

interface EmptyListProps {
  view: StudyView
  inboxes: readonly Inbox[]
  onShowAnyStatus: () => void
  /** Searches by these filters in the place that is shown. */
  onFilters: (filters: SearchFilters) => void
}

/** Why there is nothing here, and what would change that. */
export function EmptyList({ view, inboxes, onShowAnyStatus, onFilters }: EmptyListProps) {
  if (view.inbox && !mayCall(studyGet, view.inbox.permissions)) {
    const hint = inboxHint(view.inbox, inboxes)
    return (
      <QuietState title={t('list.empty.notShown')}>
        {hint === 'list.empty.uploaderHint' && <UploadHint hint={hint} inbox={view.inbox} />}
      </QuietState>
    )
  }
  const filled = filledFields(view.filters)
  if (readWorkFilter(view.filters.work) !== 'any' && filled.length === 1) {
    return (
      <QuietState title={t('list.empty.work')}>
        <Button variant="default" onClick={onShowAnyStatus}>
          {t('list.empty.showAll')}
        </Button>
      </QuietState>
    )
  }
  if (filled.length > 0) {
    return (
      <QuietState title={t('list.empty.search')}>
        <SearchHint filters={view.filters} onFilters={onFilters} />
      </QuietState>
    )
  }
  if (view.state !== 'Inbox') {
    const hint = stateHints.find((state) => state === view.state)
    return <QuietState title={t('list.empty.other')}>{hint && <p>{t(`list.empty.hint.${hint}`)}</p>}</QuietState>
  }
  const hint = inboxHint(view.inbox, inboxes)
  const isByUpload = hint === 'list.empty.InboxHint' || hint === 'list.empty.uploaderHint'
  return (
    <QuietState title={t('list.empty.Inbox')}>
      {isByUpload ? <UploadHint hint={hint} inbox={view.inbox} /> : hint && <p>{t(hint)}</p>}
    </QuietState>
  )
}

interface UploadHintProps {
  hint: 'list.empty.InboxHint' | 'list.empty.uploaderHint'
  /** Destination to begin with. */
  inbox: Inbox | undefined
}

/** The hint of a place that is filled by uploads, with the way to one. */
function UploadHint({ hint, inbox }: UploadHintProps) {
  return (
    <>
      <p>{t(hint)}</p>
      <Button renderRoot={(props) => <Link to="/study/upload" search={inbox ? { group: inbox.id } : {}} {...props} />}>
        {t('list.empty.upload')}
      </Button>
    </>
  )
}

/** Advice on finding more: fewer criteria where some stand beside the text, otherwise how the text is compared. */
function SearchHint({ filters, onFilters }: { filters: SearchFilters; onFilters: EmptyListProps['onFilters'] }) {
  const { tags, others } = countNarrowing(filters)
  const count = tags + others
  const isNumber = shownField(filters) === 'number'
  if (count === 0) return <p>{t(isNumber ? 'list.empty.numberHint' : 'list.empty.searchHint')}</p>
  return (
    <>
      <p>{others === 0 ? t('list.empty.tags', { count }) : t('list.empty.filters', { count })}</p>
      <Button variant="default" onClick={() => onFilters(withTextAlone(filters))}>
        {t(count === 1 ? 'list.empty.withoutIt' : 'list.empty.withoutThem')}
      </Button>
    </>
  )
}

/** How studies come to be in a place, as far as this person can bring it about or wait for it. */
function inboxHint(inbox: Inbox | undefined, inboxes: readonly Inbox[]) {
  if (inbox?.kind === 'mine') return 'list.empty.mineHint'
  if (inbox?.kind === 'organisation') return 'list.empty.organisationHint'
  const places = inbox ? [inbox] : inboxes
  const open = places.filter(takesUploads)
  if (open.length === 0) return undefined
  const maySee = open.some(({ permissions }) => mayCall(studyGet, permissions))
  return maySee ? 'list.empty.InboxHint' : 'list.empty.uploaderHint'
}
