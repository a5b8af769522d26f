import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeInbox, showSignedIn } from '../../../test/signed-in.tsx'
import { forgetAnswers, noteAnswer } from '../../queries/answer-times.ts'
import { clearDrafts } from '../../state/drafts.ts'
import { clearSearchFilters, noFilters, setSearchFilters, useSearchFilters } from '../../state/search-filters.ts'
import { askAfterMs } from './find-soon.ts'
import { SearchBar } from './search-bar.tsx'

const inbox = makeInbox('Emergency')

beforeEach(() => {
  clearSearchFilters()
  clearDrafts()
  forgetAnswers()
  noteAnswer('list', 20, false)
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

function show() {
  const on = { onSearch: vi.fn(), onType: vi.fn() }
  showSignedIn(<SearchBar inboxes={[inbox]} inbox={inbox} today="2026-11-21" {...on} />)
  return on
}
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: /^Name, MRN/ })
const type = (value: string) => fireEvent.change(field(), { target: { value } })
const rest = (ms = askAfterMs) => act(() => vi.advanceTimersByTimeAsync(ms))
const inForce = () => useSearchFilters.getState()

test('what is typed is searched by once it rests, and the field keeps what stands in it', async () => {
  const { onType, onSearch } = show()
  for (const text of ['d', 'do', 'doe', 'doe ']) {
    type(text)
    await rest(askAfterMs - 1)
  }
  expect(onType).not.toHaveBeenCalled()
  await rest(1)
  expect(onType).toHaveBeenCalledOnce()
  expect(inForce()).toEqual({ ...noFilters, patientName: 'doe' })
  expect(field().value).toBe('doe ')
  type('doe  ')
  await rest()
  expect(onType).toHaveBeenCalledOnce()
  type('NS-1002')
  await rest()
  expect(inForce()).toEqual({ ...noFilters, number: 'NS-1002' })
  type('')
  await rest()
  expect(inForce()).toEqual(noFilters)
  expect([onType.mock.calls.length, onSearch.mock.calls.length]).toEqual([3, 0])
})

test('Enter searches at once, and the rest after it asks no second time', async () => {
  const { onType, onSearch } = show()
  type('doe')
  fireEvent.submit(field())
  expect(onSearch).toHaveBeenCalledExactlyOnceWith(inbox)
  expect(inForce().patientName).toBe('doe')
  await rest()
  expect(onType).not.toHaveBeenCalled()
})

test.each([
  ['a tag, which would be added letter by letter', '#trauma'],
  ['a text that narrows nothing', 'do'],
])('%s waits for Search', async (_what, text) => {
  const { onType } = show()
  type(text)
  await rest()
  expect([onType.mock.calls.length, inForce()]).toEqual([0, noFilters])
})

test('two signs of a name are enough where a name has no more', async () => {
  show()
  type('山田')
  await rest()
  expect(inForce().patientName).toBe('山田')
})

test('a word that is still composed from its sounds is not searched by', async () => {
  const { onType } = show()
  fireEvent.compositionStart(field())
  fireEvent.input(field(), { target: { value: 'やまだ' }, isComposing: true })
  await rest()
  expect(onType).not.toHaveBeenCalled()
  fireEvent.compositionEnd(field())
  await rest()
  expect(inForce().patientName).toBe('やまだ')
})

test('with a slow server, and for another group than the one that is shown, results come by Search alone', async () => {
  const { onType } = show()
  fireEvent.change(screen.getByRole('combobox', { name: 'Group' }), { target: { value: '0' } })
  type('doe')
  await rest()
  fireEvent.change(screen.getByRole('combobox', { name: 'Group' }), { target: { value: inbox.namespaceId } })
  noteAnswer('text', 300, false)
  type('doe j')
  await rest()
  expect([onType.mock.calls.length, inForce()]).toEqual([0, noFilters])
})

/** Words in the field about its text; no status of the page stands before them. */
const said = () => screen.getAllByRole('status')[0]?.textContent

test('where typing does not search, the field says that Enter does, and says so of nothing that is in force', async () => {
  const { onSearch } = show()
  type('#trauma')
  expect(said()).toBe('Tag: Enter searches')
  type('doe')
  expect(said()).toBe('Name')
  await rest()
  expect(said()).toBe('Name')
  noteAnswer('text', 300, false)
  type('do')
  expect(said()).toBe('Name')
  type('NS-1002')
  await rest()
  expect(said()).toBe('Number: Enter searches')
  fireEvent.submit(field())
  expect(onSearch).toHaveBeenCalledOnce()
  expect([said(), inForce().number]).toEqual(['MRN or accession', 'NS-1002'])
  forgetAnswers()
  noteAnswer('text', 20, false)
  fireEvent.change(screen.getByRole('combobox', { name: 'Group' }), { target: { value: '0' } })
  type('doe')
  expect(said()).toBe('Name: Enter searches')
})

test('Back to another search shows that one in the field', async () => {
  show()
  type('doe')
  await rest()
  act(() => setSearchFilters({ ...noFilters, patientName: 'roe' }))
  expect(field().value).toBe('roe')
})
