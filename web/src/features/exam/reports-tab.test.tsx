import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { configure, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { putSession } from '../../session/session-store.ts'
import { ReportsTab } from './reports-tab.tsx'

configure({ asyncUtilTimeout: 15_000 })

const structured = '1.2.840.10008.5.1.4.1.1.88.33'
const keyObjects = '1.2.840.10008.5.1.4.1.1.88.59'
const pdf = '1.2.840.10008.5.1.4.1.1.104.1'

/** Storage replies, by the end of the address' path; a number is a refusal. */
let replies: Record<string, unknown>
let asked: string[]

beforeEach(() => {
  replies = {}
  asked = []
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address)
    const path = new URL(address, 'http://host').pathname
    const told = Object.entries(replies).find(([end]) => path.endsWith(end))?.[1]
    if (typeof told === 'number') return new Response('', { status: told })
    return told instanceof Response ? told.clone() : Response.json(told ?? {})
  })
  const session = { sid: 's', settings: {}, user: { uuid: 'u', time_zone: '' }, permissions: {} }
  putSession({ status: 'established', session: session as never }) // only what is read here
})
afterEach(() => vi.unstubAllGlobals())

const series = (name: string, ...classes: string[]) => ({
  series_uid: `1.${name.length}`,
  series_description: name,
  modality: 'SR',
  series_date: '20260102',
  series_time: '1330',
  images: classes.map((sop_class_uid, at) => ({ id: `${name}-${at}`, version: 'v', sop_class_uid })),
})
const put = (...all: ReturnType<typeof series>[]) => {
  replies['/schema'] = { series: all, attachments: [] }
}
const text = (value: string) => ({ vr: 'LO', Value: [value] })
const lines = (...texts: string[]) => ({
  '0040A730': { vr: 'SQ', Value: texts.map((one) => ({ '0040A040': text('TEXT'), '0040A160': text(one) })) },
})

function show(given: Parameters<typeof makeStudy>[0] = {}) {
  const permissions = { study_view: 1, study_report_view: 1 }
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <MantineProvider env="test">
        <ReportsTab study={makeStudy({ permissions, ...given })} />
      </MantineProvider>
    </QueryClientProvider>,
  )
}
const never = new Promise<Response>(() => undefined)
const read = (name: string) => screen.findByRole('button', { name: `Read ${name}` })

test('[PANEL-02] lists structured reports and documents among the images, and attached PDFs; key object notes are none', async () => {
  put(series('Dose', structured, structured), series('Notes', keyObjects), series('Letter', pdf))
  replies['/schema'] = {
    ...(replies['/schema'] as object),
    attachments: [
      { id: 'i', version: 'a', filename: 'Referral.PDF', size: 5, stored: 1 },
      { id: 'j', version: 'b', filename: 'picture.png', size: 5, stored: 1 },
    ],
  }
  show({ attachment_count: 2 })
  await read('Referral.PDF')
  const rows = screen.getAllByRole('row').slice(1)
  expect(
    rows.map((row) =>
      within(row)
        .getAllByRole('cell')
        .slice(0, 2)
        .map(({ textContent }) => textContent),
    ),
  ).toEqual([
    ['Dose (1)', 'Structured report'],
    ['Dose (2)', 'Structured report'],
    ['Letter', 'PDF'],
    ['Referral.PDF', 'Attached PDF'],
  ])
  expect(screen.getByRole('link', { name: 'Save Letter' }).getAttribute('href')).toContain(
    '/image/Letter-0/version/v/pdf',
  )
})

test('a lone structured report is read at once, hostile text as text', async () => {
  put(series('Findings', structured))
  replies['/metadata'] = {
    '0040A043': { Value: [{ '00080104': text('CT head') }] },
    ...lines('<img src=x onerror=alert(1)>'),
  }
  show()
  expect(await screen.findByRole('heading', { name: 'CT head' })).toBeTruthy()
  expect(screen.getByText('<img src=x onerror=alert(1)>')).toBeTruthy()
  expect(document.querySelector('img')).toBeNull()
})

test('of several the chosen one is read; closing it gives the focus back', async () => {
  put(series('First', structured), series('Second one', structured))
  replies['1.10/instances/Second%20one-0/metadata'] = lines('Only in the second')
  show()
  const button = await read('Second one')
  await userEvent.click(button)
  const shown = await screen.findByRole('region', { name: 'Second one' })
  await within(shown).findByText('Only in the second')
  await userEvent.click(within(shown).getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('region', { name: 'Second one' })).toBeNull()
  expect(document.activeElement).toBe(button)
})

test('a document that holds no PDF says so', async () => {
  put(series('Letter', pdf))
  replies['/pdf'] = 415
  show()
  expect(await screen.findByText(/There is no PDF in this object/)).toBeTruthy()
})

test('a document that is too large is not loaded', async () => {
  put(series('Letter', pdf))
  replies['/pdf'] = new Response('', { headers: { 'content-length': String(200 * 1024 * 1024) } })
  show()
  expect(await screen.findByText(/too large to be shown here/)).toBeTruthy()
})

test('a very long report is drawn in steps', async () => {
  put(series('Long', structured))
  replies['/metadata'] = lines(...Array.from({ length: 700 }, (_none, at) => `Line ${at + 1}.`))
  show()
  await screen.findByText('Line 500.')
  expect(screen.queryByText('Line 501.')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Show 200 more lines' }))
  expect(screen.getByText('Line 700.')).toBeTruthy()
})

test('without any report it says so', async () => {
  put(series('Axial', '1.2.840.10008.5.1.4.1.1.2'))
  show()
  expect(await screen.findByText('No reports came with this exam.')).toBeTruthy()
})

test('what cannot be listed or read can be tried again', async () => {
  replies['/schema'] = 500
  show()
  expect((await screen.findByRole('alert')).textContent).toContain('The reports could not be listed.')
  put(series('Findings', structured))
  replies['/metadata'] = 500
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('The report could not be read.')).toBeTruthy()
  replies['/metadata'] = lines('Here it is')
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Here it is')).toBeTruthy()
})

test('nothing of the study before stands under the next one while that is awaited', async () => {
  const answer = globalThis.fetch
  vi.stubGlobal('fetch', (address: string) => (address.includes('2.25.99') ? never : answer(address)))
  put(series('Dose', structured))
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const view = (study_uid: string) => (
    <QueryClientProvider client={client}>
      <MantineProvider env="test">
        <ReportsTab study={makeStudy({ permissions: { study_view: 1, study_report_view: 1 }, study_uid })} />
      </MantineProvider>
    </QueryClientProvider>
  )
  const { rerender } = render(view('2.25.1'))
  await read('Dose')
  rerender(view('2.25.99'))
  expect(screen.queryByRole('button', { name: 'Read Dose' })).toBeNull()
})
