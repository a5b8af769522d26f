import '@mantine/core/styles/Tabs.layer.css'
import type { Designation, StudyState } from '@hilum/contract/inbox-config'
import type { Study } from '@hilum/contract/entities/study'
import { Button, Tabs } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { t } from '../../labels/label.ts'
import { useMarkRead } from '../../queries/mark-read.ts'
import { usePlaceFlags } from '../../queries/namespaces.ts'
import { findListedStudy, studyQuery } from '../../queries/studies.ts'
import { useEstablished } from '../../session/session-store.ts'
import { noteRecentStudy } from '../../state/recent-studies.ts'
import { forgetUnsent, useIsUnsent } from '../../state/unsent-studies.ts'
import { LoadingState, QuietState } from '../../ui/quiet-state.tsx'
import { ApprovalBanner } from './approval-banner.tsx'
import { DeletedPanel } from './deleted-panel.tsx'
import { ExamHead } from './exam-head.tsx'
import style from './exam-panel.module.css'
import { StudyBanners } from './study-banners.tsx'
import { SummaryTab } from './summary-tab.tsx'
import { TabRow } from './tab-row.tsx'
import type { ExamTab } from '../../state/exam-tabs.ts'
import { defaultTab, mayOpenTab, visibleTabs, withReports } from './tab-sets.ts'
import { useHasOrders } from './use-has-orders.ts'
import { useReports } from './use-reports.ts'
import { ViewerPanel } from './viewer-panel.tsx'

interface ExamPanelProps {
  uuid: string
  /** The type of the group that the study is shown as one of. */
  designationOf: (study: Study) => Designation | undefined
  state: StudyState
  /** The tab that the address asks for. */
  tab: string | undefined
  onTab: (tab: ExamTab) => void
  onClose: () => void
}

interface TabProps {
  study: Study
  onTab: (tab: ExamTab) => void
  onClose: () => void
  /** The question before the deletion of the study stands. */
  isDeleting: boolean
  onDeleting: (isDeleting: boolean) => void
}

/**
 * The views of the tabs, each fetched when it is first wanted; the summary is what most people see first. The viewer has a
 * panel of its own, which outlives the choice of a tab.
 */
const views: Record<Exclude<ExamTab, 'viewer'>, ComponentType<TabProps>> = {
  summary: SummaryTab,
  download: lazy(async () => ({ default: (await import('./download-tab.tsx')).DownloadTab })),
  pacs: lazy(async () => ({ default: (await import('./pacs-tab.tsx')).PacsTab })),
  share: lazy(async () => ({ default: (await import('./share-tab.tsx')).ShareTab })),
  editMRN: lazy(async () => ({ default: (await import('./mrn-tab.tsx')).MrnTab })),
  sendExams: lazy(async () => ({ default: (await import('./send-tab.tsx')).SendTab })),
  attachments: lazy(async () => ({ default: (await import('./attachments-tab.tsx')).AttachmentsTab })),
  exchange: lazy(async () => ({ default: (await import('./exchange-tab.tsx')).ExchangeTab })),
  process: lazy(async () => ({ default: (await import('./process-tab.tsx')).ProcessTab })),
  pendingRequests: lazy(async () => ({ default: (await import('./pending-requests-tab.tsx')).PendingRequestsTab })),
  reports: lazy(async () => ({ default: (await import('./reports-tab.tsx')).ReportsTab })),
  orders: lazy(async () => ({ default: (await import('./orders-tab.tsx')).OrdersTab })),
  deleteExams: lazy(async () => {
    const { DeleteTab } = await import('./delete-tab.tsx')
    return {
      default: ({ study, onClose, isDeleting, onDeleting }: TabProps) => (
        <DeleteTab studies={[study]} isAsking={isDeleting} onAsking={onDeleting} onDeleted={onClose} />
      ),
    }
  }),
}

