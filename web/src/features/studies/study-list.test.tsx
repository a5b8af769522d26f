import type { RestoredAccess } from '@hilum/contract/calls/study-acts'
import type { Study } from '@hilum/contract/entities/study'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { makeView } from '../../../test/make-view.ts'
import { showRouted } from '../../../test/routed.tsx'
import { lastSent, makeInbox, type Replies, sentCalls } from '../../../test/signed-in.tsx'
import type { Inbox } from '../../queries/namespaces.ts'
import type { StudyView } from '../../queries/study-view.ts'
import { clearActMessages, useActMessages } from '../../state/act-messages.ts'
import { unmarkAll } from '../../state/marked-studies.ts'
import { noFilters } from '../../state/search-filters.ts'
import { useNotices } from '../../state/notices.ts'
import { StudyList } from './study-list.tsx'

const permissions = { study_star: 1, study_edit: 1, study_delete: 1 }
const studies = ['Adams', 'Brown', 'Clark'].map((name) =>
  makeStudy({ uuid: name.toLowerCase(), patient_name: name, permissions }),
)
const page = { studies, page: { more: 1, rows: 50, number: 1 }, more: 1 }
const view = makeView({ inbox: makeInbox('g') })

/** Shows the notices and the messages of acts, as the shell and the pane do. */
function Shown() {
  const texts = [...useNotices(), ...useActMessages()].map(({ text }) => text)
  const details = useActMessages().flatMap((message) => message.details)
  return [...texts, ...details].map((text) => <p key={text}>{text}</p>)
}

beforeEach(unmarkAll)
beforeEach(clearActMessages)

async function show(
  given: Partial<StudyView> = {},
  replies: Replies = {},
  settings = {},
  selectedUuid?: string,
  inboxes: readonly Inbox[] = [],
) {
  const on = {
    onSelect: vi.fn(),
    onClose: vi.fn(),
    onSort: vi.fn(),
    onWork: vi.fn(),
    onFilters: vi.fn(),
    onPage: vi.fn(),
  }
  showRouted(
    <>
      <StudyList view={{ ...view, ...given }} viewKey="v" inboxes={inboxes} selectedUuid={selectedUuid} {...on} />
      <Shown />
    </>,
    { 'study/list': page, 'study/count': { count: 120 }, ...replies },
    settings,
  )
  await waitFor(() => expect(sentCalls.length).toBeGreaterThan(1))
  return on
}
const card = (name: string) => screen.findByRole('button', { name: new RegExp(`^${name.toUpperCase()}`) })
const box = (name: string) => screen.getByRole('checkbox', { name: `Select ${name.toUpperCase()}` }) as HTMLInputElement

