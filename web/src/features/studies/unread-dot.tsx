import type { Study } from '@hilum/contract/entities/study'
import { t } from '../../labels/label.ts'
import style from './unread-dot.module.css'

/**
 * Marks a study that the person has not opened yet. The dot hangs before the name, so that names stand in one column
 * whether they were opened or not.
 * @param className says where in the card or cell
 */
export function UnreadDot({ study, className }: { study: Pick<Study, 'unread'>; className: string | undefined }) {
  if (study.unread !== 1) return null
  const label = t('card.unread')
  return <span role="img" aria-label={label} title={label} className={`${style.dot} ${className}`} />
}
