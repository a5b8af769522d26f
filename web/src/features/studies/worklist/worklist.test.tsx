import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { DateRange } from '../../../format/date-range.ts'
import { makeStudy } from '../../../../test/make-study.ts'
import { makeView } from '../../../../test/make-view.ts'
import { holdAnswers, lastSent, showSignedIn } from '../../../../test/signed-in.tsx'
import { unmarkAll } from '../../../state/marked-studies.ts'
import {
  columnsKey,
  gridColumns,
  type WorklistSort,
  readColumns,
  readGridSort,
  readWorklistRows,
  standardColumns,
} from './columns.ts'
import { readWidths, widthsKey } from './column-widths.ts'
import { Worklist } from './worklist.tsx'

beforeAll(() => import('./column-chooser.tsx'))
beforeEach(unmarkAll)

const named = (name: string) => makeStudy({ uuid: name, patient_name: name, permissions: { study_star: 1 } })
const pages: Record<number, ReturnType<typeof named>[]> = { 1: [named('Adams'), named('Brown')], 2: [named('Clark')] }

function Shown() {
  const [page, setPage] = useState(1)
  const [rows, setRows] = useState(readWorklistRows(undefined))
  const [sort, setSort] = useState<WorklistSort>({ column: 'uploaded', isDescending: true })
  const [selected, setSelected] = useState<string>()
  const [studyDate, setStudyDate] = useState<DateRange>({ preset: 'all' })
  const on = {
    onPage: setPage,
    onRows: setRows,
    onSort: setSort,
    onSelect: setSelected,
    onWork: () => undefined,
    onFilters: () => undefined,
    onStudyDate: setStudyDate,
  }
  return (
    <Worklist
      view={makeView({ page })}
      viewKey="w"
      rows={rows}
      sort={sort}
      inboxes={[]}
      selectedUuid={selected}
      studyDate={studyDate}
      onClose={() => setSelected(undefined)}
      {...on}
    />
  )
}
async function show(settings = {}, first = pages[1]) {
  showSignedIn(
    <Shown />,
    {
      'study/list': (sent: Record<string, unknown>) => {
        const number = Number(sent['page.number'])
        return { studies: number === 1 ? first : pages[number], page: { more: number === 1 ? 1 : 0, rows: 10, number } }
      },
      'study/count': { count: 11 },
    },
    settings,
  )
  await screen.findByRole('checkbox', { name: 'Select ADAMS' })
}
const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
const next = () => screen.getByRole('button', { name: 'Next page' })

test('[GRID-01] [GRID-03] the server sorts and pages, by 25 rows unless others are chosen', async () => {
  await show()
  expect(lastSent('study/list')).toMatchObject({ 'page.rows': 25, 'page.number': 1, sort_by: 'created-desc' })
  const rows = screen.getByRole('combobox', { name: 'Rows per page' }) as HTMLSelectElement
  expect([...rows.options].map(({ value }) => value)).toEqual(['10', '25', '50', '100'])
  await userEvent.click(screen.getByRole('button', { name: 'MRN' }))
  await waitFor(() => expect(lastSent('study/list')).toMatchObject({ sort_by: 'patientid-asc' }))
  await userEvent.click(await screen.findByRole('button', { name: 'MRN' }))
  await waitFor(() => expect(lastSent('study/list')).toMatchObject({ sort_by: 'patientid-desc' }))
  await userEvent.selectOptions(rows, '50')
  await waitFor(() => expect(lastSent('study/list')).toMatchObject({ 'page.rows': 50 }))
  expect(next().getAttribute('aria-disabled')).toBe('false')
  await userEvent.click(next())
  await screen.findByRole('button', { name: 'CLARK' })
  expect(next().getAttribute('aria-disabled')).toBe('true')
})

