import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { showRouted } from '../../../../test/routed.tsx'
import { lastSent, type Replies } from '../../../../test/signed-in.tsx'
import { TextsToAccept } from './texts-to-accept.tsx'

afterEach(() => vi.unstubAllGlobals())

const version = (text: string, day: number, given: object = {}) => ({
  kind: 'terms',
  text,
  md5: text,
  since: `2026-11-${day} 08:15:00.000000+00`,
  by: 'Ida Holm',
  agreed: 3,
  ...given,
})
const show = (versions: object[], replies: Replies = {}) =>
  showRouted(
    <TextsToAccept />,
    { 'account/texts/versions': { versions, people: 9 }, ...replies },
    {},
    { account_edit: 1 },
  )

test('says which texts are in force, how many accepted them, and what was before', async () => {
  show([version('Two', 21), version('', 20, { agreed: 0 }), version('One', 19)])
  const terms = await screen.findByRole('group', { name: 'Terms of use' })
  expect(within(terms).getByText(/^Accepted by 3 of 9, in force since .*08:15$/)).toBeDefined()
  expect(within(terms).getByText(/by Ida Holm: asking ended$/)).toBeDefined()
  expect(within(terms).getByText('One')).toBeDefined()
  const other = screen.getByRole('group', { name: 'Privacy' })
  expect(within(other).getByText('Nobody is asked to accept a text.')).toBeDefined()
  expect(within(other).getByRole('button', { name: 'Write Privacy' })).toBeDefined()
})

test('edits a text beside its preview, and keeps what was typed when saving fails', async () => {
  let reply: unknown = 500
  show([version('Two', 21)], { 'account/texts/set': () => reply })
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Terms of use' }))
  const box = screen.getByRole('textbox', { name: 'Text' })
  expect(box).toHaveProperty('value', 'Two')
  await userEvent.type(box, '\n\nThree')
  const form = screen.getByRole('form', { name: 'Terms of use' })
  expect(within(form).getAllByText(/^(Two|Three)$/, { selector: 'p' })).toHaveLength(2)
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('The text could not be saved. Please try again.')
  reply = { error_type: 'STALE' }
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText(/Somebody else changed this while the form was open/)
  expect(lastSent('account/texts/set')).toMatchObject({ seen: { md5: version('Two', 21).md5 } })
  reply = {}
  await userEvent.click(screen.getByRole('button', { name: 'Save mine' }))
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('account/texts/set')).toEqual({ account_id: 'a', kind: 'terms', text: 'Two\n\nThree' })
})

test('says that the texts did not load', async () => {
  show([], { 'account/texts/versions': 500 })
  await screen.findByText('The texts could not be loaded.')
  expect(screen.queryByRole('group')).toBeNull()
})
