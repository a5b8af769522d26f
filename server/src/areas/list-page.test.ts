import { expect, it } from 'vitest'
import { toPage } from './list-page.ts'

const ask = (number: number, rows: number) => ({ filters: [], sort: [], page: { number, rows } })
const found = (count: number, total?: number) =>
  Array.from({ length: count }, (_, n) => (total === undefined ? { n } : { n, total }))

it('says whether more rows follow, by the one row that is too many', () => {
  expect(toPage(found(3), ask(2, 2))).toEqual({ rows: [{ n: 0 }, { n: 1 }], page: { more: 1, rows: 2, number: 2 } })
  expect(toPage(found(2), ask(2, 2))).toEqual({ rows: [{ n: 0 }, { n: 1 }], page: { more: 0, rows: 2, number: 2 } })
  expect(toPage(found(1), ask(3, 2)).page).toEqual({ more: 0, rows: 2, number: 3 })
})

it('says how many rows there are on all pages, and not in every row', () => {
  expect(toPage(found(3, 9), ask(1, 2))).toEqual({
    rows: [{ n: 0 }, { n: 1 }],
    page: { more: 1, rows: 2, number: 1, total: 9 },
  })
})

it('of nothing says that there is none, behind the end that the number is not known', () => {
  expect(toPage([], ask(1, 2))).toEqual({ rows: [], page: { more: 0, rows: 2, number: 1, total: 0 } })
  expect(toPage([], ask(2, 2)).page).not.toHaveProperty('total')
})
