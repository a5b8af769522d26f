import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { lastSent, type Replies, showSignedIn } from '../../../../test/signed-in.tsx'
import { Destinations } from './destinations.tsx'

const place = { query_peers: [], worklist_peers: [], senders: [], is_closed_to_senders: 0 }
const called = {
  places: [
    { ...place, kind: 'account', uuid: 'a', name: 'St. Anne', ae_title: 'HOUSE', is_closed_to_senders: 1 },
    { ...place, kind: 'location', uuid: 'l', name: 'North', ae_title: 'NORTH', worklist_peers: ['CT_1'] },
    {
      ...place,
      kind: 'group',
      uuid: 'g',
      name: 'Ward',
      ae_title: 'WARD',
      senders: ['CT_1@10.0.0.0/8', 'MR_2'],
      query_peers: ['WS'],
    },
  ],
  more: 0,
  host: '',
  is_local: 0,
  port: 11112,
  tls_port: 2762,
  tls_asks_certificate: 1,
}
const nodeUuid = '00000000-0000-4000-8000-000000000001'
const nodes = {
  nodes: [{ uuid: nodeUuid, account_id: 'a', name: 'Gate', type: 'VIRTUAL', serial_no: 1, aetitle: 'HILUM_GATE' }],
  page: {},
}
const may = { destination_edit: 1, node_view: 1, group_edit: 1 }

function show(replies: Replies, permissions: Record<string, number> = may) {
  const root = createRootRoute({ component: Destinations })
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ['/'] }) })
  return showSignedIn(
    <RouterProvider router={router as never} />,
    { 'destination/list': { destinations: [], page: {} }, 'node/called': called, 'node/list': nodes, ...replies },
    {},
    permissions,
  )
}
const region = async () => within(await screen.findByRole('region', { name: 'Our own nodes' }))

test('[ENTITY-24] tells by which titles, ports and for whom our own nodes are called, and where each is changed', async () => {
  show({})
  const own = await region()
  const row = async (title: string) => within(await own.findByRole('row', { name: new RegExp(`^${title}`) }))
  const ward = await row('WARD')
  expect(ward.getByText('CT_1@10.0.0.0/8, MR_2')).toBeDefined()
  expect(ward.getByText('Exams: WS')).toBeDefined()
  expect(ward.getByRole('link', { name: 'Ward' }).getAttribute('href')).toBe('/administration/groups')
  const north = await row('NORTH')
  expect(north.getByText('Programs of this machine alone')).toBeDefined()
  expect(north.getByText('Worklist: CT_1')).toBeDefined()
  // no link to a page that the person may not open, nor to one that does not change it
  expect(north.queryByRole('link')).toBeNull()
  const house = await row('HOUSE')
  expect(house.queryByRole('link')).toBeNull()
  expect(house.getByText('nobody')).toBeDefined()
  expect(
    own.getByText(/at port 11112 without encryption\. Encrypted \(TLS\): port 2762, with a certificate/),
  ).toBeDefined()
  const calling = within(own.getByRole('table', { name: 'AE titles that we call others by' }))
  expect(calling.getByRole('row', { name: 'HILUM_GATE Gate' })).toBeDefined()
  expect(own.queryByRole('button')).toBeNull()
})

const mayNodes = { ...may, node_edit: 1 }

test('[ENTITY-24] whoever may adds a title that we call others by, with what the server refuses beside its field', async () => {
  let reply: unknown = { error_type: 'DUP_AETITLE' }
  show({ 'node/add': () => reply }, mayNodes)
  const own = await region()
  await userEvent.click(await own.findByRole('button', { name: 'Add AE title' }))
  const form = within(await screen.findByRole('dialog', { name: 'Add AE title' }))
  await userEvent.type(form.getByRole('textbox', { name: /^Name/ }), 'Night gate')
  const title = form.getByRole('textbox', { name: /^AE title/ })
  await userEvent.type(title, 'WARD')
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  expect(await form.findByText('A group, a location or another node has this AE title already.')).toBeDefined()
  reply = { error_type: 'INVALID_VALUE', error_subtype: 'aetitle' }
  await userEvent.clear(title)
  await userEvent.type(title, 'NÄCHTLICH')
  expect(form.queryByText(/has this AE title already/)).toBeNull()
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  expect(await form.findByText(/^An AE title has 1 to 16 characters/)).toBeDefined()
  reply = { uuid: '00000000-0000-4000-8000-000000000002', serial_no: 2 }
  await userEvent.clear(title)
  await userEvent.type(title, 'NIGHT')
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('node/add')).toMatchObject({ name: 'Night gate', aetitle: 'NIGHT' })
})

