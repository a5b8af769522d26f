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
