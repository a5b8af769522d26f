import { Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import style from './quiet-state.module.css'

/** Placeholder for content: nothing yet, nothing at all, or a hint what to do next. */
export function QuietState({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className={style.quiet}>
      <p className={style.title}>{title}</p>
      {children}
    </div>
  )
}

/** A spinner with a name, for waits that are longer than a blink; with `isNamed` the name is read, too. */
export function LoadingState({ label, isNamed = false }: { label: string; isNamed?: boolean }) {
  return (
    <div className={style.quiet} role="status" aria-label={label}>
      <Loader size="sm" aria-hidden="true" />
      {isNamed && <p>{label}</p>}
    </div>
  )
}
