import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { OwnKeys } from './own-keys.tsx'

afterEach(() => vi.unstubAllGlobals())

const held = (name: string, given: object = {}) => ({
  uuid: `uuid of ${name}`,
  name,
  permissions: ['study_upload', 'study_sync'],
  namespace_id: '',
  namespace_name: '',
  created: '2026-11-20 08:15:00.000000+00',
  last_used: '',
  expires: '2027-02-18 08:15:00.000000+00',
  client_address: '198.51.100.7',
  ...given,
})
const places = {
  namespaces: [{ uuid: 'ns-er', name: 'Emergency', type: 'group_id', type_uuid: 'g', permissions: {}, settings: {} }],
}
const show = (replies: Replies) => showSignedIn(<OwnKeys />, { 'user/namespace/list': places, ...replies })
const rows = async () => (await screen.findAllByRole('row')).slice(1).map((row) => row.textContent)
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

test('lists each key with what it may, where, and until when; rights of other programs are counted', async () => {
  const odd = held('Report robot', {
    permissions: ['study_download', 'account_edit', 'group_edit'],
    namespace_id: 'ns-er',
    namespace_name: 'Emergency',
    last_used: '2026-11-20 09:00:00.000000+00',
  })
  show({ 'session/key/list': { keys: [held('Scanner'), odd] } })
  const [first, second] = await rows()
  expect(first).toMatch(/^ScannerUpload studiesEverywhere you belong.*08:15not yet.*2027/)
  expect(second).toMatch(/^Report robotDownload studies, 2 rights moreEmergency/)
})

test('makes a key for one place and shows it this once', async () => {
  let keys: object[] = []
  show({
    'session/key/list': () => ({ keys }),
    'session/key/add': () => {
      keys = [held('Scanner')]
      return { uuid: 'uuid of Scanner', key: 'hlm_secret', expires: '' }
    },
  })
  await screen.findByText('You have no keys.')
  await press('Make a key')
  const form = within(screen.getByRole('form', { name: 'Make a key' }))
  await userEvent.type(form.getByRole('textbox', { name: 'Name' }), 'Scanner')
  await userEvent.click(form.getByRole('checkbox', { name: 'See studies and reports' }))
  await userEvent.click(form.getByRole('checkbox', { name: 'Upload studies' }))
  await form.findByRole('option', { name: 'Emergency' })
  await userEvent.selectOptions(form.getByRole('combobox', { name: 'Where' }), 'Emergency')
  await userEvent.selectOptions(form.getByRole('combobox', { name: 'Ends after' }), '30 days')
  await userEvent.click(form.getByRole('button', { name: 'Make a key' }))
  const made = within(await screen.findByRole('region', { name: 'Key “Scanner”' }))
  expect((made.getByRole('textbox', { name: 'The key' }) as HTMLInputElement).value).toBe('hlm_secret')
  expect(lastSent('session/key/add')).toEqual({
    name: 'Scanner',
    permissions: ['study_upload', 'study_sync'],
    days: 30,
    namespace_id: 'ns-er',
  })
  expect(await rows()).toHaveLength(1)
  await press('I have stored it')
  expect(screen.queryByDisplayValue('hlm_secret')).toBeNull()
  await screen.findByRole('button', { name: 'Make a key' })
})

test('asks for a name and for something that the key may do before anything is sent', async () => {
  show({ 'session/key/list': { keys: [] } })
  await press('Make a key')
  const form = within(screen.getByRole('form', { name: 'Make a key' }))
  await userEvent.click(form.getByRole('checkbox', { name: 'See studies and reports' }))
  await userEvent.click(form.getByRole('button', { name: 'Make a key' }))
  await form.findByText('Give the key a name.')
  form.getByText('Choose what the key may do.')
  expect(sentCalls.map(({ path }) => path)).not.toContain('session/key/add')
})

test('ends a key once it is asked about again', async () => {
  let keys = [held('Scanner')]
  show({
    'session/key/list': () => ({ keys }),
    'session/key/end': () => {
      keys = []
      return {}
    },
  })
  await press('End the key Scanner')
  const question = within(screen.getByRole('group', { name: 'End the key Scanner' }))
  await userEvent.click(question.getByRole('button', { name: 'Cancel' }))
  expect(lastSent('session/key/end')).toBeUndefined()
  await press('End the key Scanner')
  await press('End the key')
  await screen.findByText('The key has been ended.')
  expect(lastSent('session/key/end')).toEqual({ uuid: 'uuid of Scanner' })
  await screen.findByText('You have no keys.')
})

test('says what went wrong, and keeps what was filled in', async () => {
  let isDown = true
  show({ 'session/key/list': () => (isDown ? 500 : { keys: [] }), 'session/key/add': () => 500 })
  await screen.findByText('The keys could not be loaded.')
  isDown = false
  await press('Try again')
  await press('Make a key')
  const form = within(screen.getByRole('form', { name: 'Make a key' }))
  await userEvent.type(form.getByRole('textbox', { name: 'Name' }), 'Scanner')
  await userEvent.click(form.getByRole('button', { name: 'Make a key' }))
  expect((await screen.findByRole('alert')).textContent).toContain('could not be made')
  expect((form.getByRole('textbox', { name: 'Name' }) as HTMLInputElement).value).toBe('Scanner')
})
