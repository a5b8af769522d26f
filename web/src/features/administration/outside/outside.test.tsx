import type { OutsideAccess } from '@hilum/contract/calls/outside'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../../test/signed-in.tsx'
import { OutsideOfEveryone } from './outside-access.tsx'
import { OutsideGrid } from './outside-grid.tsx'

afterEach(() => history.replaceState(null, '', '/'))

const access = (uuid: string, given: Partial<OutsideAccess> = {}): OutsideAccess => ({
  kind: 'account',
  uuid,
  who_id: 'a2',
  who: 'Harbour Clinic',
  user_email: '',
  is_outside: 1,
  namespace_id: 'ns',
  namespace_name: 'Neuro',
  study_id: 's1',
  patient_name: 'DOE^JANE',
  study_description: 'MRI BRAIN',
  study_date: '20260304',
  study_count: 1,
  patient_names: ['DOE^JANE'],
  right: 'exam',
  has_copy: 0,
  attachments: 0,
  state: 'open',
  by_name: 'Mei Tanaka',
  is_own: 1,
  created: '2026-03-04 10:00:00.000000+00',
  expires_at: '2026-06-04 10:00:00.000000+00',
  used_at: null,
  may_end: 1,
  may_extend: 1,
  may_restore: 1,
  ...given,
})
const unseen = { study_id: '', patient_name: '', study_description: '', study_date: '', patient_names: [] }
const link = access('l1', {
  kind: 'link',
  who_id: '',
  who: '',
  right: 'view',
  attachments: 1,
  state: 'locked',
  ...unseen,
})
const code = access('ns', {
  ...unseen,
  kind: 'code',
  study_count: 0,
  who_id: '',
  who: '',
  right: 'upload',
  created: null,
  expires_at: null,
  may_end: 0,
  may_extend: 0,
  may_restore: 0,
})
function show(accesses: readonly OutsideAccess[], replies: Replies = {}, isEveryone = false) {
  showSignedIn(<OutsideGrid isEveryone={isEveryone} />, {
    'outside/list': { accesses, page: { more: 0, rows: 10, number: 1, total: accesses.length } },
    ...replies,
  })
}
const row = async (name: RegExp) => (await screen.findByRole('rowheader', { name })).closest('tr') as HTMLElement

test('says of each access what, who, right, since, until and last use; an exam that one may not see stays without a name', async () => {
  show([access('h1'), link, code])
  const words = within(await row(/DOE, JANE/))
  for (const one of [
    'Harbour Clinic',
    'The exam, as their role allows',
    'Not used yet',
    /^Sent to .* · other organisation$/,
  ])
    expect(words.getByText(one)).toBeTruthy()
  expect((await row(/^An exam/)).textContent).toMatch(
    /Whoever has the address.*SeeWith files and reports.*locked after wrong tries/,
  )
  expect((await row(/Uploads into Neuro/)).textContent).toMatch(/Whoever has the share code.*Upload.*No end/)
  expect(lastSent('outside/list')).toMatchObject({ account_id: 'a', sort_by: 'created-asc', 'page.rows': 10 })
  expect(lastSent('outside/list')).not.toHaveProperty('everyone')
})

test('asks the server to filter and to sort', async () => {
  show([access('h1')])
  await userEvent.click(await screen.findByRole('button', { name: 'Filter' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'With access' }), 'harb')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Way' }), 'account')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Reach' }), '1')
  await waitFor(() =>
    expect(lastSent('outside/list')).toMatchObject({
      'filter.who.like': '%harb%',
      'filter.kind.equals': 'account',
      'filter.is_outside.equals': '1',
    }),
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Until' }))
  await waitFor(() => expect(lastSent('outside/list')).toMatchObject({ sort_by: 'expires_at-asc' }))
})

test('several are ended at once after a question that names each, and the page says which did not work', async () => {
  const ends = ({ link_id: linkId }: Record<string, unknown>) => (linkId ? { error_type: 'EXPIRED' } : { status: 'OK' })
  show([access('h1'), link, code], { 'outside/end': ends })
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all of this page' }))
  await userEvent.click(screen.getByRole('button', { name: 'End access' }))
  const asked = within(await screen.findByRole('dialog', { name: 'End 2 accesses?' }))
  expect(asked.getByText('DOE, JANE: Harbour Clinic')).toBeTruthy()
  expect(asked.getByText('An exam: Whoever has the address')).toBeTruthy()
  expect(asked.getByText(/1 of the selected stays as it is/)).toBeTruthy()
  expect(sentCalls.some(({ path }) => path === 'outside/end')).toBe(false)
  await userEvent.click(asked.getByRole('button', { name: 'End access' }))
  expect(await screen.findByText('An exam: Whoever has the address: the access had ended already.')).toBeTruthy()
  expect(sentCalls.filter(({ path }) => path === 'outside/end').map(({ sent }) => sent)).toEqual([
    { account_id: 'a', share_id: 'h1' },
    { account_id: 'a', link_id: 'l1' },
  ])
})

