import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../../test/signed-in.tsx'
import { Connections } from './connections.tsx'

afterEach(() => vi.unstubAllGlobals())

const connection = (uuid: string, account_name: string, state: string) => ({
  uuid,
  account_name,
  state,
  message: state === 'asked' ? 'We refer patients.' : '',
  asked_by_name: 'Amara Okafor',
  created: '2026-11-20 20:15:00.000000+00',
  sent_count: 0,
  connected_at: state === 'connected' ? '2026-11-21 20:15:00.000000+00' : null,
})
const connections = [
  connection('c1', 'Harbour Clinic', 'connected'),
  connection('c2', 'Lakeside Radiology', 'asked'),
  connection('c3', 'Mill Road Surgery', 'asking'),
]
const page = { more: 0, rows: 10, number: 1, total: 3 }
const show = (replies: Replies = {}, permissions: Record<string, number> = { account_edit: 1 }) =>
  showSignedIn(
    <Connections />,
    {
      'account/connect/list': { connections, page },
      'account/connect/defaults': { expires: 0, share_code: 'NORTH' },
      ...replies,
    },
    {},
    permissions,
  )
const row = async (name: string) => screen.findByRole('row', { name: new RegExp(name) })

test('lists the connections with their states, accepts one and declines or takes back others at once', async () => {
  show()
  expect((await row('Harbour Clinic')).textContent).toContain('Connected')
  expect((await row('Lakeside')).textContent).toContain('We refer patients.')
  await userEvent.click(screen.getByRole('button', { name: 'Accept Lakeside Radiology' }))
  await waitFor(() => expect(lastSent('account/connect/accept')).toEqual({ account_id: 'a', uuid: 'c2' }))
  await userEvent.click(screen.getByRole('button', { name: 'Take back the question to Mill Road Surgery' }))
  await waitFor(() => expect(lastSent('account/connect/end')).toEqual({ account_id: 'a', uuid: 'c3' }))
})

test('asks before it ends a connection in force', async () => {
  show({ 'account/connect/end': { error_type: 'NOT_FOUND' } })
  await row('Harbour Clinic')
  await userEvent.click(screen.getByRole('button', { name: 'End the connection with Harbour Clinic' }))
  expect(lastSent('account/connect/end')).toBeUndefined()
  await userEvent.click(screen.getByRole('button', { name: 'End' }))
  expect(await screen.findByText(/That could not be done/)).toBeDefined()
})

test('stops all that was sent over a connection where that is chosen, with the number before the eyes', async () => {
  const sent = [{ ...connection('c1', 'Harbour Clinic', 'connected'), sent_count: 3 }]
  show({ 'account/connect/list': { connections: sent, page }, 'account/connect/end': { stopped: 3 } })
  await row('Harbour Clinic')
  await userEvent.click(screen.getByRole('button', { name: 'End the connection with Harbour Clinic' }))
  await userEvent.click(screen.getByLabelText('Also stop the 3 exams that this organisation sent over it'))
  await userEvent.click(screen.getByRole('button', { name: 'End and stop all' }))
  await waitFor(() => expect(lastSent('account/connect/end')).toEqual({ account_id: 'a', uuid: 'c1', stop_sent: 1 }))
})

