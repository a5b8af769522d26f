import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { showSignedIn } from '../../../test/signed-in.tsx'
import { studyKeys } from '../../queries/studies.ts'
import { ExamPanel } from './exam-panel.tsx'
import { DemographicFacts } from './summary-facts.tsx'

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
    { 'study/mrn/holders': { holders: [], elsewhere: 0, more: 0 }, ...replies },
  )
}

test('a listed study is there at once, before the server has answered', () => {
  showPanel('u1', {})
  expect(screen.getByRole('heading', { name: 'DOE, JANE' })).toBeDefined()
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