test('[LIST-01] [LIST-02] [GRID-01] [GRID-03] a page of 50 with results, sorts and pages', async () => {
  const on = await show()
  await card('Adams')
  expect(await screen.findByText('120 studies')).toBeTruthy()
  expect(lastSent('study/list')).toMatchObject({ 'page.rows': 50, 'page.number': 1, sort_by: 'created-desc' })
  expect(screen.getByText('Page 1 of 3')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Previous page' }))
  expect(on.onPage).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  expect(on.onPage).toHaveBeenCalledExactlyOnceWith(2)
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Name A to Z')
  expect(on.onSort).toHaveBeenCalledExactlyOnceWith('name-asc')
})

test('the list is narrowed by work status', async () => {
  const on = await show({ filters: { ...noFilters, work: 'open' } })
  await card('Adams')
  expect(lastSent('study/list')).toMatchObject({ 'filter.work_status.in': ['new', 'in_progress'] })
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Done')
  expect(on.onWork).toHaveBeenCalledExactlyOnceWith('done')
})

test('[LIST-16] a search that fails leaves no study of the one before, and can be tried again', async () => {
  let isBroken = true
  await show({}, { 'study/list': () => (isBroken ? 412 : page) })
  await screen.findByText('The studies could not be loaded.')
  expect(screen.queryByRole('list')).toBeNull()
  expect(screen.queryByText('120 studies')).toBeNull()
  isBroken = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await card('Adams')
})

test('[LIST-14] several are marked by box, Ctrl, Shift and key', async () => {
  const user = userEvent.setup()
  await show()
  await user.keyboard('{Control>}')
  await user.click(await card('Adams'))
  await user.keyboard('{/Control}{Shift>}')
  await user.click(await card('Clark'))
  await user.keyboard('{/Shift}')
  expect([box('Adams'), box('Brown'), box('Clark')].map(({ checked }) => checked)).toEqual([true, true, true])
  expect(screen.getByText('3 selected')).toBeTruthy()
  await user.keyboard('x')
  expect(box('Clark').checked).toBe(false)
})

test('[LIST-14] in a gatekeeper group no box, click or key marks', async () => {
  const user = userEvent.setup()
  const on = await show({ inbox: makeInbox('gate', { designation: 'GATEKEEPER' }) })
  await card('Adams')
  expect(screen.queryAllByRole('checkbox')).toEqual([])
  for (const key of ['Control', 'Shift']) {
    await user.keyboard(`{${key}>}`)
    await user.click(await card('Brown'))
    await user.keyboard(`{/${key}}`)
  }
  expect(on.onSelect.mock.calls).toEqual([['brown'], ['brown']])
  await user.keyboard('x{Shift>}{ArrowDown}{/Shift}')
  expect(screen.queryByText(/\d selected/)).toBeNull()
})

test('the box above the list selects the whole page or nothing, and says when some of it is selected', async () => {
  const user = userEvent.setup()
  await show()
  await card('Adams')
  const all = screen.getByRole('checkbox', { name: 'Select all on this page' }) as HTMLInputElement
  const boxes = () => [box('Adams').checked, box('Brown').checked, box('Clark').checked]
  const state = () => [all.checked, all.indeterminate]
  expect(state()).toEqual([false, false])
  await user.click(box('Brown'))
  expect(state()).toEqual([false, true])
  await user.click(all)
  expect(boxes()).toEqual([true, true, true])
  expect(state()).toEqual([true, false])
  await user.click(all)
  expect(boxes()).toEqual([false, false, false])
  expect(state()).toEqual([false, false])
})

test('while nothing is listed, because the list failed, the box above cannot be ticked', async () => {
  await show({}, { 'study/list': 500 })
  await screen.findByText('The studies could not be loaded.')
  const all = (await screen.findByRole('checkbox', { name: 'Select all on this page' })) as HTMLInputElement
  expect(all.disabled).toBe(true)
})

test('J and K move and select, / and others keep out of fields, S stars', async () => {
  const user = userEvent.setup()
  const on = await show()
  await card('Adams')
  await user.keyboard('j')
  expect(on.onSelect).toHaveBeenLastCalledWith('adams')
  await user.keyboard('jk')
  expect(on.onSelect.mock.calls.map(([uuid]) => uuid)).toEqual(['adams', 'brown', 'adams'])
  expect(document.activeElement).toBe(await card('Adams'))
  await user.keyboard('s')
  await waitFor(() => expect(lastSent('study/star')).toEqual({ uuid: 'adams', star: 1 }))
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}')
  expect([box('Adams').checked, box('Brown').checked, box('Clark').checked]).toEqual([true, true, false])
})

test('switched off, single keys do nothing while arrows and Escape still work', async () => {
  const user = userEvent.setup()
  const on = await show({}, {}, { keyboard_shortcuts: '0' }, 'adams')
  ;(await card('Adams')).focus()
  await user.keyboard('jx')
  expect(on.onSelect).not.toHaveBeenCalled()
  expect(box('Adams').checked).toBe(false)
  await user.keyboard('{ArrowDown}')
  expect(on.onSelect).toHaveBeenCalledExactlyOnceWith('brown')
  await user.keyboard('{Escape}')
  expect(on.onClose).toHaveBeenCalledOnce()
})

