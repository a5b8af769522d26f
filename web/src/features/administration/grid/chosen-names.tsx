import { nameWithEmail } from '../../../format/name-with-email.ts'
import { t } from '../../../labels/label.ts'
import style from '../users/users.module.css'

/** Names that stand one by one. */
const named = 100

interface ChosenNamesProps {
  label: string
  /** The chosen ones: a selection outlives filter and page, so that some may be out of sight. */
  ones: readonly { key: string; name: string /** Of people, since two may have one name. */; email?: string }[]
  /** Keys of the rows that the grid shows. */
  shown: ReadonlySet<string>
}

/** Names whom a bulk act is about, before it is done: those out of sight first, and marked. */
export function ChosenNames({ label, ones, shown }: ChosenNamesProps) {
  const isSeen = ({ key }: { key: string }) => shown.has(key)
  const sorted = [...ones.filter((one) => !isSeen(one)), ...ones.filter(isSeen)]
  const rest = sorted.slice(named)
  const unseen = rest.filter((one) => !isSeen(one)).length
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list of many names is scrolled by keys
    <ul className={style.chosen} aria-label={label} tabIndex={0}>
      {sorted.slice(0, named).map((one) => (
        <li key={one.key}>
          {nameWithEmail(one.name, one.email ?? '')}{' '}
          {!isSeen(one) && <span className={style.mark}>{t('grid.outOfSight')}</span>}
        </li>
      ))}
      {rest.length > 0 && (
        <li>
          {t('grid.andMore', { count: rest.length })}
          {unseen > 0 && ` ${t('grid.ofThemOutOfSight', { count: unseen })}`}
        </li>
      )}
    </ul>
  )
}
