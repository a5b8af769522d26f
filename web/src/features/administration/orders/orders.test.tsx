import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../../test/signed-in.tsx'
import { Orders } from './orders.tsx'
import { WaitingReports } from './waiting-reports.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
  history.replaceState(null, '', '/')
})

const step = {
  uuid: 'p1',
  modality: 'CT',
  scheduled_procedure_step_id: 'S1',
  requested_procedure_id: '',
  requested_procedure_description: 'CT HEAD',
  scheduled_station_aetitle: 'CT_1',
  scheduled_procedure_step_start_date: '20260302',
  scheduled_procedure_step_start_time: '1030',
  scheduled_procedure_step_description: '',
  mpps_status: 'COMPLETED',
  mpps_uid: '',
}
const order = {
  uuid: 'o1',
  patientid: 'M-1',
  patient_name: 'DOE^JANE',
  accession_number: 'ACC-1',
  order_number: 'N-1',
  patient_sex: 'F',
  patient_birth_date: '19700131',
  referring_physician: '',
  sending_facility: 'NORTH',
  created: '2026-03-01 10:00:00.000000+00',
  namespace_id: null,
  source: 'hl7',
  tags: [],
  customfields: [],
  sps: [step],
  study_count: 0,
}
const page = { more: 0, rows: 10, number: 1, total: 1 }
const answers: Replies = {
  'order/list': { orders: [order], page },
  'order/get': { ...order, studies: [] },
  'order/history': {
    events: [
      {
        uuid: '2',
        action: 'EDIT',
        who: 'Ada Editor',
        when: '2026-03-01 11:00:00.000000+00',
        detail: { accession_number: ['', 'ACC-1'] },
        message: null,
      },
      {
        uuid: '1',
        action: 'ADD',
        who: '',
        when: '2026-03-01 10:00:00.000000+00',
        detail: {},
        message: { type: 'ORM^O01', sender: 'RIS', control_id: 'C-77' },
      },
    ],
  },
  'order/report/list': { reports: [] },
  'study/list': { studies: [], page },
  'user/namespace/list': { namespaces: [] },
  'order/add': { uuid: 'new' },
  'order/set': {},
  'order/delete': {},
  'order/sps/add': { uuid: 'p2' },
  'order/sps/set': {},
}
const show = (permissions: Record<string, number>, replies: Replies = {}) =>
  showSignedIn(<Orders />, { ...answers, ...replies }, {}, permissions)
const viewer = { order_view: 1 }
const editor = { order_view: 1, order_edit: 1 }
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const paths = () => sentCalls.map((one) => one.path)

test('[PERM-16][ERROR-14] asks for nothing where the role does not let the person see orders', async () => {
  show({})
  await screen.findByText('You are not permitted to view orders in this account')
  expect(paths()).not.toContain('order/list')
})

test('[PERM-16] lists orders with their step, status and source, and offers changes to editors alone', async () => {
  show(viewer)
  const grid = await screen.findByRole('grid', { name: 'Orders' })
  const [, row] = within(grid).getAllByRole('row')
  for (const text of ['DOE, JANE', 'M-1', 'ACC-1', 'CT HEAD', 'CT', 'CT_1', 'Done', 'HL7']) {
    within(row as HTMLElement).getByText(text)
  }
  expect(lastSent('order/list')).toMatchObject({ sort_by: 'created-desc', 'page.number': 1 })
  expect(screen.queryByRole('button', { name: 'Add order' })).toBeNull()
  expect(screen.queryByRole('button', { name: /^Edit/ })).toBeNull()
  expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull()
})

test('[GRID-01] asks the server by patient, day, modality and status, and keeps no patient in the address', async () => {
  show(viewer)
  await userEvent.type(await screen.findByRole('textbox', { name: 'Value' }), 'doe')
  await userEvent.type(screen.getByRole('textbox', { name: 'Modality' }), 'ct')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'COMPLETED')
  await waitFor(() =>
    expect(lastSent('order/list')).toMatchObject({
      'filter.patient_name.like': '%doe%',
      'filter.modality.equals': 'CT',
      'filter.mpps_status.equals': 'COMPLETED',
    }),
  )
  expect(location.search).toContain('modality=ct')
  expect(location.search).not.toContain('doe')
})

test('an address of before filters by the status that the list has today', async () => {
  history.replaceState(null, '', '/?status=IN+PROGRESS')
  show(viewer)
  await waitFor(() => expect(lastSent('order/list')).toMatchObject({ 'filter.mpps_status.equals': 'IN_PROGRESS' }))
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Status' }).value).toBe('IN_PROGRESS')
})

