import { Tabs } from '@mantine/core'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { showRouted } from '../../../test/routed.tsx'
import { ViewerPanel } from './viewer-panel.tsx'

const study = makeStudy({ uuid: '7', image_count: 3 })

/** The page in the frame, which no test loads, says how many lengths are not kept. */
function tellOpen(frame: Element, count: number): void {
  const page = { postMessage: () => undefined }
  Object.defineProperty(frame, 'contentWindow', { value: page, configurable: true })
  const data = JSON.stringify({ action: 'open-lengths', count })
  const message = new MessageEvent('message', { data, origin: location.origin })
  Object.defineProperty(message, 'source', { value: page })
  act(() => void window.dispatchEvent(message))
}

test('lengths that are not kept are asked about before another tab or page, and not before another order', async () => {
  const { go, leave, address } = showRouted(
    <Tabs value="viewer">
      <ViewerPanel study={study} isShown onTab={() => undefined} />
    </Tabs>,
    { 'session/derive': { sid: 'derived' } },
  )
  const frame = await screen.findByTitle('Viewer of DOE, Jane')
  tellOpen(frame, 2)
  act(() => go('/?sort=name-asc'))
  await waitFor(() => expect(address()).toContain('sort=name-asc'))
  expect(screen.queryByRole('dialog')).toBeNull()
  act(() => go('/?sort=name-asc&tab=summary'))
  await screen.findByText(/^2 lengths measured here are not kept/)
  await userEvent.click(screen.getByRole('button', { name: 'Stay' }))
  expect(address()).not.toContain('tab')
  expect(frame.isConnected).toBe(true)
  act(() => leave())
  await screen.findByText(/^2 lengths measured here are not kept/)
  await userEvent.click(screen.getByRole('button', { name: 'Stay' }))
  tellOpen(frame, 0)
  act(() => leave())
  await screen.findByText('Elsewhere')
})

test('lengths that are not kept go with the viewer once somebody says so', async () => {
  const { leave } = showRouted(
    <Tabs value="viewer">
      <ViewerPanel study={study} isShown onTab={() => undefined} />
    </Tabs>,
    { 'session/derive': { sid: 'derived' } },
  )
  tellOpen(await screen.findByTitle('Viewer of DOE, Jane'), 1)
  act(() => leave())
  await screen.findByText(/^The length measured here is not kept/)
  await userEvent.click(screen.getByRole('button', { name: 'Leave' }))
  expect(await screen.findByText('Elsewhere')).toBeTruthy()
})
