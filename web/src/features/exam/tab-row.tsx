import { Tabs } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { t } from '../../labels/label.ts'
import { IconChevronLeft, IconChevronRight } from '../../ui/icons.ts'
import { useScrollEdges } from '../../ui/use-scroll-edges.ts'
import style from './tab-row.module.css'
import { tabIcons } from './tab-icons.ts'
import type { ExamTab } from '../../state/exam-tabs.ts'

/** Names of the tabs in a row. Where they do not fit, its ends say so, and the shown one is in sight. */
export function TabRow({ tabs, shown }: { tabs: readonly ExamTab[]; shown: ExamTab }) {
  const list = useRef<HTMLDivElement>(null)
  const [edges, followEdges] = useScrollEdges()
  useEffect(() => {
    list.current?.querySelector(`[data-tab=${shown}]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [shown])
  const turn = (direction: 1 | -1) => () =>
    list.current?.scrollBy({ left: direction * list.current.clientWidth * 0.7, behavior: 'instant' })
  return (
    <div className={style.row}>
      <Tabs.List
        ref={(element) => {
          list.current = element
          return followEdges(element)
        }}
        aria-label={t('exam.label')}
      >
        {tabs.map((one) => {
          const Icon = tabIcons[one]
          return (
            <Tabs.Tab key={one} value={one} data-tab={one} leftSection={<Icon size={15} />}>
              {t(`tab.${one}`)}
            </Tabs.Tab>
          )
        })}
      </Tabs.List>
      {/* For the pointer alone: keys move through the tabs themselves, which come into sight as they are reached. */}
      {edges.start && (
        <button
          type="button"
          className={style.more}
          data-end="start"
          tabIndex={-1}
          aria-hidden="true"
          onClick={turn(-1)}
        >
          <IconChevronLeft size={16} />
        </button>
      )}
      {edges.end && (
        <button type="button" className={style.more} data-end="end" tabIndex={-1} aria-hidden="true" onClick={turn(1)}>
          <IconChevronRight size={16} />
        </button>
      )}
    </div>
  )
}
