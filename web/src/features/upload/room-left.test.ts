import { expect, test } from 'vitest'
import { excessOf } from './room-left.ts'
import type { UploadPlan } from './upload-plan.ts'

const megabytes = (count: number) => count * 1024 ** 2
const planOf = (...sizes: [string, number][]) =>
  ({
    patients: [{ studies: sizes.map(([studyUid, size]) => ({ studyUid, sizeBytes: megabytes(size) })) }],
    sizeBytes: sizes.reduce((total, [, size]) => total + megabytes(size), 0),
  }) as unknown as UploadPlan
const asked = (left: number, begun: string[] = []) => ({
  max_bytes: megabytes(100),
  left_bytes: megabytes(left),
  studies: begun.map((study_uid) => ({ study_uid, image_count: 1, is_complete: 0 })),
})

test.each([
  [asked(100), planOf(['1.2', 100]), false],
  [asked(99), planOf(['1.2', 100]), true],
  [asked(50), planOf(['1.2', 30], ['1.3', 30]), true],
  // what was begun is there in part, and is not sent again
  [asked(10, ['1.2']), planOf(['1.2', 95]), false],
  [asked(10, ['1.2']), planOf(['1.2', 95], ['1.3', 11]), true],
  [asked(10, ['1.2']), planOf(['1.2', 101]), true],
  [asked(0), planOf(), false],
])('of %j the choice %j is too large: %s', (request, plan, isTooLarge) => {
  expect(excessOf(request, plan) !== undefined).toBe(isTooLarge)
})

test('the sentence says what is chosen, left and allowed', () => {
  expect(excessOf(asked(40), planOf(['1.2', 60]))).toEqual({ chosen: '60 MB', left: '40 MB', most: '100 MB' })
})
