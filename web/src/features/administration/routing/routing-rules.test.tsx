import { conditionFields, conditionOperators, conditionTransforms } from '@hilum/contract/routing-rule'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { askedAddresses, lastSent, type Replies, sentCalls, showSignedIn } from '../../../../test/signed-in.tsx'
import { RoutingRules } from './routing-rules.tsx'
import { ruleNoticeMs } from './rule-notice.tsx'
import { conditionText } from './rule-words.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const flags = {
  on_upload: 1,
  on_harvest: 0,
  on_share: 0,
  on_manual_route: 0,
  on_thin: 0,
  no_re_run: 0,
  only_re_run: 0,
  delay_till_schedule: 0,
}
const rule = (uuid: string, given: object = {}) => ({
  uuid,
  name: `Rule ${uuid}`,
  namespace_id: 'n1',
  namespace_name: 'Neuro',
  for_group: 1,
  for_location: 0,
  other_namespaces: '',
  namespaces: [{ uuid: 'n1', name: 'Neuro' }],
  sequence: 1,
  suspended: 0,
  ...flags,
  conditions: [],
  actions: [{ namespace: 'n2', type: 'GROUP', name: 'Onco' }],
  options: {},
  schedule: null,
  delay: 0,
  delay_seconds: 0,
  delay_from_study_field: '',
  delay_from_study_seconds: 0,
  manual_roles: '',
  capture_email: 0,
  row_version: 3,
  ...given,
})
const gateField = '00000000-0000-4000-8000-000000000001'
const many = Array.from({ length: 12 }, (_, at) => ({ uuid: `p${at}`, name: `Place ${at + 1}` }))
const full = rule('a', {
  on_share: 1,
  namespaces: many,
  conditions: [
    { lv: 'modality', op: 'in', rv: ['CT', 'MR'] },
    { lv: 'patient_birth_date', op: 'greater_than', rv: '60', lv_transform: 'years_old' },
  ],
  actions: [
    { namespace: 'n2', type: 'GROUP', name: 'Onco' },
    { webhook: 'w', name: 'RIS' },
  ],
})
const paged = (routes: object[], more = 0) => ({ routes, page: { more, rows: 10, number: 1, total: routes.length } })
const targets = {
  places: [
    { uuid: 'n1', kind: 'group', name: 'Neuro', takes_shares: 1 },
    { uuid: 'n2', kind: 'group', name: 'Onco', takes_shares: 1 },
  ],
  people: [{ uuid: 'u1', name: 'Ada', email: 'ada@clinic.example' }],
  webhooks: [{ uuid: 'w', name: 'RIS' }],
  destinations: [],
  roles: [],
  customfields: [],
}
const answers: Replies = {
  'route/list': paged([full, rule('b', { suspended: 1, sequence: 2 })]),
  'route/targets': targets,
  'route/set': {},
  'route/delete': {},
}
const ofBrowser = globalThis.matchMedia.bind(globalThis)
/** Answers for the width at which the parts of a rule no longer have columns of their own. */
const setWindow = (width: 'wide' | 'narrow') => {
  const answer = {
    matches: width === 'narrow',
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }
  vi.stubGlobal('matchMedia', (query: string) => (query.includes('110em') ? answer : ofBrowser(query)))
}
beforeEach(() => setWindow('wide'))
const editor = { route_view: 1, route_edit: 1 }
const show = (
  replies: Replies = {},
  permissions: Record<string, number> = editor,
  settings: Record<string, string> = {},
) => showSignedIn(<RoutingRules />, { ...answers, ...replies }, settings, permissions)
const table = () => screen.findByRole('grid', { name: 'Routing rules' })
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))

test('[ADMIN-ROUTES-01][ADMIN-ROUTES-02][ADMIN-ROUTES-06] shows every cell in words, ten places at first', async () => {
  show()
  const heads = within(await table())
    .getAllByRole('columnheader')
    .map((one) => one.textContent)
  expect(heads).toEqual(['', 'Order', 'Name', 'For', 'When', 'Conditions', 'Actions', 'Disabled', 'Buttons'])
  const [, first, second] = within(await table()).getAllByRole('row')
  for (const text of [
    'Rule a',
    'Place 10',
    'Uploaded',
    'Shared',
    'Modality is one of CT, MR',
    'and Date of birth in years is more than 60',
    'Share with Onco',
    'Call webhook RIS',
  ])
    expect(within(first as HTMLElement).getByText(text)).toBeDefined()
  expect(within(second as HTMLElement).getAllByText('Disabled')).toHaveLength(1)
  expect(second?.dataset.dimmed).toBe('true')
  expect(screen.queryByText('Place 11')).toBeNull()
  await press('2 more')
  expect(screen.getByText('Place 12')).toBeDefined()
})

test('[ADMIN-ROUTES-01] tells all that a rule does in a narrow window, with its state beside the name', async () => {
  setWindow('narrow')
  show()
  const heads = within(await table())
    .getAllByRole('columnheader')
    .map((one) => one.textContent)
  expect(heads).toEqual(['', 'Order', 'Name', 'For', 'What it does', 'Buttons'])
  const [, first, second] = within(await table()).getAllByRole('row')
  const [, , , , does] = first?.children ?? []
  const named = [...(does?.querySelectorAll('dt') ?? [])].map((one) => [
    one.textContent,
    ...[...(one.parentElement?.querySelectorAll('li') ?? [])].map((line) => line.textContent),
  ])
  expect(named).toEqual([
    ['When', 'Uploaded', 'Shared'],
    ['Conditions', 'Modality is one of CT, MR', 'and Date of birth in years is more than 60'],
    ['Actions', 'Share with Onco', 'Call webhook RIS'],
  ])
  expect(second?.querySelector('th')?.textContent).toContain('Disabled')
})