test('a press anywhere in a row opens its study, but for the box and the star', async () => {
  await show()
  const row = screen.getByRole('row', { name: /BROWN/ })
  await userEvent.click(within(row).getByRole('checkbox'))
  await userEvent.click(within(row).getByRole('button', { name: /star/i }))
  expect(row.hasAttribute('data-selected')).toBe(false)
  await userEvent.click(within(row).getAllByRole('cell').at(-1) as HTMLElement)
  expect(row.hasAttribute('data-selected')).toBe(true)
})

test('[GRID-02] marks are kept over the pages', async () => {
  await show()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select ADAMS' }))
  await userEvent.click(next())
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select CLARK' }))
  expect(screen.getByText('2 selected')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Columns' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Previous page' }))
  expect(((await screen.findByRole('checkbox', { name: 'Select ADAMS' })) as HTMLInputElement).checked).toBe(true)
})

test('columns are chosen and ordered by the person, and kept with the account', async () => {
  await show({ [columnsKey]: '["mrn","patient"]' })
  expect(heads()).toEqual(['', 'MRN', 'Patient name'])
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Move Patient name up' }))
  await waitFor(() => expect(lastSent('setting/set')).toEqual({ key: columnsKey, value: '["patient","mrn"]' }))
  await waitFor(() => expect(heads()).toEqual(['', 'Patient name', 'MRN']))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Sex' }))
  await waitFor(() => expect(heads()).toEqual(['', 'Patient name', 'MRN', 'Sex']))
})

async function drag(name: string, to: string, dropEffect: string) {
  const row = async (one: string) => (await screen.findByRole('checkbox', { name: one })).closest('li') as HTMLElement
  const dataTransfer = { dropEffect, effectAllowed: '', setData: () => undefined }
  const dragged = await row(name)
  fireEvent.dragStart(dragged, { dataTransfer })
  fireEvent.dragOver(await row(to), { dataTransfer })
  fireEvent.dragEnd(dragged, { dataTransfer })
}

test('a drag that is given up leaves a change that is on its way', async () => {
  await show({ [columnsKey]: '["mrn","patient","sex"]' })
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Sex' })
  const letGo = holdAnswers('setting/set')
  await userEvent.click(box)
  await drag('Patient name', 'MRN', 'none')
  expect(box.checked).toBe(false)
  letGo()
  await waitFor(() => expect(heads()).toEqual(['', 'MRN', 'Patient name']))
  expect(box.checked).toBe(false)
})

test('columns are dragged into their order, which counts where the row is let go', async () => {
  await show({ [columnsKey]: '["mrn","patient","sex"]' })
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
  await drag('Sex', 'MRN', 'none')
  expect(heads()).toEqual(['', 'MRN', 'Patient name', 'Sex'])
  expect(lastSent('setting/set')).toBeUndefined()
  await drag('Sex', 'MRN', 'move')
  await waitFor(() => expect(lastSent('setting/set')).toEqual({ key: columnsKey, value: '["sex","mrn","patient"]' }))
  await waitFor(() => expect(heads()).toEqual(['', 'Sex', 'MRN', 'Patient name']))
})

test('an MRN of another organisation is told from one of our own under the pointer and for the ear, without a sign', async () => {
  const outside = makeStudy({ patient_name: 'Adams', mrn_outside: 1, issuer: '' })
  await show({ [columnsKey]: '["mrn","patient"]' }, [outside, named('Brown')])
  const told = screen.getAllByTitle(/ · Outside MRN \(issuer unknown\)$/)
  expect(told).toHaveLength(1)
  expect(told[0]?.textContent).toContain('Outside MRN (issuer unknown)')
  expect(told[0]?.closest('tr')?.textContent).toContain('ADAMS')
  expect(within(screen.getByRole('table')).queryByRole('img')).toBeNull()
})

