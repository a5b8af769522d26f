import type { ReactNode } from 'react'
import { type LabelKey, t } from '../labels/label.ts'
import { Banner } from '../ui/banner.tsx'
import style from './off-for-support.module.css'
import { useIsSupportSession } from './use-may.ts'

interface OffForSupportProps {
  reason: LabelKey & `offForSupport.${string}`
  /** Parts of a page that the supporter's own browser alone is about stay in use. */
  isOpen?: boolean
  children?: ReactNode
}

/**
 * Controls of acts that the server refuses to a supporter who is signed in as the person: off then, below one line that
 * says why. Without controls the line alone.
 */
export function OffForSupport({ reason, isOpen = false, children }: OffForSupportProps) {
  const isOff = useIsSupportSession() && !isOpen
  const line = isOff && (
    <div className={style.line}>
      <Banner tone="neutral">{t(reason)}</Banner>
    </div>
  )
  if (!children) return line
  return (
    <fieldset className={style.fields} disabled={isOff}>
      {line}
      {children}
    </fieldset>
  )
}
