import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useAgo } from './use-ago.ts'

function Age({ stamp }: { stamp: string }) {
  const agoOf = useAgo()
  return <p>{agoOf(stamp)}</p>
}

describe('ages on the screen', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-03-04T10:00:00Z') }))
  afterEach(() => void vi.useRealTimers())

  it('grow while the screen stays open, and nothing runs once the screen is closed', () => {
    const { unmount } = render(<Age stamp="2026-03-04 10:00:00.000000+00" />)
    expect(screen.queryByText('now')).not.toBeNull()
    act(() => void vi.advanceTimersByTime(120_000))
    expect(screen.queryByText('2 minutes ago')).not.toBeNull()
    unmount()
    expect(vi.getTimerCount()).toBe(0)
  })
})
