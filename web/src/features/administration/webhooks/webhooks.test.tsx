import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../../test/signed-in.tsx'
import { Webhooks } from './webhooks.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
  window.history.replaceState(null, '', '/') // the grid keeps its page, order and filter there
})

const webhook = (uuid: string, given: object = {}) => ({
  uuid,
  name: `Hook ${uuid}`,
  event: 'ROUTE_RULE',
  url: 'https://ris.example.org/in',
  method: 'POST_JSON',
  suspended: 0,
  parameters: {},
  retry: 1,
  last_error: '',
  row_version: 3,
  ...given,
})
const show = (replies: Replies = {}, permissions: Record<string, number> = { webhook_edit: 1 }) =>
  showSignedIn(
    <Webhooks />,
    {
      'webhook/list': {
        webhooks: [webhook('a'), webhook('b', { suspended: 1, last_error: 'TIMEOUT', event: 'STUDY_SYNC' })],
        page: { more: 0 },
      },
      'webhook/set': {},
      'webhook/add': { uuid: 'c', secret: 'told-once' },
      'webhook/test': {},
      'webhook/delete': {},
      ...replies,
    },
    {},
    permissions,
  )
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

test('lists each webhook with its address, whether it is on, and how its last call went', async () => {
  show()
  const rows = within(await screen.findByRole('grid', { name: 'Webhooks' }))
    .getAllByRole('row')
    .slice(1)
  expect(rows.map((row) => row.textContent)).toEqual([
    'Hook a a routing rule calls ithttps://ris.example.org/in',
    'Hook b Switched offan exam has arrivedhttps://ris.example.org/inno answer in time',
  ])
  expect(rows.map((row) => row.dataset['dimmed'])).toEqual(['false', 'true'])
})

test('[GRID-01][GRID-03][GRID-04] asks for a page, an order and a name, and offers the next page where more follow', async () => {
  show({
    'webhook/list': (sent: Record<string, unknown>) => ({
      webhooks: [webhook('a')],
      page: { more: sent['page.number'] === 1 ? 1 : 0, total: 11 },
    }),
    'setting/set': {},
  })
  await screen.findByText('1 to 1 of 11')
  expect(lastSent('webhook/list')).toMatchObject({ 'page.rows': 10, 'page.number': 1, sort_by: 'name-asc' })
  await press('Next page')
  await vi.waitFor(() => expect(lastSent('webhook/list')).toMatchObject({ 'page.number': 2 }))
  await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Next page' })).toHaveProperty('disabled', true))
  await press('Address')
  await vi.waitFor(() => expect(lastSent('webhook/list')).toMatchObject({ 'page.number': 1, sort_by: 'url-asc' }))
  await userEvent.selectOptions(screen.getByRole('combobox', { name: /rows/i }), '25')
  await vi.waitFor(() => expect(lastSent('webhook/list')).toMatchObject({ 'page.rows': 25 }))
  expect(lastSent('setting/set')).toMatchObject({ key: 'webhooks_rows_to_display', value: '25' })
  await userEvent.type(screen.getByRole('textbox', { name: 'Find by name' }), 'ris')
  await vi.waitFor(() => expect(lastSent('webhook/list')).toMatchObject({ 'filter.name.like': '%ris%' }))
})

test('makes one, and tells its secret this once', async () => {
  show()
  await press('New webhook')
  await press('Save')
  await screen.findByText('A name is needed.')
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'RIS')
  await userEvent.type(screen.getByRole('textbox', { name: 'Address' }), 'ris.example.org/new')
  await press('Save')
  expect(await screen.findByRole('textbox', { name: 'Secret' })).toHaveProperty('value', 'told-once')
  expect(lastSent('webhook/add')).toMatchObject({
    account_id: 'a',
    name: 'RIS',
    event: 'ROUTE_RULE',
    url: 'https://ris.example.org/new',
    method: 'POST_JSON',
    suspended: 0,
    retry: 1,
  })
})

test('shows every way to send that a webhook may have', async () => {
  const methods = { POST_JSON: 'POST, JSON', PUT: 'PUT, JSON', POST: 'POST, form', GET: 'GET', GET_JSON: 'GET, JSON' }
  const webhooks = Object.keys(methods).map((method) => webhook(method, { method }))
  show({ 'webhook/list': { webhooks, page: { more: 0 } } })
  for (const [method, label] of Object.entries(methods)) {
    await press(`Edit Hook ${method}`)
    const select = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Method' })
    expect(select.selectedOptions[0]?.textContent).toBe(label)
    await press('Cancel')
  }
})