test('conditions read as words, whatever field, comparison, age and value they name', () => {
  const values = { study_status: 'in_progress', patient_age: '018M', study_date: '20240131' } as Record<string, string>
  const said = Object.keys(conditionFields).flatMap((lv) =>
    conditionOperators.flatMap((op) =>
      [undefined, ...conditionTransforms].map((lv_transform) =>
        conditionText({ lv, op, rv: values[lv] ?? 'CT', ...(lv_transform ? { lv_transform } : {}) }, undefined),
      ),
    ),
  )
  expect(
    said.filter((text) => /_|routing\.|\{|20240131|018M/.test(text) && !/ in (years|days|hours|minutes) /.test(text)),
  ).toEqual([])
  const text = (lv: string, op: 'equals' | 'greater_than', rv: string) => conditionText({ lv, op, rv }, undefined)
  expect([
    text('study_status', 'equals', 'in_progress'),
    text('study_date', 'greater_than', '20240131'),
    text('patient_age', 'greater_than', '018M'),
    text('created', 'greater_than', '2024-01-31'),
    text(`customfield-${crypto.randomUUID()}`, 'equals', 'Bay 1'),
  ]).toEqual([
    'Work status is In progress',
    'Study date is after 2024-01-31',
    'Patient age is more than 18 mo',
    'Arrived on is after 2024-01-31',
    'a field of your own is Bay 1',
  ])
})

test('[ADMIN-ROUTES-03][ADMIN-ROUTES-09] asks for ten rows of the first page, by name and status', async () => {
  show()
  await table()
  expect(lastSent('route/list')).toMatchObject({ account_id: 'a', 'page.rows': 10, 'page.number': 1 })
  const status = screen.getByLabelText<HTMLSelectElement>('Status')
  expect([...status.options].map(({ text }) => text)).toEqual(['All', 'Active', 'Disabled'])
  await userEvent.selectOptions(status, 'Active')
  await vi.waitFor(() => expect(lastSent('route/list')).toMatchObject({ 'filter.suspended.equals': 0 }))
  await userEvent.selectOptions(status, 'All')
  await vi.waitFor(() => expect(lastSent('route/list')).not.toHaveProperty('filter.suspended.equals'))
  await userEvent.selectOptions(status, 'Disabled')
  await userEvent.type(screen.getByLabelText('Name contains'), 'ct')
  await vi.waitFor(() =>
    expect(lastSent('route/list')).toMatchObject({ 'filter.name.like': '%ct%', 'filter.suspended.equals': 1 }),
  )
})

test('[ADMIN-ROUTES-05][ADMIN-ROUTES-06][ADMIN-ROUTES-07][API-28] disables a rule, says so for 15 seconds, and takes it back', async () => {
  show()
  await press('Disable Rule a')
  await screen.findByText('Routing rule "Rule a" has been disabled')
  expect(lastSent('route/set')).toMatchObject({ uuid: 'a', suspended: 1 })
  await press('Undo')
  await vi.waitFor(() => expect(lastSent('route/set')).toMatchObject({ uuid: 'a', suspended: 0 }))
  await vi.waitFor(() => expect(screen.queryByText(/has been disabled/)).toBeNull())
  await press('Enable Rule b')
  await screen.findByText('Routing rule "Rule b" has been enabled')
  await press('Dismiss')
  expect(screen.queryByText(/has been enabled/)).toBeNull()
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await press('Disable Rule a')
  await screen.findByText('Routing rule "Rule a" has been disabled')
  await act(() => vi.advanceTimersByTimeAsync(ruleNoticeMs))
  expect(screen.queryByText(/has been disabled/)).toBeNull()
  expect(ruleNoticeMs).toBe(15_000)
})

test('[GRID-05] several rules are disabled by one request; one item that failed is named, and the undoing leaves it alone', async () => {
  const three = ['a', 'b', 'c'].map((uuid) => rule(uuid))
  const refused = { error_type: 'NOT_FOUND' }
  show({ 'route/list': paged(three), 'route/set': (sent: { uuid: string }) => (sent.uuid === 'b' ? refused : {}) })
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Select all/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Disable' }))
  await screen.findByText(/^Error while saving Rule b/)
  await screen.findByText('2 routing rules have been disabled')
  const changed = () =>
    sentCalls.filter((one) => one.path === 'route/set').map(({ sent }) => [sent['uuid'], sent['suspended']])
  expect(changed()).toEqual([
    ['a', 1],
    ['b', 1],
    ['c', 1],
  ])
  const requests = () => askedAddresses.filter((one) => /bundle|route\/set/.test(one))
  expect(requests()).toEqual(['/api/v3/bundle'])
  sentCalls.length = 0
  await press('Undo')
  await vi.waitFor(() =>
    expect(changed()).toEqual([
      ['a', 0],
      ['c', 0],
    ]),
  )
  expect(requests()).toEqual(['/api/v3/bundle', '/api/v3/bundle'])
})

test('[ADMIN-ROUTES-05][API-29] asks before it deletes, and undoes that, too', async () => {
  show()
  await press('Delete Rule a')
  expect(await screen.findByText('Routing rule: Rule a')).toBeDefined()
  await press('Delete')
  await screen.findByText('Routing rule "Rule a" has been deleted')
  expect(lastSent('route/delete')).toEqual({ uuid: 'a' })
  await press('Undo')
  await vi.waitFor(() => expect(lastSent('route/delete')).toMatchObject({ uuid: 'a', undo: 1 }))
})

test.each([
  ['Disable Rule a', 'route/set', 'STALE'],
  ['Disable Rule a', 'route/set', 'NOT_FOUND'],
  ['Delete Rule a', 'route/delete', 'STALE'],
  ['Delete Rule a', 'route/delete', 'NOT_FOUND'],
] as const)(
  '[ADMIN-ROUTES-07] takes nothing back that somebody else changed meanwhile: %s, %s, %s',
  async (name, path, error) => {
    let reply: object = { row_version: 8 }
    show({ [path]: () => reply })
    await press(name)
    if (path === 'route/delete')
      await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await screen.findByRole('button', { name: 'Undo' })
    expect(lastSent(path)).not.toHaveProperty('row_version')
    reply = { error_type: error }
    await press('Undo')
    await screen.findByText('Routing rule "Rule a" was left as it is: somebody else changed it meanwhile.')
    expect(lastSent(path)).toMatchObject({ uuid: 'a', row_version: 8 })
  },
)

test('[ADMIN-ROUTES-07] says of other failures of taking back that the rule was not saved', async () => {
  let reply: unknown = { row_version: 8 }
  show({ 'route/set': () => reply })
  await press('Disable Rule a')
  await screen.findByRole('button', { name: 'Undo' })
  reply = { error_type: 'NOT_PERMITTED' }
  await press('Undo')
  expect(await screen.findByText(/^Error while saving Rule a/)).toBeDefined()
})

test('says that a deleted rule came back switched off', async () => {
  show({ 'route/delete': (sent: { undo?: number }) => (sent.undo ? { suspended: 1 } : {}) })
  await press('Delete Rule a')
  await screen.findByText('Routing rule: Rule a')
  await press('Delete')
  await press('Undo')
  expect(
    await screen.findByText(/^Routing rule "Rule a" is back, but switched off: what it names is gone/),
  ).toBeDefined()
})

test('[GRID-02][GRID-05] rules that are chosen on two pages are disabled by one request', async () => {
  show({
    'route/list': (sent: Record<string, unknown>) =>
      sent['page.number'] === 1
        ? { ...paged([rule('a'), rule('b')]), page: { more: 1, total: 3 } }
        : { ...paged([rule('c')]), page: { more: 0, total: 3 } },
    'route/set': { row_version: 4 },
  })
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Rule a' }))
  await press('Next page')
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Rule c' }))
  expect(await screen.findByText('2 rules selected')).toBeDefined()
  await press('Previous page')
  expect(await screen.findByRole('checkbox', { name: 'Select Rule a' })).toHaveProperty('checked', true)
  expect(screen.getByRole('checkbox', { name: 'Select Rule b' })).toHaveProperty('checked', false)
  await press('Disable')
  await screen.findByText('2 routing rules have been disabled')
  const sets = sentCalls.filter(({ path }) => path === 'route/set').map(({ sent }) => sent)
  expect(sets).toEqual([
    { uuid: 'a', suspended: 1 },
    { uuid: 'c', suspended: 1 },
  ])
  expect(screen.queryByText('2 rules selected')).toBeNull()
})

test('[GRID-04] keeps the rows per page for the person, and begins with them at the next opening', async () => {
  const { unmount } = show({ 'setting/set': {} })
  await screen.findByRole('grid')
  expect(lastSent('route/list')).toMatchObject({ 'page.rows': 10 })
  await userEvent.selectOptions(screen.getByRole('combobox', { name: /rows/i }), '50')
  await vi.waitFor(() => expect(lastSent('route/list')).toMatchObject({ 'page.rows': 50 }))
  await vi.waitFor(() => expect(lastSent('setting/set')).toMatchObject({ key: 'routes_rows_to_display', value: '50' }))
  unmount()
  show({}, editor, { routes_rows_to_display: '50' })
  await screen.findByRole('grid')
  expect(lastSent('route/list')).toMatchObject({ 'page.rows': 50 })
})

test('[ADMIN-ROUTES-04] enables, disables and deletes the selected rules, leaving out those that are so already', async () => {
  show()
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all rules of this page' }))
  await press('Disable')
  await vi.waitFor(() => expect(lastSent('route/set')).toMatchObject({ uuid: 'a', suspended: 1 }))
  expect(sentCalls.filter((one) => one.path === 'route/set')).toHaveLength(1)
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all rules of this page' }))
  await press('Enable')
  await vi.waitFor(() => expect(lastSent('route/set')).toMatchObject({ uuid: 'b', suspended: 0 }))
  expect(sentCalls.filter((one) => one.path === 'route/set')).toHaveLength(2)
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all rules of this page' }))
  await press('Delete')
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  await vi.waitFor(() =>
    expect(sentCalls.filter((one) => one.path === 'route/delete').map((one) => one.sent)).toEqual([
      { uuid: 'a' },
      { uuid: 'b' },
    ]),
  )
})

test('[ADMIN-ROUTES-08] a failed change is told in the words of the specification, for 15 seconds', async () => {
  show({ 'route/set': { error_type: 'INVALID_ACTION' } })
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await press('Enable Rule b')
  expect((await screen.findByRole('alert')).textContent).toBe('Error while saving Rule b"')
  await act(() => vi.advanceTimersByTimeAsync(ruleNoticeMs))
  expect(screen.queryByRole('alert')).toBeNull()
})

test('[PERM-04][ADMIN-ROUTES-01] shows no buttons to who may only view, and nothing to others', async () => {
  const { unmount } = show({ 'route/runs': { runs: [], page: { more: 0 } } }, { route_view: 1 })
  await table()
  expect(screen.queryByRole('button', { name: 'New rule' })).toBeNull()
  expect(screen.queryByRole('button', { name: /^(Enable|Disable|Edit|Delete) Rule a$/ })).toBeNull()
  await press('Runs of Rule a')
  expect(await screen.findByRole('dialog', { name: 'Runs of Rule a' })).toBeDefined()
  unmount()
  const editing = show({}, { route_edit: 1 })
  await table()
  expect(screen.getByText('Buttons')).toBeDefined()
  editing.unmount()
  show({}, {})
  expect(screen.getByRole('alert').textContent).toContain('Only people who may view or edit routing rules')
})

test('each press of an arrow key moves a rule one place on, and the new place is told', async () => {
  const routes = ['a', 'b', 'c', 'd'].map((uuid, at) => rule(uuid, { sequence: at + 1 }))
  show({ 'route/list': paged(routes), 'route/move': {} })
  const handle = await screen.findByRole('button', { name: /^Move Rule a/ })
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown']) fireEvent.keyDown(handle, { key })
  const sequences = () => sentCalls.filter(({ path }) => path === 'route/move').map(({ sent }) => sent['sequence'])
  // the fourth press finds the rule at the end
  await vi.waitFor(() => expect(sequences()).toEqual([2, 3, 4]))
  const told = await screen.findByText('Rule a is number 4 now.')
  expect(told.closest('[aria-live]')).not.toBeNull()
})

test('says that a rule could not be moved', async () => {
  show({ 'route/move': { error_type: 'NOT_FOUND' } })
  fireEvent.keyDown(await screen.findByRole('button', { name: /^Move Rule a/ }), { key: 'ArrowDown' })
  expect((await screen.findByRole('alert')).textContent).toBe('Rule a could not be moved. Please try again.')
})

test('[ADMIN-ROUTES-04] warns where no selected rule is to be changed, and keeps the selection and the undoing', async () => {
  show()
  await press('Disable Rule a')
  await screen.findByText('Routing rule "Rule a" has been disabled')
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Rule b' }))
  await press('Disable')
  await screen.findByText('Select at least one active rule.')
  expect(screen.getByRole('checkbox', { name: 'Select Rule b' })).toHaveProperty('checked', true)
  expect(screen.getByRole('button', { name: 'Undo' })).toBeDefined()
  expect(sentCalls.filter(({ path }) => path === 'route/set')).toHaveLength(1)
})

test('moves a rule by the arrow keys and by drag', async () => {
  show({ 'route/move': {} })
  const handle = await screen.findByRole('button', { name: /^Move Rule a/ })
  fireEvent.keyDown(handle, { key: 'ArrowDown' })
  await vi.waitFor(() => expect(lastSent('route/move')).toMatchObject({ uuid: 'a', sequence: 2 }))
  const kept = new Map<string, string>()
  const dataTransfer = {
    setData: (type: string, value: string) => kept.set(type, value),
    getData: (type: string) => kept.get(type) ?? '',
    get types() {
      return [...kept.keys()]
    },
  }
  const other = screen.getByRole('button', { name: /^Move Rule b/ })
  fireEvent.dragStart(other, { dataTransfer })
  fireEvent.dragOver(handle, { dataTransfer })
  fireEvent.drop(handle, { dataTransfer })
  await vi.waitFor(() => expect(lastSent('route/move')).toMatchObject({ uuid: 'b', sequence: 1 }))
})

test('makes a rule, says in a sentence what it does, tests it and saves it', async () => {
  const tested = {
    studies: [
      { uuid: 's1', patient_name: 'DOE^JANE', modality: 'CT', study_description: '', matched: 1, failed: [] },
      { uuid: 's2', patient_name: 'ROE^RIK', modality: 'MR', study_description: '', matched: 0, failed: [0] },
    ].map((one) => ({ ...one, place_name: 'Neuro', created: '2026-01-01 10:00:00', waits_approval: 0, acts_at: null })),
    matched: 1,
    tested_at: '2026-03-02 10:00:00.000000+00',
    is_cut: 1,
    unseen: 2,
    conflicts: [{ uuid: 'b', name: 'Rule b', reason: 'SAME_ACTION', studies: 1 }],
  }
  show({ 'route/add': { uuid: 'new' }, 'route/test': tested })
  await press('New rule')
  expect(await screen.findByText('Choose when the rule acts and what it does.')).toBeDefined()
  await press('Save')
  expect(screen.getByRole('alert').textContent).toBe('A name is needed.')
  await userEvent.type(screen.getByLabelText('Name'), 'CT on')
  await userEvent.selectOptions(screen.getByLabelText('Add a place'), 'Neuro')
  await userEvent.click(screen.getByLabelText('Uploaded'))
  await press('Add condition')
  await userEvent.type(screen.getByLabelText('Value of condition 1'), 'CT')
  await press('Add action')
  expect(screen.getByRole('option', { name: 'Ada · ada@clinic.example' })).toBeDefined()
  await userEvent.selectOptions(screen.getByLabelText('Action 1'), 'Onco')
  const sentence = 'When a study in Neuro was uploaded and Modality is CT: Share with Onco.'
  expect(screen.getByText(sentence)).toBeDefined()
  await press('Test')
  expect(
    await screen.findByText(
      /1 of 2 studies match\. More came in these days: the test ends at the latest 2,000 studies\. 2 more studies lie/,
    ),
  ).toBeDefined()
  expect(screen.getByText('Not met: Modality is CT')).toBeDefined()
  expect(screen.getByText('Rule "Rule b" does the same to 1 of these studies.')).toBeDefined()
  // the answer is about the rule that was tested
  const value = screen.getByLabelText('Value of condition 1')
  await userEvent.type(value, 'X')
  expect(screen.queryByText(/1 of 2 studies match/)).toBeNull()
  expect(screen.getByText('The rule was changed after the test. Test it again.')).toBeDefined()
  await userEvent.type(value, '{Backspace}')
  expect(screen.getByText(/1 of 2 studies match/)).toBeDefined()
  await press('Save')
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('route/add')).toMatchObject({
    name: 'CT on',
    namespace_id: 'n1',
    on_upload: 1,
    suspended: 0,
    conditions: [{ lv: 'modality', op: 'equals', rv: 'CT' }],
    actions: [{ namespace: 'n2' }],
  })
})

