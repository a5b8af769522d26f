import { Tabs } from '@mantine/core'
import { act, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { ViewerPanel } from './viewer-panel.tsx'

interface Shown {
  uuid: string
  tab: string
}

const frames = () => [...document.querySelectorAll('iframe')]
const onlyFrame = () => {
  const [frame, ...more] = frames()
  if (!frame || more.length > 0) throw new Error(`There are ${frames().length} frames`)
  return frame
}

/** @returns shows another exam or tab */
function showPanel(first: Shown): (next: Shown) => void {
  let show: (next: Shown) => void = () => undefined
  function Harness() {
    const [{ uuid, tab }, setShown] = useState(first)
    show = setShown
    return (
      <Tabs value={tab} keepMountedMode="display-none">
        <ViewerPanel
          study={makeStudy({ uuid, study_uid: `1.2.${uuid}`, image_count: 3 })}
          isShown={tab === 'viewer'}
          onTab={() => undefined}
        />
      </Tabs>
    )
  }
  showSignedIn(<Harness />, { 'session/derive': { sid: 'derived' } })
  return (next) => act(() => show(next))
}

/** The page in the frame, which no test loads, says that it listens. @returns messages that it is sent from then on */
function answerFrom(frame: HTMLIFrameElement): string[] {
  const heard: string[] = []
  const page = { postMessage: (message: unknown) => void heard.push(String(message)) }
  Object.defineProperty(frame, 'contentWindow', { value: page })
  act(() => {
    const data = JSON.stringify({ action: 'viewer-ahead' })
    const message = new MessageEvent('message', { data, origin: location.origin })
    Object.defineProperty(message, 'source', { value: page })
    window.dispatchEvent(message)
  })
  return heard
}

test('the viewer’s page is opened ahead without an exam, and given one when it is wanted', async () => {
  const show = showPanel({ uuid: '7', tab: 'summary' })
  expect(frames()).toEqual([])
  await waitFor(() => expect(onlyFrame().getAttribute('src')).toBe('/proviewer/?ahead=1'))
  const frame = onlyFrame()
  const heard = answerFrom(frame)
  expect(frame.closest('[inert]')).not.toBeNull()
  expect(sentCalls.filter(({ path }) => path === 'session/derive')).toEqual([])

  show({ uuid: '7', tab: 'viewer' })
  await waitFor(() => expect(heard.some((text) => text.includes('"open"'))).toBe(true))
  expect(onlyFrame()).toBe(frame)
  expect(frame.closest('[inert]')).toBeNull()
  const { open } = JSON.parse(heard.find((text) => text.includes('"open"')) ?? '{}') as { open?: string }
  expect(open).toMatch(/^\/proviewer\/\?sid=derived&.*patient=shown#study\/s\/1\.2\.7\/p$/)
})

test('a page shows one exam: the next exam, and the same one later, have another page', async () => {
  const show = showPanel({ uuid: '7', tab: 'summary' })
  await waitFor(() => onlyFrame())
  const first = onlyFrame()
  answerFrom(first)
  show({ uuid: '7', tab: 'viewer' })
  show({ uuid: '8', tab: 'viewer' })
  await waitFor(() => expect(onlyFrame().getAttribute('src')).toContain('#study/s/1.2.8/p'))
  const second = onlyFrame()
  expect(second).not.toBe(first)
  show({ uuid: '8', tab: 'summary' })
  expect(second.isConnected).toBe(false)
  await waitFor(() => expect(onlyFrame().getAttribute('src')).toBe('/proviewer/?ahead=1'))
})

test('an exam opened at its viewer has the page for itself at once', async () => {
  showPanel({ uuid: '7', tab: 'viewer' })
  expect(await screen.findByTitle('Viewer of DOE, Jane')).toBeDefined()
  expect(onlyFrame().getAttribute('src')).toContain('sid=derived')
})

test('while an exam is looked at, a page is opened ahead for the next one, which has it at once', async () => {
  const show = showPanel({ uuid: '7', tab: 'viewer' })
  const first = await screen.findByTitle('Viewer of DOE, Jane')
  await waitFor(() => expect(frames().length).toBe(2), { timeout: 20_000 })
  const spare = frames().find((frame) => frame !== first)
  if (!spare) throw new Error('There is no other frame')
  expect([spare.getAttribute('src'), spare.title]).toEqual(['/proviewer/?ahead=1', ''])
  expect(spare.closest('[inert]')).not.toBeNull()
  const heard = answerFrom(spare)
  show({ uuid: '8', tab: 'viewer' })
  await waitFor(() => expect(heard.some((text) => text.includes('#study/s/1.2.8/p'))).toBe(true))
  expect(onlyFrame()).toBe(spare)
  expect(spare.closest('[inert]')).toBeNull()
  expect(first.isConnected).toBe(false)
})

test('no page is opened ahead where the browser saves data, and the viewer opens when it is wanted', async () => {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'connection'))
  vi.useFakeTimers({ shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const show = showPanel({ uuid: '7', tab: 'summary' })
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(frames()).toEqual([])
  show({ uuid: '7', tab: 'viewer' })
  await waitFor(() => expect(onlyFrame().getAttribute('src')).toContain('#study/s/1.2.7/p'))
})
