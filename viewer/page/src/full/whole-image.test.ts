import { expect, it } from 'vitest'
import { NO_MARKS } from '../study-marks.ts'
import type { NaturalInstance } from './ohif.ts'
import { mayBeDrawnOver } from './whole-image.ts'

it('draws contours over images of a study that has nothing else to draw', () => {
  const image: NaturalInstance = {}
  expect(mayBeDrawnOver(image, NO_MARKS)).toBe(false)
  const contours = { instance: {}, seriesUids: [] } as unknown as (typeof NO_MARKS.structureSets)[number]
  expect(mayBeDrawnOver(image, { ...NO_MARKS, structureSets: [contours] })).toBe(true)
})
