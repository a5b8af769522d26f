import type { Study } from '@hilum/contract/entities/study'
import { t } from '../../labels/label.ts'
import { IconCircleCheckFilled, IconUserCheck } from '../../ui/icons.ts'
import style from './study-card.module.css'

/** How far the work on a study is, and who has taken it; nothing while it is new. */
export function WorkStatus({ study }: { study: Pick<Study, 'work_status' | 'taken_by_name'> }) {
  const { work_status: status, taken_by_name: taker } = study
  if (status === 'new') return null
  const word = t(`work.${status}`)
  const Icon = status === 'done' ? IconCircleCheckFilled : IconUserCheck
  return (
    <span className={style.work} data-status={status}>
      <Icon size={12} aria-hidden="true" />
      {taker ? t('work.takenBy', { status: word, name: taker }) : word}
    </span>
  )
}