test('[ENTITY-27] shows what happened to an order, and the message that entered it', async () => {
  show(viewer)
  await press(/^Details of DOE, JANE/)
  const dialog = await screen.findByRole('dialog', { name: 'DOE, JANE' })
  await within(dialog).findByText('By HL7 message ORM^O01 C-77 of RIS')
  within(dialog).getByText('Accession number: – → ACC-1')
  await within(dialog).findByText('No exam that you may see belongs to the order.')
  expect(lastSent('study/list')).toMatchObject({ 'filter.accession_number.equals': 'ACC-1' })
})

test('tells how many exams an order has, names them beside others that fit, and finds orders without any', async () => {
  const exam = { uuid: 's1', phi_namespace: 'ns1', patient_name: 'DOE^JANE', study_date: '20260302', modality: 'CT' }
  show(viewer, {
    'order/list': { orders: [{ ...order, study_count: 1 }], page },
    'order/get': { ...order, study_count: 1, studies: [{ uuid: 's1', study_uid: '1.2', phi_namespace: 'ns1' }] },
    'study/list': { studies: [exam, { ...exam, uuid: 's2', modality: 'MR' }], page },
  })
  await screen.findByText('1 exam')
  await press(/^Details of DOE, JANE/)
  const dialog = await screen.findByRole('dialog', { name: 'DOE, JANE' })
  await within(dialog).findByRole('heading', { name: 'Others that fit' })
  const asked = sentCalls.filter((one) => one.path === 'study/list').map((one) => one.sent['filter.uuid.in'])
  expect(asked).toContainEqual(['s1'])
  await userEvent.click(within(dialog).getByRole('button', { name: 'Close' }))
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Exams' }), 'none')
  await waitFor(() => expect(lastSent('order/list')).toMatchObject({ 'filter.study_count.equals': 0 }))
})

test('enters an order with its step, and makes none twice when the step is refused first', async () => {
  const refused = { status: 'ERROR', error_type: 'INVALID_FIELD', error_subtype: 'scheduled_station_aetitle' }
  const replies: Replies = { 'order/sps/add': refused }
  show(editor, replies)
  await press('Add order')
  const form = await screen.findByRole('form', { name: 'Add order' })
  await userEvent.type(within(form).getByRole('textbox', { name: 'Patient name' }), 'ROE^R')
  await press('Add a step')
  await userEvent.type(within(form).getByRole('textbox', { name: 'AE title' }), 'TOO_LONG')
  await press('Save')
  await screen.findByText('This value cannot be kept. Look at its form.')
  expect(lastSent('order/add')).toMatchObject({ patient_name: 'ROE^R', namespace_id: '' })
  expect(lastSent('order/sps/add')).toMatchObject({ order_id: 'new', scheduled_station_aetitle: 'TOO_LONG' })
  await userEvent.type(within(form).getByRole('textbox', { name: 'Patient name' }), 'O')
  await press('Save')
  await waitFor(() => expect(lastSent('order/set')).toMatchObject({ uuid: 'new', patient_name: 'ROE^RO' }))
  expect(paths().filter((path) => path === 'order/add')).toHaveLength(1)
})

test('changes only what the person changed, so that a time keeps its seconds', async () => {
  const seconds = { ...order, sps: [{ ...step, scheduled_procedure_step_start_time: '103045' }] }
  show(editor, { 'order/list': { orders: [seconds], page } })
  await press(/^Edit DOE, JANE/)
  const form = await screen.findByRole('form', { name: 'Change order' })
  const station = within(form).getByRole('textbox', { name: 'AE title' })
  await userEvent.clear(station)
  await userEvent.type(station, 'CT_2')
  await press('Save')
  await waitFor(() => expect(lastSent('order/sps/set')).toBeDefined())
  expect(lastSent('order/sps/set')).toMatchObject({ uuid: 'p1', scheduled_station_aetitle: 'CT_2' })
  expect(lastSent('order/sps/set')).not.toHaveProperty('scheduled_procedure_step_start_time')
  expect(paths()).not.toContain('order/set')
})

test('saves over what somebody else changed meanwhile only when asked to, and not what it wrote itself', async () => {
  let reply: object = { error_type: 'STALE' }
  show(editor, { 'order/sps/set': () => reply })
  await press(/^Edit DOE, JANE/)
  const form = await screen.findByRole('form', { name: 'Change order' })
  await userEvent.type(within(form).getByRole('textbox', { name: 'Order number' }), '7')
  await userEvent.type(within(form).getByRole('textbox', { name: 'AE title' }), '7')
  await press('Save')
  await screen.findByText(/^Somebody else changed step 1 .* The order and the steps before it are saved/)
  expect(lastSent('order/set')).toMatchObject({ seen: { order_number: order.order_number } })
  expect(lastSent('order/sps/set')).toMatchObject({
    seen: { scheduled_station_aetitle: step.scheduled_station_aetitle },
  })
  reply = {}
  await press('Save mine')
  await waitFor(() => expect(screen.queryByRole('form', { name: 'Change order' })).toBeNull())
  expect(lastSent('order/sps/set')).not.toHaveProperty('seen')
  expect(paths().filter((path) => path === 'order/set')).toHaveLength(1)
})

