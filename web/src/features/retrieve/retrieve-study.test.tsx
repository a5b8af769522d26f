import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { lastSent, makeInbox, type Replies, sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { RetrieveStudy } from './retrieve-study.tsx'

const place = { can_search: 1, can_push: 1, can_query_retrieve: 1, group_ids: null }
const two = {
  destinations: [
    { ...place, uuid: 'd1', name: 'Main PACS' },
    { ...place, uuid: 'd2', name: 'Archive' },
    { ...place, uuid: 'd3', name: 'Of others', group_ids: ['another'] },
  ],
  page: { more: 0 },
}
const exam = {
  study_uid: '1.2.3',
  patient_name: 'SILVA^ANA',
  patient_birth_date: '19800102',
  patient_sex: 'F',
  patientid: 'M1',
  issuer: '',
  accession_number: 'A7',
  study_date: '20260102',
  study_time: '',
  modality: 'CT',
  study_description: 'Chest',
  referring_physician: '',
  source_ae: 'PACS',
  image_count: 40,
  here_id: '',
  here_image_count: 0,
  retrieval: null as object | null,
}
const answer = (results: object[], more: object = {}) => ({ state: 'done', message: '', more: 0, results, ...more })

function show(replies: Replies = {}) {
  showSignedIn(<RetrieveStudy inbox={makeInbox('Clinic')} />, {
    'destination/list': two,
    'destination/search': ({ uuid }: { uuid: string }) => ({ uuid: `search of ${uuid}` }),
    ...replies,
  })
}

async function search(...names: string[]) {
  for (const name of names) await userEvent.click(await screen.findByRole('checkbox', { name }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Patient name' }), 'Silva')
  await userEvent.click(screen.getByRole('button', { name: 'Search' }))
}

test('[RETRIEVE-01] [RETRIEVE-02] [RETRIEVE-05] searches several destinations, groups by patient and retrieves what is chosen', async () => {
  let isAsked = false
  show({
    'destination/search/get': ({ uuid }: { uuid: string }) =>
      uuid === 'search of d1'
        ? answer([
            { ...exam, retrieval: isAsked ? { state: 'running', message: '', completed: 7, total: 40 } : null },
            { ...exam, study_uid: '1.2.4', study_description: 'Head', here_id: 's1', here_image_count: 40 },
          ])
        : answer([{ ...exam, study_uid: '1.2.5', patientid: 'OTHER' }]),
    'destination/retrieve': () => {
      isAsked = true
      return { status: 'OK' }
    },
  })
  await search('Main PACS', 'Archive')
  expect(screen.queryByRole('checkbox', { name: 'Of others' })).toBeNull()
  const patients = await waitFor(() => {
    const found = screen.getAllByRole('group').filter((one) => one.tagName === 'DETAILS')
    expect(found).toHaveLength(2)
    return found
  })
  expect(within(patients[0] as HTMLElement).getByText('2 exams')).toBeDefined()
  expect(screen.getByText('Here already')).toBeDefined()
  await userEvent.click(within(patients[0] as HTMLElement).getByRole('checkbox', { name: /Chest/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Retrieve 1 exam' }))
  expect(await screen.findByText('Being retrieved: 7 of 40 images')).toBeDefined()
  expect(lastSent('destination/retrieve')).toEqual({ destination_search_id: 'search of d1', study_uid: '1.2.3' })
  const asked = sentCalls.filter(({ path }) => path === 'destination/search').map(({ sent }) => sent)
  expect(asked).toEqual([
    expect.objectContaining({ uuid: 'd1', copy_to: 'ns-Clinic', patient_name: 'Silva' }),
    expect.objectContaining({ uuid: 'd2' }),
  ])
})

test('[RETRIEVE-05] asks again every 1500 ms while a destination searches, and says which one does', async () => {
  const askedAt: number[] = []
  show({
    'destination/search/get': () => {
      askedAt.push(performance.now())
      return askedAt.length < 3 ? answer([], { state: 'waiting' }) : answer([exam])
    },
  })
  await search('Main PACS')
  expect(await screen.findByText('Searching Main PACS')).toBeDefined()
  expect(screen.queryByText('No exams found')).toBeNull()
  expect(await screen.findByText('1 exam', {}, { timeout: 20_000 })).toBeDefined()
  expect(screen.queryByText('Searching Main PACS')).toBeNull()
  const waits = askedAt.slice(1).map((at, before) => at - (askedAt[before] ?? 0))
  expect(waits).toHaveLength(2)
  // never sooner; a busy machine asks later
  expect(Math.min(...waits)).toBeGreaterThan(1450)
})

test('[RETRIEVE-04] says that nothing was found', async () => {
  show({ 'destination/search/get': () => answer([]) })
  await search('Main PACS')
  expect(await screen.findByText('No exams found')).toBeDefined()
  expect(screen.getByText('No exam at the chosen destinations matches the search.')).toBeDefined()
})

test('[RETRIEVE-08] [RETRIEVE-09] asks for a destination and a value before it searches', async () => {
  show()
  await userEvent.click(await screen.findByRole('button', { name: 'Search' }))
  expect(screen.getByText('Please select a destination.')).toBeDefined()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Main PACS' }))
  await userEvent.click(screen.getByRole('button', { name: 'Search' }))
  expect(screen.getByText('Please enter a value to perform search.')).toBeDefined()
  expect(lastSent('destination/search')).toBeUndefined()
})

test.each([
  ['INSUFFICIENT_CRITERIA', undefined, 'Please enter a value to perform search.'],
  ['INVALID_VALUE', 'accession_number', /^Please check the field Accession number: /],
  ['INVALID_VALUE', 'end_datetime', /^Please check the field End date: /],
])('[RETRIEVE-08] says what is wrong with criteria that the server refuses: %s %s', async (code, field, words) => {
  show({ 'destination/search': { status: 'ERROR', error_type: code, error_subtype: field } })
  await search('Main PACS', 'Archive')
  // once, and not as an outage of each destination
  expect(await screen.findByText(words)).toBeDefined()
  expect(screen.queryByText(/could not be searched/)).toBeNull()
  expect(screen.queryByText('No exams found')).toBeNull()
})

test('[RETRIEVE-03] tells of exams of a destination that nothing is retrieved from, and offers none of them', async () => {
  const searched = { ...two.destinations[1], can_query_retrieve: 0 }
  show({
    'destination/list': { ...two, destinations: [two.destinations[0], searched] },
    'destination/search/get': ({ uuid }: { uuid: string }) =>
      answer([uuid === 'search of d1' ? exam : { ...exam, study_uid: '1.2.5', study_description: 'Head' }]),
  })
  // beside the destination before it is searched, and beside each exam afterwards
  await screen.findByText('Nothing is retrieved from Archive')
  await search('Main PACS', 'Archive')
  expect(await screen.findByRole('checkbox', { name: /Chest/ })).toBeDefined()
  expect(screen.queryByRole('checkbox', { name: /Head/ })).toBeNull()
  const [row] = screen.getAllByText('Head').map((one) => one.closest('li') as HTMLElement)
  expect(row && within(row).getByRole('status').textContent).toBe('Nothing is retrieved from Archive')
})

test('[RETRIEVE-03] gives the reason of a failed retrieval beside its state', async () => {
  const retrieval = { state: 'failed', message: 'Main PACS answered A701.', completed: 0, total: null }
  show({ 'destination/search/get': () => answer([{ ...exam, retrieval }]) })
  await search('Main PACS')
  const status = await screen.findByText('Not retrieved')
  expect(status.parentElement?.textContent).toBe('Not retrievedMain PACS answered A701.')
  // what failed may be asked for again
  expect(screen.getByRole('checkbox', { name: /Chest/ })).toHaveProperty('disabled', false)
})

test('[ERROR-13] names the destination that failed beside what others found', async () => {
  show({
    'destination/search/get': ({ uuid }: { uuid: string }) =>
      uuid === 'search of d1' ? answer([], { state: 'failed', message: 'The peer is busy' }) : answer([exam]),
  })
  await search('Main PACS', 'Archive')
  expect(await screen.findByText('Main PACS could not be searched: The peer is busy')).toBeDefined()
  expect(await screen.findByText('1 exam')).toBeDefined()
})

test('says so where no destination is set up', async () => {
  show({ 'destination/list': { destinations: [], page: { more: 0 } } })
  expect(await screen.findByText(/No destination is set up for this group/)).toBeDefined()
})
