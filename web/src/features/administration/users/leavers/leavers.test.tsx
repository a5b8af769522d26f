import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../../../test/signed-in.tsx'
import { Users } from '../users.tsx'

beforeEach(() => history.replaceState(null, '', '/administration/users'))
afterEach(() => vi.unstubAllGlobals())

const person = {
  user_id: 'ida',
  user_name: 'Ida Holm',
  user_email: 'ida@clinic.example',
  is_active: 0,
  routes: [] as string[],
}
const page = { total: 1, more: 0, number: 1, rows: 10 }
const kim = { user_id: 'kim', user_name: 'Kim Lund', user_email: 'kim@clinic.example', disabled: 0, last_login: null }

const unnamed = (one: object) => ({ first: [], ...one })

function show(holdings: { kind: string; count: number }[], replies: Replies = {}, permissions = { account_edit: 1 }) {
  return showSignedIn(
    <Users />,
    {
      'account/user/list': { users: [kim], page },
      'account/user/leavers': { leavers: holdings.length > 0 ? [{ ...person, holdings }] : [], page },
      'account/user/holdings': { ...person, holdings: holdings.map(unnamed) },
      ...replies,
    },
    {},
    { account_user_view: 1, account_user_edit: 1, ...permissions },
  )
}
const openLeaver = async () =>
  userEvent.click(await screen.findByRole('button', { name: 'Hand over what Ida Holm left' }))

test('lists who left what, and hands one kind over to the person who was chosen', async () => {
  let left = [
    { kind: 'links', count: 2 },
    { kind: 'keys', count: 1 },
  ]
  show(left, {
    'account/user/holdings': () => ({ ...person, holdings: left.map(unnamed) }),
    'account/user/hand/over': () => {
      left = [{ kind: 'keys', count: 1 }]
      return { count: 2, left: 0 }
    },
  })
  expect(await screen.findByText('2 open links, 1 key of a program')).toBeDefined()
  await openLeaver()
  const hand = await screen.findByRole('button', { name: 'Hand over: 2 open links' })
  expect(hand.hasAttribute('disabled')).toBe(true)
  await screen.findByRole('option', { name: 'Kim Lund · kim@clinic.example' })
  await userEvent.selectOptions(screen.getByLabelText('Receiver'), 'kim')
  await userEvent.click(hand)
  await screen.findByText(/2 handed over or ended/)
  expect(lastSent('account/user/hand/over')).toEqual({ uuid: 'a', user_id: 'ida', kind: 'links', to_user_id: 'kim' })
  expect(screen.queryByRole('button', { name: /Hand over: .*key/ })).toBeNull()
})

test('lists everybody who left something, page after page', async () => {
  const holdings = [{ kind: 'links', count: 2 }]
  showSignedIn(
    <Users />,
    {
      'account/user/list': { users: [kim], page },
      'account/user/leavers': ({ 'page.number': number }: { 'page.number': number }) => ({
        leavers: [{ ...person, user_id: `left${number}`, user_name: `Leaver ${number}`, holdings }],
        page: { ...page, total: 2, more: number === 1 ? 1 : 0, number },
      }),
    },
    {},
    { account_user_view: 1, account_edit: 1 },
  )
  expect(await screen.findByRole('button', { name: 'Hand over what Leaver 2 left' })).toBeDefined()
  expect(screen.getByRole('button', { name: 'Hand over what Leaver 1 left' })).toBeDefined()
  expect(screen.getByText(/^2 people cannot work here any more/)).toBeDefined()
})

test('asks before things are ended, and says what becomes of them', async () => {
  show([{ kind: 'studies', count: 3 }], { 'account/user/hand/over': { count: 3, left: 0 } })
  await openLeaver()
  await userEvent.click(await screen.findByRole('button', { name: 'End: 3 personal exams' }))
  const dialog = await screen.findByRole('dialog', { name: 'End 3 personal exams?' })
  expect(within(dialog).getByText(/restored for 30 days/)).toBeDefined()
  expect(lastSent('account/user/hand/over')).toBeUndefined()
  await userEvent.click(within(dialog).getByRole('button', { name: 'End' }))
  await screen.findByText(/3 handed over or ended/)
  expect(lastSent('account/user/hand/over')).toEqual({ uuid: 'a', user_id: 'ida', kind: 'studies', end: 1 })
})

test('goes on until all are handed over, and says how many stay', async () => {
  const replies = [
    { count: 200, left: 51 },
    { count: 50, left: 1 },
    { count: 0, left: 1 },
  ]
  show([{ kind: 'studies', count: 251 }], { 'account/user/hand/over': () => replies.shift() })
  await openLeaver()
  await screen.findByRole('option', { name: 'Kim Lund · kim@clinic.example' })
  await userEvent.selectOptions(screen.getByLabelText('Receiver'), 'kim')
  await userEvent.click(screen.getByRole('button', { name: 'Hand over: 251 personal exams' }))
  const banner = await screen.findByText(/250 handed over or ended/)
  expect(banner.textContent).toContain('1 stays')
})