test('a test says when the rule would act, and which exams wait for approval', async () => {
  const testedAt = '2026-03-02 10:00:00.000000+00'
  const study = (uuid: string, acts_at: string | null, waits_approval = 0, matched = 1) => ({
    uuid,
    patient_name: `NAME^${uuid}`,
    modality: 'CT',
    study_description: '',
    place_name: 'Neuro',
    created: testedAt,
    matched,
    failed: [],
    waits_approval,
    acts_at,
  })
  const studies = [
    study('A', testedAt),
    study('B', '2026-03-02 22:15:00.000000+00', 1),
    study('C', null),
    study('D', null, 0, 0),
  ]
  show({
    'route/get': rule('a', { options: { bypass_approval: 1 } }),
    'route/test': { studies, matched: 3, tested_at: testedAt, is_cut: 0, unseen: 0, conflicts: [] },
  })
  await press('Edit Rule a')
  await press('Test')
  const rowOf = async (name: string) =>
    within(await screen.findByRole('row', { name: new RegExp(`NAME ${name}|${name} NAME|NAME, ${name}`) }))
  expect((await rowOf('A')).getByText('If it came now, the rule would act at once.')).toBeDefined()
  expect((await rowOf('B')).getByText(/^If it came now, the rule would act .*2026.* 22:15/)).toBeDefined()
  expect((await rowOf('B')).getByText(/^Waits for approval: webhooks are called before/)).toBeDefined()
  expect((await rowOf('A')).queryByText(/^Waits for approval/)).toBeNull()
  expect((await rowOf('C')).getByText(/outside the hours of the rule, nothing would be done/)).toBeDefined()
  expect((await rowOf('D')).queryByText(/^If it came now/)).toBeNull()
  expect(lastSent('route/test')).toMatchObject({ options: { bypass_approval: 1 } })
})

