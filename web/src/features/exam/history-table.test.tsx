import { screen } from '@testing-library/react'
import { Suspense } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { showSignedIn } from '../../../test/signed-in.tsx'
import { HistoryTable } from './history-table.tsx'

afterEach(() => vi.unstubAllGlobals())

const place = {
  uuid: 'p',
  type: 'group_id',
  type_uuid: 'g',
  name: 'Neuro',
  settings: {},
  permissions: { audit_view: 1 },
}
const event = (at: number) => ({
  uuid: `e${at}`,
  action: 'STUDY_VIEW',
  type: 'Study',
  what: '',
  who: 'Mel Tanaka',
  proxy: '',
  when: '2026-03-01 10:00:00',
  detail: '',
  with: '',
  client_address: '',
})

async function show(count: number, more: number, given: object = { action: 'STUDY_DOWNLOAD' }): Promise<number> {
  return showEvents(
    Array.from({ length: count }, (_, at) => ({ ...event(at), ...given })),
    more,
  )
}

async function showEvents(events: readonly object[], more: number): Promise<number> {
  const shown = (
    <Suspense>
      <HistoryTable study={makeStudy({ phi_namespace: 'p' })} />
    </Suspense>
  )
  showSignedIn(shown, {
    'user/namespace/list': { namespaces: [place] },
    'audit/object': { events, page: { more, rows: 100, number: 1 } },
  })
  await screen.findByRole('table')
  return screen.getAllByRole('row').length - 1
}

test('views that one person repeated stand in one row, with how many there were and since when', async () => {
  const at = (minute: number, given: object = {}) => ({
    ...event(minute),
    when: `2026-03-01 10:0${minute}:00`,
    ...given,
  })
  const events = [at(7), at(6), at(5), at(4, { who: 'Ada Okafor' }), at(3), at(2, { action: 'STUDY_DOWNLOAD' }), at(1)]
  expect(await showEvents(events, 0)).toBe(5)
  expect(screen.getByText(/^3 times since .*10:05/)).toBeDefined()
  expect(screen.getAllByText(/times since/)).toHaveLength(1)
})

test('what changed something keeps a row each', async () => {
  expect(await show(4, 0)).toBe(4)
  expect(screen.queryByText(/times since/)).toBeNull()
})

test('a history longer than what is shown says so', async () => {
  expect(await show(100, 1)).toBe(100)
  expect(screen.getByText('The newest 100 events are shown; there are older ones.')).toBeDefined()
})

test('a history that is shown whole says nothing of more', async () => {
  expect(await show(100, 0)).toBe(100)
  expect(screen.queryByText(/older ones/)).toBeNull()
})

test('tells that somebody confirmed the patient, and in what kind both differed', async () => {
  const differs = ['name-different', 'birth-date-different', 'no-such-kind']
  await show(1, 0, { action: 'EDIT', detail: { patient_confirmed: { verdict: 'different', differs } } })
  const words = 'Confirmed as the patient of the exam, although: Different name · Different date of birth'
  expect(screen.getByText(words)).toBeDefined()
})

test('tells why an exam was sent under the MRN of another patient of the archive', async () => {
  await show(1, 0, { action: 'PUSH', detail: { destination: 'PACS', mrn_reason: 'Both are one' } })
  expect(screen.getByText('Sent all the same, because: Both are one')).toBeDefined()
})

test('images that came later stand with their number, and what came by a share code or a request with its sender [SUMMARY-02]', async () => {
  const events = [
    { ...event(3), action: 'IMAGE_ADDED', who: 'CT_ROOM_2', detail: { images: 12 } },
    { ...event(2), action: 'IMAGE_ADDED', who: 'Link', detail: { images: 1, sender: 'Clinic West' } },
    {
      ...event(1),
      action: 'CREATE',
      who: 'Link',
      detail: { source: 'upload', sender: 'GP Dr Klein', by_share_code: true },
    },
  ]
  expect(await showEvents(events, 0)).toBe(3)
  const [, node, link, made] = screen.getAllByRole('row').map(({ textContent }) => textContent)
  expect(node).toContain('CT_ROOM_2Images added12 images came later')
  expect(link).toContain('LinkImages added1 image came laterSent by Clinic West')
  expect(made).toContain('LinkUploadSent by GP Dr Klein, with the share code')
})

test('tells in words what sharing an exam again changed, and from when to when access lasts', async () => {
  const [before, after] = ['2026-03-11 10:00:00.000000+00', '2026-03-18 10:00:00.000000+00']
  const facts = { share: 'h', to: 'account a', attachments: true, message: true, taken_over: true }
  const detail = { ...facts, expires_at: [before, after] }
  await showEvents([{ ...event(1), action: 'EDIT', type: 'Study_share', with: 'Lakeside Radiology', detail }], 0)
  const [, row] = screen.getAllByRole('row').map(({ textContent }) => textContent)
  expect(row).toContain('Share changed: Lakeside Radiology')
  expect(row).toMatch(/Access ends: .*2026 10:00 → .*2026 10:00/)
  expect(row).toContain('The attached files go alongA new messageAsked for again by this person')
})