test('makes one that listens to an event of exams, and names the event at its calls', async () => {
  const delivery = {
    state: 'done',
    study_id: 's1',
    route_name: '',
    created: '2026-03-04 10:00:00.000000+00',
    attempts: [],
  }
  const deliveries = [
    { ...delivery, uuid: 'd1', event: 'STUDY_SYNC' },
    { ...delivery, uuid: 'd2', event: 'TEST' },
  ]
  show({ 'webhook/deliveries': { deliveries, page: { more: 0 } } })
  await press('New webhook')
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'RIS')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Called when' }), 'an exam has arrived')
  expect(screen.getByText(/^For every exam of the organisation/)).toBeDefined()
  await userEvent.type(screen.getByRole('textbox', { name: 'Address' }), 'ris.example.org/new')
  await press('Save')
  expect(lastSent('webhook/add')).toMatchObject({ event: 'STUDY_SYNC' })
  await userEvent.click((await screen.findAllByRole('button', { name: 'Close' })).at(-1) as HTMLElement)
  await press('Calls of Hook a')
  expect(await screen.findByRole('rowheader', { name: 'an exam has arrived' })).toBeDefined()
  expect(screen.getByRole('rowheader', { name: 'Test' })).toBeDefined()
})

test('changes one on the version that was shown, and says when an address may not be called', async () => {
  let reply: unknown = { error_type: 'INVALID_URL', error_subtype: 'PRIVATE_ADDRESS' }
  show({ 'webhook/set': () => reply })
  await press('Edit Hook a')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Switched on' }))
  await press('Save')
  await screen.findByText('This address is not on the internet. The operator can allow private addresses.')
  reply = { error_type: 'STALE' }
  await press('Save')
  await screen.findByText(/Somebody else changed this while the form was open/)
  expect(lastSent('webhook/set')).toMatchObject({ uuid: 'a', suspended: 1, row_version: 3, new_secret: 0 })
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Switched on' }).checked).toBe(false)
  reply = {}
  await press('Save mine')
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('webhook/set')).toMatchObject({ uuid: 'a', suspended: 1 })
  expect(lastSent('webhook/set')).not.toHaveProperty('row_version')
})

test('asks before it deletes one, and names the rules that call it', async () => {
  show({ 'webhook/delete': { error_type: 'IN_USE', error_data: { routes: ['CT to RIS'] } } })
  await press('Delete Hook a')
  expect(await screen.findByText('Webhook: Hook a')).toBeDefined()
  expect(lastSent('webhook/delete')).toBeUndefined()
  await press('Delete')
  await screen.findByText('Routing rules call it: CT to RIS. Change them first.')
})

test('calls one with a test, and shows what became of its calls', async () => {
  const attempt = { number: 1, at: '2026-11-20 08:15:00.000000+00', status: 500, error: 'BAD_STATUS' }
  const delivery = { uuid: 'd', route_name: 'CT to RIS', state: 'failed', attempts: [attempt] }
  const later = { ...delivery, uuid: 'e', attempts: [{ ...attempt, at: '2026-11-20 09:30:00.000000+00' }] }
  show({
    'webhook/deliveries': { deliveries: [later, delivery], page: { more: 0, rows: 50, number: 1 } },
    'webhook/retry': {},
  })
  await press('Call Hook a with a test')
  await vi.waitFor(() => expect(lastSent('webhook/test')).toMatchObject({ uuid: 'a' }))
  await press('Calls of Hook a')
  const dialog = await screen.findByRole('dialog', { name: 'Calls of Hook a' })
  await within(dialog).findAllByText('Rule CT to RIS')
  expect(within(dialog).getByText(/08:15: refused with 500$/)).toBeDefined()
  // each button says which call it repeats
  await userEvent.click(within(dialog).getByRole('button', { name: /^Try again: Rule CT to RIS, .*08:15$/ }))
  await vi.waitFor(() => expect(lastSent('webhook/retry')).toMatchObject({ delivery_id: 'd' }))
})

test('[GRID-01] the calls of one are read page by page, and all of them are reached', async () => {
  const call = { study_id: '', route_name: 'CT to RIS', event: 'ROUTE_RULE', state: 'done', attempts: [] }
  const page = (number: number) => ({
    deliveries: [{ ...call, uuid: `d${number}`, created: `2026-11-2${number} 08:15:00.000000+00` }],
    page: { more: number === 1 ? 1 : 0, rows: 10, number, total: 11 },
  })
  show({ 'webhook/deliveries': (sent: Record<string, unknown>) => page(Number(sent['page.number'])) })
  await press('Calls of Hook a')
  const dialog = within(await screen.findByRole('dialog', { name: 'Calls of Hook a' }))
  await dialog.findByText(/11-21-2026/)
  expect(lastSent('webhook/deliveries')).toMatchObject({ 'page.rows': 10, 'page.number': 1, sort_by: 'created-desc' })
  await userEvent.click(dialog.getByRole('button', { name: 'Next page' }))
  await dialog.findByText(/11-22-2026/)
  expect(dialog.getByRole('button', { name: 'Next page' })).toHaveProperty('disabled', true)
})

test('shows calls alone to who may only view, and nothing to others', async () => {
  const { unmount } = show({}, { webhook_view: 1 })
  await screen.findByRole('button', { name: 'Calls of Hook a' })
  expect(screen.queryByRole('button', { name: 'New webhook' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Edit Hook a' })).toBeNull()
  unmount()
  show({}, {})
  expect(screen.getByRole('alert').textContent).toContain('Only people who may view or edit webhooks')
  expect(sentCalls).toEqual([])
})
