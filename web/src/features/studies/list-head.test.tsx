import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { makeView } from '../../../test/make-view.ts'
import { showSignedIn } from '../../../test/signed-in.tsx'
import { ListHead } from './list-head.tsx'

test('what came while the list was held still is told beside the count, not instead of it', async () => {
  const onShowArrived = vi.fn()
  const nothing = () => undefined
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
      onShowArrived={onShowArrived}
      onMarkPage={nothing}
      onSort={nothing}
      onWork={nothing}
      onPage={nothing}
    />,
    {},
  )
  expect(screen.getByRole('status').textContent).toBe('7 studies2 new')
  await userEvent.click(screen.getByRole('button', { name: '2 new studies' }))
  expect(onShowArrived).toHaveBeenCalledOnce()
})
