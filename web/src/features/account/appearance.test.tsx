import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { lastSent, showSignedIn } from '../../../test/signed-in.tsx'
import { followDensity } from '../../session/follow-density.ts'
import { Appearance } from './appearance.tsx'

afterEach(() => vi.unstubAllGlobals())

test('[ACCOUNT-07] density and date format are kept with the person and in force at once', async () => {
  followDensity(document.documentElement)
  showSignedIn(<Appearance />)
  expect(document.documentElement.dataset['density']).toBe('compact')
  await userEvent.selectOptions(screen.getByLabelText('Density'), 'Comfortable')
  await waitFor(() => expect(document.documentElement.dataset['density']).toBe('comfortable'))
  expect(lastSent('setting/set')).toEqual({ key: 'density', value: 'comfortable' })
  await userEvent.selectOptions(screen.getByLabelText('Date format'), 'YYYY/MM/DD')
  await screen.findByText(/^Now: \d{4}\/\d{2}\/\d{2} /)
})

test('colours follow the choice, in this browser', async () => {
  showSignedIn(<Appearance />)
  await userEvent.selectOptions(screen.getByLabelText('Colours'), 'Dark')
  expect(document.documentElement.getAttribute('data-mantine-color-scheme')).toBe('dark')
  await userEvent.selectOptions(screen.getByLabelText('Colours'), 'As the system')
  expect(lastSent('setting/set')).toBeUndefined()
})

test('a choice that could not be kept turns back, with a word', async () => {
  showSignedIn(<Appearance />, { 'setting/set': 500 })
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Single keys act in the inbox' })
  await userEvent.click(box)
  await screen.findByText('That could not be saved. Please try again.')
  expect(box.checked).toBe(true)
})
