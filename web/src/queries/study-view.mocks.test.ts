import type { UserNamespace } from '@hilum/contract/calls/user'
import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { makeView } from '../../test/make-view.ts'
import { setSid } from '../api/credentials.ts'
import { noFilters, type SearchFilters } from '../state/search-filters.ts'
import { type Inbox, sortInboxes, statesOf } from './namespaces.ts'
import { studiesQuery } from './studies.ts'
import { searchedState, sendingStatus, sorts, type StudyView, toFilters, validSort } from './study-view.ts'

function makeInbox(name: string, given: Partial<Inbox> = {}): Inbox {
  return {
    id: name,
    name,
    kind: 'group',
    idField: 'group_id',
    designation: 'CLOUD',
    namespaceId: `ns-${name}`,
    permissions: {},
    states: [],
    ...given,
  }
}
const view = (given: Partial<StudyView>) => makeView({ inbox: makeInbox('a'), ...given })

test('[SHELL-13] groups: library, then gatekeeper, then cloud, each by name', () => {
  const sorted = sortInboxes([
    makeInbox('b'),
    makeInbox('a'),
    makeInbox('g', { designation: 'GATEKEEPER' }),
    makeInbox('l', { designation: 'LIBRARY' }),
  ])
  expect(sorted.map(({ name }) => name)).toEqual(['l', 'g', 'a', 'b'])
})

test('[LIST-03] [LIST-04] [PERM-08] states come from the group; pending requests needs link_edit', () => {
  const mayDelete = { study_delete: 1 }
  expect(statesOf('CLOUD', [], mayDelete)).toEqual(['Inbox', 'Shared', 'Shared w/ group', 'Deleted'])
  expect(statesOf('LIBRARY', [], mayDelete)).toEqual(['Inbox', 'Shared w/ group', 'Deleted'])
  expect(statesOf('CLOUD', [], { link_edit: 1 })).toContain('Pending Requests')
  expect(statesOf('CLOUD', ['Inbox', 'Deleted'], { ...mayDelete, link_edit: 1 })).toEqual(['Inbox', 'Deleted'])
})

test('[LIST-03] the state Deleted is not offered where deleted studies are out of reach', () => {
  expect(statesOf('CLOUD', [], { study_view: 1, study_edit: 1 })).toEqual(['Inbox', 'Shared', 'Shared w/ group'])
})

test('[LIST-05] states of a gatekeeper group', () => {
  expect(statesOf('GATEKEEPER', [], {})).toEqual(['Nominations', 'Queued', 'Rejected', 'Completed', 'Failed'])
})

test('[LIST-08] [LIST-09] a state asks by its filter, within its namespace', () => {
  expect(toFilters(view({ state: 'Shared w/ group' }), [])).toMatchObject({
    'filter.phi_namespace.equals': 'ns-a',
    'filter.source.equals': 'share',
  })
  expect(toFilters(view({ state: 'Shared' }), [])).toMatchObject({ 'filter.has_direct_shares.equals': 1 })
})

test('[SHELL-14] All My Groups asks in all of them, and a name matches in part', () => {
  const filters = toFilters(view({ inbox: undefined, filters: { ...noFilters, patientName: ' doe ' } }), [
    makeInbox('a'),
    makeInbox('b'),
  ])
  expect(filters).toEqual({ 'filter.phi_namespace.in': ['ns-a', 'ns-b'], 'filter.patient_name.like': '%doe%' })
})

test('[SEARCH-04] a search looks in the state that is shown, and in the first one of another place', () => {
  const [deleted, asked] = [view({ state: 'Deleted' }), view({ state: 'Pending Requests' })]
  const here = makeInbox('a', { states: ['Inbox', 'Deleted', 'Pending Requests'] })
  expect(searchedState(here, deleted)).toBe('Deleted')
  expect(searchedState(makeInbox('b', { states: ['Nominations', 'Queued'] }), deleted)).toBe('Nominations')
  expect(searchedState(undefined, deleted)).toBe('Inbox')
  expect(searchedState(here, asked)).toBe('Inbox')
})

