import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { lastSent, makeInbox, type Replies, sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { clearDrafts } from '../../state/drafts.ts'
import { useNotices } from '../../state/notices.ts'
import { clearSearchFilters, noFilters, setSearchFilters, useSearchFilters } from '../../state/search-filters.ts'
import { askForSavedList } from '../../state/saved-list.ts'
import { putSession } from '../../session/session-store.ts'
import { CopyLink } from './copy-link.tsx'
import { SearchBar } from './search-bar.tsx'

const emergency = makeInbox('Emergency')
const library = makeInbox('A library with a name of many letters', { designation: 'LIBRARY' })
const inboxes = [library, emergency]
const today = '2026-11-21'

// Loaded when first wanted: on a busy machine that takes longer than a test waits.
beforeAll(() => Promise.all([import('./advanced-search.tsx'), import('./search-tips.tsx')]))
beforeEach(() => {
  clearSearchFilters()
  clearDrafts()
})

/** Shows the notices, as the shell does. */
function Shown() {
  return useNotices().map(({ id, text }) => <p key={id}>{text}</p>)
}

function show(replies: Replies = {}, inbox = undefined as typeof emergency | undefined) {
  const onSearch = vi.fn()
  render(replies, inbox, onSearch)
  return onSearch
}
function render(replies: Replies = {}, inbox = undefined as typeof emergency | undefined, onSearch = vi.fn()) {
  return showSignedIn(
    <SearchBar inboxes={inboxes} inbox={inbox} today={today} onSearch={onSearch}>
      <CopyLink today={today} />
      <Shown />
    </SearchBar>,
    { 'study/count': { count: 12 }, 'tag/list': { tags: [] }, 'filter/list': { filters: [] }, ...replies },
  )
}
const field = (name: string) => screen.getByRole('textbox', { name })
const find = 'Name, MRN, accession number, UID or tag'
const inPopup = (name: string) => screen.getAllByRole('textbox', { name }).at(-1) as HTMLElement
async function openAdvanced() {
  await userEvent.click(screen.getByRole('button', { name: /^Advanced search/ }))
  return screen.findByRole('dialog', { name: 'Advanced search' })
}
const searchButtons = () => screen.getAllByRole('button', { name: 'Search' }) as HTMLButtonElement[]

test('[SEARCH-01] [CONST-02] [ENTITY-09] [SHELL-14] name, group with an all option and names cut at 25, toggle, Search and Clear', async () => {
  const onSearch = show()
  const group = screen.getByRole('combobox', { name: 'Group' }) as HTMLSelectElement
  expect([...group.options].map(({ textContent }) => textContent)).toEqual([
    'All My Groups',
    'A library with a name of…',
    'Emergency',
  ])
  expect([...group.options].map(({ value }) => value)).toEqual(['0', library.namespaceId, emergency.namespaceId])
  expect(group.value).toBe('0')
  await userEvent.type(field(find), ' doe%jane ')
  await userEvent.selectOptions(group, 'Emergency')
  await userEvent.click(screen.getByRole('button', { name: 'Search' }))
  expect(useSearchFilters.getState().patientName).toBe('doe%jane')
  expect(onSearch).toHaveBeenCalledExactlyOnceWith(emergency)
})

test('[SEARCH-02] [SEARCH-04] Search waits while advanced search is open, and searching there closes it', async () => {
  const onSearch = show({}, emergency)
  await openAdvanced()
  expect(searchButtons()[0]?.disabled).toBe(true)
  const form = screen.getByRole('button', { name: /^Advanced search/ }).closest('form')
  fireEvent.submit(form as HTMLFormElement) // as Enter does
  expect(onSearch).not.toHaveBeenCalled()
  await userEvent.type(screen.getByRole('textbox', { name: 'MRN' }), 'NS-1')
  await userEvent.click(searchButtons().at(-1) as HTMLElement)
  expect(onSearch).toHaveBeenCalledExactlyOnceWith(emergency)
  expect(useSearchFilters.getState().mrn).toBe('NS-1')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(searchButtons()[0]?.disabled).toBe(false)
  expect(screen.getByRole('button', { name: 'Advanced search, 1 field in use' })).toBeTruthy()
})

test('the one field says what it takes the text for, and searches by that in place of what it held', async () => {
  setSearchFilters({ ...noFilters, patientName: 'doe', sex: 'F' })
  show()
  await userEvent.clear(field(find))
  for (const [typed, kind] of [
    ["o'connor", 'Name: Enter searches'],
    ['#stat', 'Tag: Enter searches'],
    ['1.2.840', 'UID: Enter searches'],
    ['NS-1002', 'Number: Enter searches'],
  ] as const) {
    await userEvent.clear(field(find))
    await userEvent.type(field(find), typed)
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain(kind)
  }
  await userEvent.click(screen.getByRole('button', { name: 'Search' }))
  expect(useSearchFilters.getState()).toEqual({ ...noFilters, number: 'NS-1002', sex: 'F' })
  expect((field(find) as HTMLInputElement).value).toBe('NS-1002')
})

test('a plain word that a tag in use begins with offers the tag, which is searched by in place of the word', async () => {
  setSearchFilters({ ...noFilters, sex: 'F', tags: ['trauma done'] })
  const tags = ['trauma done', 'no trauma', 'head trauma old', 'polytrauma', 'trauma'].map((tag) => ({ tag }))
  const onSearch = show({ 'tag/list': { tags } }, emergency)
  await userEvent.type(field(find), 'Trauma')
  const offered = await screen.findByRole('list', { name: 'Tags in use with a word that begins like this' })
  expect(
    within(offered)
      .getAllByRole('button')
      .map((button) => button.textContent),
  ).toEqual(['Tag trauma', 'Tag no trauma', 'Tag head trauma old'])
  expect(screen.getByText('3 tags in use begin like this. Tab leads to them.').closest('[role=status]')).toBeTruthy()
  await userEvent.click(within(offered).getByRole('button', { name: 'Tag trauma' }))
  const { patientName, tags: searched, sex } = useSearchFilters.getState()
  expect({ patientName, searched, sex }).toEqual({ patientName: '', searched: ['trauma done', 'trauma'], sex: 'F' })
  expect(onSearch).toHaveBeenCalledExactlyOnceWith(emergency)
  expect((field(find) as HTMLInputElement).value).toBe('')
  expect(document.activeElement).toBe(field(find))
  expect(screen.queryByRole('list', { name: 'Tags in use with a word that begins like this' })).toBeNull()
})

test('the word itself is searched by as before, whatever tags there are', async () => {
  const onSearch = show({ 'tag/list': { tags: [{ tag: 'trauma' }] } }, emergency)
  await userEvent.type(field(find), 'trauma{Enter}')
  expect(useSearchFilters.getState()).toEqual({ ...noFilters, patientName: 'trauma' })
  expect(onSearch).toHaveBeenCalledOnce()
})

test('what else is searched by stands below as chips, each of which is taken off by itself', async () => {
  const filters = { ...noFilters, patientName: 'doe', unread: '1', work: 'open', tags: ['a', 'b'], mrn: 'M1' } as const
  setSearchFilters({ ...filters, uploaded: { preset: 'today' } })
  const onSearch = show({}, emergency)
  const chips = () =>
    within(screen.getByRole('list', { name: 'Searched by' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
  expect(chips()).toEqual(['MRN: M1', 'Unread: Yes', 'Status: Not done', 'Uploaded: Today', 'Tag: a', 'Tag: b'])
  await userEvent.click(screen.getByRole('button', { name: 'Remove Tag: a' }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove Uploaded: Today' }))
  expect(useSearchFilters.getState()).toEqual({ ...filters, tags: ['b'] })
  expect(onSearch.mock.calls).toEqual([[emergency], [emergency]])
})

test('what the list shows in a control of its own is no chip', () => {
  setSearchFilters({ ...noFilters, work: 'open', unread: '1' })
  showSignedIn(
    <SearchBar inboxes={inboxes} inbox={emergency} today={today} shownBelow={['work']} onSearch={vi.fn()} />,
    { 'study/count': { count: 12 } },
  )
  const chips = within(screen.getByRole('list', { name: 'Searched by' })).getAllByRole('listitem')
  expect(chips.map(({ textContent }) => textContent)).toEqual(['Unread: Yes'])
})

test('a tag that is typed in advanced search counts without being chosen', async () => {
  show()
  await openAdvanced()
  await userEvent.type(screen.getByRole('combobox', { name: 'Tags' }), ' trauma ')
  await userEvent.click(searchButtons().at(-1) as HTMLElement)
  expect(useSearchFilters.getState().tags).toEqual(['trauma'])
})

test('[SEARCH-03] Clear Search empties name and fields, goes back to all groups and searches again', async () => {
  setSearchFilters({ ...noFilters, patientName: 'doe', mrn: '7' })
  const onSearch = show()
  const group = screen.getByRole('combobox', { name: 'Group' }) as HTMLSelectElement
  await userEvent.selectOptions(group, 'Emergency')
  await userEvent.type(field(find), 'x')
  await userEvent.click(screen.getByRole('button', { name: 'Clear Search' }))
  expect(useSearchFilters.getState()).toEqual(noFilters)
  expect([group.value, (field(find) as HTMLInputElement).value]).toEqual(['0', ''])
  expect(onSearch).toHaveBeenCalledExactlyOnceWith(undefined)
  expect(sessionStorage.getItem('hilum.search')).toBeNull()
})

test('[SEARCH-03] Clear Search takes back what was only typed and chosen, and closes advanced search', async () => {
  const onSearch = show()
  const group = screen.getByRole('combobox', { name: 'Group' }) as HTMLSelectElement
  await userEvent.type(field(find), 'doe')
  await userEvent.selectOptions(group, 'Emergency')
  await openAdvanced()
  await userEvent.click(screen.getByRole('button', { name: 'Clear Search' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect((field(find) as HTMLInputElement).value).toBe('')
  expect(group.value).toBe('0')
  await userEvent.click(screen.getByRole('button', { name: 'Search' }))
  expect(onSearch.mock.calls).toEqual([[undefined], [undefined]])
  expect(useSearchFilters.getState()).toEqual(noFilters)
})

test('[SEARCH-05] [SEARCH-07] [SEARCH-08] [SEARCH-10] advanced search has its fields, Clear and Search', async () => {
  show()
  const popup = await openAdvanced()
  const labels = [...popup.querySelectorAll('label')].map(({ textContent }) => textContent)
  expect(labels).toEqual([
    'Patient name',
    'MRN',
    'Date of birth',
    'Sex',
    'Accession number',
    'Referring physician',
    'Modality',
    'Study date',
    'Uploaded',
    'Tags',
    'Study description',
    'Unread',
    'Status',
    'Starred',
    'Thin',
    'Several patients',
    'Incomplete',
    'Study UID',
    'Study UUID',
    'Source title',
    'Destination title',
  ])
  const groups = within(popup).getAllByRole('group')
  expect(groups.map((group) => group.querySelector('legend')?.textContent)).toEqual([
    'Patient',
    'Exam',
    'How it stands',
    'Identifiers and origin',
  ])
  const options = (name: string) =>
    [...(screen.getByRole('combobox', { name }) as HTMLSelectElement).options].map(({ textContent, value }) => [
      textContent,
      value,
    ])
  expect(options('Sex').map(([label]) => label)).toEqual(['All', 'M', 'F', 'O'])
  expect(options('Starred')).toEqual([
    ['All', ''],
    ['Yes', '1'],
    ['No', '0'],
  ])
  expect(options('Thin')).toEqual(options('Starred'))
  expect(screen.getByRole('textbox', { name: 'Study description' }).getAttribute('rows')).toBe('4')
  await userEvent.type(inPopup('Accession number'), 'A1')
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }))
  expect((inPopup('Accession number') as HTMLInputElement).value).toBe('')
})

test('[SEARCH-13] a date of birth that is none is said by its field and not searched for', async () => {
  const onSearch = show()
  await openAdvanced()
  await userEvent.type(screen.getByRole('textbox', { name: 'Date of birth' }), '21-05-1980')
  expect(screen.getByText('Write the date as MM-DD-YYYY')).toBeTruthy()
  await userEvent.click(searchButtons().at(-1) as HTMLElement)
  expect(onSearch).not.toHaveBeenCalled()
})

test('[SEARCH-09] what would be found is asked for once a field rests for 250 ms, the study description for 500', async () => {
  show()
  await openAdvanced()
  await screen.findByText('12 studies')
  const asked = () => sentCalls.filter(({ path }) => path === 'study/count').length
  vi.useFakeTimers()
  try {
    for (const [name, pauseMs] of [
      ['Referring physician', 250],
      ['Study description', 500],
    ] as const) {
      const before = asked()
      for (const text of ['o', 'ok', 'oka']) {
        fireEvent.change(inPopup(name), { target: { value: text } })
        await act(() => vi.advanceTimersByTimeAsync(pauseMs - 1))
      }
      expect([name, asked() - before]).toEqual([name, 0])
      await act(() => vi.advanceTimersByTimeAsync(1))
      expect([name, asked() - before]).toEqual([name, 1])
    }
  } finally {
    vi.useRealTimers()
  }
  expect(lastSent('study/count')).toMatchObject({
    'filter.referring_physician.like': '%oka%',
    'filter.study_description.like': '%oka%',
  })
})

test('Escape closes advanced search and gives the focus back', async () => {
  show()
  await openAdvanced()
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Advanced search' }))
})

test('[SEARCH-11] [SEARCH-12] [SEARCH-13] [SEARCH-14] Search tips has five: general, accession, saved search, name, date of birth', async () => {
  show()
  await userEvent.click(screen.getByRole('button', { name: 'Search tips' }))
  const dialog = await screen.findByRole('dialog', { name: 'Search tips' })
  expect([...dialog.querySelectorAll('dt')].map(({ textContent }) => textContent)).toEqual([
    'General',
    'Accession number',
    'Saved searches',
    'Patient name',
    'Date of birth',
  ])
  for (const rule of ['must match exactly', 'LAST%FIRST', 'MM-DD-YYYY', 'YYYYMMDD', 'matched in part']) {
    expect(dialog.textContent).toContain(rule)
  }
})

test('saved searches are put in order, and one of them is where the person begins', async () => {
  const kept = (name: string) => ({
    uuid: `s-${name}`,
    name,
    type: 'Study',
    owner: 'u',
    owner_name: '',
    account_id: 'a',
    namespace_id: null,
    is_mine: 1,
    may_edit: 1,
    configuration: { web: { mrn: name } },
  })
  show({ 'filter/list': { filters: [kept('Ankles'), kept('Chests')] }, 'setting/set': {}, 'filter/delete': {} })
  await openAdvanced()
  await userEvent.click(screen.getByRole('button', { name: 'Saved searches' }))
  const names = () =>
    screen.getAllByRole('button', { name: /^Begin with/ }).map((button) => button.getAttribute('aria-label'))
  await userEvent.click(await screen.findByRole('button', { name: 'Move Chests up' }))
  await waitFor(() => expect(names()[0]).toBe('Begin with Chests after signing in'))
  expect(lastSent('setting/set')).toMatchObject({ key: 'search_order', value: '["s-Chests","s-Ankles"]' })
  const start = () => screen.getByRole('button', { name: 'Begin with Ankles after signing in' })
  await userEvent.click(start())
  await waitFor(() => expect(start().getAttribute('aria-pressed')).toBe('true'))
  expect(lastSent('setting/set')).toMatchObject({ key: 'start_place', value: '/group/list?filter=s-Ankles' })
  await userEvent.click(screen.getByRole('button', { name: 'Delete Ankles' }))
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(lastSent('setting/set')).toMatchObject({ key: 'start_place', value: 'inbox' }))
})

test('[SEARCH-08] a search is saved with the form as filled, used, renamed and deleted', async () => {
  const kept = {
    uuid: 's1',
    name: 'CT of the week',
    type: 'Study',
    owner: 'u',
    owner_name: '',
    account_id: 'a',
    namespace_id: null,
    is_mine: 1,
    may_edit: 1,
    configuration: {
      web: { modalities: ['CT'], uploaded: { preset: 'last7Days' }, mrn: 4, studyDate: { preset: 'x' } },
    },
  }
  show({ 'filter/list': { filters: [kept, { ...kept, uuid: 's2', configuration: {} }] } })
  await openAdvanced()
  await userEvent.type(screen.getByRole('textbox', { name: 'MRN' }), 'NS-1')
  await userEvent.click(screen.getByRole('button', { name: 'Saved searches' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Name of the search' }), 'Mine')
  await userEvent.click(screen.getByRole('button', { name: 'Save this search' }))
  await waitFor(() => expect(lastSent('filter/add')).toBeTruthy())
  expect(lastSent('filter/add')).toMatchObject({
    name: 'Mine',
    type: 'Study',
    account_id: 'a',
    configuration: { 'patientid.like': '%NS-1%', web: { ...noFilters, mrn: 'NS-1' } },
  })
  await userEvent.click(screen.getByRole('button', { name: 'Rename CT of the week' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'New name' }), '!')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(lastSent('filter/set')).toEqual({ uuid: 's1', name: 'CT of the week!' }))
  await userEvent.click(screen.getByRole('button', { name: 'Delete CT of the week' }))
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(lastSent('filter/delete')).toEqual({ uuid: 's1' }))
})

test('the list of saved searches opens where it was asked for, again after it was folded, and goes with the form', async () => {
  show({ 'filter/list': { filters: [] } })
  act(askForSavedList)
  await screen.findByText('No searches are saved yet.')
  await userEvent.click(screen.getByRole('button', { name: 'Saved searches' }))
  expect(screen.queryByText('No searches are saved yet.')).toBeNull()
  act(askForSavedList)
  await screen.findByText('No searches are saved yet.')
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  await openAdvanced()
  expect(screen.queryByText('No searches are saved yet.')).toBeNull()
})

test('[SEARCH-08] a saved search is put in force as it was filled; what is not understood is left out', async () => {
  const configuration = {
    web: { modalities: ['CT'], uploaded: { preset: 'last7Days' }, mrn: 4, studyDate: { preset: 'x' } },
  }
  const kept = { uuid: 's1', name: 'CT', namespace_id: 'ns-Emergency', owner_name: 'Ana', is_mine: 0, may_edit: 0 }
  const onSearch = show({ 'filter/list': { filters: [{ ...kept, configuration }] } })
  await openAdvanced()
  await userEvent.click(screen.getByRole('button', { name: 'Saved searches' }))
  await userEvent.click(await screen.findByRole('button', { name: 'CT' }))
  expect(useSearchFilters.getState()).toEqual({
    ...noFilters,
    modalities: ['CT'],
    uploaded: { preset: 'last7Days' },
  })
  expect(onSearch).toHaveBeenCalledOnce()
})

test('a copied link carries the number of the search and nothing of the patient', async () => {
  setSearchFilters({ ...noFilters, patientName: 'secretname' })
  const user = userEvent.setup()
  show({ 'filter/add': { uuid: 'kept-1' } })
  await user.click(screen.getByRole('button', { name: 'Copy link to this search' }))
  await screen.findByText(/Link copied/)
  expect(lastSent('filter/add')).toMatchObject({ type: 'Link', account_id: 'a' })
  const copied = await navigator.clipboard.readText()
  expect(copied).toContain('filter=kept-1')
  expect(copied).not.toContain('secretname')
})

test('advanced search is there again as it was filled when the session ends, and closing it forgets that', async () => {
  const { unmount } = render()
  await openAdvanced()
  await userEvent.type(screen.getByRole('textbox', { name: 'MRN' }), 'NS-77')
  act(() => putSession({ status: 'signedOut', reason: 'ended' }))
  unmount()
  const again = render()
  expect((await screen.findByRole('textbox', { name: 'MRN' })).getAttribute('value')).toBe('NS-77')
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  again.unmount()
  render()
  expect(screen.queryByRole('dialog')).toBeNull()
})