test('[GRID-05] [LIST-15] [ERROR-09] a status is set on all marked in one bundle; one that fails is said', async () => {
  const user = userEvent.setup()
  await show({}, { 'study/set': (sent: { study_id: string }) => (sent.study_id === 'brown' ? 412 : { uuid: 'x' }) })
  const asked = vi.fn<typeof fetch>(fetch)
  vi.stubGlobal('fetch', asked)
  await card('Adams')
  await user.click(box('Adams'))
  await user.click(box('Brown'))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Set status' }), 'Done')
  expect(await screen.findByText('The status of 1 study could not be set.')).toBeTruthy()
  expect(sentCalls.filter(({ path }) => path === 'study/set').map(({ sent }) => sent)).toEqual([
    { study_id: 'adams', work_status: 'done' },
    { study_id: 'brown', work_status: 'done' },
  ])
  const requests = asked.mock.calls.filter(([, init]) => String(init?.body).includes('study/set'))
  expect(requests.map(([address]) => address)).toEqual(['/api/v3/bundle'])
  expect(screen.queryByText('2 selected')).toBeNull()
})

test('deleted studies are restored one by one or together, and leave the list at once; the access that comes back is told', async () => {
  const user = userEvent.setup()
  const none = { shares: 0, links: 0, expired: 0, ended: 0, one_patient: 0 }
  const access: Record<string, RestoredAccess> = {
    adams: { ...none, shares: 1, links: 2 },
    brown: { ...none, shares: 1, expired: 1 },
    clark: { ...none, links: 2, ended: 2, one_patient: 1 },
  }
  let left = studies
  const revive = ({ uuid }: { uuid: string }) => {
    left = left.filter((study) => study.uuid !== uuid)
    return { access: access[uuid] }
  }
  await show({ state: 'Deleted' }, { 'study/list': () => ({ ...page, studies: left }), 'study/revive': revive })
  await card('Adams')
  expect(lastSent('study/list')).toMatchObject({ 'filter.is_deleted.equals': 1 })
  await user.click(screen.getByRole('button', { name: 'Restore ADAMS' }))
  expect(await screen.findByText('1 study was restored.')).toBeTruthy()
  expect(screen.getByText('Access works again by 1 share, 2 links.')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('ADAMS')).toBeNull())
  await user.click(box('Brown'))
  await user.click(box('Clark'))
  await user.click(within(screen.getByRole('region')).getByRole('button', { name: 'Restore' }))
  expect(await screen.findByText('2 exams were restored')).toBeTruthy()
  expect(
    screen.getByText(
      'Access works again by 1 share, 2 links, but not by others: 1 expired meanwhile, 2 were ended meanwhile, 1 link was made when the exam had images of one patient.',
    ),
  ).toBeTruthy()
})

test('[PERM-01] deleted studies are restored together where each of them grants it', async () => {
  const user = userEvent.setup()
  const [adams, brown, clark] = studies as [Study, Study, Study]
  const shown = [adams, { ...brown, permissions: { study_star: 1 } }, clark]
  await show({ state: 'Deleted' }, { 'study/list': { ...page, studies: shown } })
  await card('Adams')
  const restore = () => within(screen.getByRole('region')).queryByRole('button', { name: 'Restore' })
  await user.click(box('Adams'))
  await user.click(box('Clark'))
  expect(await screen.findByText('2 selected')).toBeTruthy()
  expect(restore()).not.toBeNull()
  await user.click(box('Brown'))
  expect(await screen.findByText('3 selected')).toBeTruthy()
  expect(restore()).toBeNull()
})