test.each([
  [{ error_type: 'NOT_FOUND', error_subtype: 'account_name' }, 'No organisation here has this name.'],
  [{ error_type: 'INVALID_FIELD', error_subtype: 'account_name' }, 'This is your own organisation.'],
  [{ error_type: 'ALREADY_EXISTS', error_subtype: 'c1' }, 'It has been asked already, or is connected.'],
  [{ error_type: 'LOCKOUT' }, 'Too many tries. Wait a quarter of an hour.'],
  [500, 'It could not be asked. Try again.'],
])('asks an organisation by its name, and says why it could not: %j', async (refusal, words) => {
  let isRefused = true
  show({ 'account/connect/ask': () => (isRefused ? refusal : { uuid: 'c4' }) })
  await userEvent.click(await screen.findByRole('button', { name: 'Ask an organisation' }))
  await userEvent.click(screen.getByRole('button', { name: 'Ask' }))
  await screen.findByText('Type the name of the organisation.')
  await userEvent.type(screen.getByRole('textbox', { name: 'Name of the organisation' }), ' Hillside ')
  await userEvent.click(screen.getByRole('button', { name: 'Ask' }))
  await screen.findByText(words)
  isRefused = false
  await userEvent.click(screen.getByRole('button', { name: 'Ask' }))
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Name of the organisation' })).toBeNull())
  expect(lastSent('account/connect/ask')).toEqual({ account_id: 'a', account_name: 'Hillside' })
})

test('keeps the default end of access and the share code', async () => {
  let isTaken = true
  const taken = { error_type: 'INVALID_FIELD', error_subtype: 'share_code' }
  const kept = { expires: 10_080, share_code: 'NEW' }
  show({
    'account/connect/defaults': ({ expires }: Record<string, unknown>) =>
      expires === undefined ? { expires: 0, share_code: 'NORTH' } : isTaken ? taken : kept,
  })
  const code = await screen.findByRole('textbox', { name: 'Share code of the organisation' })
  expect(code).toHaveProperty('value', 'NORTH')
  await userEvent.clear(code)
  await userEvent.type(code, ' NEW ')
  await userEvent.selectOptions(
    screen.getByRole('combobox', { name: 'Other organisations lose access' }),
    'After 7 days',
  )
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('This code cannot be used. Choose another.')
  isTaken = false
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByText('This code cannot be used. Choose another.')).toBeNull())
  expect(lastSent('account/connect/defaults')).toEqual({
    account_id: 'a',
    expires: 10_080,
    share_code: 'NEW',
    seen: { expires: 0, share_code: 'NORTH' },
  })
})

test('over rules that somebody else changed meanwhile saves only what was changed here, and shows the rest', async () => {
  let kept = { expires: 0, share_code: 'KNOWN' }
  let isStale = true
  show({
    'account/connect/defaults': ({ expires }: Record<string, unknown>) => {
      if (expires === undefined) return kept
      if (!isStale) return { ...kept, expires }
      kept = { expires: 0, share_code: 'SECRET' }
      return { error_type: 'STALE' }
    },
  })
  const code = await screen.findByRole('textbox', { name: 'Share code of the organisation' })
  const end = screen.getByRole('combobox', { name: 'Other organisations lose access' })
  await userEvent.selectOptions(end, 'After 7 days')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(code).toHaveProperty('value', 'SECRET'))
  isStale = false
  await userEvent.click(await screen.findByRole('button', { name: 'Save mine' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save mine' })).toBeNull())
  expect(sentCalls.findLast(({ sent }) => 'expires' in sent)?.sent).toEqual({ account_id: 'a', expires: 10_080 })
})

test('says that the list could not be loaded, and that there is none yet; shows others nothing', async () => {
  const { unmount } = show({ 'account/connect/list': 500 })
  await screen.findByText('The connections could not be loaded.')
  unmount()
  const empty = show({ 'account/connect/list': { connections: [], page: { ...page, total: 0 } } })
  await screen.findByText('Your organisation is not connected with any other yet.')
  empty.unmount()
  show({}, {})
  await screen.findByText('Only administrators may open this page.')
  expect(sentCalls).toEqual([])
})

test('[GRID-04] keeps the rows per page for the person, and the order in the address', async () => {
  show({ 'setting/set': {} })
  await row('Harbour Clinic')
  await userEvent.selectOptions(screen.getByLabelText('Rows per page'), '50')
  await waitFor(() =>
    expect(lastSent('setting/set')).toMatchObject({ key: 'connections_rows_to_display', value: '50' }),
  )
  await waitFor(() => expect(lastSent('account/connect/list')).toMatchObject({ 'page.rows': 50 }))
})
