import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { makeView } from '../../../test/make-view.ts'
import { showRouted } from '../../../test/routed.tsx'
import { showSignedIn } from '../../../test/signed-in.tsx'
import type { Inbox } from '../../queries/namespaces.ts'
import { noFilters, type SearchFilters } from '../../state/search-filters.ts'
import { EmptyList } from './empty-list.tsx'

function show(filters: Partial<SearchFilters>) {
  const onFilters = vi.fn()
  const view = makeView({ filters: { ...noFilters, ...filters } })
  showSignedIn(<EmptyList view={view} inboxes={[]} onShowAnyStatus={() => undefined} onFilters={onFilters} />)
  return onFilters
}

test.each([
  [{ tags: ['a', 'b'] }, '2 tags narrow this search.', 'Search without them'],
  [{ tags: ['a'] }, '1 tag narrows this search.', 'Search without it'],
  [{ tags: ['a'], modalities: ['CT'], work: 'done' }, '3 filters narrow this search.', 'Search without them'],
])('a search that finds nothing beside %j says so, and searches by its text alone', async (given, text, button) => {
  const onFilters = show({ patientName: 'doe', ...given })
  await screen.findByText('No study matches the search.')
  expect(screen.getByText(text)).toBeTruthy()
  expect(screen.queryByText(/fewer letters/)).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: button }))
  expect(onFilters).toHaveBeenCalledExactlyOnceWith({ ...noFilters, patientName: 'doe' })
})

test('a search by text alone that finds nothing is told of fewer letters', async () => {
  show({ patientName: 'doe' })
  expect(await screen.findByText(/fewer letters/)).toBeTruthy()
})

test('a number that finds nothing is told how numbers are compared, and of no fewer letters', async () => {
  show({ number: 'NS-100234' })
  expect(await screen.findByText(/any part of it, an accession number as a whole/)).toBeTruthy()
  expect(screen.queryByText(/fewer letters/)).toBeNull()
})

test('a list narrowed by status alone is told of the status', async () => {
  show({ work: 'done' })
  expect(await screen.findByText('No study has this status.')).toBeTruthy()
})

test('somebody who may upload and see nothing is told whom exams are shown to and led to the upload, from one group as from all', async () => {
  const inbox: Inbox = {
    id: 'g',
    name: 'Drop',
    kind: 'group',
    idField: 'group_id',
    designation: 'CLOUD',
    namespaceId: 'ns',
    permissions: { study_upload: 1 },
    states: ['Inbox'],
  }
  for (const [view, address] of [
    [makeView(), '/study/upload'],
    [makeView({ inbox }), '/study/upload?group=g'],
  ] as const) {
    const { unmount } = showRouted(
      <EmptyList view={view} inboxes={[inbox]} onShowAnyStatus={() => undefined} onFilters={() => undefined} />,
    )
    expect(await screen.findByText(/^What you upload is shown to those who work with it/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Upload exams' }).getAttribute('href')).toBe(address)
    unmount()
  }
})
