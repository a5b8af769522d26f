import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeStudy } from '../../test/make-study.ts'
import { enterView, mark, rangeTo, unmarkAll, useMarked } from './marked-studies.ts'

const shown = ['a', 'b', 'c', 'd'].map((uuid) => makeStudy({ uuid }))
const marked = (view: string) => [...renderHook(() => useMarked(view)).result.current.keys()]

test('[LIST-15] marks belong to their view: another one starts anew', () => {
  unmarkAll()
  mark('inbox', shown.slice(0, 2), true)
  expect(marked('inbox')).toEqual(['a', 'b'])
  expect(marked('shared')).toEqual([])
  mark('shared', shown.slice(2, 3), true)
  expect(marked('shared')).toEqual(['c'])
  expect(marked('inbox')).toEqual([])
})

test.each([[[] as string[]], [['c']]])(
  '[LIST-15] marks do not come back on the way back, with %j marked meanwhile',
  (meanwhile) => {
    unmarkAll()
    enterView('inbox')
    mark('inbox', shown.slice(0, 2), true)
    enterView('inbox')
    expect(marked('inbox')).toEqual(['a', 'b'])
    enterView('search')
    mark(
      'search',
      shown.filter(({ uuid }) => meanwhile.includes(uuid)),
      true,
    )
    expect(marked('search')).toEqual(meanwhile)
    enterView('inbox')
    expect(marked('inbox')).toEqual([])
    expect(rangeTo('inbox', shown, 'd').map(({ uuid }) => uuid)).toEqual(['d'])
  },
)

test('a range goes from the last marked study, in either direction', () => {
  unmarkAll()
  mark('inbox', shown.slice(2, 3), true, 'c')
  expect(rangeTo('inbox', shown, 'a').map(({ uuid }) => uuid)).toEqual(['a', 'b', 'c'])
  expect(rangeTo('other', shown, 'a').map(({ uuid }) => uuid)).toEqual(['a'])
})
