import type { Link } from '@hilum/contract/calls/link'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { holdAnswers, lastSent, type Replies, sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { LinkSection, LinkToMany } from './link-section.tsx'

const address = 'https://hilum.example/link/AAAAAAAAAAAAAAAAAAAAAA'
const link: Link = {
  uuid: 'l1',
  url: address,
  action: 'STUDY_VIEW',
  study_id: 's1',
  study_count: 1,
  account_id: 'a1',
  namespace_id: 'p',
  namespace_name: 'Neuro',
  message: 'For the clinic',
  description: '',
  email: '',
  has_password: 1,
  pin_auth: 0,
  password_is_dob: 0,
  max_hits: 3,
  minutes_alive: 10080,
  created: '2026-03-04 10:00:00.000000+00',
  created_by_name: 'Mei Tanaka',
  expires_at: '2026-03-11 10:00:00.000000+00',
  state: 'open',
  hits: 1,
  download: 1,
  attachments: 0,
  max_bytes: 0,
  stored_bytes: 0,
  uses: [{ opened_at: '2026-03-05 10:00:00.000000+00', client_address: '198.51.100.9' }],
  mail: null,
  reminded_at: null,
  notify: '',
  ended_at: null,
  expected: null,
  expected_exam: null,
  expected_erased_at: null,
  sender: '',
  by_share_code: 0,
  arrivals: [],
}
const makers = { link_edit: 1, link_view: 1, study_view: 1 }
const ok = { status: 'OK' }

function show(
  links: readonly Partial<Link>[] = [],
  replies: Replies = {},
  permissions: object = makers,
  more: Parameters<typeof makeStudy>[0] = {},
) {
  const place = { uuid: 'p', type: 'group_id', type_uuid: 'g', name: 'Neuro', settings: {}, permissions }
  const study = makeStudy({
    uuid: 's1',
    phi_namespace: 'p',
    patient_birth_date: '19710203',
    permissions: { study_download: 1, study_report_view: 1 },
    ...more,
  })
  showSignedIn(<LinkSection study={study} />, {
    'user/namespace/list': { namespaces: [place] },
    'link/list': { links: links.map((one, at) => ({ ...link, uuid: `l${at + 1}`, ...one })), page: { more: 0 } },
    'link/add': { uuid: 'l9', url: address },
    'link/priors': { priors: [], more: 0 },
    'link/set': ok,
    'link/delete': ok,
    ...replies,
  })
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const sentTo = (path: string) => sentCalls.filter((one) => one.path === path).map(({ sent }) => sent)

afterEach(() => vi.unstubAllGlobals())

test('[API-42] makes a link with a password by default, and shows its address once made', async () => {
  show()
  expect(await screen.findByText('There is no link to this exam.')).toBeDefined()
  await press('Create link')
  const form = screen.getByRole('form', { name: 'New link' })
  const make = within(form).getByRole('button', { name: 'Create link' })
  await userEvent.type(within(form).getByLabelText('Password'), 'short')
  await userEvent.click(make)
  expect(within(form).getByText('At least 6 characters.')).toBeDefined()
  expect(sentTo('link/add')).toEqual([])
  await userEvent.type(within(form).getByLabelText('Password'), 'er7')
  await userEvent.selectOptions(within(form).getByLabelText('Ends'), 'After 30 days')
  await userEvent.selectOptions(within(form).getByLabelText('May be opened'), '3 times')
  await userEvent.type(within(form).getByLabelText('Message'), ' For the clinic ')
  await userEvent.click(within(form).getByLabelText('The images may be downloaded'))
  const files = within(form).getByLabelText('Files and reports')
  expect(files).toHaveProperty('checked', false)
  await userEvent.click(files)
  await userEvent.click(make)
  expect(await screen.findByDisplayValue(address)).toBeDefined()
  expect(lastSent('link/add')).toEqual({
    study_id: 's1',
    action: 'STUDY_VIEW',
    minutes_alive: 43200,
    max_hits: 3,
    password: 'shorter7',
    message: 'For the clinic',
    download: 1,
    attachments: 1,
  })
})

test('says that the mail of a link does not leave where no mail server is set up', async () => {
  show([], {
    'link/add': {
      ...ok,
      uuid: 'n',
      url: 'https://hilum.example/link/x',
      study_count: 1,
      priors_left_out: 0,
      has_smtp: 0,
    },
  })
  await press('Create link')
  const form = screen.getByRole('form', { name: 'New link' })
  await userEvent.selectOptions(within(form).getByLabelText('Asks for'), 'The patient’s date of birth')
  await userEvent.type(within(form).getByLabelText('E-mail the address to'), 'nobody@clinic.example')
  await userEvent.click(within(form).getByRole('button', { name: 'Create link' }))
  expect(
    await screen.findByText(
      /No mail server is set up: the mail to nobody@clinic\.example does not leave\. Copy the address below/,
    ),
  ).toBeDefined()
  expect(screen.queryByText(/on the way/)).toBeNull()
})

test('asks for the date of birth or nothing where that is chosen, and mails the address', async () => {
  show()
  await press('Create link')
  const form = screen.getByRole('form', { name: 'New link' })
  await userEvent.selectOptions(within(form).getByLabelText('Asks for'), 'The patient’s date of birth')
  await userEvent.type(within(form).getByLabelText('E-mail the address to'), 'nobody')
  await userEvent.click(within(form).getByRole('button', { name: 'Create link' }))
  expect(within(form).getByText('This is not an e-mail address.')).toBeDefined()
  await userEvent.type(within(form).getByLabelText('E-mail the address to'), ' <nobody@clinic.example>')
  await userEvent.click(within(form).getByRole('button', { name: 'Create link' }))
  expect(await screen.findByText(/on the way to nobody@clinic\.example/)).toBeDefined()
  expect(lastSent('link/add')).toEqual({
    study_id: 's1',
    action: 'STUDY_VIEW',
    minutes_alive: 10080,
    password_is_dob: 1,
    email: 'nobody@clinic.example',
  })
})

test('a link that could not be made says why, and what was typed stays', async () => {
  show([], { 'link/add': { error_type: 'PHANTOM' } })
  await press('Create link')
  await userEvent.type(screen.getByLabelText('Password'), 'walrus7')
  await userEvent.type(screen.getByLabelText('Message'), 'Kept')
  await userEvent.click(within(screen.getByRole('form')).getByRole('button', { name: 'Create link' }))
  expect((await screen.findByRole('alert')).textContent).toContain('No image has arrived yet.')
  expect(screen.getByLabelText('Message')).toHaveProperty('value', 'Kept')
  expect(screen.getByLabelText('Password')).toHaveProperty('value', 'walrus7')
})

test('a link that is used up is extended, and can be opened once more', async () => {
  show([{ state: 'used', hits: 3, max_hits: 3 }])
  const used = await screen.findByText(/^Used up; whoever opened it sees it until/)
  expect(used.textContent).toMatch(/ until .*2026/)
  await press('One more opening')
  await waitFor(() => expect(lastSent('link/set')).toEqual({ uuid: 'l1', max_hits: 4 }))
  expect(await screen.findByText('The link can be opened once more.')).toBeDefined()
  await press('Extend by 7 days')
  await waitFor(() => expect(lastSent('link/set')).toMatchObject({ minutes_left: expect.any(Number) }))
})

test('[API-43] lists links with what they give, who opened them and when, and extends, unlocks and copies', async () => {
  const copied: string[] = []
  show([{}, { state: 'locked', uses: [], hits: 0, max_hits: null }, { state: 'ended', url: '' }])
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: async (text: string) => copied.push(text) },
  })
  const [open, locked] = within(await screen.findByRole('list', { name: 'Links to this exam' }))
    .getAllByRole('listitem')
    .filter((one) => one.dataset['state'])
  if (!open || !locked) throw new Error('There are no rows')
  expect(open.textContent).toContain('times opened: 1 of 3 · asks for a password · download allowed')
  expect(open.textContent).toContain('from 198.51.100.9')
  expect(locked.textContent).toContain('Locked after too many wrong tries')
  expect(screen.getByText('1 link revoked')).toBeDefined()
  await userEvent.click(within(open).getByRole('button', { name: 'Copy address' }))
  expect(copied).toEqual([address])
  await userEvent.click(within(locked).getByRole('button', { name: 'Unlock' }))
  await waitFor(() => expect(lastSent('link/set')).toEqual({ uuid: 'l2', unlock: 1 }))
  await userEvent.click(within(open).getByRole('button', { name: 'Extend by 7 days' }))
  await waitFor(() => expect(lastSent('link/set')).toMatchObject({ uuid: 'l1' }))
  expect(Number(lastSent('link/set')?.['minutes_left'])).toBeGreaterThanOrEqual(10080)
})

