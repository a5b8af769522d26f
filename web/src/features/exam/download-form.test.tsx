import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { lastSent, showSignedIn } from '../../../test/signed-in.tsx'
import { closeChannel } from '../../api/channel.ts'
import { DownloadForm } from './download-form.tsx'

const megabyte = 1024 ** 2

/** A line that the test speaks through. */
class Line extends EventTarget {
  static readonly OPEN = 1
  static last: Line | undefined
  readyState = 1
  sent: { action: string; channel?: string }[] = []
  constructor() {
    super()
    Line.last = this
  }
  send(text: string) {
    this.sent.push(JSON.parse(text) as Line['sent'][number])
  }
  close() {
    return undefined
  }
  hear(message: object) {
    act(() => {
      this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }))
    })
  }
}

beforeEach(() => {
  Line.last = undefined
})
afterEach(() => {
  closeChannel()
  vi.unstubAllGlobals()
})

const jane = makeStudy({ uuid: 'one', patient_name: 'DOE^JANE', phi_namespace: 'n1', study_uid: '1.1' })
const max = makeStudy({ uuid: 'two', patient_name: 'ROE^MAX', phi_namespace: 'n1', study_uid: '1.2' })

/** The form, before a server that knows the place of the studies. */
function showDownload(studies: readonly ReturnType<typeof makeStudy>[], permissions: Record<string, number>) {
  const place = { uuid: 'n1', name: 'Inbox', type: 'group_id', type_uuid: 'g1', permissions, settings: {} }
  showSignedIn(<DownloadForm studies={studies} button="Go" />, {
    'session/derive': { sid: 'derived' },
    'user/namespace/list': { namespaces: [place] },
  })
  const calls = fetch
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) =>
    init.method === 'HEAD'
      ? new Response(null, { headers: { 'content-length': String(10 * megabyte) } })
      : calls(address, init),
  )
}

test('listens for nothing in a place of which the person may not hear: that would be on record as refused', async () => {
  vi.stubGlobal('WebSocket', Line)
  showDownload([jane], { study_download: 1 })
  await userEvent.click(screen.getByRole('button', { name: 'Go' }))
  await screen.findByText(/started/)
  expect(lastSent('user/namespace/list')).toBeDefined()
  expect(Line.last).toBeUndefined()
})

