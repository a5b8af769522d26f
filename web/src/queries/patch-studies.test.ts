import type { Study } from '@hilum/contract/entities/study'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ApiFailure } from '../api/api-failure.ts'
import { makeStudy } from '../../test/make-study.ts'
import { noteRecentStudy, useRecentStudies } from '../state/recent-studies.ts'
import { removeFromLists } from './patch-studies.ts'
import { studyKeys } from './studies.ts'

/** A page that shows a study and what hangs on the study; counts the questions about both. */
async function showStudy(answer: () => Partial<Study>) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const asked = { study: 0, separations: 0 }
  const ask = (what: keyof typeof asked, queryKey: readonly string[], reply: () => unknown) =>
    new QueryObserver(client, {
      queryKey,
      queryFn: () => {
        asked[what]++
        return reply()
      },
    }).subscribe(() => undefined)
  ask('study', studyKeys.one('u1'), answer)
  ask('separations', [...studyKeys.one('u1'), 'separations'], () => [])
  await expect.poll(() => client.isFetching()).toBe(0)
  return { client, asked }
}

test.each([
  ['deleted', () => ({ is_deleted: 1 })],
  [
    'gone',
    () => {
      throw new ApiFailure('NOT_FOUND')
    },
  ],
])('what hangs on an exam is not asked for once the exam is %s', async (_what, answer) => {
  let isThere = true
  const { client, asked } = await showStudy(() => (isThere ? { is_deleted: 0 } : answer()))
  isThere = false
  await removeFromLists(client, ['u1'])
  expect(asked).toEqual({ study: 2, separations: 1 })
})

test('of an exam that is still there everything is asked for again', async () => {
  const { client, asked } = await showStudy(() => ({ is_deleted: 0 }))
  await removeFromLists(client, ['u1'])
  expect(asked).toEqual({ study: 2, separations: 2 })
})

test('what was sent away is no longer among the exams that were opened last', async () => {
  for (const uuid of ['u1', 'u2']) noteRecentStudy('session', makeStudy({ uuid }))
  await removeFromLists(new QueryClient(), ['u1'])
  expect(renderHook(() => useRecentStudies('session')).result.current.map(({ uuid }) => uuid)).toEqual(['u2'])
})
