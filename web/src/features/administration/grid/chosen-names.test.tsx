import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ChosenNames } from './chosen-names.tsx'

const linesOf = (count: number, shown: readonly number[]) => {
  const ones = Array.from({ length: count }, (_, at) => ({ key: String(at), name: `Name ${at}` }))
  render(<ChosenNames label="Chosen" ones={ones} shown={new Set(shown.map(String))} />)
  return screen.getAllByRole('listitem').map((one) => one.textContent.trim())
}

test('names everybody, those out of sight first, in a list that the keyboard scrolls', () => {
  const lines = linesOf(13, [0, 1, 2])
  expect(lines.slice(0, 2)).toEqual(['Name 3 not shown now', 'Name 4 not shown now'])
  expect(lines).toHaveLength(13)
  expect(screen.getByRole('list', { name: 'Chosen' }).tabIndex).toBe(0)
})

test('counts from the hundred and first on, and says how many of those are out of sight', () => {
  const lines = linesOf(104, [0])
  expect(lines).toHaveLength(101)
  expect(lines.at(-1)).toBe('and 4 more (3 of them not shown now)')
})

test('marks nobody whom the page shows', () => {
  expect(linesOf(2, [0, 1])).toEqual(['Name 0', 'Name 1'])
})
