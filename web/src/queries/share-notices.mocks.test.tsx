import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeInbox, makeSession } from '../../test/signed-in.tsx'
import { putSession } from '../session/session-store.ts'
import { useShareNotices } from './share-notices.ts'
import { studyKeys } from './studies.ts'

const mine = makeInbox('My studies', { kind: 'mine', namespaceId: 'ns-mine' })
const organisation = makeInbox('Organisation inbox', {
  kind: 'organisation',
  namespaceId: 'ns-organisation',
  permissions: { study_view: 1 },
})
const neuro = makeInbox('Neuro', { namespaceId: 'ns-neuro', permissions: { study_view: 1 } })
const spine = makeInbox('Spine', { namespaceId: 'ns-spine', permissions: { study_view: 1 } })
const hidden = makeInbox('Hidden', { namespaceId: 'ns-hidden' })
const gate = makeInbox('Gate', { namespaceId: 'ns-gate', designation: 'GATEKEEPER', permissions: { study_view: 1 } })
const places = [mine, organisation, neuro, spine, hidden, gate]

interface Row {
  uuid: string
  phi_namespace: string
  created: string
  created_by_name: string
}
let lastNumber = 0
/** The n-th exam that came to a place. */
const row = (place: { namespaceId: string }, nth: number, who = 'Alex Kern'): Row => ({
  uuid: `study-${lastNumber++}`,
  phi_namespace: place.namespaceId,
  created: `2026-11-29 08:${String(nth).padStart(2, '0')}:00.000000+00`,
  created_by_name: who,
})

let rows: Row[] = []
/** Namespaces that were asked for. */
const asked = new Set<string>()
const fields: Record<string, unknown>[] = []

/** The list as the server answers it: newest first, so many rows of the places. */
function answer(sent: Record<string, unknown>) {
  fields.push(sent)
  const { 'filter.phi_namespace.in': inPlaces, 'filter.phi_namespace.equals': inPlace, 'page.rows': most } = sent
  const namespaces = [inPlaces, inPlace].flat().filter((one) => typeof one === 'string')
  for (const namespace of namespaces) asked.add(namespace)
  const found = rows.filter((one) => namespaces.includes(one.phi_namespace))
  return found.toSorted((a, b) => (a.created < b.created ? 1 : -1)).slice(0, Number(most))
}

const told = vi.hoisted(() => [] as string[])
vi.mock('../state/notices.ts', () => ({ putNotice: (text: string) => told.push(text) }))

function Watched() {
  useShareNotices(places)
  return null
}

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
/** Reads the lists as they are by now. @returns texts that were told since the last reading */
async function readAgain(): Promise<string[]> {
  const before = told.length
  await act(async () => {
    await client.invalidateQueries({ queryKey: studyKeys.lists })
    await vi.advanceTimersByTimeAsync(50)
  })
  return told.slice(before)
}

beforeEach(async () => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', async (_address: string, init: RequestInit) =>
    Response.json({ status: 'OK', studies: answer(JSON.parse(String(init.body))), page: {}, more: 0 }),
  )
  putSession({ status: 'established', session: makeSession() })
})
afterEach(() => {
  client.clear()
  rows = []
  asked.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function open(): Promise<void> {
  render(
    <QueryClientProvider client={client}>
      <Watched />
    </QueryClientProvider>,
  )
  await readAgain()
}

test('tells of an exam that comes while the person is here, and of none from before', async () => {
  rows = [row(mine, 1), row(organisation, 1)]
  await open()
  expect(await readAgain()).toEqual([])
  rows.push(row(mine, 2, 'Sam Frost'))
  expect(await readAgain()).toEqual(['Sam Frost shared an exam with you. It is in My studies.'])
  rows.push(row(organisation, 2, 'Ida Berg'))
  expect(await readAgain()).toEqual(['Ida Berg sent your organisation an exam. It is in the Organisation inbox.'])
  rows.push(row(organisation, 3), row(organisation, 4))
  expect(await readAgain()).toEqual(['2 exams were sent to your organisation. They are in the Organisation inbox.'])
})

test.each([
  ['My studies', mine],
  ['the Organisation inbox', organisation],
  ['a group', neuro],
])('an exam that leaves %s, or is restored there, makes an older one no news', async (_where, place) => {
  rows = Array.from({ length: 40 }, (_, nth) => row(place, nth))
  await open()
  const gone = rows.splice(30)
  expect(await readAgain()).toEqual([])
  rows = []
  expect(await readAgain()).toEqual([])
  rows = gone
  expect(await readAgain()).toEqual([])
})

test('an exam that somebody shares with a group is told to those who see the group', async () => {
  await open()
  rows = [row(neuro, 1, 'Sam Frost'), row(hidden, 2), row(gate, 3)]
  expect(await readAgain()).toEqual(['Sam Frost shared an exam with Neuro.'])
  expect(asked).not.toContain('ns-hidden')
  expect(asked).not.toContain('ns-gate')
  // nobody is told of what they shared themselves
  expect(new Set(fields.map((sent) => sent['filter.created_by.not_equals']))).toEqual(new Set(['u']))
})

test('exams that come into groups one after the other are told together, once a minute', async () => {
  await open()
  rows = [row(neuro, 1)]
  expect(await readAgain()).toEqual(['Alex Kern shared an exam with Neuro.'])
  rows.push(row(neuro, 2))
  expect(await readAgain()).toEqual([])
  rows.push(row(neuro, 3))
  expect(await readAgain()).toEqual([])
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(told.at(-1)).toBe('2 exams were shared with Neuro.')
  rows.push(row(neuro, 4), row(spine, 5))
  expect(await readAgain()).toEqual([])
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(told.at(-1)).toBe('2 exams were shared with your groups.')
})
