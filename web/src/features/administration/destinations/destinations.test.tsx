import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { lastSent, showSignedIn } from '../../../../test/signed-in.tsx'
import { Destinations } from './destinations.tsx'

afterEach(() => window.history.replaceState(null, '', '/')) // the grid keeps its page, order and filter there

const destination = (name: string, echo: object | null) => ({
  uuid: name,
  account_id: 'a',
  name,
  type: 'DICOM',
  node_id: 'n',
  node_aetitle: 'HILUM',
  aetitle: name,
  address: '192.0.2.1',
  port: 104,
  uses_tls: 0,
  tls_certificate: '',
  can_search: 1,
  can_search_mwl: 0,
  can_query_retrieve: 0,
  can_push: 1,
  push_unchecked: 0,
  push_foreign: 0,
  can_commit: 0,
  retrieve_method: 'auto',
  group_ids: null,
  max_associations: 2,
  sort_order: null,
  health: null,
  echo,
})

test('says of each destination whether it answers, since when, and why not', async () => {
  const since = '2026-03-02 10:00:00.000000+00'
  const answer = { asked_at: since, ok: 1, since, message: '' }
  const destinations = [
    destination('GOOD', answer),
    destination('MUTE', { ...answer, ok: 0, message: 'No connection to the peer' }),
    destination('NEW', null),
  ]
  showSignedIn(<Destinations />, { 'destination/list': { destinations, page: {} } }, {}, { destination_edit: 1 })
  const row = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(`^${name}`) }))
  expect((await row('GOOD')).getByText(/^Answers since .*2026/)).toBeDefined()
  expect((await row('GOOD')).queryByText('Not tested yet')).toBeNull()
  expect((await row('NEW')).getByText('Not tested yet')).toBeDefined()
  const mute = await row('MUTE')
  expect(mute.getByText(/^No answer since .*2026/)).toBeDefined()
  expect(mute.getByText('No connection to the peer')).toBeDefined()
  expect((await row('NEW')).queryByText(/answer/i)).toBeNull()
})

test('stores a test image only after the question, and shows what became of it', async () => {
  const health = (outcome: string, message: string) => ({
    tested_at: '2026-03-02T10:00:00Z',
    ok: outcome === 'ok' ? 1 : 0,
    steps: [{ step: 'image', outcome, message }],
  })
  const pacs = { ...destination('PACS', null), health: health('ok', 'An image lies there now.') }
  const replies = {
    'destination/list': { destinations: [pacs, { ...destination('RIS', null), can_push: 0 }], page: {} },
    'destination/test': pacs.health,
  }
  showSignedIn(<Destinations />, replies, {}, { destination_edit: 1 })
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Send a test image to PACS' }))
  expect(lastSent('destination/test')).toBeUndefined()
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/under the name TEST IMAGE/)).toBeDefined()
  await user.click(dialog.getByRole('button', { name: 'Send a test image' }))
  await vi.waitFor(() => expect(lastSent('destination/test')).toMatchObject({ uuid: 'PACS', send_image: 1 }))
  expect(await screen.findByText('Test image: works. An image lies there now.')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Send a test image to RIS' })).toBeNull()
})

test('saves over what somebody else changed meanwhile only when asked to', async () => {
  let reply: object = { error_type: 'STALE' }
  const replies = {
    'destination/list': { destinations: [destination('PACS', null)], page: {} },
    'destination/set': () => reply,
    'group/list': { groups: [], page: {} },
  }
  showSignedIn(<Destinations />, replies, {}, { destination_edit: 1 })
  await userEvent.click(await screen.findByRole('button', { name: 'Edit PACS' }))
  await userEvent.type(await screen.findByRole('textbox', { name: /^Name/ }), ' 2')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText(/Somebody else changed this while the form was open/)
  expect(lastSent('destination/set')).toMatchObject({
    name: 'PACS 2',
    seen: { name: 'PACS', port: 104, group_ids: null },
  })
  reply = {}
  await userEvent.click(screen.getByRole('button', { name: 'Save mine' }))
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('destination/set')).toEqual({ uuid: 'PACS', name: 'PACS 2' })
})

test('adds a destination with everything that its form asks for', async () => {
  let reply: object = { error_type: 'INVALID_VALUE', error_subtype: ['tls_certificate'] }
  const groups = [
    { uuid: 'g1', name: 'Emergency Department' },
    { uuid: 'g2', name: 'Cardiology' },
  ]
  const replies = {
    'destination/list': { destinations: [], page: {} },
    'destination/add': () => reply,
    'group/list': { groups, page: {} },
  }
  showSignedIn(<Destinations />, replies, {}, { destination_edit: 1 })
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Add destination' }))
  const type = async (label: RegExp, value: string) =>
    fireEvent.change(await screen.findByRole('textbox', { name: label }), { target: { value } })
  const tick = (name: RegExp) => user.click(screen.getByRole('checkbox', { name }))
  await type(/^Name/, 'Main archive')
  await type(/^AE title/, 'MAIN')
  await user.selectOptions(screen.getByRole('combobox', { name: 'How exams are retrieved' }), 'By C-GET alone')
  await type(/^Port/, '11112')
  await type(/^Address/, 'pacs.hospital.example')
  for (const name of [/^Search/, /^Retrieve/, /^Worklist/, /^Send even when/, /^Send also exams/, /^Ask it after/])
    await tick(name)
  expect(screen.queryByRole('textbox', { name: /^Certificate/ })).toBeNull()
  await tick(/^Encrypted/)
  await type(/^Certificate/, 'none')
  await type(/^Most connections/, '4')
  await tick(/^Cardiology/)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() =>
    expect(screen.getByRole('textbox', { name: /^Certificate/ }).getAttribute('aria-invalid')).toBe('true'),
  )
  reply = { uuid: 'new' }
  await type(/^Certificate/, 'PEM')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('destination/add')).toEqual({
    account_id: 'a',
    name: 'Main archive',
    aetitle: 'MAIN',
    address: 'pacs.hospital.example',
    port: 11112,
    uses_tls: 1,
    tls_certificate: 'PEM',
    can_search: 0,
    can_query_retrieve: 0,
    retrieve_method: 'get',
    can_push: 1,
    can_search_mwl: 1,
    push_unchecked: 1,
    push_foreign: 1,
    can_commit: 1,
    max_associations: 4,
    group_ids: ['g2'],
  })
})