test('[ENTITY-30] fills the custom fields of an order, sends only what changed, and keeps a value that its field does not take', async () => {
  const [side, weight] = [
    { uuid: 'f1', name: 'Side', type: 'text', value: 'left', required: 0, options: {}, ui_json: {} },
    { uuid: 'f2', name: 'Weight', type: 'number', value: '', required: 1, options: {}, ui_json: {} },
  ]
  show(editor, { 'order/list': { orders: [{ ...order, customfields: [side, weight] }], page } })
  await press(/^Edit DOE, JANE/)
  const form = await screen.findByRole('form', { name: 'Change order' })
  const field = within(form).getByRole('textbox', { name: /^Weight/ })
  await userEvent.type(field, 'heavy')
  await press('Save')
  await within(form).findByText('Please enter a number, such as 12.5.')
  expect(paths()).not.toContain('order/set')
  await userEvent.clear(field)
  await userEvent.type(field, '70')
  await press('Save')
  await waitFor(() =>
    expect(lastSent('order/set')).toMatchObject({ uuid: 'o1', 'customfield-f2': '70', seen: { 'customfield-f2': '' } }),
  )
  expect(lastSent('order/set')).not.toHaveProperty('customfield-f1')
  expect(lastSent('order/set')).not.toHaveProperty('patient_name')
})

test('offers the custom fields of orders for a new one, where the person may see them', async () => {
  const definition = { uuid: 'f1', name: 'Side', object: 'Order', type: 'text', required: 0, options: {}, ui_json: {} }
  const customfields = [definition, { ...definition, uuid: 'f2', name: 'Of exams', object: 'Study' }]
  show({ ...editor, customfield_view: 1 }, { 'customfield/list': { customfields, page } })
  await press('Add order')
  const form = await screen.findByRole('form', { name: 'Add order' })
  await userEvent.type(await within(form).findByRole('textbox', { name: 'Side' }), 'right')
  await userEvent.type(within(form).getByRole('textbox', { name: 'Patient name' }), 'ROE^R')
  await press('Save')
  await waitFor(() => expect(lastSent('order/add')).toMatchObject({ patient_name: 'ROE^R', 'customfield-f1': 'right' }))
  expect(within(form).queryByRole('textbox', { name: 'Of exams' })).toBeNull()
})

test('asks before it deletes an order', async () => {
  show(editor)
  await press(/^Delete DOE, JANE/)
  await screen.findByText(/leaves the worklists of the modalities at once/)
  expect(paths()).not.toContain('order/delete')
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(lastSent('order/delete')).toMatchObject({ uuid: 'o1' }))
})

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
  within(part).getByText('ROE, RICHARD · M-9 · ACC-9 · Final report')
  within(part).getByText('Not attached: The exam is of a patient with another number.')
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
})

test('opens a report, and gives it to an exam of its patient in its group', async () => {
  const opened = { ...report, study_uid: '1.2.3', texts: ['No fracture'], pdfs: [2048], pdf: null }
  const exam = {
    uuid: 's1',
    modality: 'CR',
    study_description: 'Hand',
    accession_number: 'ACC-8',
    permissions: { study_report_upload: 1 },
  }
  const refused = { status: 'ERROR', error_type: 'NOT_AVAILABLE', error_subtype: 'other-patient' }
  let isRefused = true
  show(editor, {
    'order/report/list': reports,
    'order/report/get': opened,
    'study/list': { studies: [exam], page },
    'order/report/attach': () => (isRefused ? refused : {}),
  })
  await press('Open the report of ROE, RICHARD')
  const dialog = await screen.findByRole('dialog')
  await within(dialog).findByText('No fracture')
  within(dialog).getByRole('button', { name: 'Save PDF 1 (2 kB)' })
  within(dialog).getByText('Came')
  await within(dialog).findByRole('radiogroup', { name: 'Exams' })
  expect(lastSent('study/list')).toMatchObject({
    'filter.phi_namespace.equals': 'ns1',
    'filter.patientid.equals': 'M-9',
  })
  await userEvent.click(await within(dialog).findByRole('radio', { name: 'CR · Hand · ACC-8' }))
  await press('Attach to this exam')
  await within(dialog).findByText(/The exam is of another patient/)
  isRefused = false
  await press('Attach to this exam')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('order/report/attach')).toMatchObject({ uuid: 'r1', study_id: 's1' })
})

test.each([
  ['none has the MRN', [], 'No exam of the group has this MRN.'],
  ['the role may attach to none', [{ uuid: 's1', permissions: {} }], /^Your role does not let you attach/],
])('says why a report can be given to no exam: %s', async (_why, studies, words) => {
  const opened = { ...report, study_uid: '1.2.3', texts: [], pdfs: [], pdf: null }
  show(editor, { 'order/report/list': reports, 'order/report/get': opened, 'study/list': { studies, page } })
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
