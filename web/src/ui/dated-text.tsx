import { Fragment } from 'react'
import style from './dated-text.module.css'

/** A date in figures of each format a person may choose, or with the month in letters. */
const dates = /(\d{2,4}[-/]\d{2}[-/]\d{2,4}|\d{1,2} [A-Z][a-z]{2} \d{4})/
const stamp = new RegExp(`^${dates.source}( \\d{2}:\\d{2})?$`)

/** A text whose dates stand in one piece each: browsers break lines at a date's hyphens, as at those of words. */
export function DatedText({ children: text }: { children: string }) {
  if (stamp.test(text)) return <span className={style.stamp}>{text}</span>
  const parts = text.split(dates)
  if (parts.length === 1) return text
  return parts.map((part, at) =>
    at % 2 === 1 ? (
      // oxlint-disable-next-line react/no-array-index-key -- parts of one text, which never move
      <span key={at} className={style.date}>
        {part}
      </span>
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- as above
      <Fragment key={at}>{part}</Fragment>
    ),
  )
}
