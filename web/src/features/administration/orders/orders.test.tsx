import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { holdAnswers, lastSent, type Replies, sentCalls, showSignedIn } from '../../../../test/signed-in.tsx'
import { Orders } from './orders.tsx'

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
  cancelled_at: null,
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
  'order/report/list': { reports: [], page },
  'study/list': { studies: [], page },
  'user/namespace/list': { namespaces: [] },
  'order/add': { uuid: 'new' },
  'order/set': {},
  'order/delete': {},
  'order/cancel': {},
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

test('enters no order before its custom fields are known, and goes to the first one that is wrong', async () => {
  const side = { uuid: 'f1', name: 'Side', object: 'Order', type: 'text', required: 1, options: {}, ui_json: {} }
  const list = { customfields: [side], page }
  let answer: unknown = 500
  show({ ...editor, customfield_view: 1 }, { 'customfield/list': () => answer })
  const letGo = holdAnswers('customfield/list')
  await press('Add order')
  const form = await screen.findByRole('form', { name: 'Add order' })
  await userEvent.type(within(form).getByRole('textbox', { name: 'Patient name' }), 'ROE^R')
  await press('Save')
  letGo()
  await within(form).findByText('The custom fields could not be loaded.')
  await press('Save')
  answer = list
  await userEvent.click(within(form).getByRole('button', { name: 'Try again' }))
  const field = await within(form).findByRole('textbox', { name: /^Side/ })
  expect(paths()).not.toContain('order/add')
  await press('Save')
  await waitFor(() => expect(document.activeElement).toBe(field))
  expect(paths()).not.toContain('order/add')
  await userEvent.type(field, 'right')
  await press('Save')
  await waitFor(() => expect(lastSent('order/add')).toMatchObject({ 'customfield-f1': 'right' }))
})

test('asks before it deletes an order', async () => {
  show(editor)
  await press(/^Delete DOE, JANE/)
  await screen.findByText(/leaves the worklists of the modalities at once/)
  expect(paths()).not.toContain('order/delete')
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(lastSent('order/delete')).toMatchObject({ uuid: 'o1' }))
})

test('[ENTITY-27] cancels an order, and offers to undo that', async () => {
  show(editor)
  await press('Cancel the order of DOE, JANE, ACC-1')
  await screen.findByText(/has been cancelled\. It has left the worklists/)
  expect(lastSent('order/cancel')).toEqual({ uuid: 'o1' })
  await press('Undo')
  await waitFor(() => expect(lastSent('order/cancel')).toEqual({ uuid: 'o1', undo: 1 }))
  await waitFor(() => expect(screen.queryByText(/has left the worklists/)).toBeNull())
})

test('[ENTITY-27] shows a cancelled order as such, and has it hold again', async () => {
  const cancelled = { ...order, cancelled_at: '2026-03-01 12:00:00.000000+00' }
  show(editor, { 'order/list': { orders: [cancelled], page } })
  const grid = await screen.findByRole('grid', { name: 'Orders' })
  await within(grid).findByText('Cancelled')
  await press('Undo cancelling the order of DOE, JANE, ACC-1')
  await waitFor(() => expect(lastSent('order/cancel')).toEqual({ uuid: 'o1', undo: 1 }))
})

test('finds cancelled orders, and counts none of them as waiting for an exam', async () => {
  show(viewer)
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Status' }), 'CANCELLED')
  await waitFor(() => expect(lastSent('order/list')).toMatchObject({ 'filter.is_cancelled.equals': 1 }))
  expect(lastSent('order/list')).not.toHaveProperty('filter.mpps_status.equals')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Status' }), '')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Exams' }), 'none')
  await waitFor(() =>
    expect(lastSent('order/list')).toMatchObject({ 'filter.is_cancelled.equals': 0, 'filter.study_count.equals': 0 }),
  )
})