test('revokes only after the question, and says when it could not', async () => {
  show([{}], { 'link/delete': 500 })
  await press('Revoke')
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Keep it' }))
  expect(sentTo('link/delete')).toEqual([])
  await press('Revoke')
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Revoke link' }))
  expect((await screen.findByRole('alert')).textContent).toContain('The link could not be revoked.')
  expect(sentTo('link/delete')).toEqual([{ uuid: 'l1' }])
  expect(screen.getByRole('list', { name: 'Links to this exam' })).toBeDefined()
})

test('a link that was revoked is brought back by Undo, with the same address', async () => {
  show([{}], { 'link/delete': ok, 'link/set': ok })
  await press('Revoke')
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Revoke link' }))
  await screen.findByText('The link was revoked.')
  await press('Undo')
  expect(await screen.findByText('The link works again, with the same address.')).toBeDefined()
  expect(lastSent('link/set')).toEqual({ uuid: 'l1', restore: 1 })
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('shows a list without ways to change it to who may only see it, and nothing to others', async () => {
  show([{ url: '' }], {}, { link_view: 1, study_view: 1 })
  expect(await screen.findByRole('list', { name: 'Links to this exam' })).toBeDefined()
  expect(screen.queryAllByRole('button')).toEqual([])
})

test('says that the links could not be looked up, and tries again', async () => {
  show([], { 'link/list': 500 })
  expect(await screen.findByText('The links could not be looked up.')).toBeDefined()
  await press('Try again')
  await waitFor(() => expect(sentTo('link/list').length).toBeGreaterThan(1))
})

test('a mail that was given up stands at its link, with a way to mail it again', async () => {
  const mail = { state: 'given_up', at: '2026-03-04 10:01:00.000000+00', error: '' } as const
  show([{ email: 'doctor@clinic.example', mail }])
  const text = 'No mail server took the mail to doctor@clinic.example in time: it is not tried any more'
  expect(await screen.findByText(text)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Mail again' })).toBeDefined()
})

test('a mail that no mail server is there for says so at its link, with what to do', async () => {
  const mail = { state: 'no_server', at: '2026-03-04 10:01:00.000000+00', error: '' } as const
  show([{ email: 'doctor@clinic.example', mail }])
  const text =
    'No mail server is set up: the mail to doctor@clinic.example does not leave. Copy the address and pass it on'
  expect(await screen.findByText(text)).toBeDefined()
  expect(screen.queryByText(/waits for the mail server/)).toBeNull()
})

test('a mail that came back stands at its link, with a way to correct the address', async () => {
  const mail = { state: 'returned', at: '2026-03-04 10:01:00.000000+00', error: '550 5.1.1 No such mailbox' } as const
  show([{ email: 'nobody@clinic.example', mail }], { 'link/mail': ok })
  expect(await screen.findByText('The mail to nobody@clinic.example could not be delivered')).toBeDefined()
  expect(screen.getByText('550 5.1.1 No such mailbox')).toBeDefined()
  await press('Correct the address')
  const form = screen.getByRole('form', { name: 'Mail the link again' })
  const field = within(form).getByLabelText('E-mail address')
  await userEvent.clear(field)
  await userEvent.click(within(form).getByRole('button', { name: 'Mail again' }))
  expect(within(form).getByText('This is not an e-mail address.')).toBeDefined()
  expect(sentTo('link/mail')).toEqual([])
  await userEvent.type(field, 'The doctor <doctor@clinic.example>')
  await userEvent.click(within(form).getByRole('button', { name: 'Mail again' }))
  await waitFor(() => expect(screen.queryByRole('form', { name: 'Mail the link again' })).toBeNull())
  expect(lastSent('link/mail')).toEqual({ uuid: 'l1', email: 'doctor@clinic.example' })
})

test('offers no files of a copy without names, which the server gives to nobody', async () => {
  show([], {}, makers, { is_deidentified: 1 })
  await press('Create link')
  expect(screen.getByLabelText('The images may be downloaded')).toBeDefined()
  expect(screen.queryByLabelText('Files and reports')).toBeNull()
})

function showMany(places: readonly string[], birthDates = ['19710203', '19710203'], pairs = [[0, 0]]) {
  const namespaces = places.map((uuid) => ({
    uuid,
    type: 'group_id',
    type_uuid: uuid,
    name: uuid,
    settings: {},
    permissions: makers,
  }))
  const studies = places.map((place, at) =>
    makeStudy({
      uuid: `s${at + 1}`,
      phi_namespace: place,
      patient_birth_date: birthDates[at] ?? '',
      permissions: { study_download: 1 },
    }),
  )
  const marked = (nameless: readonly number[]) =>
    studies.map((study, at) => ({ ...study, is_deidentified: nameless[at] ?? 0 }))
  const all = pairs.map((nameless) => <LinkToMany key={nameless.join()} studies={marked(nameless)} />)
  showSignedIn(<>{all}</>, {
    'user/namespace/list': { namespaces },
    'link/list': { links: [], page: { more: 0 } },
    'link/add': { uuid: 'l9', url: address, study_count: studies.length, priors_left_out: 0 },
  })
}

test('one link is offered to exams of one kind, with names or without', async () => {
  showMany(['Neuro', 'Neuro'], undefined, [
    [0, 0],
    [1, 1],
    [0, 1],
  ])
  expect(await screen.findAllByRole('region', { name: 'One link to these exams' })).toHaveLength(2)
})

const prior = (uuid: string, study_date: string, withheld = '') => ({
  uuid,
  study_date,
  modality: 'CT',
  study_description: `Chest ${uuid}`,
  withheld,
})

test('the tick for earlier exams says how many and which before, and how many the link shows afterwards', async () => {
  show([], {
    'link/priors': {
      priors: [prior('p1', '20250301'), prior('p2', '20240301'), prior('p3', '20230301', 'mixed')],
      more: 0,
    },
    'link/add': { uuid: 'l9', url: address, study_count: 3, priors_left_out: 1 },
  })
  await press('Create link')
  const form = screen.getByRole('form', { name: 'New link' })
  const tick = await within(form).findByRole('checkbox', { name: /^Show the patient’s earlier exams as well/ })
  expect(await within(form).findByText(/^2 exams of the same patient that lie in this place now/)).toBeDefined()
  expect(within(form).queryByRole('list', { name: 'Earlier exams that the link shows' })).toBeNull()
  await userEvent.type(within(form).getByLabelText('Password'), 'lantern boat')
  await userEvent.click(tick)
  const shown = within(form).getByRole('list', { name: 'Earlier exams that the link shows' })
  expect(within(shown).getAllByRole('listitem')).toHaveLength(2)
  expect(within(shown).getByText(/CT · Chest p2$/)).toBeDefined()
  expect(within(form).getByText('1 earlier exam is not shown:')).toBeDefined()
  expect(within(form).getByText('its images name several patients')).toBeDefined()
  await userEvent.click(within(form).getByRole('button', { name: 'Create link' }))
  await screen.findByDisplayValue(address)
  expect(lastSent('link/add')).toMatchObject({ study_id: 's1', include_priors: 1 })
  expect(screen.getByText('It shows 3 exams. 1 earlier exam is not shown.')).toBeDefined()
})

test('a tick made before the list came is off where none of the earlier exams can be shown', async () => {
  show([], { 'link/priors': { priors: [prior('p1', '20250301', 'frozen')], more: 0 } })
  const letGo = holdAnswers('link/priors')
  await press('Create link')
  const form = screen.getByRole('form', { name: 'New link' })
  const tick = within(form).getByRole('checkbox', { name: /^Show the patient’s earlier exams as well/ })
  await userEvent.type(within(form).getByLabelText('Password'), 'lantern boat')
  await userEvent.click(tick)
  expect(tick).toHaveProperty('checked', true)
  letGo()
  await waitFor(() => expect(tick).toHaveProperty('disabled', true))
  expect(tick).toHaveProperty('checked', false)
  await userEvent.click(within(form).getByRole('button', { name: 'Create link' }))
  await screen.findByDisplayValue(address)
  expect(lastSent('link/add')).toMatchObject({ study_id: 's1' })
  expect(lastSent('link/add')).not.toHaveProperty('include_priors')
})

test('nobody is offered earlier exams where there are none', async () => {
  show([])
  await press('Create link')
  expect(await screen.findByText('No earlier exam of this patient lies in this place.')).toBeDefined()
  expect(screen.getByRole('checkbox', { name: /earlier exams/ })).toHaveProperty('disabled', true)
})

test('a failed look-up of earlier exams says so, and is tried again', async () => {
  let isAway = true
  show([], {
    'link/priors': () => (isAway ? { error_type: 'NOT_PERMITTED' } : { priors: [prior('p1', '20250301')], more: 0 }),
  })
  await press('Create link')
  expect(await screen.findByText('The earlier exams could not be looked up.')).toBeDefined()
  isAway = false
  await press('Try again')
  expect(await screen.findByText(/^1 exam of the same patient that lies in this place now/)).toBeDefined()
})

test('one link shows several exams of one place, and tells of each opening those who are named', async () => {
  showMany(['p', 'p'])
  expect(await screen.findByText(/finds a list of these 2 exams/)).toBeDefined()
  await press('Create link')
  const form = screen.getByRole('form', { name: 'New link' })
  await userEvent.selectOptions(within(form).getByLabelText('Asks for'), 'The patient’s date of birth')
  await userEvent.type(within(form).getByLabelText('Tell of each opening'), 'me@hospital.example, you')
  await userEvent.click(within(form).getByRole('button', { name: 'Create link' }))
  expect(within(form).getByText('These are not e-mail addresses with commas between.')).toBeDefined()
  await userEvent.type(within(form).getByLabelText('Tell of each opening'), '@hospital.example')
  await userEvent.click(within(form).getByRole('button', { name: 'Create link' }))
  expect(await screen.findByDisplayValue(address)).toBeDefined()
  expect(lastSent('link/add')).toEqual({
    study_id: 's1',
    study_ids: 's2',
    action: 'STUDY_VIEW',
    minutes_alive: 10080,
    password_is_dob: 1,
    notify: 'me@hospital.example, you@hospital.example',
  })
})

test('no link is offered to exams of several places, and no date of birth where the exams are of several patients', async () => {
  showMany(['p', 'q'])
  expect(await screen.findByText('One link shows exams of one group alone. These lie in several.')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Create link' })).toBeNull()
  showMany(['p', 'p'], ['19710203', '19800101'])
  await press('Create link')
  expect(screen.getByText('The exams are of several patients, or say no date of birth.')).toBeDefined()
})

test('makes a link to an exam whose images name several patients only after a tick that they were looked at', async () => {
  show([], {}, makers, { mixed_patients: 1 })
  await press('Create link')
  const form = within(screen.getByRole('form', { name: 'New link' }))
  await userEvent.type(form.getByLabelText('Password'), 'longer7')
  await userEvent.click(form.getByRole('button', { name: 'Create link' }))
  expect(form.getByText('Look at the patients that the images name before the exam leaves.')).toBeDefined()
  expect(sentTo('link/add')).toEqual([])
  await userEvent.click(form.getByRole('checkbox', { name: /^I have looked at the patients/ }))
  await userEvent.click(form.getByRole('button', { name: 'Create link' }))
  expect(await screen.findByDisplayValue(address)).toBeDefined()
  expect(lastSent('link/add')).toMatchObject({ study_id: 's1', mixed_patients: 1 })
})
