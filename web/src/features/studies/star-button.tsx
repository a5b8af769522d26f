import { studyStar } from '@hilum/contract/calls/study-acts'
import type { Study } from '@hilum/contract/entities/study'
import { t } from '../../labels/label.ts'
import { mayCall } from '../../session/use-may.ts'
import { IconStar, IconStarFilled } from '../../ui/icons.ts'
import style from './study-card.module.css'

/** The person's own star on a study. */
export function StarButton({ study, name, onStar }: { study: Study; name: string; onStar: (study: Study) => void }) {
  if (!mayCall(studyStar, study.permissions)) return null
  const isStarred = study.star === 1
  const Icon = isStarred ? IconStarFilled : IconStar
  return (
    <button
      type="button"
      className={style.star}
      aria-pressed={isStarred}
      aria-label={t('card.starOf', { name })}
      title={t('card.star')}
      onClick={() => onStar(study)}
    >
      <Icon size={15} aria-hidden="true" />
    </button>
  )
}
