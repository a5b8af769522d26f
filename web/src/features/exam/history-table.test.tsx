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

async function show(count: number, more: number, given: object = {}): Promise<number> {
  const events = Array.from({ length: count }, (_, at) => ({ ...event(at), ...given }))
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
