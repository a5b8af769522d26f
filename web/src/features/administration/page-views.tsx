import { Button } from '@mantine/core'
import style from './page-views.module.css'

type Props<View extends string> = {
  views: readonly View[]
  shown: View
  label: string
  /** The words of a view. */
  nameOf: (view: View) => string
  onShow: (view: View) => void
}

/** Buttons that choose which part of a page is shown. */
export function PageViews<View extends string>({ views, shown, label, nameOf, onShow }: Props<View>) {
  return (
    <nav aria-label={label} className={style.views}>
      {views.map((view) => (
        <Button
          key={view}
          size="xs"
          variant={view === shown ? 'light' : 'subtle'}
          aria-current={view === shown ? 'page' : undefined}
          onClick={() => onShow(view)}
        >
          {nameOf(view)}
        </Button>
      ))}
    </nav>
  )
}
