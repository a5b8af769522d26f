import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { showSignedIn } from '../../../test/signed-in.tsx'
import { studyKeys } from '../../queries/studies.ts'
import { studySchemaQuery } from '../../queries/study-schema.ts'
import { ExamPanel } from './exam-panel.tsx'
import { DemographicFacts, Information } from './summary-facts.tsx'

const nothing = () => undefined
const onClose = vi.fn()
beforeEach(() => onClose.mockClear())

function showPanel(uuid: string, replies: Record<string, unknown>, more: Parameters<typeof makeStudy>[0] = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const listed = makeStudy({ uuid: 'u1', patient_name: 'DOE^JANE', ...more })
  client.setQueryData([...studyKeys.lists, 'page', {}], { studies: [listed], hasMore: false })
  showSignedIn(
    <QueryClientProvider client={client}>
      <ExamPanel
        uuid={uuid}
        designationOf={() => 'CLOUD'}
        state="Inbox"
        tab={undefined}
        onTab={nothing}
        onClose={onClose}
      />
    </QueryClientProvider>,
    {
      'study/mrn/holders': { holders: [], elsewhere: 0, more: 0 },
      'user/namespace/list': { namespaces: [] },
      'study/related': { related: [], more: 0 },
      ...replies,
    },
  )
}

test('a listed study is there at once, before the server has answered', () => {
  showPanel('u1', {})
  expect(screen.getByRole('heading', { name: 'DOE, JANE' })).toBeDefined()
})

test('[DELETE-01] Delete of the menu asks at once, and nothing asks by itself for the next study', async () => {
  const permissions = { study_delete: 1 }
  const replies = {
    'study/get': ({ uuid }: { uuid: string }) => makeStudy({ uuid, permissions }),
    'study/mrn/holders': { holders: [], elsewhere: 0, more: 0 },
    'user/namespace/list': { namespaces: [] },
    'study/related': { related: [], more: 0 },
    'study/delete/people': { count: 0, people: [] },
  }
  function Panels() {
    const [uuid, setUuid] = useState('u1')
    const [tab, setTab] = useState<string>()
    return (
      <>
        <ExamPanel uuid={uuid} designationOf={() => 'CLOUD'} state="Inbox" tab={tab} onTab={setTab} onClose={onClose} />
        <button type="button" onClick={() => setUuid('u2')}>
          Next
        </button>
        <button type="button" onClick={() => setUuid('u1')}>
          Before
        </button>
      </>
    )
  }
  showSignedIn(<Panels />, replies)
  await userEvent.click(await screen.findByRole('button', { name: 'More actions' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete exam' }))
  await screen.findByRole('dialog', { name: 'Delete this exam?' })
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(screen.getByRole('tab', { name: 'Delete exams', selected: true })).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Next' }))
  await screen.findByRole('tab', { name: 'Delete exams', selected: true })
  expect(screen.queryByRole('dialog')).toBeNull()
  // the question stands while the browser goes to another study, and back
  await userEvent.click(screen.getByRole('button', { name: 'Delete exam' }))
  await screen.findByRole('dialog', { name: 'Delete this exam?' })
  fireEvent.click(screen.getByText('Before'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  fireEvent.click(screen.getByText('Next'))
  await screen.findByRole('tab', { name: 'Delete exams', selected: true })
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a listed study that is gone by now is not shown on', async () => {
  showPanel('u1', { 'study/get': 412 })
  expect(await screen.findByText(/This study is no longer here/)).toBeDefined()
  expect(screen.queryByRole('heading', { name: 'DOE, JANE' })).toBeNull()
})

test.each([
  ['OTHER', 'Outside MRN (OTHER)'],
  ['', 'Outside MRN (issuer unknown)'],
])('an MRN of issuer "%s", which is not ours, says so beside the name and in the summary', (issuer, words) => {
  showPanel('u1', {}, { patientid: 'X7', issuer, mrn_outside: 1 })
  expect(screen.getByText(words)).toBeDefined()
  cleanup()
  showSignedIn(<DemographicFacts study={makeStudy({ patientid: 'X7', issuer, mrn_outside: 1 })} />, {})
  expect(screen.getByText(`X7 · ${words}`)).toBeDefined()
})

test('an MRN of one’s own has nothing beside it', () => {
  showPanel('u1', {}, { patientid: 'X7', issuer: 'OURS' })
  expect(screen.queryByText(/Outside MRN/)).toBeNull()
})

test('from a study that is gone there is a way back, as where only the panel is in sight', async () => {
  showPanel('u1', { 'study/get': 412 })
  await screen.findByText(/This study is no longer here/)
  await userEvent.click(screen.getByRole('button', { name: 'Close the details' }))
  expect(onClose).toHaveBeenCalledOnce()
})

test('a study that could not be loaded is asked for again', async () => {
  let isBroken = true
  const study = makeStudy({ uuid: 'u2', patient_name: 'ROE^RICHARD' })
  showPanel('u2', { 'study/get': () => (isBroken ? 500 : study) })
  await screen.findByText('The study could not be loaded.')
  isBroken = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('heading', { name: 'ROE, RICHARD' })).toBeDefined()
})

test('[ACCOUNT-07] the head labels its facts, with dates in the format of the person and in letters under the pointer', () => {
  showPanel('u1', {}, { patient_birth_date: '19800203', study_date: '20260301', patient_sex: 'F', patientid: 'M-1' })
  const panel = screen.getByRole('region', { name: 'Exam details' })
  const facts = [...panel.querySelectorAll('dl:first-of-type > div')].map(({ textContent }) => textContent)
  expect(facts.slice(0, 4)).toEqual(['MRNM-1', 'Born02-03-1980 (46 y)', 'SexF', 'Study date03-01-2026'])
  expect(screen.getAllByTitle('3 Feb 1980')).toHaveLength(1)
})

test.each([
  ['US', [12, 18], '30 frames in 2 clips'],
  ['CT', [12, 18], '30 frames in 2 images'],
  ['US', [1, 1], '2'],
])('the images of a study (%s, %j frames) are told in one line', async (modality, frames, words) => {
  const images = frames.map((frame_count, at) => ({ id: `${at}`, version: 'v', frame_count }))
  const study = makeStudy({ image_count: 2 })
  const client = new QueryClient()
  client.setQueryData(studySchemaQuery(study, 2).queryKey, [{ series_uid: 's', images, modality }])
  showSignedIn(
    <QueryClientProvider client={client}>
      <Information study={study} />
    </QueryClientProvider>,
    {},
  )
  expect(await screen.findByText(words)).toBeDefined()
})
