import { afterEach, expect, test, vi } from 'vitest'
import { readableMs, saveFile } from './save-file.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('leaves the address of a file to the browser for a while after the press, and frees it then', () => {
  vi.useFakeTimers()
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:made')
  const revoke = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue()
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  saveFile('table.csv', 'a,b')
  expect(click).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(readableMs - 1)
  expect(revoke).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(revoke).toHaveBeenCalledExactlyOnceWith('blob:made')
})
