import type { ReactNode } from 'react'
import style from './titled-section.module.css'

type Props = { id: string; title: string; level?: 2 | 3; className?: string | undefined; children: ReactNode }

/** A section of a page that has its heading for a name. */
export function TitledSection({ id, title, level = 2, className, children }: Props) {
  const Heading = `h${level}` as const
  return (
    <section aria-labelledby={id} className={className}>
      <Heading id={id} className={style.heading}>
        {title}
      </Heading>
      {children}
    </section>
  )
}