test('a link to several exams says how many they are and of whom, also in the questions before it ends or lasts longer', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `DOE^N${at}`)
  show([
    { ...access('l1'), kind: 'link', who: 'gp@clinic.example', study_count: 14, patient_names: names },
    { ...link, uuid: 'l2', study_count: 3 },
  ])
  const line = /14 exams.*DOE, N0 · DOE, N1 · .*DOE, N9 · and 2 other patients/
  const words = await row(/^14 exams/)
  expect(words.textContent).toMatch(line)
  expect(words.textContent).not.toMatch(/MRI BRAIN/)
  expect(words.querySelector('a')).toBeNull()
  expect(await row(/^3 exams/)).toBeTruthy()
  for (const act of ['End', 'Extend'] as const) {
    await userEvent.click(screen.getByRole('button', { name: `${act} the access of gp@clinic.example` }))
    const asked = await screen.findByRole('dialog')
    expect(asked.textContent).toMatch(line)
    await userEvent.click(within(asked).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
})

test('a copy that a recipient kept is a line of its own, and the question before an end says that it stays', async () => {
  const copy = access('w1', { kind: 'copy', has_copy: 1, expires_at: null, may_end: 0, may_extend: 0, may_restore: 0 })
  show([access('h1', { has_copy: 1, who: 'Lakeside' }), access('h2', { who: 'Hilltop' }), copy])
  expect(await screen.findByText('Copy that was kept · other organisation', { selector: 'p' })).toBeTruthy()
  expect(screen.getByText('Has a copy')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'End the access of Harbour Clinic' })).toHaveProperty('disabled', true)
  const ask = async (name: string) => {
    await userEvent.click(screen.getByRole('button', { name: `End the access of ${name}` }))
    const text = (await screen.findByRole('dialog')).textContent
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    return text
  }
  expect(await ask('Lakeside')).toMatch(
    /DOE, JANE: Lakeside, has a copy.*still opens and downloads.*Take back everywhere/,
  )
  expect(await ask('Hilltop')).not.toMatch(/copy/)
})

test('accesses that were ended are brought back by Undo, but those that the person could not give', async () => {
  show([access('h1'), { ...link, state: 'open' }, access('h2', { may_restore: 0 })], {
    'outside/end': { status: 'OK' },
  })
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all of this page' }))
  await userEvent.click(screen.getByRole('button', { name: 'End access' }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'End access' }))
  expect(await screen.findByText('2 accesses were ended.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(lastSent('link/set')).toEqual({ uuid: 'l1', restore: 1 }))
  expect(lastSent('study/share/stop')).toEqual({ uuid: 's1', account_id: 'a2', restore: 1 })
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull())
})

test('an access is extended, a link by its own call; what cannot be extended offers it not', async () => {
  show([access('h1'), { ...link, state: 'open' }, code])
  expect(await screen.findByRole('button', { name: 'Extend the access of Whoever has the share code' })).toHaveProperty(
    'disabled',
    true,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Extend the access of Harbour Clinic' }))
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'New end' }), '30')
  await userEvent.click(screen.getByRole('button', { name: 'Extend' }))
  await waitFor(() =>
    expect(lastSent('study/share/extend')).toEqual({ uuid: 's1', account_id: 'a2', minutes_left: 43_200 }),
  )
  await userEvent.click(screen.getByRole('button', { name: 'Extend the access of Whoever has the address' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Extend' }))
  await waitFor(() => expect(lastSent('link/set')).toEqual({ uuid: 'l1', minutes_left: 10_080 }))
})

test('nothing outside is said in words, and a list that failed can be asked again', async () => {
  show([])
  expect(await screen.findByText('Nobody outside has access to anything.')).toBeTruthy()
  show([], { 'outside/list': 500 })
  expect(await screen.findByText('The list could not be loaded.')).toBeTruthy()
})

test('administrators see who gave each access; nobody else opens the page of the organisation', async () => {
  const reply = { accesses: [access('h1')], page: { more: 0, rows: 10, number: 1, total: 1 } }
  const { unmount } = showSignedIn(<OutsideOfEveryone />, { 'outside/list': reply }, {}, { account_edit: 1 })
  expect(await screen.findByText('Mei Tanaka')).toBeTruthy()
  expect(lastSent('outside/list')).toMatchObject({ everyone: 1 })
  unmount()
  showSignedIn(<OutsideOfEveryone />, { 'outside/list': reply })
  expect(screen.getByText('Only administrators may open this page.')).toBeTruthy()
})
