import '@mantine/core/styles/Tabs.layer.css'
import type { Study } from '@hilum/contract/entities/study'
import { Tabs } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { formatSize } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { ApprovalBanner } from './approval-banner.tsx'
import { BatchActs } from './batch-acts.tsx'
import { DownloadForm } from './download-form.tsx'
import { ExamLine } from './exam-line.tsx'
import style from './exam-panel.module.css'
import { TabRow } from './tab-row.tsx'
import { type MultiTab, visibleMultiTabs } from './tab-sets.ts'

const ShareMany = lazy(async () => ({ default: (await import('./share-tab.tsx')).ShareMany }))
const SendMany = lazy(async () => ({ default: (await import('./send-tab.tsx')).SendMany }))
const DeleteTab = lazy(async () => ({ default: (await import('./delete-tab.tsx')).DeleteTab }))

/** Several studies (PANEL-01, PANEL-06): what can be done with all of them. */
export function MultiPanel({ studies, onDeleted }: { studies: readonly Study[]; onDeleted: () => void }) {
  const [wanted, setWanted] = useState<string | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const tabs = visibleMultiTabs(studies)
  const tab: MultiTab | undefined = tabs.find((one) => one === wanted) ?? tabs[0] // PANEL-07: download
  const areDeleted = studies.some((study) => study.is_deleted === 1)
  return (
    <section className={style.panel} aria-label={t('exam.label')}>
      <div className={style.top}>
        <div className={style.who}>
          <h2>{t('exam.multi', { count: studies.length })}</h2>
          <p className={style.line}>
            {t(tab ? 'exam.multiText' : areDeleted ? 'exam.multiDeleted' : 'exam.multiNothing')}
          </p>
        </div>
      </div>
      <ApprovalBanner studies={studies} onRejected={onDeleted} />
      {!areDeleted && <BatchActs studies={studies} onMoved={onDeleted} />}
      {tab && (
        <Tabs value={tab} onChange={setWanted} classNames={{ root: style.tabs, list: style.tabList, tab: style.tab }}>
          <TabRow tabs={tabs} shown={tab} />
          <Tabs.Panel value="download" className={style.body} tabIndex={0}>
            <DownloadMany studies={studies} />
          </Tabs.Panel>
          <Tabs.Panel value="share" className={style.body} tabIndex={0}>
            <Suspense fallback={<LoadingState label={t('loading')} />}>
              <ShareMany studies={studies} />
            </Suspense>
          </Tabs.Panel>
          <Tabs.Panel value="sendExams" className={style.body} tabIndex={0}>
            <Suspense fallback={<LoadingState label={t('loading')} />}>
              <SendMany studies={studies} />
            </Suspense>
          </Tabs.Panel>
          <Tabs.Panel value="deleteExams" className={style.body} tabIndex={0}>
            <Suspense fallback={<LoadingState label={t('loading')} />}>
              <DeleteTab studies={studies} isAsking={isAsking} onAsking={setIsAsking} onDeleted={onDeleted} />
            </Suspense>
          </Tabs.Panel>
        </Tabs>
      )}
    </section>
  )
}

function DownloadMany({ studies }: { studies: readonly Study[] }) {
  return (
    <div className={style.content}>
      <DownloadForm studies={studies} button={t('download.many', { count: studies.length })} />
      <ul className={style.chosen}>
        {studies.map((study) => (
          <li key={study.uuid}>
            <b>
              <ExamLine study={study} among={studies} />
            </b>
            <span>{formatSize(study.size)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
