import { expect, it } from 'vitest'
import { chooseSamples } from './samples.ts'

const imagesOf = (series: number, count: number) =>
  Array.from({ length: series * count }, (_, index) => ({
    series_uid: `1.${Math.floor(index / count)}`,
    sop_class: '1.2',
    number: index % count,
  }))

it('looks at the first, the middle and the last image of each class in a series', () => {
  const images = [...imagesOf(2, 9), { series_uid: '1.0', sop_class: '1.7', number: 9 }]
  const { samples, unseen } = chooseSamples(images)
  expect([...samples].map(({ series_uid, number }) => `${series_uid} ${number}`)).toEqual([
    '1.0 0',
    '1.0 4',
    '1.0 8',
    '1.1 0',
    '1.1 4',
    '1.1 8',
    '1.0 9',
  ])
  expect(unseen.size).toBe(0)
})

it('says of which images of many series it knows nothing', () => {
  const { samples, unseen } = chooseSamples(imagesOf(60, 4))
  expect(samples.size).toBe(150)
  expect(new Set([...unseen].map(({ series_uid }) => series_uid)).size).toBe(10)
  expect(unseen.size).toBe(40)
})