test('takes a delay and hours that are typed, and sends them as they stand', async () => {
  show({ 'route/add': { uuid: 'new' } })
  await press('New rule')
  const form = within(await screen.findByRole('form', { name: 'New routing rule' }))
  await userEvent.type(form.getByLabelText('Name'), 'N')
  await userEvent.selectOptions(form.getByLabelText('Add a place'), 'Neuro')
  await userEvent.click(form.getByLabelText('Uploaded'))
  await press('Add action')
  await userEvent.selectOptions(form.getByLabelText('Action 1'), 'Onco')
  const type = async (label: string, text: string) => {
    await userEvent.clear(form.getByLabelText(label))
    await userEvent.type(form.getByLabelText(label), text)
  }
  await type('Wait', '90')
  await userEvent.click(form.getByLabelText('Only at certain hours'))
  for (const day of ['Fri', 'Sun']) await userEvent.click(form.getByLabelText(day))
  await type('From', '20:15')
  await type('To', '20:15')
  await userEvent.selectOptions(form.getByLabelText('Time zone'), 'Asia/Tokyo')
  await userEvent.click(form.getByLabelText('At all other hours instead of these'))
  await userEvent.click(form.getByLabelText('Studies that come at other hours wait'))
  await press('Save')
  expect(form.getByRole('alert').textContent).toBe('The hours need a day, and a start and a stop that differ.')
  expect(lastSent('route/add')).toBeUndefined()
  await type('To', '06:30')
  expect(form.getByRole('status').textContent).toContain(
    ', 90 min later, but not on Mon, Tue, Wed, Thu, Sun from 20:15 to 06:30 (Asia/Tokyo)',
  )
  await press('Save')
  await vi.waitFor(() => expect(lastSent('route/add')).toBeDefined())
  expect(lastSent('route/add')).toMatchObject({
    delay_seconds: 5400,
    delay_till_schedule: 0,
  })
  const days = { mon: 1, tue: 1, wed: 1, thu: 1, sun: 1 }
  const hours = { start: '20:15', stop: '06:30', tz: 'Asia/Tokyo', invert: 1 }
  expect(lastSent('route/add')?.['schedule']).toEqual({ ...days, ...hours })
})

