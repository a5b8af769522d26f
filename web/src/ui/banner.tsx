import type { ReactNode } from 'react'
import style from './banner.module.css'
import { IconAlertTriangleFilled, IconCircleCheckFilled, IconAlertCircle } from './icons.ts'
import { DatedText } from './dated-text.tsx'

type Tone = 'failed' | 'completed' | 'priority' | 'info' | 'neutral'
const icons = {
  failed: IconAlertTriangleFilled,
  completed: IconCircleCheckFilled,
  priority: IconAlertTriangleFilled,
  info: IconAlertCircle,
  neutral: IconAlertCircle,
}

/** A message that stays where it matters. Failures interrupt a screen reader, all else waits its turn. */
export function Banner({ tone, children, action }: { tone: Tone; children: ReactNode; action?: ReactNode }) {
  const Icon = icons[tone]
  return (
    <div className={style.banner} data-tone={tone} role={tone === 'failed' ? 'alert' : 'status'}>
      <Icon size={16} className={style.icon} />
      <div className={style.text}>{typeof children === 'string' ? <DatedText>{children}</DatedText> : children}</div>
      {action && <div className={style.action}>{action}</div>}
    </div>
  )
}
