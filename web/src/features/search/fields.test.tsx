import { modalities } from '@hilum/contract/modalities'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeAll, expect, test, vi } from 'vitest'
import { lastSent, sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import type { DatePreset, DateRange } from '../../format/date-range.ts'
import { DateRangeField } from './date-range-field.tsx'
import { ModalitySelect } from './modality-select.tsx'
import { TagSelect } from './tag-select.tsx'

beforeAll(() => import('./date-range-calendar.tsx'))

function Modalities() {
  const [value, setValue] = useState<readonly string[]>([])
  return <ModalitySelect value={value} onChange={setValue} />
}
function Tags({ shown, tags }: { shown: number; tags: readonly string[] }) {
  const [value, setValue] = useState(tags)
  return <TagSelect value={value} onChange={setValue} shown={shown} />
}
function Range({ omits }: { omits?: DatePreset }) {
  const [value, setValue] = useState<DateRange>({ preset: 'all' })
  const given = { value, onChange: setValue, today: '2026-11-21', dateFormat: 'DD/MM/YYYY' } as const
  return <DateRangeField label="Study date" omits={omits} {...given} />
}
const chooser = () => screen.getByRole('combobox', { name: /^Modality/ })
const range = () => screen.getByRole('button', { name: /^Study date/ })
const presets = () =>
  within(screen.getByRole('dialog'))
    .getAllByRole('button')
    .map(({ textContent }) => textContent)

test('[SEARCH-06] [SEARCH-17] modality: all, N Selected, All selected, out of 43', async () => {
  showSignedIn(<Modalities />)
  expect(chooser().textContent).toBe('All')
  await userEvent.click(chooser())
  expect(screen.getAllByRole('option')).toHaveLength(modalities.length + 1)
  await userEvent.click(screen.getByRole('option', { name: /^CT/ }))
  await userEvent.click(screen.getByRole('option', { name: /^MR/ }))
  expect(chooser().textContent).toBe('2 Selected')
  await userEvent.click(screen.getByRole('option', { name: 'All' }))
  expect(chooser().textContent).toBe('All selected')
  await userEvent.click(screen.getByRole('option', { name: 'All' }))
  expect(chooser().textContent).toBe('All')
})

test('[TAG-02] typing asks for tags in use, at most 25, once it rests; Enter takes what was typed', async () => {
  showSignedIn(<Tags shown={3} tags={[]} />, { 'tag/list': { tags: [{ tag: 'trauma' }] } })
  const input = screen.getByRole('combobox')
  await userEvent.type(input, 'trau')
  await waitFor(() => expect(lastSent('tag/list')?.['filter.tag.like']).toBe('%trau%'), { timeout: 3000 })
  expect(lastSent('tag/list')).toMatchObject({ object: 'Study', 'page.rows': 25 })
  await userEvent.click(await screen.findByRole('option', { name: 'trauma' }))
  expect(screen.getByText('trauma', { selector: '.mantine-Pill-label' })).toBeTruthy()
  await userEvent.type(input, 'teaching{Enter}')
  expect(screen.getByText('teaching', { selector: '.mantine-Pill-label' })).toBeTruthy()
})

test('a tag is chosen once whatever its case and accents, with or without the # of the search', async () => {
  const { container } = showSignedIn(<Tags shown={3} tags={['Urgent']} />, { 'tag/list': { tags: [] } })
  const input = screen.getByRole('combobox')
  for (const typed of ['urgent', '#ÚRGENT', '#', '#stat']) await userEvent.type(input, `${typed}{Enter}`)
  await screen.findByText('stat', { selector: '.mantine-Pill-label' })
  const labels = [...container.querySelectorAll('.mantine-Pill-label')].map(({ textContent }) => textContent)
  expect(labels).toEqual(['Urgent', 'stat'])
})

test('[SEARCH-09] tags in use are asked for once the input rests for 500 ms', async () => {
  showSignedIn(<Tags shown={3} tags={[]} />, { 'tag/list': { tags: [] } })
  const input = screen.getByRole('combobox')
  await userEvent.click(input)
  vi.useFakeTimers()
  try {
    const asked = () => sentCalls.filter(({ sent }) => JSON.stringify(sent).includes('tra')).length
    for (const value of ['t', 'tr', 'tra']) {
      fireEvent.change(input, { target: { value } })
      await act(() => vi.advanceTimersByTimeAsync(499))
    }
    expect(asked()).toBe(0)
    await act(() => vi.advanceTimersByTimeAsync(1))
    expect(asked()).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})

test.each([
  [3, ['a', 'b', 'c'], ['a', 'b', 'c'], null],
  [3, ['a', 'b', 'c', 'd'], [], '4 Selected'],
  [2, ['a', 'b', 'c'], [], '3 Selected'],
])('[SEARCH-07] [TAG-04] where %i tags show at most, of %j these do: %j %s', (shown, tags, pills, counted) => {
  const { container } = showSignedIn(<Tags shown={shown} tags={tags} />)
  const labels = [...container.querySelectorAll('.mantine-Pill-label')].map(({ textContent }) => textContent)
  expect(labels).toEqual(pills)
  expect(screen.queryByText(/Selected/)?.textContent ?? null).toBe(counted)
})

test('[SEARCH-16] the presets in their order; the uploaded picker has no Yesterday', async () => {
  const names = [
    'All',
    'Today',
    'Today and yesterday',
    'Yesterday',
    'Last 3 days',
    'Last 3 business days',
    'Last 7 days',
    'Last 31 days',
    'Last Year',
    'Custom date range',
  ]
  const { unmount } = showSignedIn(<Range />)
  await userEvent.click(range())
  expect(presets()).toEqual(names)
  await userEvent.click(screen.getByRole('button', { name: 'Last 7 days' }))
  expect(range().textContent).toBe('Last 7 days')
  unmount()
  showSignedIn(<Range omits="yesterday" />)
  await userEvent.click(range())
  expect(presets()).toEqual(names.filter((name) => name !== 'Yesterday'))
})

test('[SEARCH-15] a custom range: two months, weeks from Monday, Cancel leaves it, Save takes it', async () => {
  showSignedIn(<Range />)
  await userEvent.click(range())
  await userEvent.click(screen.getByRole('button', { name: 'Custom date range' }))
  await screen.findByText('October 2026')
  expect(screen.getByText('November 2026')).toBeTruthy()
  expect(screen.getAllByRole('columnheader')[0]?.textContent).toBe('Mo')
  const save = () => screen.getByRole('button', { name: 'Save' }) as HTMLButtonElement
  expect(save().disabled).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: '5 October 2026' }))
  await userEvent.click(screen.getByRole('button', { name: '3 November 2026' }))
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(range().textContent).toBe('All')
  await userEvent.click(range())
  await userEvent.click(screen.getByRole('button', { name: 'Custom date range' }))
  await userEvent.click(await screen.findByRole('button', { name: '5 October 2026' }))
  await userEvent.click(screen.getByRole('button', { name: '3 November 2026' }))
  await userEvent.click(save())
  expect(range().textContent).toBe('05/10/2026 – 03/11/2026')
})