test('[LIST-06] every state of a gatekeeper group asks by its filter: none shows what belongs to another', () => {
  const asked = statesOf('GATEKEEPER', [], {}).map((state) => {
    const { 'filter.phi_namespace.equals': place, ...filter } = toFilters(view({ state }), [])
    return [place, state, filter]
  })
  expect(asked).toEqual([
    ['ns-a', 'Nominations', { 'filter.must_approve.equals': 1, 'filter.study_push_status.not_equals': 'rejected' }],
    ['ns-a', 'Queued', { 'filter.study_push_status.in': ['I', 'N', 'P'] }],
    ['ns-a', 'Rejected', { 'filter.study_push_status.equals': 'rejected' }],
    ['ns-a', 'Completed', { 'filter.study_push_status.equals': 'S' }],
    ['ns-a', 'Failed', { 'filter.study_push_status.equals': 'F' }],
  ])
})

test('[LIST-11] [LIST-12] a sort that the group type does not know falls back to newest upload', () => {
  expect(validSort('priority', 'CLOUD')).toBe('upload-desc')
  expect(validSort('nonsense', 'GATEKEEPER')).toBe('upload-desc')
  expect(validSort(undefined, 'GATEKEEPER')).toBe('priority')
  expect(validSort(undefined, undefined)).toBe('upload-desc')
  expect(validSort('name-asc', 'LIBRARY')).toBe('name-asc')
})

test('[LIST-12] each sort asks for its field, newest or oldest first; by priority the newest of each come first', () => {
  expect(sorts).toEqual({
    priority: 'priority-desc,created-desc',
    'nomination-desc': 'nominated_at-desc',
    'nomination-asc': 'nominated_at-asc',
    'upload-desc': 'created-desc',
    'upload-asc': 'created-asc',
    'exam-desc': 'study_date-desc',
    'exam-asc': 'study_date-asc',
    'name-asc': 'patient_name-asc',
    'name-desc': 'patient_name-desc',
  })
})

test('[LIST-06] push codes I, N and P mean queued, S completed, F failed', () => {
  const pushed = {
    destination_uuid: '',
    destination_name: '',
    status_reason: null,
    is_overtaken: 0,
    wants_reason: 0,
    question: '',
    commitment: null,
    commitment_reason: null,
    image_count: null,
    late_image_count: 0,
    created: '',
    updated: '',
  }
  const status = (code: 'N' | 'I' | 'P' | 'S' | 'F') =>
    sendingStatus({ study_push_status: [{ ...pushed, status: code }] })
  expect((['I', 'N', 'P'] as const).map(status)).toEqual(['queued', 'queued', 'queued'])
  expect(status('S')).toBe('completed')
  expect(status('F')).toBe('failed')
  expect(sendingStatus({ study_push_status: [] })).toBeUndefined()
  const sent = { ...pushed, status: 'S' as const }
  const failed = { ...pushed, status: 'F' as const }
  expect(sendingStatus({ study_push_status: [sent, failed] })).toBe('failed')
  expect(sendingStatus({ study_push_status: [sent, { ...failed, is_overtaken: 1 }] })).toBe('completed')
})

test('the list is narrowed by work status: not done is new or in progress', () => {
  expect(toFilters(view({ filters: { ...noFilters, work: 'open' } }), [])).toMatchObject({
    'filter.work_status.in': ['new', 'in_progress'],
  })
  expect(toFilters(view({ filters: { ...noFilters, work: 'done' } }), [])).toMatchObject({
    'filter.work_status.equals': 'done',
  })
  expect(Object.keys(toFilters(view({}), []))).not.toContain('filter.work_status.in')
})

