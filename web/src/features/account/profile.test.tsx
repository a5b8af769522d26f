import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { showRouted } from '../../../test/routed.tsx'
import { lastSent, type Replies, sentCalls } from '../../../test/signed-in.tsx'
import { readSession } from '../../session/session-store.ts'
import { Profile } from './profile.tsx'

afterEach(() => vi.unstubAllGlobals())

const show = async (replies: Replies = {}) => {
  const routed = showRouted(<Profile />, replies)
  await screen.findByLabelText(/^First name/)
  return routed
}
const field = (name: RegExp) => screen.getByLabelText<HTMLInputElement>(name)
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })
const type = async (name: RegExp, text: string) => {
  await userEvent.clear(field(name))
  if (text) await userEvent.type(field(name), text)
}

test('[ACCOUNT-01] [ACCOUNT-02] [ACCOUNT-07] shows name, zone, date format, phone, share code and description', async () => {
  await show()
  expect(field(/^First name/).value).toBe('Mel')
  expect(field(/^Email/).disabled).toBe(true)
  for (const name of [/^Last name/, /^Mobile phone/, /^Share code/]) expect(field(name).tagName).toBe('INPUT')
  const description = screen.getByLabelText(/^Share description/)
  expect([description.tagName, description.getAttribute('rows')]).toEqual(['TEXTAREA', '3'])
  const zone = screen.getByLabelText<HTMLSelectElement>('Time zone')
  expect([zone.value, zone.options[0]?.text, zone.options[0]?.value]).toEqual(['UTC', 'select', ''])
  expect([...zone.options].map(({ value }) => value)).toContain('Europe/Berlin')
  const format = screen.getByLabelText<HTMLSelectElement>(/^Date format/)
  expect([...format.options].map(({ value }) => value)).toEqual([
    'MM-DD-YYYY',
    'YYYY-MM-DD',
    'DD-MM-YYYY',
    'YYYY/MM/DD',
    'MM/DD/YYYY',
    'DD/MM/YYYY',
  ])
  expect(format.value).toBe('MM-DD-YYYY')
  await userEvent.selectOptions(format, 'YYYY/MM/DD')
  expect(screen.getByText(/^Now: \d{4}\/\d{2}\/\d{2} \d{2}:\d{2}$/)).toBeTruthy()
})

test('[ACCOUNT-03] [ACCOUNT-04] [ACCOUNT-05] says at once what is wrong, and saves nothing meanwhile', async () => {
  await show()
  await type(/^First name/, '')
  expect(screen.getByText('First name is required')).toBeTruthy()
  expect(save().disabled).toBe(true)
  await type(/^First name/, 'Mel')
  await type(/^Last name/, ' ')
  expect(screen.getByText('Last name is required')).toBeTruthy()
  await type(/^Last name/, 'T')
  await type(/^Mobile phone/, '0123')
  expect(screen.getByText('Please enter a valid phone number e.g. +12025550123')).toBeTruthy()
  expect(save().disabled).toBe(true)
  await type(/^Mobile phone/, '')
  expect(save().disabled).toBe(false)
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }))
  expect(field(/^Last name/).value).toBe('Tanaka')
  expect(sentCalls).toEqual([])
})

test('[ACCOUNT-02] [ACCOUNT-06] [ACCOUNT-07] saves with the keyboard, reads the profile anew, and the banner goes', async () => {
  await show({ 'session/user': () => ({ uuid: 'u', first: 'Mel', last: 'From the server' }) })
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await userEvent.selectOptions(screen.getByLabelText('Time zone'), 'select')
  await userEvent.selectOptions(screen.getByLabelText(/^Date format/), 'DD/MM/YYYY')
  await userEvent.type(field(/^Mobile phone/), '+4930123456{Enter}')
  await screen.findByText('Your profile has been saved.')
  // another tab may have changed the other fields meanwhile
  expect(lastSent('user/set')).toEqual({ time_zone: '', mobile_phone: '+4930123456' })
  expect(lastSent('setting/set')).toEqual({ key: 'date_format', value: 'DD/MM/YYYY' })
  expect(field(/^Last name/).value).toBe('From the server')
  await act(() => vi.advanceTimersByTimeAsync(5100))
  expect(screen.queryByText('Your profile has been saved.')).toBeNull()
  vi.useRealTimers()
  const state = readSession()
  expect(state.status === 'established' && state.session.settings['date_format']).toBe('DD/MM/YYYY')
})

test.each([
  ['INVALID_TIME_ZONE', 'time_zone', 'Invalid time zone'],
  ['INVALID_FIELD', 'share_code', 'This share code cannot be used. Choose another.'],
  ['LOCKOUT', 'share_code', 'Too many share codes were tried. Please wait 15 minutes.'],
])(
  '[ERROR-05] [ERROR-07] %s stands beside its field, under a banner that the save failed',
  async (code, subtype, words) => {
    await show({ 'user/set': { status: 'ERROR', error_type: code, error_subtype: subtype } })
    await type(/^Share code/, 'mine')
    await userEvent.click(save())
    expect(await screen.findByText(words)).toBeTruthy()
    expect(screen.getByRole('alert').textContent).toContain('could not be updated')
  },
)

test('says that the profile was saved and the date format was not, and sends the date format alone again', async () => {
  let isDown = true
  await show({
    'setting/set': () => (isDown ? 500 : {}),
    'session/user': () => ({ uuid: 'u', first: 'Melanie', last: 'Tanaka' }),
  })
  await type(/^First name/, 'Melanie')
  await userEvent.selectOptions(screen.getByLabelText(/^Date format/), 'DD/MM/YYYY')
  await userEvent.click(save())
  await screen.findByText('Your profile has been saved, but not the date format. Please try again.')
  expect(field(/^First name/).value).toBe('Melanie')
  const state = readSession()
  expect(state.status === 'established' && state.session.user.first).toBe('Melanie')
  isDown = false
  await userEvent.click(save())
  await screen.findByText('Your profile has been saved.')
  expect(sentCalls.filter(({ path }) => path === 'user/set').map(({ sent }) => sent)).toEqual([{ first: 'Melanie' }])
  expect(lastSent('setting/set')).toEqual({ key: 'date_format', value: 'DD/MM/YYYY' })
})

test('a profile that was saved and cannot be read anew is saved', async () => {
  await show({ 'session/user': 500 })
  await type(/^First name/, 'Melanie')
  await userEvent.click(save())
  await screen.findByText('Your profile has been saved.')
  expect(field(/^First name/).value).toBe('Melanie')
})

test('asks before changes are left behind, and not without any', async () => {
  const { leave } = await show()
  await type(/^First name/, 'Melanie')
  act(leave)
  await userEvent.click(await screen.findByRole('button', { name: 'Stay' }))
  expect(field(/^First name/).value).toBe('Melanie')
  act(leave)
  await userEvent.click(await screen.findByRole('button', { name: 'Leave' }))
  await screen.findByText('Elsewhere')
})

test('leaves without a question when nothing is changed', async () => {
  const { leave } = await show()
  await type(/^First name/, 'Melanie')
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }))
  act(leave)
  await waitFor(() => expect(screen.getByText('Elsewhere')).toBeTruthy())
})
