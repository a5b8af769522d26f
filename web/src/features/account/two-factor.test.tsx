import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { TwoFactor } from './two-factor.tsx'

afterEach(() => vi.unstubAllGlobals())

const off = { is_on: 0, since: '', recovery_codes: 0, is_required: 0 }
const on = { is_on: 1, since: '2026-11-20 08:15:00.000000+00', recovery_codes: 9, is_required: 0 }
const begun = { secret: 'ABCDEFGHIJKLMNOP', address: 'otpauth://totp/Hilum:mel?secret=ABCDEFGHIJKLMNOP' }
const codes = ['aaaa-bbbb-cccc-dddd', 'eeee-ffff-gggg-hhhh']
const refused = (error_type: string) => ({ status: 'ERROR', error_type })
const show = (replies: Replies) => showSignedIn(<TwoFactor />, { 'session/user': { uuid: 'u' }, ...replies })
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

test('is set up by picture or key and a first code, then shows the recovery codes once', async () => {
  let [state, isRight] = [off, false]
  show({
    'session/pin/state': () => state,
    'session/pin/begin': begun,
    'session/pin/confirm': () => (isRight ? { recovery_codes: codes } : refused('INVALID_PIN')),
  })
  await press('Set up')
  expect(await screen.findByRole('img', { name: 'QR code for your authenticator app' })).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Key').value).toBe('ABCD EFGH IJKL MNOP')
  await press('Switch on')
  await screen.findByText('Enter the code.')
  await userEvent.type(screen.getByLabelText('Code'), '000000{Enter}')
  await screen.findByText(/The code is not right/)
  isRight = true
  state = on
  await userEvent.type(screen.getByLabelText('Code'), '123456{Enter}')
  expect((await screen.findAllByRole('listitem')).map(({ textContent }) => textContent)).toEqual(codes)
  expect(lastSent('session/pin/confirm')).toEqual({ pin: '123456' })
  await press('I have stored them')
  await screen.findByText('Two-factor sign-in has been switched on.')
  await screen.findByText(/is on since 11-20-2026 08:15\. 9 recovery codes are left\./)
})

test('asks for a proof where one is due, and goes on by itself', async () => {
  let isProven = false
  show({
    'session/pin/state': off,
    'session/pin/begin': () => (isProven ? begun : refused('PROOF_REQUIRED')),
    'session/prove': ({ password }: { password: string }) => {
      isProven = password === 'right'
      return isProven ? { status: 'OK' } : refused('INVALID_PASSWORD')
    },
  })
  await press('Set up')
  const dialog = await screen.findByRole('dialog', { name: 'Confirm it is you' })
  await userEvent.type(within(dialog).getByLabelText('Your password', { selector: 'input' }), 'wrong{Enter}')
  await within(dialog).findByText('The password is not right.')
  await userEvent.clear(within(dialog).getByLabelText('Your password', { selector: 'input' }))
  await userEvent.type(within(dialog).getByLabelText('Your password', { selector: 'input' }), 'right{Enter}')
  await screen.findByLabelText('Key')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('is switched off once that is asked again, unless the organisation requires it', async () => {
  let state = on
  const { unmount } = show({
    'session/pin/state': () => state,
    'session/pin/remove': () => {
      state = off
      return { status: 'OK' }
    },
  })
  await press('Switch off')
  expect(sentCalls.map(({ path }) => path)).not.toContain('session/pin/remove')
  await press('Switch off')
  await screen.findByText('Two-factor sign-in has been switched off.')
  unmount()
  show({ 'session/pin/state': { ...on, is_required: 1 } })
  await screen.findByText(/requires it, so it cannot be switched off/)
  expect(screen.queryByRole('button', { name: 'Switch off' })).toBeNull()
})

test('gives new recovery codes', async () => {
  show({ 'session/pin/state': on, 'session/pin/codes': { recovery_codes: codes } })
  await press('New recovery codes')
  expect(await screen.findAllByRole('listitem')).toHaveLength(2)
})