test('[ERROR-15] an invalid sort, and a gatekeeper group without its configuration, are only logged', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  vi.resetModules() // a warning is written once: the other tests may have brought it about
  const [asked, places] = await Promise.all([import('./study-view.ts'), import('./namespaces.ts')])
  expect(asked.validSort('no-such-sort', 'CLOUD')).toBe('upload-desc')
  expect(warn.mock.calls).toEqual([['Invalid sort option']])
  const config = { group_designation: 'GATEKEEPER', active_study_filters: [], meta_info_customfields: {} }
  const bare = { type: 'group_id', permissions: {}, settings: { inbox_config: config } } as unknown as UserNamespace
  const named = { ...config, meta_info_customfields: { rejected: 'is_process_form_rejected' } }
  places.toInbox({ ...bare, settings: { inbox_config: named } } as unknown as UserNamespace)
  expect(warn).toHaveBeenCalledTimes(1)
  expect(places.toInbox(bare).states).toContain('Nominations')
  expect(warn.mock.calls[1]).toEqual(['GateKeeper configuration not found!'])
  warn.mockRestore()
})

test.each([
  ['priority', 'priority-desc,created-desc'],
  ['nomination-desc', 'nominated_at-desc'],
  ['nomination-asc', 'nominated_at-asc'],
  ['upload-desc', 'created-desc'],
  ['upload-asc', 'created-asc'],
  ['exam-desc', 'study_date-desc'],
  ['exam-asc', 'study_date-asc'],
  ['name-asc', 'patient_name-asc'],
  ['name-desc', 'patient_name-desc'],
] as const)('[LIST-12] the order %s asks the server for %s', async (sort, asked) => {
  const sent: Record<string, unknown>[] = []
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body))
    return Response.json({ studies: [], page: { more: 0 } })
  })
  setSid('sid')
  await new QueryClient().fetchQuery(studiesQuery(view({ sort }), []))
  expect(sent.map((one) => one['sort_by'])).toEqual([asked])
  setSid(undefined)
  vi.unstubAllGlobals()
})

test('[LIST-10] a group and a state set the namespace, the order and the filter of the page that is loaded', async () => {
  const asked: Record<string, unknown>[] = []
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) => {
    asked.push(JSON.parse(body))
    return Response.json({ studies: [], page: { more: 0 } })
  })
  setSid('sid')
  const client = new QueryClient()
  await client.fetchQuery(studiesQuery(view({ state: 'Deleted', sort: 'name-asc', page: 3 }), []))
  expect(asked).toMatchObject([
    {
      'filter.phi_namespace.equals': 'ns-a',
      'filter.is_deleted.equals': 1,
      sort_by: 'patient_name-asc',
      'page.number': 3,
      'page.rows': 50,
    },
  ])
  expect(studiesQuery(view({ state: 'Inbox' }), []).enabled).toBe(true)
  expect(studiesQuery(view({ state: 'Pending Requests' }), []).enabled).toBe(false)
  setSid(undefined)
  vi.unstubAllGlobals()
})

test('[ENTITY-18] the state of a search is the name, the sort, the page and all fields of advanced search, each of which narrows', () => {
  const filled: SearchFilters = {
    patientName: 'doe',
    number: '4711',
    mrn: 'M1',
    birthDate: '05-21-1980',
    sex: 'F',
    accession: 'A1',
    referring: 'ray',
    modalities: ['CT'],
    starred: '1',
    thin: '0',
    unread: '1',
    work: 'done',
    mixed: '1',
    incomplete: '1',
    studyUid: '1.2',
    studyUuid: 'u',
    sourceTitle: 'SRC',
    destinationTitle: 'DST',
    studyDate: { preset: 'custom', from: '2026-01-01', to: '2026-02-01' },
    uploaded: { preset: 'custom', from: '2026-03-01', to: '2026-04-01' },
    tags: ['stat'],
    description: 'head',
  }
  const asked = (filters: SearchFilters) => JSON.stringify(toFilters(view({ filters }), []))
  const fields = Object.keys(noFilters) as (keyof SearchFilters)[] // its keys by its type
  const idle = fields.filter((field) => asked({ ...noFilters, [field]: filled[field] }) === asked(noFilters))
  expect(idle).toEqual([])
  expect(Object.keys(filled)).toEqual(Object.keys(noFilters))
  const keyOf = (change: Partial<StudyView>) => JSON.stringify(studiesQuery(view(change), []).queryKey)
  expect(new Set([keyOf({}), keyOf({ page: 2 }), keyOf({ sort: 'exam-asc' }), keyOf({ filters: filled })]).size).toBe(4)
})
