import type { Study } from '@hilum/contract/entities/study'
import { savesData } from '@hilum/contract/saves-data'
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
/** Long enough that the images of the exam that is shown come first. */
const NEXT_AFTER_MS = 4000

interface ViewerPanelProps {
  study: Study
  isShown: boolean
  onTab: (tab: ExamTab) => void
}

/**
 * The panel of the viewer's tab. The viewer's page is opened ahead, unseen and without an exam, while somebody looks at
 * another tab or at another exam; it has only the exam to fetch when it is wanted. A page shows one exam, and the next
 * exam another page.
 */
export function ViewerPanel({ study, isShown, onTab }: ViewerPanelProps) {
  const [page, setPage] = useState<{ number: number; exam: string | undefined }>({ number: 0, exam: undefined })
  const exam = isShown ? study.uuid : undefined
  // before anything is drawn: never is the page of one exam seen below the head of another
  if (page.exam !== exam) setPage({ number: page.exam === undefined ? page.number : page.number + 1, exam })
  const next = isShown ? page.number + 1 : page.number
  const ahead = usePagesAhead(
    study.image_count > 0 && !savesData() ? next : undefined,
    study.uuid,
    isShown ? NEXT_AFTER_MS : AFTER_MS,
  )
  const pages = [page.number, page.number + 1].filter(
    (number) => number <= ahead || (isShown && number === page.number),
  )
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
      {pages.map((number) => {
        const isCurrent = number === page.number
        return (
          <div
            key={number}
            className={isCurrent ? style.page : style.spare}
            inert={!isCurrent}
            aria-hidden={!isCurrent || undefined}
          >
            <Suspense fallback={isShown && isCurrent ? <LoadingState label={t('loading')} /> : null}>
              <ViewerTab
                study={study}
                isShown={isShown && isCurrent}
                onClose={() => onTab('summary')}
                onReports={() => onTab('reports')}
              />
            </Suspense>
          </div>
        )
      })}
    </Tabs.Panel>
  )
}

/**
 * @param next the page to be opened ahead once an exam was shown for a while, and the code of the tab is there
 * @returns the last page that may be open; none before the first
 */
function usePagesAhead(next: number | undefined, exam: string, afterMs: number): number {
  const [{ page: last }, setLast] = useState({ page: -1, exam: '' })
  const isOpen = next === undefined || next <= last
  useEffect(() => {
    if (isOpen) return undefined
    let isOver = false
    const timer = setTimeout(async () => {
      try {
        await loadTab()
        if (!isOver) setLast({ page: next, exam })
      } catch {
        // without a network nothing is opened ahead; whoever opens the tab asks for the code again
      }
    }, afterMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [next, isOpen, exam, afterMs])
  return last
}