test.each([
  ['Shared', 'CLOUD', 'name-asc', { 'filter.has_direct_shares.equals': 1, sort_by: 'patient_name-asc' }],
  ['Shared w/ group', 'LIBRARY', 'upload-desc', { 'filter.source.equals': 'share', sort_by: 'created-desc' }],
  [
    'Failed',
    'GATEKEEPER',
    'priority',
    { 'filter.study_push_status.equals': 'F', sort_by: 'priority-desc,created-desc' },
  ],
] as const)(
  '[LIST-10] %s of a %s group asks in its namespace, by its filter, in its order',
  async (state, designation, sort, sent) => {
    await show({ state, sort, inbox: makeInbox('g', { designation }) })
    expect(lastSent('study/list')).toMatchObject({ 'filter.phi_namespace.equals': 'ns-g', ...sent })
  },
)

test.each([
  [
    'a cloud group where the person may upload',
    makeInbox('g', { permissions: { study_upload: 1, study_view: 1 } }),
    /^Upload a disc/,
  ],
  [
    'My studies',
    makeInbox('u', { kind: 'mine', designation: 'LIBRARY', permissions: { study_view: 1 } }),
    /^What others share with you/,
  ],
  [
    'the Organisation inbox',
    makeInbox('a', { kind: 'organisation', designation: 'LIBRARY', permissions: { study_view: 1 } }),
    /^What other organ/,
  ],
])('empty, %s says how studies come there', async (_place, inbox, hint) => {
  await show({ inbox }, { 'study/list': { studies: [], page: { more: 0, rows: 50, number: 1 } } })
  await screen.findByText('No studies here yet.')
  expect(screen.getByText(hint)).toBeTruthy()
})

test('in a list over several places each card names its place, in a list of one none does', async () => {
  const alike = ['n1', 'n2', 'mine'].map((phi_namespace) =>
    makeStudy({ patient_name: 'Adams', phi_namespace, phi_namespace_name: `Name ${phi_namespace}` }),
  )
  const twice = { 'study/list': { ...page, studies: alike } }
  const own = { kind: 'mine', name: 'Jane', namespaceId: 'mine' } as const
  const inboxes = [makeInbox('Neuro', { namespaceId: 'n1' }), makeInbox('Harbour', own)]
  await show({ inbox: undefined }, twice, {}, undefined, inboxes)
  await screen.findByTitle('Neuro')
  expect(screen.getAllByTitle(/^(Neuro|Name n2|My studies)$/i).map(({ title }) => title.toLowerCase())).toEqual([
    'neuro',
    'name n2',
    'my studies',
  ])
  cleanup()
  await show({ inbox: inboxes[0] }, twice, {}, undefined, inboxes)
  expect(await screen.findAllByText('ADAMS')).toHaveLength(3)
  expect(screen.queryByTitle('Neuro')).toBeNull()
})

test('empty, a group says nothing of uploading to who may not', async () => {
  await show(
    { inbox: makeInbox('g', { permissions: { study_browse: 1 } }) },
    { 'study/list': { studies: [], page: { more: 0, rows: 50, number: 1 } } },
  )
  await screen.findByText('No studies here yet.')
  expect(screen.queryByText(/Upload/)).toBeNull()
})

test('who may upload but not look is told so, and not that there are no studies', async () => {
  const inbox = makeInbox('g', { permissions: { study_upload: 1 } })
  await show({ inbox }, { 'study/list': { studies: [], page: { more: 0, rows: 50, number: 1 } } })
  expect(await screen.findByText('Your role does not let you see studies here.')).toBeTruthy()
})

test('[PERM-01] [PERM-15] who may set the status of one may set that of several', async () => {
  const mayTake = makeStudy({ uuid: 'dee', patient_name: 'Dee', permissions: { study_status_edit: 1 } })
  await show({}, { 'study/list': { ...page, studies: [mayTake] } })
  await card('Dee')
  await userEvent.click(box('Dee'))
  expect(screen.getByRole('combobox', { name: 'Set status' })).toBeTruthy()
})
