import type { HeldMrn, MrnHolder } from '@hilum/contract/entities/mrn-holder'
import type { ReactNode } from 'react'
import { t } from '../../labels/label.ts'
import style from './acts.module.css'

/** People who are told at once; numbers such as "0" or "UNKNOWN" stand for dozens. */
const shownAtOnce = 4

interface Props {
  held: HeldMrn
  /** Of people whom the reader may not see, last. */
  elsewhere: ReactNode
  className: string | undefined
  render: (holder: MrnHolder) => ReactNode
}

/** The other people under an MRN: the first at once, all others on request. */
export function HolderList({ held: { holders, more, elsewhere: isElsewhere }, elsewhere, className, render }: Props) {
  const item = (holder: MrnHolder) => <li key={holder.study_uuid}>{render(holder)}</li>
  // one alone would take no more room than its heading
  const isShort = more === 0 && holders.length <= shownAtOnce + 1
  const rest = isShort ? [] : holders.slice(shownAtOnce)
  return (
    <ul className={className}>
      {(isShort ? holders : holders.slice(0, shownAtOnce)).map(item)}
      {!isShort && (
        <li>
          <details>
            <summary className={style.others}>{t('mrn.others', { count: rest.length + more })}</summary>
            <ul className={className}>
              {rest.map(item)}
              {more > 0 && <li>{t('mrn.notNamed', { count: more })}</li>}
            </ul>
          </details>
        </li>
      )}
      {isElsewhere === 1 && <li>{elsewhere}</li>}
    </ul>
  )
}
