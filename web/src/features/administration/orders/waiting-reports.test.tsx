import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { showRouted } from '../../../../test/routed.tsx'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../../test/signed-in.tsx'
import { WaitingReports } from './waiting-reports.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
})

const page = { more: 0, rows: 50, number: 1 }
const answers: Replies = { 'user/namespace/list': { namespaces: [] } }
const show = (permissions: Record<string, number>, replies: Replies = {}) =>
  showSignedIn(<WaitingReports />, { ...answers, ...replies }, {}, permissions)
const viewer = { order_view: 1 }
const editor = { order_view: 1, order_edit: 1 }
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const paths = () => sentCalls.map((one) => one.path)

const report = {
  uuid: 'r1',
  namespace_id: 'ns1',
  received: '2026-03-01 10:00:00.000000+00',
  sender: 'RIS NORTH',
  patient_name: 'ROE^RICHARD',
  patientid: 'M-9',
  patient_birth_date: '',
  number: 'R-1',
  accession_number: 'ACC-9',
  status: 'final',
  documents: 1,
  reason: 'The exam is of a patient with another number',
}

const reports = { reports: [report], page }

test('shows reports that wait for their exam, why one was not taken, and removes one once that was asked', async () => {
  show(editor, { 'order/report/list': reports })
  const part = await screen.findByRole('region', { name: '1 report waits for its exam' })
  const row = within(part).getByRole('row', { name: /^ROE, RICHARD/ })
  expect(
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Final reportACC-9',
    expect.stringMatching(/2026.*RIS NORTH$/),
    'The exam is of a patient with another number',
    '',
  ])
  // what an exam did not take stands first
  expect(lastSent('order/report/list')).toMatchObject({ sort_by: 'reason-desc' })
  await press('Remove the report of ROE, RICHARD')
  expect(paths()).not.toContain('order/report/delete')
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(lastSent('order/report/delete')).toMatchObject({ uuid: 'r1' }))
})

test('lets people who only see orders read of reports that wait, and shows nothing where none does', async () => {
  show(viewer, { 'order/report/list': reports })
  await screen.findByRole('region', { name: /waits for its exam/ })
  expect(screen.queryByRole('button', { name: /^Remove the report/ })).toBeNull()
})

test('tells how many reports wait on all pages, and goes from page to page', async () => {
  const many = Array.from({ length: 10 }, (_, at) => ({ ...report, uuid: `r${at}`, patient_name: `ROE^${at}` }))
  show(editor, { 'order/report/list': { reports: many, page: { more: 1, rows: 10, number: 1, total: 230 } } })
  const part = await screen.findByRole('region', { name: '230 reports wait for their exams' })
  await userEvent.click(within(part).getByRole('button', { name: 'Next page' }))
  await waitFor(() => expect(lastSent('order/report/list')).toMatchObject({ 'page.number': 2, 'page.rows': 10 }))
  await userEvent.click(within(part).getByRole('button', { name: /^Came/ }))
  await waitFor(() =>
    expect(lastSent('order/report/list')).toMatchObject({ 'page.number': 1, sort_by: 'received-asc' }),
  )
})

const opened = { ...report, study_uid: '1.2.3', texts: ['No fracture'], pdfs: [2048], pdf: null }
const exam = {
  uuid: 's1',
  modality: 'CR',
  study_description: 'Hand',
  study_date: '20260302',
  study_time: '1015',
  image_count: 2,
  accession_number: 'ACC-8',
  permissions: { study_report_upload: 1 },
}
const exams = { studies: [exam, { ...exam, uuid: 's2', study_time: '1620', image_count: 3 }], page }
const answered = { 'order/report/list': reports, 'order/report/get': opened, 'study/list': exams }

/** Opens the report and chooses the first of its exams. */
async function choose(): Promise<HTMLElement> {
  await press('Open the report of ROE, RICHARD')
  const dialog = await screen.findByRole('dialog', { name: 'ROE, RICHARD' })
  await userEvent.click(await within(dialog).findByRole('radio', { name: /10:15/ }))
  return dialog
}