test('[ENTITY-24] a title is changed with what was read, and a change by somebody else meanwhile is told', async () => {
  let reply: unknown = { error_type: 'STALE' }
  show({ 'node/set': () => reply }, mayNodes)
  const own = await region()
  await userEvent.click(await own.findByRole('button', { name: 'Edit HILUM_GATE' }))
  const form = within(await screen.findByRole('dialog', { name: /^Edit AE title/ }))
  const title = form.getByRole('textbox', { name: /^AE title/ })
  await userEvent.clear(title)
  await userEvent.type(title, 'GATE_2')
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  const seen = { name: 'Gate', aetitle: 'HILUM_GATE' }
  await waitFor(() => expect(lastSent('node/set')).toEqual({ uuid: nodeUuid, aetitle: 'GATE_2', seen }))
  reply = {}
  await userEvent.click(await form.findByRole('button', { name: 'Save mine' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('node/set')).toEqual({ uuid: nodeUuid, aetitle: 'GATE_2' })
})

test.each([
  [{ destinations: ['Archive', 'Backup'] }, /these destinations are called by it: Archive, Backup\.$/],
  [{ destinations: [] }, /exams are being retrieved by it/],
])('[ENTITY-24] a title in use is not deleted, and why stands in words: %j', async (data, words) => {
  let reply: unknown = { error_type: 'HAS_DESTINATIONS', error_data: data }
  show({ 'node/delete': () => reply }, mayNodes)
  const own = await region()
  const remove = async () => {
    await userEvent.click(await own.findByRole('button', { name: 'Delete HILUM_GATE' }))
    const asked = within(await screen.findByRole('dialog', { name: 'Delete AE title?' }))
    await userEvent.click(asked.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  await remove()
  expect((await own.findByRole('alert')).textContent).toMatch(words)
  reply = {}
  await remove()
  await waitFor(() => expect(own.queryByRole('alert')).toBeNull())
  expect(lastSent('node/delete')).toEqual({ uuid: nodeUuid })
})

test('[ENTITY-24] says that nobody can send here where no place has a title', async () => {
  show({ 'node/called': { ...called, places: [], tls_port: 0 }, 'node/list': { nodes: [], page: {} } })
  const own = await region()
  expect(await own.findByText(/nobody can send here/)).toBeDefined()
  expect(own.getByText(/No port is encrypted/)).toBeDefined()
  expect(own.getByText(/We call nobody yet/)).toBeDefined()
})

test('[ENTITY-24] says so where our own nodes cannot be loaded, and loads them again', async () => {
  let reply: unknown = 500
  show({ 'node/called': () => reply })
  const own = await region()
  expect((await own.findByRole('alert')).textContent).toContain('Our own nodes could not be loaded.')
  reply = called
  await userEvent.click(own.getByRole('button', { name: 'Try again' }))
  expect(await own.findByText('WARD')).toBeDefined()
})

test('[ENTITY-24] shows them to nobody who may not see nodes', async () => {
  show({ 'node/called': called }, { destination_edit: 1 })
  await screen.findByText('There are no destinations yet.')
  expect(screen.queryByText('Our own nodes')).toBeNull()
})

test('says that programs of the same machine alone can call while the listener is closed, and how it is opened', async () => {
  show({ 'node/called': { ...called, host: '127.0.0.1', is_local: 1 } })
  expect(await screen.findByText(/They call 127\.0\.0\.1 at port 11112 .* setting HILUM_DICOM_HOST/)).toBeDefined()
})