/** One study: who it is, and its tabs (PANEL-01, PANEL-02). */
export function ExamPanel({ uuid, designationOf, ...rest }: ExamPanelProps) {
  const client = useQueryClient()
  const {
    data: study,
    dataUpdatedAt: readAt,
    error,
    refetch,
  } = useQuery({ ...studyQuery(uuid), placeholderData: () => findListedStudy(client, uuid) })
  const [isDeleting, setDeleting] = useState(false)
  // the question ends with its study: neither a way back to it nor its return from the bin asks again
  const asked = study?.is_deleted === 1 ? undefined : uuid
  const [askedBefore, setAskedBefore] = useState(asked)
  if (askedBefore !== asked) {
    setAskedBefore(asked)
    setDeleting(false)
  }
  useMarkRead(study)
  useNoteRecent(study)
  const isUnsent = useIsUnsent(uuid)
  useEffect(() => forgetUnsent(uuid, readAt), [uuid, readAt])
  const isGone = error && ['NOT_FOUND', 'NOT_PERMITTED'].includes(failureCode(error))
  return (
    <section className={style.panel} aria-label={t('exam.label')} data-study={uuid}>
      {error && (isGone || !study) && (
        <QuietState title={t(isGone ? (isUnsent ? 'process.goneUnsent' : 'exam.gone') : 'exam.failed')}>
          <div className={style.ways}>
            {!isGone && <Button onClick={() => void refetch()}>{t('button.retry')}</Button>}
            <Button variant="default" onClick={rest.onClose}>
              {t('exam.close')}
            </Button>
          </div>
        </QuietState>
      )}
      {!error && !study && <LoadingState label={t('loading')} />}
      {study && !isGone && (
        <>
          <ExamHead
            study={study}
            designation={designationOf(study)}
            onClose={rest.onClose}
            onDelete={() => {
              setDeleting(true)
              rest.onTab('deleteExams')
            }}
          />
          {study.is_deleted === 1 ? (
            <DeletedPanel key={study.uuid} study={study} />
          ) : (
            <ExamTabs
              study={study}
              designation={designationOf(study)}
              isDeleting={isDeleting}
              onDeleting={setDeleting}
              {...rest}
            />
          )}
        </>
      )}
    </section>
  )
}

/** Keeps the study among those that the palette leads back to. */
function useNoteRecent(study: Study | undefined): void {
  const { sessionId } = useEstablished()
  useEffect(() => {
    if (study && study.is_deleted !== 1) noteRecentStudy(sessionId, study)
  }, [sessionId, study])
}

interface ExamTabsProps extends Omit<ExamPanelProps, 'uuid' | 'designationOf'>, TabProps {
  designation: Designation | undefined
}

/** The row of tabs stays from study to study; what they show is each study's own. */
function ExamTabs(props: ExamTabsProps) {
  const { study, designation, state, onTab, onClose } = props
  const hasOrders = useHasOrders(study)
  const { rows: reports } = useReports(study)
  const placeFlags = usePlaceFlags()(study)
  const mayDelete = mayOpenTab('deleteExams', study, placeFlags)
  const always = visibleTabs(designation, study, placeFlags)
  const tabs: readonly ExamTab[] = [
    // Reports are a tab when there is one to read; whoever opens the tab by the address is told when there is none.
    ...(reports.length > 0 || props.tab === 'reports' ? withReports(always) : always),
    ...(hasOrders ? (['orders'] as const) : []),
    // Stands in no set of one study: it is there while it is asked for, by the panel's menu.
    ...(props.tab === 'deleteExams' && mayDelete ? (['deleteExams'] as const) : []),
  ]
  const tab = tabs.find((one) => one === props.tab) ?? defaultTab(designation, state, tabs)
  return (
    <Tabs
      value={tab}
      // the panel of the viewer lives on while another one is shown
      keepMountedMode="display-none"
      onChange={(value) => onTab(tabs.find((one) => one === value) ?? 'summary')}
      classNames={{ root: style.tabs, list: style.tabList, tab: style.tab }}
    >
      <TabRow tabs={tabs} shown={tab} />
      {designation !== 'GATEKEEPER' && <ApprovalBanner studies={[study]} onRejected={onClose} />}
      {tab !== 'viewer' && (
        <StudyBanners
          study={study}
          designation={designation}
          onWriteMrn={tabs.includes('editMRN') && tab !== 'editMRN' ? () => onTab('editMRN') : undefined}
        />
      )}
      {tabs.includes('viewer') && <ViewerPanel study={study} isShown={tab === 'viewer'} onTab={onTab} />}
      {tabs.map((one) => {
        if (one === 'viewer') return null
        const View = views[one]
        return (
          // it scrolls, and what it shows need not have anything for the focus
          <Tabs.Panel key={`${study.uuid} ${one}`} value={one} className={style.body} tabIndex={0}>
            <Suspense fallback={<LoadingState label={t('loading')} />}>
              <View
                study={study}
                onTab={onTab}
                onClose={onClose}
                isDeleting={props.isDeleting}
                onDeleting={props.onDeleting}
              />
            </Suspense>
          </Tabs.Panel>
        )
      })}
    </Tabs>
  )
}