test('opens a report, and gives it to an exam of its patient in its group once both are named', async () => {
  show(editor, { ...answered, 'order/report/attach': {} })
  await press('Open the report of ROE, RICHARD')
  const dialog = await screen.findByRole('dialog')
  expect((await within(dialog).findByRole('region', { name: 'Text 1 of the report' })).tabIndex).toBe(0)
  within(dialog).getByText('No fracture')
  within(dialog).getByRole('button', { name: 'Save PDF 1 (2 kB)' })
  within(dialog).getByText('Came')
  await within(dialog).findByRole('radiogroup', { name: 'Exams' })
  expect(lastSent('study/list')).toMatchObject({
    'filter.phi_namespace.equals': 'ns1',
    'filter.patientid.equals': 'M-9',
  })
  await within(dialog).findByRole('radio', { name: /^CR · Hand · .* 16:20 · 3 images · ACC-8$/ })
  await userEvent.click(within(dialog).getByRole('radio', { name: /^CR · Hand · .* 10:15 · 2 images · ACC-8$/ }))
  await press('Attach to this exam')
  const question = await screen.findByRole('dialog', { name: 'Attach the report?' })
  within(question).getByText(
    /^The report ROE, RICHARD · Final report · ACC-9 is attached to the exam CR · Hand · .*10:15/,
  )
  expect(paths()).not.toContain('order/report/attach')
  await userEvent.click(within(question).getByRole('button', { name: 'Attach the report' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('order/report/attach')).toMatchObject({ uuid: 'r1', study_id: 's1' })
})

test.each([
  ['NOT_AVAILABLE', 'other-patient', /^The exam is of another patient/],
  ['NOT_FOUND', undefined, 'The report or the exam is not there any more.'],
  ['NOT_PERMITTED', undefined, 'Your role does not let you attach reports to this exam.'],
  ['ERROR', undefined, 'The report was not attached.'],
])('says of a report, not of an order, why it was not attached: %s', async (error_type, error_subtype, words) => {
  show(editor, { ...answered, 'order/report/attach': { status: 'ERROR', error_type, error_subtype } })
  const dialog = await choose()
  await press('Attach to this exam')
  await press('Attach the report')
  await within(dialog).findByText(words)
  expect(screen.queryByRole('dialog', { name: 'Attach the report?' })).toBeNull()
  await userEvent.click(within(dialog).getByRole('radio', { name: /16:20/ }))
  expect(within(dialog).queryByText(words)).toBeNull()
})

test('says why a report was not removed', async () => {
  const gone = { status: 'ERROR', error_type: 'NOT_FOUND' }
  show(editor, { 'order/report/list': reports, 'order/report/delete': gone })
  await press('Remove the report of ROE, RICHARD')
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }))
  await screen.findByText('The report is not there any more.')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('opens an exam beside its choice, and says where there are more than are listed', async () => {
  const place = { type: 'group_id', type_uuid: 'g1', name: 'North', uuid: 'ns1', settings: {}, permissions: {} }
  const replies = {
    ...answered,
    'user/namespace/list': { namespaces: [place] },
    'study/list': { ...exams, page: { ...page, more: 1 } },
  }
  showRouted(<WaitingReports />, replies, {}, editor)
  await press('Open the report of ROE, RICHARD')
  const link = await screen.findByRole('link', { name: /^Open CR · Hand · .* 10:15 .* in a new tab$/ })
  expect(link.getAttribute('href')).toContain('study=s1')
  screen.getByText('The newest 2 exams with this MRN are looked at; there are more.')
})

test('an opened report stays on the screen when its exam has taken it meanwhile, and is read once', async () => {
  let hasCome = false
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  showSignedIn(
    <QueryClientProvider client={client}>
      <WaitingReports />
    </QueryClientProvider>,
    { ...answers, ...answered, 'order/report/list': () => (hasCome ? { reports: [], page } : reports) },
    {},
    editor,
  )
  const dialog = await choose()
  hasCome = true
  await act(() => client.invalidateQueries({ queryKey: ['orders'] }))
  await within(dialog).findByText('This report waits no more: it has been attached to its exam, or removed.')
  within(dialog).getByText('No fracture')
  expect(within(dialog).queryByRole('button', { name: 'Attach to this exam' })).toBeNull()
  expect(screen.queryByRole('region', { name: /waits for its exam/ })).toBeNull()
  expect(paths().filter((one) => one === 'order/report/get')).toHaveLength(1)
})

test.each([
  ['none has the MRN', [], 'No exam of the group has this MRN.'],
  ['the role may attach to none', [{ uuid: 's1', permissions: {} }], /^Your role does not let you attach/],
])('says why a report can be given to no exam: %s', async (_why, studies, words) => {
  show(editor, { ...answered, 'study/list': { studies, page } })
  await press('Open the report of ROE, RICHARD')
  await within(await screen.findByRole('dialog')).findByText(words)
  expect(screen.queryByRole('button', { name: 'Attach to this exam' })).toBeNull()
})

test('reports that wait, and the question about one, stay when they cannot be read again', async () => {
  let isBroken = false
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  showSignedIn(
    <QueryClientProvider client={client}>
      <WaitingReports />
    </QueryClientProvider>,
    { ...answers, 'order/report/list': () => (isBroken ? 500 : reports) },
    {},
    editor,
  )
  await press('Remove the report of ROE, RICHARD')
  isBroken = true
  await act(async () => {
    await client.invalidateQueries()
    // React hears of it a moment later
    await new Promise((resolve) => setTimeout(resolve, 20))
  })
  expect(
    client
      .getQueryCache()
      .getAll()
      .some(({ state }) => state.status === 'error'),
  ).toBe(true)
  expect(screen.getByRole('region', { name: '1 report waits for its exam' })).toBeDefined()
  expect(screen.getByRole('dialog')).toBeDefined()
})
