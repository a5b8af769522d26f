import { expect, test } from 'vitest'
import { inChosenOrder, placeOfSearch, searchOrderKey, startPlace, startPlaceKey } from './search-settings.ts'

const saved = ['a', 'b', 'c'].map((uuid) => ({ uuid }))
const ordered = (order: string) => inChosenOrder(saved, { [searchOrderKey]: order }).map(({ uuid }) => uuid)

test('searches stand as they were put, and those never moved follow as they come', () => {
  expect(ordered('["c","gone","a"]')).toEqual(['c', 'a', 'b'])
  expect(ordered('{')).toEqual(['a', 'b', 'c'])
  expect(ordered('{"a":1}')).toEqual(['a', 'b', 'c'])
  expect(inChosenOrder(saved, {})).toEqual(saved)
})

test('a start is the place of a search and nothing else', () => {
  for (const place of [placeOfSearch('s-1', undefined), placeOfSearch('s-1', 'g-1')])
    expect(startPlace({ [startPlaceKey]: place })).toBe(place)
  for (const place of ['', 'https://elsewhere.example/group/a?filter=b', '//elsewhere.example', '/administration'])
    expect(startPlace({ [startPlaceKey]: place })).toBeUndefined()
})