test('tells before somebody is deleted what the person holds, and which rules share with them', async () => {
  const holdings = [{ kind: 'rules', count: 1, first: [] }]
  show([], { 'account/user/holdings': { ...person, ...kim, holdings, routes: ['CT to Kim', 'MR to Kim'] } })
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Kim Lund' }))
  const dialog = await screen.findByRole('dialog')
  expect(await within(dialog).findByText(/Kim Lund holds 1 routing rule/)).toBeDefined()
  expect(within(dialog).getByText(/^Routing rules share exams with Kim Lund: CT to Kim, MR to Kim\./)).toBeDefined()
})

test('says that nothing was left, that it could not be loaded, and of somebody who works here why nothing is offered', async () => {
  const { unmount } = show([])
  await screen.findByText('Kim Lund')
  expect(screen.queryByText('Left behind')).toBeNull()
  unmount()
  history.replaceState(null, '', '/administration/users?leaver=ida')
  const second = show([{ kind: 'rules', count: 1 }], {
    'account/user/holdings': { ...person, is_active: 1, holdings: [{ kind: 'rules', count: 1, first: [] }] },
  })
  await screen.findByText(/Ida Holm works here/)
  expect(screen.queryByRole('button', { name: /Hand over/ })).toBeNull()
  second.unmount()
  show([], { 'account/user/holdings': { error_type: 'UNEXPECTED_ERROR' } })
  expect(await screen.findByText('What was left behind could not be loaded.')).toBeDefined()
})

test('asks for nothing for somebody who administers users alone', async () => {
  show([{ kind: 'rules', count: 1 }], {}, { account_edit: 0 })
  await screen.findByText('Kim Lund')
  expect(sentCalls.map(({ path }) => path)).not.toContain('account/user/leavers')
})

test('names what was left, and names it again before it is ended', async () => {
  const exam = { patient_name: 'DOE^JANE', patientid: 'M-1', study_description: 'Chest', study_date: '20260102' }
  const noExam = { patient_name: '', patientid: '', study_description: '', study_date: '' }
  const of = { name: '', namespace_name: 'Emergency', expires_at: null }
  const holdings = [
    { kind: 'studies', count: 7, first: [{ ...of, ...exam, namespace_name: 'Ida Holm' }] },
    {
      kind: 'links',
      count: 1,
      first: [{ ...of, ...exam, name: 'gp@practice.example', expires_at: '2026-12-01 08:00:00+00' }],
    },
    { kind: 'rules', count: 1, first: [{ ...of, ...noExam, name: 'To the ward' }] },
    { kind: 'exams', count: 1, first: [{ ...of, ...noExam, namespace_name: '' }] },
  ]
  history.replaceState(null, '', '/administration/users?leaver=ida')
  show([], { 'account/user/holdings': { ...person, holdings } })
  const words = (await screen.findAllByRole('rowheader')).map((row) => row.textContent)
  expect(words).toEqual([
    '7 personal examsDOE, JANE · M-1 · Chest · 01-02-2026and 6 more',
    '1 open linkto gp@practice.example · DOE, JANE · M-1 · Chest · 01-02-2026 · Emergency · until 12-01-2026 08:00',
    '1 routing ruleTo the ward · Emergency',
    '1 exam in progresswithout a name',
  ])
  await userEvent.click(screen.getByRole('button', { name: 'End: 1 routing rule' }))
  const dialog = await screen.findByRole('dialog', { name: 'End 1 routing rule?' })
  expect(within(dialog).getByText('To the ward · Emergency')).toBeDefined()
})

test('tells two people of one name apart by their addresses, offers nobody disabled, and says where more are found', async () => {
  const other = { ...kim, user_id: 'kim2', user_email: 'kim.lund@clinic.example' }
  show([{ kind: 'links', count: 2 }], {
    'account/user/list': { users: [kim, other], page: { ...page, total: 40, more: 1 } },
  })
  await openLeaver()
  await screen.findByRole('option', { name: 'Kim Lund · kim@clinic.example' })
  await screen.findByRole('option', { name: 'Kim Lund · kim.lund@clinic.example' })
  await screen.findByText('There are more. Type more of the name.')
  const asked = sentCalls.filter(({ path, sent }) => path === 'account/user/list' && sent['page.rows'] === 20)
  expect(asked.length).toBeGreaterThan(0)
  expect(asked.every(({ sent }) => sent['filter.user_disabled.equals'] === 0)).toBe(true)
})
