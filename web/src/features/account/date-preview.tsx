import { type DateFormat, formatStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import style from './account.module.css'

/** The present moment as dates and times will be written. */
export function DatePreview({ format, timeZone }: { format: DateFormat; timeZone: string }) {
  return <p className={style.preview}>{t('profile.preview', { stamp: formatStamp(nowStamp(), format, timeZone) })}</p>
}

function nowStamp(): string {
  return new Date().toISOString()
}
