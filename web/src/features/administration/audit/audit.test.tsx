import { auditActs, auditKinds } from '@hilum/contract/audit-acts'
import { actorName } from '@hilum/contract/audit-actors'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../../test/signed-in.tsx'
import { actText, kindText } from '../../../queries/audit.ts'
import { dropNotice, useNotices } from '../../../state/notices.ts'
import { Audit } from './audit.tsx'
import { auditTable } from './audit-csv.ts'
import { whoText } from './event-words.ts'

beforeEach(() => globalThis.history.replaceState(null, '', '/administration/audit'))
afterEach(() => vi.unstubAllGlobals())

const study = {
  uuid: 's',
  patient_name: 'DOE^JANE',
  patientid: 'MRN-7',
  issuer: 'NORTH',
  patient_birth_date: '19800102',
  accession_number: 'ACC-1',
  study_description: 'Head',
  study_date: '20260301',
  modality: 'CT',
}
const event = (uuid: string, given: object = {}) => ({
  uuid,
  action: 'STUDY_VIEW',
  type: 'Study',
  what: 's',
  who: 'Nils Brandt',
  proxy: '',
  when: '2026-11-20 08:15:00.000000+00',
  detail: {},
  with: '',
  client_address: '198.51.100.7',
  actor_kind: 'user',
  actor_id: 'u-nils',
  object_name: '',
  names: {},
  study: null,
  ...given,
})
const page = (events: object[], given: object = {}) => ({
  events,
  page: { more: 0, rows: 10, number: 1, total: events.length, ...given },
})
const show = (replies: Replies, permissions: Record<string, number> = { account_edit: 1, audit_view: 1 }) =>
  showSignedIn(<Audit />, replies, {}, permissions)
const cells = async () => {
  const grid = await screen.findByRole('grid')
  return within(grid)
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent))
}

test('every act and kind of the audit has words of its own', () => {
  const acts = auditActs.map(actText)
  expect(acts.filter((text) => /^audit\.|^[A-Z_]+$/.test(text))).toEqual([])
  expect(new Set(acts).size).toBe(auditActs.length)
  const kinds = auditKinds.map(kindText)
  expect(kinds.filter((text) => text.startsWith('audit.'))).toEqual([])
  expect(new Set(kinds).size).toBe(auditKinds.length)
  expect([actText('NEWER_ACT'), kindText('Newer')]).toEqual(['NEWER_ACT', 'Newer'])
})

test('tells changes of people in words', async () => {
  const detail = { pin_required: [0, 1], max_sessions: [0, 2], event_share: [null, 0], newer_field: ['', 'x'] }
  show({ 'audit/account': page([event('1', { action: 'EDIT', type: 'User', object_name: 'Ida Holm', detail })]) })
  const [edited] = await cells()
  for (const words of [
    'Two-factor sign-in required: No → Yes',
    'Most sessions at once: 0 → 2',
    'Mail about shared exams: — → No',
    'newer_field: — → x',
  ]) {
    expect(edited?.[2]).toContain(words)
  }
})

test('tells what a leaver had held and who has it now, as words of the act', async () => {
  const names = { [ward]: 'Daniel Reyes' }
  const person = { action: 'EDIT', type: 'User', object_name: 'Ida Holm', names }
  show({
    'audit/account': page([
      event('1', {
        ...person,
        detail: { handed_over: 'rules', to: ward, with: 'Daniel R.', count: 2 },
        with: 'Daniel R.',
      }),
      event('2', { ...person, names: {}, detail: { handed_over: 'keys', to: ward, with: 'Daniel R.', count: 1 } }),
      event('3', { ...person, detail: { ended: 'searches', count: 1 } }),
      event('4', {
        action: 'EDIT',
        type: 'Route',
        object_name: 'To the ward',
        detail: { in_charge: ['Ida Holm', 'Daniel Reyes'], port: [104, 11112] },
      }),
    ]),
  })
  const rows = await cells()
  expect(rows.map((row) => row.slice(2, 4))).toEqual([
    ['ChangedHanded over to Daniel Reyes: 2 routing rules', 'Ida HolmPerson'],
    ['ChangedHanded over to Daniel R.: 1 key of a program', 'Ida HolmPerson'],
    ['ChangedEnded: 1 saved search', 'Ida HolmPerson'],
    ['ChangedIn the hands of: Ida Holm → Daniel ReyesPort: 104 → 11112', 'To the wardRouting rule'],
  ])
})

