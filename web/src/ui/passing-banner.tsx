import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { Banner } from './banner.tsx'

/** CONST-01: how long good news stands. */
const passingMs = 5000

/** A message that goes by itself. Give it a `key` per message, so that each has its whole time. */
export function PassingBanner({
  tone = 'completed',
  ms = passingMs,
  onGone,
  children,
}: {
  tone?: 'completed' | 'failed'
  ms?: number
  onGone: () => void
  children: ReactNode
}) {
  const handleGone = useEffectEvent(onGone)
  useEffect(() => {
    const timer = setTimeout(() => handleGone(), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return <Banner tone={tone}>{children}</Banner>
}
