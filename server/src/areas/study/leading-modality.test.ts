import { expect, it } from 'vitest'
import { leadingModality } from './leading-modality.ts'

it.each([
  ['CT', ['CT', 'SR'], 'CT'],
  ['PT', ['CT', 'PT'], 'PT'],
  ['SR', ['CT', 'SR'], 'CT'],
  ['SEG', ['PR', 'SEG', 'SR'], 'SEG'],
  ['', ['MR'], 'MR'],
  ['', [], ''],
  ['OT', [], 'OT'],
])('a study that began with %j and holds %j is called %j', (first, all, called) => {
  expect(leadingModality(first, all)).toBe(called)
})
