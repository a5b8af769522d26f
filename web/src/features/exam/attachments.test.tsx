import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { putSession } from '../../session/session-store.ts'
import { clearUploads } from '../../state/attachment-uploads.ts'
import { AttachmentsTab } from './attachments-tab.tsx'

/** A request of the page as the browser makes it; the test says how it ends. */
class Request extends EventTarget {
  static made: Request[] = []
  upload = new EventTarget()
  status = 0
  statusText = ''
  responseText = ''
  body: FormData | undefined
  open() {}
  setRequestHeader() {}
  send(body: FormData) {
    this.body = body
    Request.made.push(this)
  }
  abort() {}
  end(status: number, body = '') {
    this.status = status
    this.responseText = body
    this.dispatchEvent(new Event('load'))
    this.dispatchEvent(new Event('loadend'))
  }
}

const stored = (at: number) => ({ id: `i${at}`, version: `v${at}`, filename: `f${at}.txt`, size: 5, stored: 1000 - at })
let attachments: ReturnType<typeof stored>[]
let removed: string[]
let refusal: object | undefined

beforeEach(() => {
  attachments = []
  removed = []
  refusal = undefined
  Request.made = []
  vi.stubGlobal('XMLHttpRequest', Request)
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    if (init.method === 'DELETE') removed.push(address)
    if (init.method === 'DELETE' && refusal) return new Response(JSON.stringify(refusal), { status: 409 })
    return new Response(JSON.stringify({ attachments }))
  })
  const session = { sid: 's', settings: {}, user: { uuid: 'u', time_zone: '' }, account: { uuid: 'a' } }
  putSession({ status: 'established', session: session as never }) // only what preferences read
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  act(clearUploads)
})

function show() {
  const permissions = { study_report_view: 1, study_report_upload: 1, study_report_delete: 1 }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider>
        <AttachmentsTab study={makeStudy({ permissions })} />
      </MantineProvider>
    </QueryClientProvider>,
  )
}

const choose = (...files: File[]) => fireEvent.change(screen.getByLabelText('Files to attach'), { target: { files } })
const request = (at: number) => Request.made[at] as Request

test('a file that the virus scanner refuses says so, not that one may not attach', async () => {
  show()
  choose(new File(['x'], 'evil.txt'))
  await screen.findByText('evil.txt')
  const kind = { code: 21, readable_status: 'VIRUS_DETECTED' }
  act(() => request(0).end(403, JSON.stringify({ kind, message: 'The virus scanner refused the file' })))
  expect(await screen.findByText('The virus scanner refused it.')).toBeTruthy()
})

test('[ATTACH-02] ten on a page at first; 10, 25, 50 or 100 as wished', async () => {
  attachments = Array.from({ length: 30 }, (_none, at) => stored(at))
  show()
  await screen.findByText('1–10 of 30')
  const sizes = screen.getByRole('combobox', { name: 'Rows per page' })
  expect(
    within(sizes)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['10', '25', '50', '100'])
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  expect(screen.getByText('11–20 of 30')).toBeTruthy()
  expect(screen.getByText('f10.txt')).toBeTruthy()
  await userEvent.selectOptions(sizes, '25')
  expect(screen.getByText('1–25 of 30')).toBeTruthy()
})

test('[ATTACH-01] [ATTACH-03] [CONST-01] an upload shows its progress, then a banner for 5000 ms', async () => {
  show()
  await screen.findByText('No attachments yet.')
  vi.useFakeTimers()
  await act(async () => choose(new File(['12345'], 'a.txt')))
  act(() => void request(0).upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: 2 })))
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40')
  expect(request(0).body?.get('data')).toMatchObject({ name: 'a.txt', size: 5 })
  await act(async () => request(0).end(202))
  expect(screen.getByText('1 attachment was uploaded.')).toBeTruthy()
  await act(() => vi.advanceTimersByTimeAsync(4900))
  expect(screen.getByText('1 attachment was uploaded.')).toBeTruthy()
  await act(() => vi.advanceTimersByTimeAsync(200))
  expect(screen.queryByText('1 attachment was uploaded.')).toBeNull()
})

test('[ATTACH-03] a failed one says so for 10000 ms, stays with its reason, and goes out again on request', async () => {
  show()
  await screen.findByText('No attachments yet.')
  vi.useFakeTimers()
  await act(async () => choose(new File(['12345'], 'a.txt')))
  await act(async () => {
    request(0).dispatchEvent(new Event('error'))
  })
  expect(screen.getByRole('alert').textContent).toBe('Failed to upload the attachment.')
  await act(() => vi.advanceTimersByTimeAsync(9900))
  expect(screen.getByRole('alert')).toBeTruthy()
  await act(() => vi.advanceTimersByTimeAsync(200))
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.getByText(/The server cannot be reached/)).toBeTruthy()
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Try a.txt again' })))
  await act(async () => request(1).end(202))
  expect(screen.getByText('1 attachment was uploaded.')).toBeTruthy()
})

test('one file that fails leaves the others alone; an empty one never leaves', async () => {
  show()
  await screen.findByText('No attachments yet.')
  choose(new File([], 'empty.txt'), new File(['1'], 'b.txt'), new File(['2'], 'c.txt'))
  expect(await screen.findByText('It is empty.')).toBeTruthy()
  await act(async () => request(0).end(202))
  await act(async () => request(1).end(202))
  expect(screen.getByText('2 attachments were uploaded.')).toBeTruthy()
})

test.each([
  ['hold', 'The exam is on hold: nothing of it may be deleted until the hold is ended.'],
  ['frozen', 'The exam is frozen: nothing of it may be deleted.'],
])('why an attachment cannot be deleted is said in words: %s', async (reason, words) => {
  attachments = [stored(1)]
  refusal = { kind: { code: 0, readable_status: 'CONFLICT' }, message: 'Kept', exception_data: { reason } }
  show()
  await userEvent.click(await screen.findByRole('button', { name: 'Delete f1.txt' }))
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete attachment' }))
  expect(await screen.findByText(words)).toBeDefined()
})

test('[ATTACH-01] deleting asks first', async () => {
  attachments = [stored(1)]
  show()
  await userEvent.click(await screen.findByRole('button', { name: 'Delete f1.txt' }))
  expect(removed).toEqual([])
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete attachment' }))
  await screen.findByText('The attachment was deleted.')
  expect(removed).toHaveLength(1)
  expect(removed[0]).toContain('/attachment/i1/version/v1')
})

test('[ATTACH-01] files dropped anywhere on the tab are taken, once; a dropped text is left alone', async () => {
  show()
  const dataTransfer = { types: ['Files'], files: [new File(['x'], 'notes.txt')] }
  const heading = await screen.findByRole('heading', { name: 'Attachments' })
  fireEvent.drop(heading, { dataTransfer: { types: ['text/plain'], files: [] } })
  fireEvent.drop(heading, { dataTransfer })
  await vi.waitFor(() => expect(Request.made).toHaveLength(1))
  fireEvent.drop(screen.getByText(/Drop files here/), { dataTransfer })
  await vi.waitFor(() => expect(Request.made).toHaveLength(2))
  expect(screen.getAllByTitle('notes.txt')).toHaveLength(2)
})