test('offers to share by a share code to those alone who may', async () => {
  const words = 'Whoever has a share code …'
  for (const [permissions, offered] of [
    [editor, []],
    [{ ...editor, study_share: 1, study_share_share_code: 1 }, [words]],
  ] as const) {
    show({}, permissions)
    await press('New rule')
    await press('Add action')
    const options = within(screen.getByLabelText('Action 1')).getAllByRole('option')
    const texts = options.map((one) => one.textContent)
    expect(texts).toContain('Onco')
    expect(texts.filter((one) => one === words)).toEqual(offered)
    cleanup()
  }
})

test('shares by a share code, which is asked for, and says why it may not', async () => {
  let reply: object = { error_type: 'NOT_PERMITTED', error_subtype: 'share_code' }
  show({ 'route/get': rule('a', { actions: [{ share_code: 'OLD', name: 'Heart centre' }] }), 'route/set': () => reply })
  await press('Edit Rule a')
  const code = await screen.findByLabelText('Share code of action 1')
  expect(code.getAttribute('placeholder')).toBe('Share code')
  expect(screen.getAllByText(/Share by the share code OLD/)[0]).toBeDefined()
  await userEvent.clear(code)
  await press('Save')
  expect(screen.getByRole('alert').textContent).toBe('Action 1 needs a share code.')
  await userEvent.type(code, ' A:B ')
  await press('Save')
  await screen.findByText(/Your role does not let you share by share codes\./)
  expect(lastSent('route/set')).toMatchObject({ actions: [{ share_code: 'A:B' }] })
  reply = { error_type: 'LOCKOUT' }
  await press('Save')
  await screen.findByText(/Too many share codes were tried/)
})