/** Presses the button, before a server on which each file has 10 MB; gives the line on which it tells of them. */
async function startDownload(studies: readonly ReturnType<typeof makeStudy>[], isApart = false): Promise<Line> {
  vi.stubGlobal('WebSocket', Line)
  showDownload(studies, { channel_study: 1 })
  await waitFor(() => expect(lastSent('user/namespace/list')).toBeDefined())
  if (isApart) await userEvent.click(screen.getByRole('radio', { name: /^One ZIP file for each/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Go' }))
  await screen.findByText(/started/)
  const line = await vi.waitUntil(() => Line.last)
  act(() => {
    line.dispatchEvent(new Event('open'))
  })
  expect(line.sent.find(({ action }) => action === 'subscribe')).toMatchObject({ channel: 'job.n1' })
  line.hear({ status: 'OK', channel: 'job.n1' })
  return line
}

/** The jobs that the hidden frames name, in the order of the studies. */
function jobIds(): string[] {
  const frames = [...document.querySelectorAll('iframe')]
  return frames.map((frame) => new URL(frame.src, 'http://host').searchParams.get('job_id') ?? '')
}
const about = (jobId: string | undefined, event: string, sent: number) => ({
  event,
  channel: 'job.n1',
  sid_md5: '',
  namespace_id: 'n1',
  job_id: jobId,
  sent: sent * megabyte,
  total: 10 * megabyte,
})
const barValue = () => screen.getByRole('progressbar').getAttribute('aria-valuenow')

test('[DOWNLOAD-02] a download goes through a hidden frame, by bundle, place and a sid for this study alone', async () => {
  await startDownload([jane])
  const [frame] = document.querySelectorAll('iframe')
  const { pathname, searchParams } = new URL(frame?.src ?? '', 'http://host')
  expect(pathname).toMatch(/\/1\.1\/download$/)
  expect(Object.fromEntries(searchParams)).toMatchObject({ bundle: 'dicom', phi_namespace: 'n1', sid: 'derived' })
  expect(frame?.getAttribute('aria-hidden')).toBe('true')
})

test('[DOWNLOAD-01] a download shows how far it is and when all of it is sent, and says only its beginning and end aloud', async () => {
  const line = await startDownload([jane])
  const [jobId] = jobIds()
  expect(jobId).toMatch(/^[0-9a-f]{32}$/)
  const aloud = screen.getByRole('status')
  const begun = aloud.textContent
  expect(screen.queryByRole('progressbar')).toBeNull()
  line.hear(about(jobId, 'PROGRESS', 4))
  expect(barValue()).toBe('40')
  expect(screen.getByText('4 of 10 MB')).toBeDefined()
  line.hear(about('of-another-tab', 'DONE', 10))
  line.hear(about(jobId, 'PROGRESS', 8))
  expect(barValue()).toBe('80')
  expect(aloud.textContent).toBe(begun)
  line.hear(about(jobId, 'DONE', 10))
  expect(screen.queryByRole('progressbar')).toBeNull()
  expect(screen.getByRole('status').textContent).toBe('The whole file was sent: 10 MB.')
})

test('[DOWNLOAD-01] a download that broke off says so, and is started again as another', async () => {
  const line = await startDownload([jane])
  const [jobId] = jobIds()
  line.hear(about(jobId, 'BROKEN', 4))
  const failure = screen.getByRole('alert')
  expect(failure.textContent).toContain('The download broke off after 4 of 10 MB.')
  expect(screen.queryByRole('status')).toBeNull()
  await userEvent.click(within(failure).getByRole('button'))
  await screen.findByText(/The download has started/)
  expect(screen.queryByRole('alert')).toBeNull()
  const [anew] = jobIds()
  expect(jobIds()).toHaveLength(1)
  expect(anew).not.toBe(jobId)
  line.hear(about(anew, 'PROGRESS', 1))
  expect(barValue()).toBe('10')
})

test('[DOWNLOAD-01] of several downloads each shows how far it is, and one that broke off is started again alone', async () => {
  const line = await startDownload([jane, max], true)
  const [first, second] = jobIds()
  line.hear(about(first, 'PROGRESS', 5))
  expect(screen.getByRole('progressbar', { name: 'Progress of the download of DOE, JANE' })).toBeDefined()
  line.hear(about(first, 'DONE', 10))
  line.hear(about(second, 'BROKEN', 5))
  expect(screen.getByRole('alert').textContent).toContain('ROE, MAX')
  await userEvent.click(within(screen.getByRole('alert')).getByRole('button'))
  await vi.waitFor(() => expect(jobIds()[1]).not.toBe(second))
  expect(jobIds()[0]).toBe(first)
  line.hear(about(jobIds()[1], 'DONE', 10))
  expect(screen.getByRole('status').textContent).toBe('All 2 files were sent whole.')
})

test('after a break of the line, what the server does not tell of any more is not shown as going on', async () => {
  const line = await startDownload([jane])
  const [jobId] = jobIds()
  line.hear(about(jobId, 'PROGRESS', 4))
  line.hear({ status: 'OK', channel: 'job.n1' })
  expect(screen.queryByRole('progressbar')).toBeNull()
  expect(screen.getByText(/Your browser shows its progress/)).toBeDefined()
  line.hear(about(jobId, 'PROGRESS', 6))
  expect(barValue()).toBe('60')
})

test('[DOWNLOAD-01] several studies come as one file unless each is wanted by itself', async () => {
  const line = await startDownload([jane, max])
  const [frame, ...more] = document.querySelectorAll('iframe')
  expect(more).toEqual([])
  const { pathname, searchParams } = new URL(frame?.src ?? '', 'http://host')
  expect(pathname).toMatch(/\/1\.1\/download$/)
  expect(searchParams.get('and_studies')).toBe('two')
  line.hear(about(jobIds()[0], 'DONE', 10))
  expect(screen.getByRole('status').textContent).toBe('The whole file was sent: 10 MB.')
})

test('of several studies in one file, those that cannot come along are left out with their reason', async () => {
  showSignedIn(<DownloadForm studies={[jane, max]} button="Go" />, { 'session/derive': { sid: 'derived' } })
  const calls = fetch
  vi.stubGlobal('WebSocket', Line)
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (init.method !== 'HEAD') return calls(address, init)
    const holdsMax = address.includes('/1.2/') || address.includes('two')
    return new Response(null, holdsMax ? { status: 409 } : { headers: { 'content-length': '7' } })
  })
  await userEvent.click(screen.getByRole('button', { name: 'Go' }))
  expect((await screen.findByRole('alert')).textContent).toContain('ROE, MAX')
  const [frame, ...more] = document.querySelectorAll('iframe')
  expect(more).toEqual([])
  expect(frame?.src).toContain('/1.1/download')
  expect(frame?.src).not.toContain('and_studies')
})
