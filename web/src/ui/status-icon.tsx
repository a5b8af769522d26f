import { IconAlertTriangleFilled, IconBan, IconCircleCheckFilled, IconClockHour4 } from './icons.ts'
import style from './status.module.css'

type StudyStatus = 'queued' | 'completed' | 'rejected' | 'failed'

const icons = {
  queued: IconClockHour4,
  completed: IconCircleCheckFilled,
  rejected: IconBan,
  failed: IconAlertTriangleFilled,
}

/** Status by shape, colour and word: never by colour alone. */
export function StatusPill({ status, label }: { status: StudyStatus; label: string }) {
  const Icon = icons[status]
  return (
    <span className={style.pill} data-status={status}>
      <Icon size={13} />
      {label}
    </span>
  )
}
