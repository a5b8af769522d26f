import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showSignedIn } from '../../../test/signed-in.tsx'
import { putNotice } from '../../state/notices.ts'
import { Notices } from './notices.tsx'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => {
  act(() => vi.runAllTimers())
  vi.useRealTimers()
})

const texts = () => screen.getByRole('status').innerText.split('\n').filter(Boolean)
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))

test('[ERROR-16] messages are snackbars that last 4000 ms, three at once; the fourth waits for its turn', () => {
  showSignedIn(<Notices />)
  act(() => ['one', 'two', 'three', 'four'].forEach(putNotice))
  expect(texts()).toEqual(['one', 'two', 'three'])
  pass(3999)
  expect(texts()).toEqual(['one', 'two', 'three'])
  pass(1)
  expect(texts()).toEqual(['four'])
  pass(4000)
  expect(texts()).toEqual([])
})