test('sends back what it does not show, and keeps what was typed where somebody else changed the rule meanwhile', async () => {
  const held = rule('a', { options: { bypass_approval: 1 } })
  let reply: object = { error_type: 'STALE' }
  show({ 'route/get': held, 'route/set': () => reply })
  await press('Edit Rule a')
  await userEvent.type(await screen.findByLabelText('Name'), ' of mine')
  await press('Save')
  expect((await screen.findByRole('alert')).textContent).toContain('Somebody else changed this while the form was open')
  expect(lastSent('route/set')).toMatchObject({ row_version: 3, options: { bypass_approval: 1 } })
  expect(sentCalls.some((one) => one.path === 'route/add')).toBe(false)
  reply = {}
  await press('Save mine')
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('route/set')).toMatchObject({ name: 'Rule a of mine', options: { bypass_approval: 1 } })
  expect(lastSent('route/set')).not.toHaveProperty('row_version')
})

test.each([
  [{ error_type: 'INVALID_LINKAGE' }, 'One of the places was deleted. Take it out, or choose another.'],
  [{ error_type: 'INVALID_OTHER_NAMESPACES' }, 'One of the places was deleted. Take it out, or choose another.'],
  [{ error_type: 'INVALID_MANUAL_ROLES' }, 'One of the roles was deleted. Take it out, or choose another.'],
  [{ error_type: 'INVALID_OPTION' }, 'One of its options is not available.'],
  [{ error_type: 'INVALID_FIELD', error_subtype: 'name' }, 'The name is too long, or has signs that no name has.'],
  [
    { error_type: 'INVALID_ACTION', error_subtype: 'GONE', error_data: { at: 1 } },
    'Action 2: what it names was deleted.',
  ],
  [{ error_type: 'NOT_FOUND' }, 'Somebody else deleted it meanwhile.'],
  [{ error_type: 'NOT_PERMITTED' }, 'Your role does not let you change routing rules.'],
  [{ error_type: 'UNEXPECTED_ERROR' }, 'The rule could not be saved.'],
])('[ADMIN-ROUTES-08] says in the form why a rule was not saved: %j', async (refusal, words) => {
  show({ 'route/get': rule('a'), 'route/set': refusal })
  await press('Edit Rule a')
  await screen.findByLabelText('Name')
  await press('Save')
  expect((await screen.findByRole('alert')).textContent).toBe(`Error while saving Rule a" ${words}`)
})

test('[ADMIN-ROUTES-08] a failed save stands in the form until its cause is gone', async () => {
  let reply: object = { error_type: 'INVALID_OTHER_NAMESPACES' }
  show({ 'route/get': rule('a'), 'route/set': () => reply })
  await press('Edit Rule a')
  const name = await screen.findByLabelText('Name')
  await press('Save')
  await screen.findByText(/One of the places was deleted/)
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await act(() => vi.advanceTimersByTimeAsync(2 * ruleNoticeMs))
  vi.useRealTimers()
  expect(screen.getByRole('alert').textContent).toContain('One of the places was deleted')
  await userEvent.selectOptions(screen.getByLabelText('Add a place'), 'Onco')
  expect(screen.queryByRole('alert')).toBeNull()
  // what no value of the form can mend stands until the rule is saved
  const answered = fetch
  vi.stubGlobal('fetch', (...asked: Parameters<typeof fetch>) =>
    String(asked[0]).endsWith('/route/set') ? Promise.reject(new TypeError('Failed to fetch')) : answered(...asked),
  )
  await press('Save')
  await screen.findByText(/The server cannot be reached\./)
  await userEvent.type(name, ' anew')
  expect(screen.getByRole('alert').textContent).toContain('The server cannot be reached.')
  vi.stubGlobal('fetch', answered)
  reply = {}
  await press('Save')
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('route/set')).toMatchObject({ name: 'Rule a anew', other_namespaces: 'n2' })
})

