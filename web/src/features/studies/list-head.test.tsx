import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { makeView } from '../../../test/make-view.ts'
import { showSignedIn } from '../../../test/signed-in.tsx'
import { noFilters } from '../../state/search-filters.ts'
import { ListHead } from './list-head.tsx'

const nothing = () => undefined
const quiet = { onShowArrived: nothing, onMarkPage: nothing, onSort: nothing, onWork: nothing, onPage: nothing }

test.each([
  ['', '2 selected'],
  ['open', '2 selected · Not done'],
])('while studies are marked, a list narrowed by the status "%s" says so', (work, words) => {
  const view = makeView({ filters: { ...noFilters, work } })
  const more = { count: 7, hasMore: false, hasStudies: true, markedActs: null, arrivedCount: 0 }
  showSignedIn(<ListHead view={view} markedCount={2} pageMarks="some" {...more} {...quiet} />, {})
  expect(screen.getByRole('status').textContent).toBe(words)
})

test('what came while the list was held still is told beside the count, not instead of it', async () => {
  const onShowArrived = vi.fn()
  showSignedIn(
    <ListHead
      view={makeView({})}
      count={7}
      hasMore={false}
      markedCount={0}
      pageMarks="none"
      hasStudies
      markedActs={null}
      arrivedCount={2}
      {...quiet}
      onShowArrived={onShowArrived}
    />,
    {},
  )
  expect(screen.getByRole('status').textContent).toBe('7 studies2 new')
  await userEvent.click(screen.getByRole('button', { name: '2 new studies' }))
  expect(onShowArrived).toHaveBeenCalledOnce()
})
