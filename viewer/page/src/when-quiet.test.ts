import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { whenQuiet } from './when-quiet.ts'

class Pointer extends Event {
  readonly buttons: number
  constructor(type: string, { buttons }: { buttons: number }) {
    super(type)
    this.buttons = buttons
  }
}

let page: EventTarget & { hidden?: boolean }

beforeEach(() => {
  page = new EventTarget()
  vi.useFakeTimers()
  vi.stubGlobal('window', page)
  vi.stubGlobal('document', { hidden: false })
  vi.stubGlobal('PointerEvent', Pointer)
  const whenIdle = (act: () => void) => act()
  Object.assign(page, { requestIdleCallback: whenIdle })
  vi.stubGlobal('requestIdleCallback', whenIdle)
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
})

it.each([
  ['a key', () => new Event('keydown')],
  ['the wheel', () => new Event('wheel')],
  ['a press', () => new Pointer('pointerdown', { buttons: 1 })],
  ['a drag', () => new Pointer('pointermove', { buttons: 1 })],
  ['a slider', () => new Event('input')],
])('waits for a second of quiet, which %s begins anew', (_name, event) => {
  const act = vi.fn()
  whenQuiet(() => false, act)
  for (let turn = 0; turn < 5; turn++) {
    vi.advanceTimersByTime(800)
    page.dispatchEvent(event())
  }
  expect(act).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1200)
  expect(act).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(10_000)
  expect(act).toHaveBeenCalledTimes(1)
})

it('takes a pointer that only moves for quiet, and a page at work or out of sight for none', () => {
  const [act, busy] = [vi.fn(), { isOn: true }]
  whenQuiet(() => busy.isOn, act)
  vi.advanceTimersByTime(5000)
  busy.isOn = false
  vi.stubGlobal('document', { hidden: true })
  vi.advanceTimersByTime(5000)
  expect(act).not.toHaveBeenCalled()
  vi.stubGlobal('document', { hidden: false })
  vi.advanceTimersByTime(800)
  page.dispatchEvent(new Pointer('pointermove', { buttons: 0 }))
  vi.advanceTimersByTime(400)
  expect(act).toHaveBeenCalledTimes(1)
})

it('calls back in a browser that cannot say when it is idle, as Safari', () => {
  page = new EventTarget()
  vi.stubGlobal('window', page)
  vi.stubGlobal('requestIdleCallback', undefined)
  const act = vi.fn()
  whenQuiet(() => false, act)
  vi.advanceTimersByTime(1500)
  expect(act).toHaveBeenCalledTimes(1)
})

it('calls back also in a browser that never calls itself idle', () => {
  vi.stubGlobal('requestIdleCallback', (act: () => void, { timeout }: { timeout: number }) => setTimeout(act, timeout))
  const act = vi.fn()
  whenQuiet(() => false, act)
  vi.advanceTimersByTime(4000)
  expect(act).toHaveBeenCalledTimes(1)
})

it('does nothing once it was stopped', () => {
  const act = vi.fn()
  whenQuiet(() => false, act)()
  vi.advanceTimersByTime(5000)
  expect(act).not.toHaveBeenCalled()
})