test('what a setting or an address says wrong is dropped', () => {
  expect(readColumns('not json')).toBe(standardColumns)
  expect(readColumns('["mrn","nothing","mrn"]')).toEqual(['mrn'])
  expect(readWorklistRows(7)).toBe(25)
  expect(readGridSort('tags-asc')).toEqual({ column: 'uploaded', isDescending: true })
  expect(readGridSort('mrn-desc')).toEqual({ column: 'mrn', isDescending: true })
})

test('rows are moved through, marked and starred by the keys of the list, and by its clicks', async () => {
  const user = userEvent.setup()
  await show()
  const row = (name: string) => screen.getByRole('button', { name })
  const box = (name: string) => screen.getByRole('checkbox', { name: `Select ${name}` }) as HTMLInputElement
  await user.keyboard('jj')
  expect(document.activeElement).toBe(row('BROWN'))
  expect(row('BROWN').getAttribute('aria-current')).toBe('true')
  await user.keyboard('s')
  await waitFor(() => expect(lastSent('study/star')).toEqual({ uuid: 'Brown', star: 1 }))
  await user.keyboard('x{ArrowUp}')
  expect(box('BROWN').checked).toBe(true)
  expect(row('ADAMS').getAttribute('aria-current')).toBe('true')
  await user.keyboard('{Control>}')
  await user.click(row('ADAMS'))
  expect(box('ADAMS').checked).toBe(true)
  await user.keyboard('{/Control}{Escape}')
  expect([box('ADAMS').checked, box('BROWN').checked]).toEqual([false, false])
  await user.click(screen.getByRole('button', { name: 'Star ADAMS' }))
  await waitFor(() => expect(lastSent('study/star')).toEqual({ uuid: 'Adams', star: 1 }))
})

test('a study that is not whole, or of several patients, says so in its row', () => {
  const text = gridColumns.find(({ id }) => id === 'status')?.text
  const reader = { dateFormat: 'DD/MM/YYYY', timeZone: 'UTC' } as const
  const study = makeStudy({ arrival: 'incomplete', mixed_patients: 1, work_status: 'done', taken_by_name: 'Ana' })
  expect(text?.(study, reader)).toBe('Incomplete · Mixed patients · Done · Ana')
})

test('a column is made wider by its edge, and the width is kept with the account', async () => {
  await show({ [widthsKey]: '{"mrn":200}' })
  const edge = screen.getByRole('separator', { name: 'Width of MRN' })
  expect(edge.getAttribute('aria-valuetext')).toBe('200 pixels')
  // no layout here: the width of the head counts as 0
  edge.focus()
  await userEvent.keyboard('{ArrowRight}')
  await waitFor(() => expect(lastSent('setting/set')).toEqual({ key: widthsKey, value: '{"mrn":48}' }))
  expect(screen.getByRole('columnheader', { name: /^MRN/ }).style.width).toBe('48px')
  await userEvent.dblClick(edge)
  await waitFor(() => expect(lastSent('setting/set')).toEqual({ key: widthsKey, value: '{}' }))
  expect(edge.getAttribute('aria-valuetext')).toBe('as wide as its content')
})

test('widths that a setting says wrong are dropped or held', () => {
  expect(readWidths('[1')).toEqual({})
  expect(readWidths('{"mrn":9000,"patient":"x","nothing":90,"sex":70}')).toEqual({ mrn: 640, sex: 70 })
})

test('[SEARCH-16] the date of the exam is narrowed by name, and a range from elsewhere is shown', async () => {
  await show()
  const dates = screen.getByRole('combobox', { name: 'Exam date' }) as HTMLSelectElement
  expect([...dates.options].map(({ text }) => text).slice(0, 3)).toEqual([
    'Any exam date',
    'Today',
    'Today and yesterday',
  ])
  await userEvent.selectOptions(dates, 'Last 7 days')
  expect(dates.value).toBe('last7Days')
  // the control gives way to the acts on marked studies, and what it narrows by is told on
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select ADAMS' }))
  expect(screen.getByText('1 selected · Last 7 days')).toBeTruthy()
})