test('shows a group that is no longer there as chosen, and saves the destination without it only where it is unticked', async () => {
  const limited = { ...destination('PACS', null), group_ids: ['g1', 'l1', 'gone'] }
  const replies = {
    'destination/list': { destinations: [limited], page: {} },
    'group/list': { groups: [{ uuid: 'g1', name: 'Ward' }], page: { more: 0 } },
    'location/list': { locations: [{ uuid: 'l1', name: 'Site North' }], page: { more: 0 } },
    'destination/set': {},
  }
  showSignedIn(<Destinations />, replies, {}, { destination_edit: 1 })
  await userEvent.click(await screen.findByRole('button', { name: 'Edit PACS' }))
  const gone = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'A group that is no longer there' })
  expect(gone.checked).toBe(true)
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Ward' }).checked).toBe(true)
  await userEvent.click(gone)
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() => expect(lastSent('destination/set')).toMatchObject({ group_ids: ['g1', 'l1'] }))
})

test.each([
  [['gone'], true],
  [['gone', 'g1'], false],
])(
  'says that a destination opens to all groups where the only ones that used it are no longer there: %j',
  async (group_ids, isSaid) => {
    const replies = {
      'destination/list': { destinations: [{ ...destination('PACS', null), group_ids }], page: {} },
      'group/list': { groups: [{ uuid: 'g1', name: 'Ward' }], page: { more: 0 } },
      'location/list': { locations: [], page: { more: 0 } },
    }
    showSignedIn(<Destinations />, replies, {}, { destination_edit: 1 })
    await userEvent.click(await screen.findByRole('button', { name: 'Edit PACS' }))
    await screen.findByRole('checkbox', { name: 'A group that is no longer there' })
    expect(screen.queryByText(/If no group is ticked when you save, all groups may use it\.$/) !== null).toBe(isSaid)
  },
)

test('asks how exams are retrieved only where they are, and sends another way alone', async () => {
  const replies = {
    'destination/list': { destinations: [{ ...destination('PACS', null), can_query_retrieve: 1 }], page: {} },
    'destination/set': {},
  }
  showSignedIn(<Destinations />, replies, {}, { destination_edit: 1 })
  await userEvent.click(await screen.findByRole('button', { name: 'Edit PACS' }))
  const way = () => screen.queryByRole('combobox', { name: 'How exams are retrieved' })
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Retrieve' }))
  expect(way()).toBeNull()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Retrieve' }))
  await userEvent.selectOptions(way() as HTMLElement, 'By C-MOVE alone')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() => expect(lastSent('destination/set')).toMatchObject({ retrieve_method: 'move' }))
  expect(lastSent('destination/set')).not.toHaveProperty('can_query_retrieve')
})

test('asks nothing of sending where exams are not sent to a destination', async () => {
  const replies = { 'destination/list': { destinations: [], page: {} }, 'group/list': { groups: [], page: {} } }
  showSignedIn(<Destinations />, replies, {}, { destination_edit: 1 })
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Add destination' }))
  expect(await screen.findByRole('checkbox', { name: /^Ask it after/ })).toBeDefined()
  await user.click(screen.getByRole('checkbox', { name: 'Send' }))
  for (const name of [/^Send even when/, /^Send also exams/, /^Ask it after/])
    expect(screen.queryByRole('checkbox', { name })).toBeNull()
})

test('[GRID-01][GRID-03] asks for a page, an order and a name, and offers the next page where more follow', async () => {
  const replies = {
    'destination/list': (sent: Record<string, unknown>) => ({
      destinations: [destination('PACS', null)],
      page: { more: sent['page.number'] === 1 ? 1 : 0, total: 11 },
    }),
  }
  showSignedIn(<Destinations />, replies, {}, { destination_edit: 1 })
  const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
  await screen.findByText('1 to 1 of 11')
  expect(lastSent('destination/list')).toMatchObject({ 'page.rows': 10, 'page.number': 1, sort_by: 'name-asc' })
  await press('Next page')
  await vi.waitFor(() => expect(lastSent('destination/list')).toMatchObject({ 'page.number': 2 }))
  await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Next page' })).toHaveProperty('disabled', true))
  await press('DICOM node')
  await vi.waitFor(() =>
    expect(lastSent('destination/list')).toMatchObject({ 'page.number': 1, sort_by: 'aetitle-asc' }),
  )
  await userEvent.type(screen.getByRole('textbox', { name: 'Find by name' }), 'pacs')
  await vi.waitFor(() => expect(lastSent('destination/list')).toMatchObject({ 'filter.name.like': '%pacs%' }))
})
