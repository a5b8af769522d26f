import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { makeView } from '../../../test/make-view.ts'
import { showSignedIn } from '../../../test/signed-in.tsx'
import { noFilters, setSearchFilters, useSearchFilters } from '../../state/search-filters.ts'
import { StudyList } from './study-list.tsx'

interface Asked {
  signal: AbortSignal
  answer: (names: readonly string[]) => void
}

/** A server whose lists are answered when the test says so; counts are answered at once. */
function holdLists(): Map<string, Asked> {
  const asked = new Map<string, Asked>()
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    if (address.endsWith('study/count')) return Promise.resolve(Response.json({ status: 'OK', count: 7 }))
    const sent = JSON.parse(String(init.body)) as Record<string, string>
    return new Promise<Response>((resolve, reject) => {
      const { signal } = init
      if (!signal) throw new Error('A list was asked for without a way to give it up')
      signal.addEventListener('abort', () => reject(new DOMException('given up', 'AbortError')))
      const answer = (names: readonly string[]) => {
        const studies = names.map((name) => makeStudy({ uuid: name, patient_name: name }))
        resolve(Response.json({ status: 'OK', studies, page: { more: 0 } }))
      }
      asked.set(sent['filter.patient_name.like'] ?? '', { signal, answer })
    })
  })
  return asked
}

function Shown() {
  const filters = useSearchFilters()
  const on = {
    onSelect: vi.fn(),
    onClose: vi.fn(),
    onSort: vi.fn(),
    onWork: vi.fn(),
    onFilters: vi.fn(),
    onPage: vi.fn(),
  }
  const view = makeView({ filters })
  return <StudyList view={view} viewKey={`v ${filters.patientName}`} inboxes={[]} selectedUuid={undefined} {...on} />
}

test('while somebody types, earlier searches are given up and never show, whatever order answers come in', async () => {
  showSignedIn(<Shown />, { 'study/list': { studies: [makeStudy({ patient_name: 'Adams' })], page: { more: 0 } } })
  await screen.findByText('ADAMS')
  const asked = holdLists()
  for (const name of ['doe', 'doe j', 'doe ja']) {
    act(() => setSearchFilters({ ...noFilters, patientName: name }))
    await waitFor(() => expect(asked.has(`%${name}%`)).toBe(true))
    // Until an answer is there the rows of the search before stay, so that nothing flickers.
    expect(screen.getByText('ADAMS')).toBeTruthy()
  }
  expect(['%doe%', '%doe j%', '%doe ja%'].map((name) => asked.get(name)?.signal.aborted)).toEqual([true, true, false])
  asked.get('%doe ja%')?.answer(['Doe^Jane'])
  await screen.findByText('DOE, Jane')
  asked.get('%doe%')?.answer(['Doe^Zoe'])
  await act(async () => undefined)
  expect(screen.queryByText('DOE, Zoe')).toBeNull()
  expect(screen.getByRole('status').textContent).toContain('7 studies')
})
