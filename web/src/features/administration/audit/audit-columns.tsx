import { type DateFormat, formatStamp } from '../../../format/dates.ts'
import { t } from '../../../labels/label.ts'
import { type AccountAuditEvent, actText } from '../../../queries/audit.ts'
import type { GridColumn } from '../../../ui/data-grid.tsx'
import style from './audit.module.css'
import { DatedText } from '../../../ui/dated-text.tsx'
import { changeTexts, objectAsides, objectText, whoAsides, whoText } from './event-words.ts'

/** Columns of audited events, as the grid and the report of one patient show them. */
export function auditGridColumns(dateFormat: DateFormat, timeZone: string): GridColumn<AccountAuditEvent>[] {
  const stampText = (stamp: string) => formatStamp(stamp, dateFormat, timeZone)
  return [
    {
      key: 'when',
      title: t('audit.when'),
      cell: (event) => <span className={style.stamp}>{stampText(event.when)}</span>,
    },
    {
      key: 'who',
      title: t('audit.who'),
      cell: (event) => <WithAsides text={whoText(event)} asides={[whoAsides(event).join(' · ')]} />,
    },
    {
      key: 'what',
      title: t('audit.what'),
      isName: true,
      cell: (event) => <WithAsides text={actText(event.action)} asides={changeTexts(event, stampText)} />,
    },
    {
      key: 'whom',
      title: t('audit.whom'),
      cell: (event) => <WithAsides text={objectText(event)} asides={[objectAsides(event, dateFormat).join(' · ')]} />,
    },
  ]
}

/** A text with smaller ones below it. */
export function WithAsides({ text, asides }: { text: string; asides: readonly string[] }) {
  return (
    <>
      {text}
      {asides.filter(Boolean).map((aside) => (
        <span key={aside} className={style.aside}>
          <DatedText>{aside}</DatedText>
        </span>
      ))}
    </>
  )
}
