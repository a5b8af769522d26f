import { defaultParseSearch } from '@tanstack/react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { queryClient } from '../queries/query-client.ts'
import { chooseAdvanced } from '../session/advanced-mode.ts'
import { clearStorage } from '../session/stored-session.ts'
import { putSession, readSession, type Session } from '../session/session-store.ts'
import { readListSearch } from '../state/list-search.ts'
import { clearSearchFilters, noFilters, setSearchFilters, useSearchFilters } from '../state/search-filters.ts'
import { goOnFromLogin, openLinkedSearch, pastInbox, requireInbox, requireSession, settleSearch } from './guards.ts'

afterEach(() => {
  putSession({ status: 'signedOut' })
  vi.unstubAllGlobals()
  queryClient.clear()
  clearSearchFilters()
})

function signIn(settings: Record<string, string>): void {
  const session = { sid: 'sid', user: { uuid: 'u' }, account: { settings }, settings } as unknown as Session
  putSession({ status: 'established', session })
}

/** Where a guard leads, or nothing when it lets pass. */
async function target(guard: () => Promise<void>): Promise<string | undefined> {
  try {
    await guard()
    return undefined
  } catch (thrown) {
    const { options } = thrown as { options: { to?: string; href?: string } }
    return options.to ?? options.href
  }
}

test('[ROUTE-11] without a session the inbox leads to the login screen', async () => {
  putSession({ status: 'signedOut' })
  expect(await target(requireSession)).toBe('/')
})

test('[ROUTE-13] an account whose enable_inbox_view is not 1 has no inbox', async () => {
  signIn({ enable_inbox_view: '0' })
  expect(await target(requireInbox)).toBe('/404')
  signIn({})
  expect(await target(requireInbox)).toBe('/404')
  signIn({ enable_inbox_view: '1' })
  expect(await target(requireInbox)).toBeUndefined()
  expect(await target(requireSession)).toBeUndefined()
})

test('[ROUTE-14] who is signed in goes on from the login screen to the inbox', async () => {
  signIn({ enable_inbox_view: '1' })
  expect(await target(goOnFromLogin)).toBe('/group/list')
})

test('an administrator of a new organisation goes on to its first steps, and everybody else to the inbox', async () => {
  const open = { enable_inbox_view: '1', first_steps: 'open' }
  const begin = (settings: Record<string, string>, permissions: Record<string, number>) => {
    signIn(settings)
    const state = readSession()
    if (state.status === 'established') putSession({ ...state, session: { ...state.session, permissions } })
    return target(goOnFromLogin)
  }
  expect(await begin(open, { account_edit: 1 })).toBe('/administration')
  expect(await begin(open, { study_view: 1 })).toBe('/group/list')
  expect(await begin({ ...open, first_steps: 'dismissed' }, { account_edit: 1 })).toBe('/group/list')
})

test('[ROUTE-16] who chose the Advanced UI goes on to it, past the inbox, until the inbox is chosen or the session ends', async () => {
  signIn({})
  chooseAdvanced(true)
  expect(await target(goOnFromLogin)).toBe('/worklist')
  chooseAdvanced(false)
  expect(await target(goOnFromLogin)).toBe('/group/list')
  chooseAdvanced(true)
  clearStorage()
  expect(await target(goOnFromLogin)).toBe('/group/list')
})

test('who chose a saved search as the start begins there, unless the Advanced UI is where they work', async () => {
  signIn({ start_place: '/group/list?filter=s-1' })
  expect(await target(goOnFromLogin)).toBe('/group/list?filter=s-1')
  chooseAdvanced(true)
  expect(await target(goOnFromLogin)).toBe('/worklist')
  chooseAdvanced(false)
  signIn({ start_place: 'https://elsewhere.example/' })
  expect(await target(goOnFromLogin)).toBe('/group/list')
})

/** Where a copied link leads when the server answers so; a failure is thrown by the network. */
function followLink(reply: () => Response | never): Promise<string | undefined> {
  queryClient.setDefaultOptions({ queries: { retry: false } })
  vi.stubGlobal('fetch', async () => reply())
  const place = {
    search: { filter: 'kept-1' },
    location: { pathname: '/group/list', searchStr: '?filter=kept-1&page=2' },
  }
  return target(() => openLinkedSearch(place))
}
const refused = () => Response.json({ status: 'ERROR', error_type: 'NOT_FOUND' }, { status: 412 })
const kept = () => Response.json({ status: 'OK', configuration: { web: { mrn: 'NS-1' } } })
const lost = () => {
  throw new TypeError('Failed to fetch')
}
const broken = () => new Response('<html>Bad gateway</html>', { status: 502 })

test('a copied link puts its search in force and leaves the address', async () => {
  signIn({})
  expect(await followLink(kept)).toBe('/group/list?page=2')
  expect(useSearchFilters.getState()).toEqual({ ...noFilters, mrn: 'NS-1' })
})

test('a copied link whose search the server refuses is told apart from one that could not be asked for', async () => {
  signIn({})
  expect(await followLink(refused)).toBe('/group/list?filter=gone&page=2')
  for (const failure of [lost, broken]) expect(await followLink(failure)).toBeUndefined()
  expect(useSearchFilters.getState()).toEqual(noFilters)
  expect(await followLink(kept)).toBe('/group/list?page=2')
})

/** The screens of lists, by the end of their addresses. */
function enterList(searchStr: string): Promise<string | undefined> {
  const search = readListSearch(defaultParseSearch(searchStr))
  return target(() => settleSearch({ search, location: { pathname: '/group/list', searchStr } }))
}

test('filters of an address are put in force, beside the text that never stands there', async () => {
  setSearchFilters({ ...noFilters, patientName: 'doe', starred: '1' })
  expect(await enterList('?modality=CT.MR&exam=last7Days&page=2')).toBeUndefined()
  expect(useSearchFilters.getState()).toEqual({
    ...noFilters,
    patientName: 'doe',
    modalities: ['CT', 'MR'],
    studyDate: { preset: 'last7Days' },
  })
})

test('an address without filters is given those in force, and never what names a patient', async () => {
  setSearchFilters({ ...noFilters, patientName: 'doe', mrn: 'M1', tags: ['roe'], unread: '0', work: 'open' })
  expect(await enterList('?sort=name-asc')).toBe('/group/list?sort=name-asc&work=open&unread=no')
  expect(await enterList('?work=nothing')).toBeUndefined()
  expect(useSearchFilters.getState()).toMatchObject({ patientName: 'doe', work: '', unread: '' })
})

test.each([
  ['/inbox/group/list?page=2', '/group/list?page=2'],
  ['/inbox', '/'],
  ['/inbox/', '/'],
  ['/inbox?page=2', '/?page=2'],
  ['/inbox//elsewhere.example', '/elsewhere.example'],
])('[ROUTE-09] %s leads to %s, and neither back to itself nor to another host', (from, to) => {
  expect(pastInbox(from)).toBe(to)
})
