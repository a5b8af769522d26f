import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { showRouted } from '../../../test/routed.tsx'
import { lastSent, type Replies, sentCalls } from '../../../test/signed-in.tsx'
import { useNotices } from '../../state/notices.ts'
import { ChangePassword } from './change-password.tsx'

afterEach(() => vi.unstubAllGlobals())

const show = async (replies: Replies = {}) => {
  const routed = showRouted(<ChangePassword />, replies)
  await screen.findByLabelText('Current password', { selector: 'input' })
  return routed
}
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name, { selector: 'input' })
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })
const fill = async (password = '42lantern-boat') => {
  await userEvent.type(field('Current password'), 'old2026ok')
  await userEvent.type(field('New password'), password)
  await userEvent.type(field('Confirm new password'), password)
}

test('[ACCOUNT-08] [ACCOUNT-09] [ACCOUNT-10] judges each field while it is typed', async () => {
  await show()
  screen.getByText(/^8 characters or longer, containing 2 number and 2 letters, all of them within the first 8/)
  expect(save().disabled).toBe(true)
  await userEvent.type(field('Current password'), 'x{Backspace}')
  screen.getByText('Password is required.')
  await userEvent.type(field('New password'), 'short1')
  screen.getByText('8 characters or longer, containing 2 number and 2 letters')
  expect(screen.queryByText('Passwords do not match.')).toBeNull()
  await userEvent.clear(field('New password'))
  await userEvent.type(field('New password'), 'lanternboat42')
  screen.getByText('The first 8 characters must hold 2 numbers and 2 letters')
  await userEvent.type(field('Confirm new password'), 'lan')
  screen.getByText('Passwords do not match.')
  expect(save().disabled).toBe(true)
  expect(field('New password').type).toBe('password')
  await userEvent.click(screen.getAllByRole('button', { name: 'Show or hide the password' })[1] as HTMLElement)
  expect(field('New password').type).toBe('text')
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }))
  expect([field('Current password').value, field('New password').value]).toEqual(['', ''])
  expect(sentCalls).toEqual([])
})

test('[ACCOUNT-12] a changed password empties the form, with a passing banner and the word of the server', async () => {
  await show({ 'user/set': { status: 'OK', message: 'Your password has been changed, Mel.' } })
  render(<Notices />)
  await fill()
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await userEvent.keyboard('{Enter}')
  await screen.findByText('Your password has been changed.')
  screen.getByText('Your password has been changed, Mel.')
  expect(lastSent('user/set')).toEqual({
    old_password: 'old2026ok',
    password: '42lantern-boat',
    password_confirm: '42lantern-boat',
  })
  expect([field('Current password').value, field('New password').value]).toEqual(['', ''])
  expect(save().disabled).toBe(true)
  await act(() => vi.advanceTimersByTimeAsync(5100))
  expect(screen.queryByText('Your password has been changed.')).toBeNull()
  vi.useRealTimers()
})

function Notices() {
  return useNotices().map(({ id, text }) => <p key={id}>{text}</p>)
}

test.each([
  ['a wrong current password', 'INVALID_PASSWORD', undefined, 'Current password', 'Current password is wrong.'],
  [
    'one of the last three',
    'BAD_PASSWORD',
    'repeated',
    'New password',
    "Reset Password can't be one of your last three passwords",
  ],
])(
  '[AUTH-10] [ACCOUNT-11] [ERROR-06] %s, %s, stands beside its field until that is typed anew',
  async (_, code, subtype, name, words) => {
    await show({ 'user/set': { status: 'ERROR', error_type: code, error_subtype: subtype } })
    await fill()
    await userEvent.click(save())
    const message = await screen.findByText(words)
    expect(field(name).getAttribute('aria-describedby')).toContain(message.id)
    await userEvent.type(field(name), '1')
    expect(screen.queryByText(words)).toBeNull()
  },
)

test('[ERROR-05] says that too many failed', async () => {
  await show({ 'user/set': { status: 'ERROR', error_type: 'LOCKOUT' } })
  await fill()
  await userEvent.click(save())
  expect((await screen.findByRole('alert')).textContent).toContain('wait 15 minutes')
})