test('shows the runs of a rule with their reasons', async () => {
  const run = { route_id: 'a', route_name: 'Rule a', trigger: 'upload', study_id: 's', place_name: 'Neuro' }
  const times = { created: '2026-01-01 10:00:00', ended: null, run_at: null }
  const runs = [
    {
      ...run,
      ...times,
      ended: '2026-01-01 10:05:00',
      uuid: '1',
      patient_name: 'DOE^JANE',
      state: 'done',
      reason: '',
      detail: {
        actions: [
          { kind: 'namespace', name: 'Outpatient Imaging', result: 'done' },
          { kind: 'destination', name: 'PACS', result: 'unchanged' },
          { kind: 'destination', name: 'Archive', result: 'before' },
        ],
      },
      again: 1,
    },
    {
      ...run,
      ...times,
      uuid: '2',
      patient_name: '',
      state: 'not_matched',
      reason: 'CONDITIONS',
      detail: { failed: [1] },
    },
    {
      ...run,
      ...times,
      uuid: '3',
      patient_name: '',
      state: 'failed',
      may_run_again: 1,
      reason: 'ACTION_FAILED',
      detail: {
        actions: [
          { kind: 'namespace', name: 'Onco', result: 'failed', reason: 'TARGET_GONE' },
          { kind: 'webhook', name: 'Desk', result: 'done' },
        ],
      },
    },
  ]
  show({ 'route/runs': { runs, page: { more: 0, rows: 50, number: 1 } }, 'route/run/again': {} })
  await press('Runs of Rule a')
  expect(await screen.findByText('Not matched: conditions 2 were not met')).toBeDefined()
  const rows = screen.getAllByRole('row').filter((row) => /DOE, JANE|A study in/.test(row.textContent))
  const linesOf = (row: HTMLElement) =>
    within(row)
      .getAllByRole('listitem')
      .map((one) => one.textContent)
  expect(rows.map(linesOf)).toEqual([
    ['Done', 'Shared with Outpatient Imaging', 'Waited to be sent to PACS already', 'Archive: done before'],
    ['Not matched: conditions 2 were not met'],
    ['Failed', 'Onco: it is not there any more or takes no shares', 'Webhook Desk called'],
  ])
  expect(rows[0]?.textContent).toContain('after an upload · for what had failed · ended')
  expect(screen.getByText('DOE, JANE')).toBeDefined()
  expect(screen.getAllByText('A study in Neuro')).toHaveLength(2)
  // the one that failed, and no other, is run again
  const agains = screen.getAllByRole('button', { name: /^Run again/ })
  expect(agains).toHaveLength(1)
  await userEvent.click(agains[0] as HTMLElement)
  await vi.waitFor(() => expect(lastSent('route/run/again')).toMatchObject({ uuid: 'a', run_id: '3' }))
  expect(await screen.findByText('The rule runs again, for what was not done.')).toBeDefined()
})

test('runs of a rule are shown page by page, and the first page of those that failed', async () => {
  const run = { uuid: '3', route_id: 'a', route_name: 'Rule a', trigger: 'upload', study_id: 's', place_name: 'Neuro' }
  const times = { created: '2026-01-01 10:00:00', ended: null, run_at: null }
  const done = { ...run, ...times, patient_name: '', state: 'done', reason: '', detail: {}, may_run_again: 0, again: 0 }
  const runs = (sent: Record<string, unknown>) => ({
    runs: [done],
    page: { more: 1, rows: 10, number: sent['page.number'], total: 60 },
  })
  show({ 'route/runs': runs, 'setting/set': {} })
  await press('Runs of Rule a')
  const dialog = within(await screen.findByRole('dialog', { name: 'Runs of Rule a' }))
  await dialog.findByRole('grid', { name: 'Runs of Rule a' })
  expect(lastSent('route/runs')).toMatchObject({ 'page.rows': 10, 'page.number': 1, sort_by: 'created-desc' })
  await userEvent.click(dialog.getByRole('button', { name: 'Next page' }))
  await vi.waitFor(() => expect(lastSent('route/runs')).toMatchObject({ 'page.number': 2 }))
  await dialog.findByText('11 to 11 of 60')
  await userEvent.click(dialog.getByLabelText('Only those that failed'))
  const failed = { 'page.number': 1, 'filter.state.equals': 'failed' }
  await vi.waitFor(() => expect(lastSent('route/runs')).toMatchObject(failed))
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Rows per page' }), '100')
  await vi.waitFor(() =>
    expect(lastSent('setting/set')).toMatchObject({ key: 'rule_runs_rows_to_display', value: '100' }),
  )
})

test('a rule that does not run again says why', async () => {
  const run = { uuid: '3', route_id: 'a', route_name: 'Rule a', trigger: 'upload', study_id: 's', place_name: 'Neuro' }
  const failed = {
    ...run,
    created: '2026-01-01 10:00:00',
    ended: null,
    run_at: null,
    patient_name: '',
    state: 'failed',
    may_run_again: 1,
    reason: 'ACTION_FAILED',
    detail: {},
  }
  const fault = { error_type: 'ROUTE_NOT_MATCHED', error_subtype: 'OUTSIDE_SCHEDULE' }
  show({ 'route/runs': { runs: [failed], page: { more: 0, rows: 50, number: 1 } }, 'route/run/again': fault })
  await press('Runs of Rule a')
  await userEvent.click(await screen.findByRole('button', { name: /^Run again/ }))
  expect(await screen.findByText('The rule does not run now: it is outside its hours.')).toBeDefined()
  // those that failed can be shown alone, of however many
  expect(lastSent('route/runs')).not.toHaveProperty('filter.state.equals')
  await userEvent.click(screen.getByLabelText('Only those that failed'))
  await vi.waitFor(() => expect(lastSent('route/runs')).toMatchObject({ 'filter.state.equals': 'failed' }))
})

