import type { ReactNode } from 'react'
import style from './heard-only.module.css'

/** A text for screen readers alone. */
export function HeardOnly({ as: Tag = 'span', children }: { as?: 'span' | 'h1'; children: ReactNode }) {
  return <Tag className={style.heard}>{children}</Tag>
}
