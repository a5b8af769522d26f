import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import style from './upload.module.css'

interface Props {
  /** `code`: the specification's word for the reason (ERROR-17), for whoever asks for help. */
  rows: readonly { path: string; reason: string; size?: string; code?: string }[]
  label: string
}

const ROW_PX = 28
/** Up to so many rows show their whole reason. */
const MOST_WHOLE_ROWS = 8

/** Files with a reason each. Thousands are possible, so only those in view are drawn. */
export function ReasonList({ rows, label }: Props) {
  return rows.length <= MOST_WHOLE_ROWS ? (
    <WholeReasons rows={rows} label={label} />
  ) : (
    <ManyReasons rows={rows} label={label} />
  )
}

/** Few files: each with all of its reason, over as many lines as that takes. */
function WholeReasons({ rows, label }: Props) {
  return (
    <ul className={style.wholeReasons} aria-label={label}>
      {rows.map(({ path, reason, size, code }) => (
        <li key={path + reason}>
          <span>{path}</span>
          <span className={style.wholeReason}>
            {reason} {code && <span className={style.code}>{code}</span>}
          </span>
          <span className={style.numbers}>{size}</span>
        </li>
      ))}
    </ul>
  )
}

function ManyReasons({ rows, label }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- the compiler leaves this component alone, which is right
  const { getVirtualItems, getTotalSize } = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    initialRect: { width: 800, height: 280 },
  })
  return (
    // A list that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={style.reasons} ref={frame} tabIndex={0} role="list" aria-label={label}>
      <div style={{ height: getTotalSize(), position: 'relative' }}>
        {getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          return (
            <div
              key={index}
              role="listitem"
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              className={style.reason}
              style={{ transform: `translateY(${start}px)` }}
            >
              <span className={style.path} title={row?.path}>
                {row?.path}
              </span>
              <span className={style.why} title={[row?.reason, row?.code].filter(Boolean).join(' · ')}>
                {row?.reason} {row?.code && <span className={style.code}>{row.code}</span>}
              </span>
              <span className={style.numbers}>{row?.size}</span>
            </div>
          )
        })}
      </div>
    </div>
  )
}
