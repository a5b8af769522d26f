import { render, screen } from '@testing-library/react'
import { MantineProvider } from '@mantine/core'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { DataGrid } from './data-grid.tsx'
import type { GridTexts, GridView } from './grid-view.ts'

const texts: GridTexts = {
  label: 'Rows',
  loading: 'Loading',
  failed: 'Failed',
  retry: 'Retry',
  empty: 'There is nothing',
  acts: 'Acts',
  selectAll: 'All',
  selectOne: (name) => name,
  rowsPerPage: 'Rows per page',
  previous: 'Previous',
  next: 'Next',
  range: (from, to) => `${from} to ${to}`,
}

/** A list of so many pages of ten rows, opened at one of them; notes each page that is asked for. */
function List({ pages, at, asked }: { pages: number; at: number; asked: number[] }) {
  const [view, setView] = useState<GridView>({ page: at, rows: 10, sort: { field: 'name', isDescending: false } })
  asked.push(view.page)
  const rows = view.page <= pages ? Array.from({ length: 10 }, (_, nth) => `${view.page}-${nth}`) : []
  return (
    <MantineProvider>
      <DataGrid
        texts={texts}
        columns={[{ key: 'name', title: 'Name', isName: true, cell: (row: string) => row }]}
        rows={rows}
        keyOf={(row) => row}
        nameOf={(row) => row}
        view={view}
        onView={setView}
        hasMore={view.page < pages}
        isBusy={false}
        failure={null}
        onRetry={() => {}}
      />
    </MantineProvider>
  )
}

test.each([
  [1, 2],
  [3, 4],
  [3, 9],
  [1, 9],
  [57, 100],
  [6, 1_000_000],
])('of %i pages the last one is shown to whoever comes to page %i, within few requests', async (pages, at) => {
  const asked: number[] = []
  render(<List pages={pages} at={at} asked={asked} />)
  expect(await screen.findByText(`${pages}-0`)).toBeDefined()
  expect(new Set(asked).size).toBeLessThan(45)
  expect(screen.queryByText('There is nothing')).toBeNull()
})

test('a list without rows says so, and a page that has rows stays', async () => {
  const { unmount } = render(<List pages={0} at={7} asked={[]} />)
  expect(await screen.findByText('There is nothing')).toBeDefined()
  unmount()
  render(<List pages={9} at={4} asked={[]} />)
  expect(await screen.findByText('4-0')).toBeDefined()
})