test('says whom a link was given to, and nothing of a link that was given to nobody by name', async () => {
  const names = { [ward]: 'gp@practice.example' }
  const links = [ward, chief].map((link) => event(link, { action: 'DELETE', type: 'Link', names, detail: { link } }))
  show({ 'audit/account': page(links) })
  const rows = await cells()
  expect(rows.map((row) => row[2])).toEqual(['DeletedLink: gp@practice.example', 'Deleted'])
})

const [clinician, chief, ward] = [
  '53817fbb-4b7e-4c3a-9d1c-000000000001',
  '9b8c1e4a-4b7e-4c3a-9d1c-000000000002',
  '9b8c1e4a-4b7e-4c3a-9d1c-000000000003',
]

test('tells roles, groups, people and fields by their names and words, and shows no id', async () => {
  const names = { [clinician]: 'Clinician', [chief]: 'Administrator' }
  const edits = [
    { role_id: [clinician, chief] },
    { groups: [[], [chief, ward]] },
    { fields: ['first', 'mobile_phone'] },
    { setting: 'walked', anything: [ward, ''] },
  ].map((detail, at) => event(String(at), { action: 'EDIT', type: 'User', object_name: 'Ida', names, detail }))
  const further = [
    { action: 'ACCESS_REFUSED', type: 'User', object_name: 'Ida', detail: { act: 'account/user/delete' } },
    { action: 'ADD', type: 'User', detail: { role_uuid: chief, groups: [clinician] } },
    { action: 'DELETE', type: 'Group_user', detail: { user_id: ward, role_id: [chief, null] } },
  ].map((given, at) => event(`further${at}`, { names, ...given }))
  show({ 'audit/account': page([...edits, ...further]) })
  const rows = await cells()
  expect(rows.map((row) => row[2])).toEqual([
    'ChangedRole: Clinician → Administrator',
    'ChangedGroups: — → Administrator, no longer there',
    'ChangedChanged: First name, Mobile phone',
    'Changedanything: no longer there → —Setting: walked',
    'Access refusedby the call account/user/delete',
    'AddedRole: AdministratorGroups: Clinician',
    'DeletedPerson: no longer thereRole: Administrator',
  ])
  expect(rows.flat().join()).not.toContain('4b7e-4c3a')
})

test('says when who did what to what, and by which way', async () => {
  show({
    'audit/account': page([
      event('5', { study }),
      event('4', { action: 'DISABLE', type: 'User', object_name: 'Ida Holm', actor_kind: 'key', proxy: 'Support' }),
      event('3', { action: 'PURGE', who: '', actor_kind: 'system', client_address: '' }),
      event('6', { action: 'STUDY_RETRIEVE', who: '', actor_kind: 'system', detail: { calling_ae: 'WORKSTATION' } }),
      event('2', { action: 'CREATE', type: 'Account_connection', with: 'South Hospital' }),
      event('1', { action: 'EDIT', detail: { patientid: ['1', '2'], a: ['', 'b'], c: [1, 2], d: [1, 2], e: [1, 2] } }),
    ]),
  })
  const [viewed, disabled, purged, fetched, connected, edited] = await cells()
  expect(viewed?.slice(1)).toEqual([
    'Nils Brandt198.51.100.7',
    'Images viewed',
    'DOE, JANEExam · MRN-7 · Head · CT · 03-01-2026',
  ])
  expect(disabled?.slice(1)).toEqual([
    'Nils Brandtby Support, signed in for support · program with a key · 198.51.100.7',
    'Disabled',
    'Ida HolmPerson',
  ])
  expect(purged?.slice(1)).toEqual(['Hilum itself', 'Removed for good', 'Exam'])
  expect(fetched?.slice(1, 3)).toEqual(['WORKSTATION198.51.100.7', 'Fetched by a DICOM node'])
  expect(connected?.[3]).toBe('Connectionwith South Hospital')
  expect(edited?.[2]).toBe('ChangedMRN: 1 → 2a: — → bc: 1 → 2d: 1 → 2and 1 more change')
})

