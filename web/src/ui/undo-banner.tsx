import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Banner } from './banner.tsx'

interface UndoBannerProps {
  /** The act that can be undone, in words. */
  children: ReactNode
  label: string
  isBusy: boolean
  onUndo: () => void
  /** The button that had the focus is gone with what was done. */
  autoFocus?: boolean
}

/** Says what was done, with the way back. */
export function UndoBanner({ children, label, isBusy, onUndo, autoFocus = false }: UndoBannerProps) {
  return (
    <Banner
      tone="completed"
      action={
        <Button autoFocus={autoFocus} variant="default" size="compact-xs" loading={isBusy} onClick={onUndo}>
          {label}
        </Button>
      }
    >
      {children}
    </Banner>
  )
}
