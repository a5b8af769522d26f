import type { Study } from '@hilum/contract/entities/study'
import { Tabs } from '@mantine/core'
import { lazy, Suspense, useEffect, useState } from 'react'
import { t } from '../../labels/label.ts'
import type { ExamTab } from '../../state/exam-tabs.ts'
import { LoadingState } from '../../ui/quiet-state.tsx'
import style from './exam-panel.module.css'

const loadTab = () => import('./viewer-tab.tsx')
const ViewerTab = lazy(async () => ({ default: (await loadTab()).ViewerTab }))

/** Long enough that the summary and its pictures come first, and that nobody walks through the list meanwhile. */
const AFTER_MS = 1500

interface ViewerPanelProps {
  study: Study
  isShown: boolean
  onTab: (tab: ExamTab) => void
}

/**
 * The panel of the viewer's tab. The viewer's page is opened ahead, unseen and without an exam, while somebody looks at
 * another tab; it has only the exam to fetch when it is wanted. A page shows one exam, and the next exam another page.
 */
export function ViewerPanel({ study, isShown, onTab }: ViewerPanelProps) {
  const [page, setPage] = useState<{ number: number; exam: string | undefined }>({ number: 0, exam: undefined })
  const exam = isShown ? study.uuid : undefined
  // before anything is drawn: never is the page of one exam seen below the head of another
  if (page.exam !== exam) setPage({ number: page.exam === undefined ? page.number : page.number + 1, exam })
  const isCalm = useIsCalm(page.number, study.uuid)
  const isThere = isShown || (isCalm && study.image_count > 0)
  return (
    <Tabs.Panel
      value="viewer"
      keepMounted
      className={isShown ? style.body : style.ahead}
      inert={!isShown}
      aria-hidden={!isShown}
      // a low panel scrolls, by keys too while nothing in it can have the focus
      tabIndex={isShown ? 0 : undefined}
    >
      {isThere && (
        <Suspense fallback={isShown ? <LoadingState label={t('loading')} /> : null}>
          <ViewerTab
            key={page.number}
            study={study}
            isShown={isShown}
            onClose={() => onTab('summary')}
            onReports={() => onTab('reports')}
          />
        </Suspense>
      )}
    </Tabs.Panel>
  )
}

/** Whether an exam was shown for a while, since the page with this number was wanted, and the code of the tab is there. */
function useIsCalm(page: number, exam: string): boolean {
  const [calm, setCalm] = useState<{ page: number; exam: string }>()
  useEffect(() => {
    let isOver = false
    const timer = setTimeout(async () => {
      try {
        await loadTab()
        if (!isOver) setCalm({ page, exam })
      } catch {
        // without a network nothing is opened ahead; whoever opens the tab asks for the code again
      }
    }, AFTER_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [page, exam])
  return calm?.page === page
}
