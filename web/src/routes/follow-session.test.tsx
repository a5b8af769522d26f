import { keepPreviousData, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { makeStudy } from '../../test/make-study.ts'
import { makeSession, showSignedIn } from '../../test/signed-in.tsx'
import '../features/upload/transfer-actions.ts' // follows the session by itself
import { useUpload } from '../features/upload/upload-store.ts'
import { queryClient } from '../queries/query-client.ts'
import { SignedInScreen } from '../screens/signed-in-screen.tsx'
import { putSession, readSession, type Session } from '../session/session-store.ts'
import { useDraft } from '../state/drafts.ts'
import { mark, useMarked } from '../state/marked-studies.ts'
import { noteRecentStudy, useRecentStudies } from '../state/recent-studies.ts'
import { noFilters, setSearchFilters, useSearchFilters } from '../state/search-filters.ts'
import { followSession } from './follow-session.ts'

let stop: (() => void) | undefined
afterEach(() => {
  stop?.()
  queryClient.clear()
})

/** All that stands on the screen of an organisation: a list of all its groups, a search, marks, exams opened lately, a draft and an upload. */
function Inbox({ answer }: { answer: () => Promise<string> }) {
  const { data = 'Loading' } = useQuery({ queryKey: ['all'], queryFn: answer, placeholderData: keepPreviousData })
  const search = useSearchFilters((filters) => filters.patientName)
  const seen = [...useMarked('all').keys(), ...useRecentStudies('session').map(({ uuid }) => uuid)]
  const [draft, setDraft] = useDraft('a form')
  const step = useUpload((upload) => upload.step)
  return (
    <>
      <p>{[data, search, ...seen, draft, step].join(' ').trim()}</p>
      <button type="button" onClick={() => setDraft('typed')} />
    </>
  )
}

test('in another organisation nothing of the one before stands on the screen, from the first moment', async () => {
  const answers: ((rows: string) => void)[] = []
  const answer = () => new Promise<string>((resolve) => answers.push(resolve))
  const root = createRootRoute({ component: SignedInScreen })
  const inbox = createRoute({ getParentRoute: () => root, path: '/', component: () => <Inbox answer={answer} /> })
  const router = createRouter({ routeTree: root.addChildren([inbox]), history: createMemoryHistory() })
  stop = followSession()
  showSignedIn(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  expect(await screen.findByText(/^Loading/)).toBeDefined()
  await act(async () => {
    answers[0]?.('Northside rows')
    setSearchFilters({ ...noFilters, patientName: 'doe' })
    mark('all', [makeStudy({ uuid: 'marked' })], true)
    noteRecentStudy('session', makeStudy({ uuid: 'recent' }))
    useUpload.setState({ step: 3 })
    screen.getByRole('button').click()
  })
  expect(await screen.findByText('Northside rows doe marked recent typed 3')).toBeDefined()
  const { account, ...rest } = makeSession()
  const seen: (string | undefined)[] = []
  const watched = new MutationObserver(() => seen.push(document.querySelector('p')?.textContent))
  watched.observe(document.body, { childList: true, subtree: true, characterData: true })
  const other: Session = { ...rest, account: { ...account, uuid: 'other', name: 'Lakeside' } }
  await act(async () => putSession({ status: 'established', session: other }))
  expect(screen.getByText('Loading 0')).toBeDefined()
  await act(async () => answers[1]?.('Lakeside rows'))
  expect(await screen.findByText('Lakeside rows 0')).toBeDefined()
  watched.disconnect()
  expect(seen.filter((text) => text?.includes('Northside'))).toEqual([])
  // what the server says anew of the same organisation changes nothing of it
  await act(async () => putSession({ status: 'established', session: { ...other, sid: 'sid2' } }))
  expect(screen.getByText('Lakeside rows 0')).toBeDefined()
  expect(readSession().status).toBe('established')
})