test('asks the server for what is looked for, and keeps the exam out of the address', async () => {
  show({ 'audit/account': page([], { more: 0 }) })
  await screen.findByText('Nothing is on record yet.')
  await userEvent.type(screen.getByRole('textbox', { name: 'Who' }), 'nils')
  await userEvent.type(screen.getByRole('textbox', { name: 'Exam' }), 'doe jane')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Act' }), 'Images downloaded')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Exam')
  await userEvent.type(screen.getByLabelText('From'), '2026-11-01')
  await userEvent.type(screen.getByLabelText('To'), '2026-11-30')
  await vi.waitFor(() =>
    expect(lastSent('audit/account')).toMatchObject({
      account_id: 'a',
      'filter.who.like': '%nils%',
      'filter.study.like': '%doe jane%',
      'filter.action.equals': 'STUDY_DOWNLOAD',
      'filter.type.equals': 'Study',
      'filter.when.ge': '2026-11-01',
      'filter.when.le': '2026-11-30',
    }),
  )
  await screen.findByText('Nothing on record matches the filter.')
  expect(globalThis.location.search).toContain('who=nils')
  expect(globalThis.location.href).not.toMatch(/doe|jane/)
  await userEvent.click(screen.getByRole('button', { name: 'Clear the filter' }))
  await screen.findByText('Nothing is on record yet.')
})

test('goes on to the next page only when the server says that there is one, without a total', async () => {
  show({
    'audit/account': (sent: Record<string, unknown>) =>
      sent['page.number'] === 1
        ? page([event('2')], { more: 1, total: undefined })
        : page([event('1')], { number: 2, total: 11 }),
  })
  await screen.findByText('1 to 1')
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  await screen.findByText('11 to 11 of 11')
  expect(screen.getByRole('button', { name: 'Next page' })).toHaveProperty('disabled', true)
})

test('downloads all pages of what the filter and the exam find', async () => {
  const made: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    made.push(blob as Blob)
    return 'blob:made'
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined)
  // the page of the test goes nowhere
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  onTestFinished(() => void vi.restoreAllMocks())
  const more = (sent: Record<string, unknown>) => {
    const isFirst = sent['page.number'] === 1
    return page([event(isFirst ? '1' : '2', { who: isFirst ? 'Ida Holm' : 'Nils Brandt' })], {
      more: isFirst ? 1 : 0,
      number: sent['page.number'],
    })
  }
  globalThis.history.replaceState(null, '', '/administration/audit?who=Holm')
  show({ 'audit/account': more })
  await userEvent.type(await screen.findByLabelText('Exam'), 'ACC-1')
  await vi.waitFor(() => expect(lastSent('audit/account')).toMatchObject({ 'filter.study.like': '%ACC-1%' }))
  const before = sentCalls.length
  await userEvent.click(screen.getByRole('button', { name: 'Download as CSV' }))
  await vi.waitFor(() => expect(made).toHaveLength(1))
  const asked = sentCalls.slice(before).filter((one) => one.path === 'audit/account')
  const narrowing = { 'filter.who.like': '%Holm%', 'filter.study.like': '%ACC-1%' }
  expect(asked.map(({ sent }) => sent['page.number'])).toEqual([1, 2])
  for (const { sent } of asked) expect(sent).toMatchObject(narrowing)
  const lines = (await made[0]?.text())?.split('\r\n').filter(Boolean) ?? []
  expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual(['Ida Holm', 'Nils Brandt'])
})

const shown: number[] = []
function Told() {
  const notices = useNotices()
  shown.splice(0, shown.length, ...notices.map(({ id }) => id))
  return notices.map(({ id, text }) => <p key={id}>{text}</p>)
}

test.each([
  [1, 'The file holds the newest 100,000 lines. Narrow the filter by time for the others.'],
  [0, undefined],
])('says of a file of the longest length whether more is on record: %s', async (more, told) => {
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:made')
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined)
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  onTestFinished(() => void vi.restoreAllMocks())
  const line = event('1')
  const whole = Array.from({ length: 100_000 }, () => line)
  const reply = ({ 'page.rows': rows }: Record<string, unknown>) => (rows === 10 ? page([line]) : page(whole, { more }))
  showSignedIn(
    <>
      <Audit />
      <Told />
    </>,
    { 'audit/account': reply },
    {},
    { account_edit: 1, audit_view: 1 },
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Download as CSV' }))
  await vi.waitFor(() => expect(saved).toHaveBeenCalledTimes(1))
  await vi.waitFor(() => expect(screen.queryByText(/^The file holds/)?.textContent).toBe(told))
  for (const id of shown.splice(0)) dropNotice(id)
})

test('writes what it shows as CSV, with names for programs beside the words', () => {
  const [head, row] = auditTable([event('1', { study, detail: { a: '=1' } })] as never).split('\r\n')
  expect(head).toContain('When,Who,Signed in for support,Address,What,action,Kind,Done to,what')
  expect(head).toMatch(/,actor_kind$/)
  expect(row).toBe(
    '2026-11-20 08:15:00Z,Nils Brandt,,198.51.100.7,Images viewed,STUDY_VIEW,Exam,,s,"DOE, JANE",MRN-7,NORTH,ACC-1,Head,,"{""a"":""=1""}",user',
  )
})