test('a rule of a program keeps what has no field, and shows it in words; who starts it, late images and waits are chosen', async () => {
  const made = rule('a', {
    on_manual_route: 1,
    manual_roles: 'r1,r9',
    on_thin: 1,
    no_re_run: 1,
    delay_from_study_field: 'study_date',
    delay_from_study_seconds: 7219,
    options: { bypass_approval: 1 },
    schedule: { mon: 1, start: '08:00', stop: '18:00', tz: 'UTC', invert: 1 },
    conditions: [{ lv: `customfield-${gateField}`, op: 'equals', rv: '1' }],
  })
  const roles = [
    { uuid: 'r1', name: 'Clinician' },
    { uuid: 'r2', name: 'Staff' },
  ]
  const customfields = [{ uuid: gateField, name: 'is_process_form_rejected', gate_key: 'is_process_form_rejected' }]
  show({ 'route/list': paged([made]), 'route/get': made, 'route/targets': { ...targets, roles, customfields } })
  await press('Edit Rule a')
  const form = within(await screen.findByRole('form', { name: 'Edit routing rule' }))
  const others = form.getByText(/^Also set by a program/)
  expect(others.textContent).toContain('Exams without images are meant as well')
  const sentence = () => form.getByRole('status').textContent
  expect(sentence()).toContain(', 120 min after the study date at the earliest')
  expect(sentence()).toMatch(/ Images that come later do not start the rule\.$/)
  expect(form.getByRole('status').textContent).toContain('Whether the nomination was rejected is 1')
  expect(form.getByRole('status').textContent).toContain('but not on Mon from 08:00 to 18:00')
  const who = within(form.getByRole('group', { name: 'Who may start it by hand' }))
  await userEvent.click(who.getByLabelText('Staff'))
  await userEvent.click(form.getByLabelText('Also exams that wait for approval'))
  await press('Save')
  await vi.waitFor(() => expect(lastSent('route/set')).toBeDefined())
  expect(lastSent('route/set')).toMatchObject({
    manual_roles: 'r1,r9,r2',
    options: { bypass_approval: 0 },
    schedule: { mon: 1, start: '08:00', stop: '18:00', tz: 'UTC', invert: 1 },
  })
  expect(lastSent('route/set')).not.toHaveProperty('on_thin')
  expect(lastSent('route/set')).toMatchObject({
    no_re_run: 1,
    only_re_run: 0,
    delay_from_study_field: 'study_date',
    delay_from_study_seconds: 7219,
  })
})

test('which images start a rule, and from which time of the exam its actions wait, is chosen and sent', async () => {
  show({ 'route/list': paged([]), 'route/add': { uuid: 'n' } })
  await press('New rule')
  const form = within(await screen.findByRole('form', { name: 'New routing rule' }))
  await userEvent.type(form.getByLabelText('Name'), 'Late ones')
  await userEvent.selectOptions(form.getByLabelText('Add a place'), 'n1')
  await userEvent.click(form.getByLabelText('Switched on'))
  expect(form.queryByLabelText('Minutes after it')).toBeNull()
  const late = form.getByLabelText('Images that come later')
  expect(within(late).getAllByRole('option')).toHaveLength(3)
  await userEvent.selectOptions(late, 'only')
  await userEvent.selectOptions(form.getByLabelText('Not before'), 'created')
  const minutes = form.getByLabelText('Minutes after it')
  await userEvent.clear(minutes)
  await userEvent.type(minutes, '90')
  await press('Save')
  await vi.waitFor(() => expect(lastSent('route/add')).toBeDefined())
  expect(lastSent('route/add')).toMatchObject({
    no_re_run: 0,
    only_re_run: 1,
    delay_from_study_field: 'created',
    delay_from_study_seconds: 5400,
  })
})

test('a rule that no images start says so, and keeps that unless another choice is made', async () => {
  const made = rule('a', { no_re_run: 1, only_re_run: 1 })
  show({ 'route/list': paged([made]), 'route/get': made })
  await press('Edit Rule a')
  const form = within(await screen.findByRole('form', { name: 'Edit routing rule' }))
  expect(within(form.getByLabelText('Images that come later')).getAllByRole('option')).toHaveLength(4)
  expect(form.getByRole('status').textContent).toMatch(/ No images start the rule\.$/)
  await press('Save')
  await vi.waitFor(() => expect(lastSent('route/set')).toMatchObject({ no_re_run: 1, only_re_run: 1 }))
})

test('a rule without an action says so in the grid, and is not switched on by the form', async () => {
  const idle = rule('a', { actions: [] })
  show({ 'route/list': paged([idle]), 'route/get': idle })
  expect(within(await table()).getByText('does nothing')).toBeDefined()
  await press('Edit Rule a')
  const form = within(await screen.findByRole('form', { name: 'Edit routing rule' }))
  await press('Save')
  expect(form.getByRole('alert').textContent).toBe('Choose what the rule does, or save it switched off.')
  expect(lastSent('route/set')).toBeUndefined()
  await userEvent.click(form.getByLabelText('Switched on'))
  await press('Save')
  await vi.waitFor(() => expect(lastSent('route/set')).toMatchObject({ suspended: 1, actions: [] }))
})
