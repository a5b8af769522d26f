import '@mantine/core/styles/Tabs.layer.css'
import type { Designation, StudyState } from '@hilum/contract/inbox-config'
import type { Study } from '@hilum/contract/entities/study'
import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { failureCode } from '../../api/api-failure.ts'
import { t } from '../../labels/label.ts'
import { useMarkRead } from '../../queries/mark-read.ts'
import { studyQuery } from '../../queries/studies.ts'
import { IconDownload, IconEye, IconFileText } from '../../ui/icons.ts'
import { LoadingState, QuietState } from '../../ui/quiet-state.tsx'
import { DownloadTab } from './download-tab.tsx'
import { ExamHead } from './exam-head.tsx'
import style from './exam-panel.module.css'
import { StudyBanners } from './study-banners.tsx'
import { SummaryTab } from './summary-tab.tsx'
import { defaultTab, type ExamTab, visibleTabs } from './tab-sets.ts'
import { ViewerTab } from './viewer-tab.tsx'

interface ExamPanelProps {
  uuid: string
  designation: Designation | undefined
  state: StudyState
  /** The tab that the address asks for. */
  tab: string | undefined
  onTab: (tab: ExamTab) => void
  onClose: () => void
}

const icons: Partial<Record<ExamTab, typeof IconEye>> = {
  summary: IconFileText,
  viewer: IconEye,
  download: IconDownload,
}

/** One study: who it is, and its tabs (PANEL-01, PANEL-02). */
export function ExamPanel({ uuid, onClose, ...rest }: ExamPanelProps) {
  const { data: study, error } = useQuery(studyQuery(uuid))
  useMarkRead(study)
  const isGone = error && ['NOT_FOUND', 'NOT_PERMITTED'].includes(failureCode(error))
  return (
    <section className={style.panel} aria-label={t('exam.label')}>
      {isGone && <QuietState title={t('exam.gone')} />}
      {error && !isGone && !study && <QuietState title={t('exam.failed')} />}
      {!error && !study && <LoadingState label={t('loading')} />}
      {study && !isGone && (
        <>
          <ExamHead study={study} onClose={onClose} />
          <ExamTabs key={study.uuid} study={study} {...rest} onClose={onClose} />
        </>
      )}
    </section>
  )
}

function ExamTabs(props: Omit<ExamPanelProps, 'uuid'> & { study: Study }) {
  const { study, designation, state, onTab } = props
  const tabs = visibleTabs(designation, study)
  const tab = tabs.find((one) => one === props.tab) ?? defaultTab(designation, state, tabs)
  return (
    <Tabs
      value={tab}
      onChange={(value) => onTab(tabs.find((one) => one === value) ?? 'summary')}
      classNames={{ root: style.tabs, list: style.tabList, tab: style.tab }}
    >
      <Tabs.List aria-label={t('exam.label')}>
        {tabs.map((one) => {
          const Icon = icons[one]
          return (
            <Tabs.Tab key={one} value={one} leftSection={Icon && <Icon size={15} aria-hidden="true" />}>
              {t(`tab.${one}`)}
            </Tabs.Tab>
          )
        })}
      </Tabs.List>
      {tab !== 'viewer' && <StudyBanners study={study} />}
      {tabs.map((one) => (
        <Tabs.Panel key={one} value={one} className={style.body}>
          {one === 'summary' && <SummaryTab study={study} />}
          {one === 'viewer' && <ViewerTab study={study} onClose={() => onTab('summary')} />}
          {one === 'download' && <DownloadTab study={study} />}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
