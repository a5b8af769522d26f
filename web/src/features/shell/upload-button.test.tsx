import { MantineProvider } from '@mantine/core'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { resetUploadProgress, setUploadProgress } from '../../state/upload-progress.ts'
import { UploadButton } from './upload-button.tsx'

const megabyte = 1024 ** 2

afterEach(() => act(resetUploadProgress))

async function show() {
  const root = createRootRoute({ component: UploadButton })
  const router = createRouter({ routeTree: root, history: createMemoryHistory() })
  render(
    <MantineProvider>
      <RouterProvider router={router as never} />
    </MantineProvider>,
  )
  return screen.findByRole('link')
}

test('[SHELL-08] [ENTITY-19] idle, the button leads to the wizard', async () => {
  const link = await show()
  expect(link.textContent).toBe('Upload')
  expect(link.getAttribute('href')).toBe('/study/upload')
})

test('[SHELL-07] [UPLOAD-15] [ENTITY-19] while uploading the label changes, with X of Y MB and a percent bar', async () => {
  await show()
  act(() => setUploadProgress('uploading', 212 * megabyte, 505 * megabyte))
  expect(screen.getByRole('link').textContent).toBe('Uploading')
  expect(screen.getByText('212 of 505 MB')).toBeTruthy()
  expect(screen.getByText('41%')).toBeTruthy()
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('41')
})

test.each(['preparing', 'uploading'] as const)(
  'while nothing moves it says what the upload waits for: %s',
  async (status) => {
    await show()
    act(() => setUploadProgress(status, megabyte, 2 * megabyte, 'silent'))
    expect(screen.getByRole('status').textContent).toBe('Waiting for the server')
    act(() => setUploadProgress(status, megabyte, 2 * megabyte))
    expect(screen.getByRole('status').textContent).toBe('')
  },
)