test('names in the CSV whatever the screen names, all of it, and keeps the ids beside', () => {
  const [role, gone] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
  const fields = Object.fromEntries(['a', 'b', 'c', 'd'].map((one) => [one, ['', one]]))
  const edit = event('1', {
    action: 'EDIT',
    type: 'User',
    what: 'u1',
    object_name: 'Ida Holm',
    proxy: 'Sam Support',
    names: { [role]: 'Administrator' },
    detail: { ...fields, role_id: [gone, role] },
  })
  const [, row = ''] = auditTable([edit] as never).split('\r\n')
  const words = row.slice(0, row.indexOf('"{'))
  expect(words).toContain('Nils Brandt,Sam Support,')
  expect(words).toContain('Ida Holm,u1,')
  expect(words).toContain('→ Administrator')
  expect(words).toContain('→ d')
  expect(words).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/)
  expect(row).toContain(gone)
})

test('tells who saw one patient, by person and entry by entry, and asks once for each report', async () => {
  show({
    'audit/account': page([]),
    'audit/patient': (sent: Record<string, unknown>) => ({
      ...page(
        sent['issuer'] === 'SOUTH'
          ? []
          : [
              event('3', { study, when: '2026-11-20 09:15:00.000000+00', action: 'STUDY_DOWNLOAD' }),
              event('2', { study }),
              event('1', { study, who: 'Ida Holm', actor_id: 'u-ida' }),
            ],
      ),
      patients: [
        { issuer: 'NORTH', patient_name: 'DOE^JANE', patient_birth_date: '19800102', study_count: 2 },
        { issuer: 'SOUTH', patient_name: 'ELSE^SOME', patient_birth_date: '', study_count: 1 },
      ],
      earlier: [
        { patientid: 'MRN-8', issuer: 'NORTH', patient_name: 'ROE^RICHARD', patient_birth_date: '', study_count: 1 },
      ],
    }),
  })
  await userEvent.click(screen.getByRole('button', { name: 'One patient' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'MRN' }), ' MRN-7 ')
  await userEvent.click(screen.getByRole('button', { name: 'Show' }))
  const people = await screen.findByRole('table', { name: 'People and programs' })
  expect(
    within(people)
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent),
  ).toEqual([
    expect.stringMatching(/^Nils BrandtImages downloaded, Images viewed2.*08:15.*09:15$/),
    expect.stringMatching(/^Ida HolmImages viewed1/),
  ])
  expect(screen.getByText(/^Made .*\d\d:\d\d by /)).toBeDefined()
  expect(
    screen.getByText('1 exam that had the MRN MRN-7 before a correction, now of ROE, RICHARD · MRN MRN-8 · NORTH'),
  ).toBeTruthy()
  expect(lastSent('audit/patient')).toMatchObject({ account_id: 'a', patientid: 'MRN-7' })
  expect(lastSent('audit/patient')?.['filter.action.in']).toContain('STUDY_VIEW')
  expect(lastSent('audit/patient')).not.toHaveProperty('issuer')
  expect(globalThis.location.href).not.toContain('MRN-7')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Patient with this MRN' }), 'ELSE, SOME · SOUTH')
  await screen.findByText('Nobody saw these exams in this time.')
  expect(lastSent('audit/patient')).toMatchObject({ issuer: 'SOUTH' })
  expect(sentCalls.filter(({ path }) => path === 'audit/patient')).toHaveLength(2)
})

const report = (events: object[]) => ({
  ...page(events),
  patients: [{ issuer: '', patient_name: 'DOE^JANE', patient_birth_date: '', study_count: 1 }],
  earlier: [],
})
test.each([
  [1, 'The report holds the newest 2 entries. Narrow the time for the others.'],
  [0, undefined],
])('says of a report of the longest length whether more is on record: %s', async (more, told) => {
  const entries = [event('2', { study }), event('1', { study })]
  show({ 'audit/account': page([]), 'audit/patient': { ...report(entries), ...page(entries, { more }) } })
  await askReport()
  expect(lastSent('audit/patient')).toMatchObject({ 'page.rows': 5000 })
  expect(screen.queryByText(/^The report holds/)?.textContent).toBe(told)
})

