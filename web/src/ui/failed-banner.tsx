import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Banner } from './banner.tsx'

interface FailedBannerProps {
  children: ReactNode
  /** The word on the button that tries again. */
  retry: string
  isRetrying?: boolean
  onRetry: () => void
}

/** A failure, and a button to retry with everything as it was. */
export function FailedBanner({ children, retry, isRetrying, onRetry }: FailedBannerProps) {
  return (
    <Banner
      tone="failed"
      action={
        <Button variant="default" size="compact-xs" loading={isRetrying ?? false} onClick={onRetry}>
          {retry}
        </Button>
      }
    >
      {children}
    </Banner>
  )
}