const askReport = async () => {
  await userEvent.click(screen.getByRole('button', { name: 'One patient' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'MRN' }), 'MRN-7')
  await userEvent.click(screen.getByRole('button', { name: 'Show' }))
  const people = await screen.findByRole('table', { name: 'People and programs' })
  return within(people)
    .getAllByRole('row')
    .slice(1)
    .map((row) => [row.children[0]?.textContent, Number(row.children[2]?.textContent)])
}

test('has a line of its own for a person, the own program, whoever was signed in as the person, and a namesake', async () => {
  const asked_by = { uuid: 'u-nils', name: 'Nils Brandt', kind: 'key', proxy: 'Sam Support' }
  const byItself = { who: '', actor_id: '', actor_kind: 'system', client_address: '', study }
  const push = { ...byItself, action: 'PUSH_SUCCESS' }
  const failed = { ...byItself, action: 'PUSH_FAIL' }
  show({
    'audit/account': page([]),
    'audit/patient': report([
      event('12', { ...failed, detail: { destination: 'Unreached', images: 0, may_have_left: false } }),
      event('11', { ...failed, detail: { destination: 'Half', images: 3, may_have_left: false } }),
      event('11b', { ...failed, detail: { destination: 'Unheard', images: 0, may_have_left: true } }),
      event('10', { ...push, detail: { destination: 'PACS', images: 5, asked_by } }),
      event('9', { ...push, detail: { destination: 'Archive', images: 5 } }),
      event('8', { ...byItself, action: 'STUDY_RETRIEVE', detail: { calling_ae: 'WS', destination: 'FILM' } }),
      event('7', { study, who: 'Nils B. Brandt' }),
      event('6', { study, actor_kind: 'key' }),
      event('5', { study, proxy: 'Sam Support' }),
      event('4', { study, actor_id: 'u-namesake' }),
      event('3', { study }),
    ]),
  })
  expect(await askReport()).toEqual([
    ['Hilum itselfDestination: Half', 1],
    ['Hilum itselfDestination: Unheard', 1],
    [
      'Hilum itselfDestination: PACS · Asked for by: Nils Brandt · by Sam Support, signed in for support · program with a key',
      1,
    ],
    ['Hilum itselfDestination: Archive', 1],
    ['WSDestination: FILM', 1],
    ['Nils B. Brandt', 2],
    ['Nils Brandtprogram with a key', 1],
    ['Nils Brandtby Sam Support, signed in for support', 1],
    ['Nils Brandt', 1],
  ])
  const entries = screen.getByRole('table', { name: 'Each entry' })
  expect(within(entries).queryByText(/Unreached/)).toBeNull()
  expect(within(entries).getAllByText('Images may have arrived that the destination did not confirm')).toHaveLength(1)
  for (const words of ['Destination: PACS', 'Images sent: 3', 'Destination: FILM'])
    expect(within(entries).getAllByText(words).length).toBeGreaterThan(0)
  expect(
    screen.getByText(/^The report covers exams that are here.*lay then\. “Everything” has those entries too\.$/),
  ).toBeDefined()
  expect(lastSent('audit/patient')?.['filter.action.in']).toContain('PUSH_FAIL')
})

test('tells roles that changed, reasons, changes of fields and webhooks in words, and codes not', async () => {
  const acts = [
    { action: 'ROLE_CHANGE', type: 'User', detail: { sysadmin: [0, 1] } },
    { action: 'ROLE_CHANGE', type: 'User', detail: { support: [1, 0], by: 'operator' } },
    { action: 'HOLD', detail: { reason: 'Court order 7' } },
    { action: 'AUDIT_ERASE', type: 'Audit', detail: { audit_ids: [1, 2], reason: 'Article 17' } },
    { action: 'STUDY_VIEW_REASON', detail: { text: 'Second opinion' } },
    { action: 'LOGIN_FAILED', type: 'User', detail: { reason: 'INVALID_PIN' } },
    { action: 'ROUTE', detail: { state: 'failed', reason: 'TARGET_GONE' } },
    {
      action: 'EDIT',
      type: 'Customfield',
      detail: { required: [0, 1], options: [{ values: ['a', 'b'] }, { values: ['a'], hint: 'One' }] },
    },
    { action: 'EDIT', type: 'Webhook', detail: { parameters: 'changed', secret: 'new', retry: [true, false] } },
  ].map((given, at) => event(String(at), given))
  show({ 'audit/account': page(acts) })
  expect((await cells()).map((row) => row[2])).toEqual([
    'Role changedSystem administrator: No → Yes',
    'Role changedSupporter: Yes → Noby the operator',
    'Hold setReason: Court order 7',
    'Details erasedReason: Article 17',
    'Reason for viewing givenNote: Second opinion',
    'Sign-in failed',
    'Routing rule ran',
    'ChangedRequired: No → YesOptions: values: a, b → values: a; hint: One',
    'ChangedTries again: Yes → NoChanged: Parameters, Secret',
  ])
})

test('calls whoever has no name as the file of the server does', () => {
  const nameless = ['link', 'system', ''].map((actor_kind) => event('1', { who: '', actor_kind }) as never)
  expect(nameless.map(whoText)).toEqual(nameless.map((one) => actorName(one)))
})

test('says that no exam has the MRN, and that the report could not be made', async () => {
  let isDown = true
  show({
    'audit/account': page([]),
    'audit/patient': () => (isDown ? 500 : { ...page([]), patients: [], earlier: [] }),
  })
  await userEvent.click(screen.getByRole('button', { name: 'One patient' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'MRN' }), 'X1')
  await userEvent.click(screen.getByRole('button', { name: 'Show' }))
  await screen.findByText('The report could not be made. Please try again.')
  isDown = false
  await userEvent.click(screen.getByRole('button', { name: 'Show' }))
  await screen.findByText('No exam here has the MRN “X1”, or had it before a correction.')
  expect(screen.queryByText('The report could not be made. Please try again.')).toBeNull()
})

const noCheck = {
  state: 'none',
  who: '',
  begun: '',
  ended: '',
  rows_done: 0,
  rows_total: 0,
  rows: 0,
  unsealed: 0,
  fault_count: 0,
  faults: [] as { kind: string; what: string }[],
  seal_number: 0,
  seal_digest: '',
}

test('begins a check of the seals when it is asked to, shows how far it is, and names what does not agree', async () => {
  let latest: object = noCheck
  const running = { ...noCheck, state: 'running', rows_done: 300, rows_total: 1200 }
  show({ 'audit/account': page([]), 'audit/check': () => (latest = running), 'audit/check/get': () => latest })
  await userEvent.click(screen.getByRole('button', { name: 'Seals' }))
  await screen.findByText('The seals have not been checked yet.')
  expect(lastSent('audit/check')).toBeUndefined()
  await userEvent.click(screen.getByRole('button', { name: 'Check the seals' }))
  const bar = await screen.findByRole('progressbar')
  expect(bar).toHaveProperty('value', 300)
  expect(bar).toHaveProperty('max', 1200)
  const done = { ...noCheck, state: 'done', who: 'Ida Holm', ended: '2026-11-20 09:15:00.000000+00', rows: 1204 }
  latest = { ...done, fault_count: 2, faults: [{ kind: 'audit row changed', what: 'row 5 of seal 2' }] }
  await screen.findByText('2 faults were found. Keep the database as it is, and ask the operator.', undefined, {
    timeout: 5000,
  })
  expect(screen.getByText('audit row changed: row 5 of seal 2')).toBeDefined()
  expect(screen.getByText('1,204')).toBeDefined()
  expect(screen.getByText(/, Ida Holm$/)).toBeDefined()
})

test('shows the latest check of the seals, and says when there is none to show or none could be begun', async () => {
  let latest: object | number = 500
  show({ 'audit/account': page([]), 'audit/check': 500, 'audit/check/get': () => latest })
  await userEvent.click(screen.getByRole('button', { name: 'Seals' }))
  await screen.findByText('The latest check could not be loaded.', undefined, { timeout: 5000 })
  latest = { ...noCheck, state: 'done', seal_number: 17, seal_digest: 'ab12' }
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('Every seal is whole: nothing was changed, removed or put in.')
  expect(screen.getByText('ab12')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Check the seals' }))
  await screen.findByText('The seals could not be checked. Please try again.')
})

test('asks nothing for those who may not see it', async () => {
  show({}, { account_edit: 1, audit_view: 0 })
  await screen.findByText(
    'Only auditors of the organisation, and its administrators who may see histories, read the audit.',
  )
  expect(sentCalls).toEqual([])
})

test('is read by an auditor, who runs nothing', async () => {
  show({ 'audit/account': { events: [], page: { total: 0, more: 0, number: 1, rows: 10 } } }, { account_audit_view: 1 })
  await screen.findByRole('button', { name: 'One patient' })
  expect(screen.queryByText(/^Only auditors/)).toBeNull()
})
