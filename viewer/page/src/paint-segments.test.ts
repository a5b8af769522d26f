import { expect, it } from 'vitest'
import { paintSegments } from './paint-segments.ts'
import type { Segment } from './segmentation.ts'

const segment = (number: number, red: number): Segment => ({ number, label: `${number}`, colour: [red, 0, 0] })
const size = { rows: 3, columns: 3, largest: 255, labelBytes: 1, padding: undefined } as const
/** Red and alpha of each pixel, row by row. */
const paint = (...[segmentation, bytes, segments]: Parameters<typeof paintSegments>) => {
  const painted = paintSegments(segmentation, bytes, segments)
  return Array.from({ length: painted.length / 4 }, (_, at) => [painted[at * 4], painted[at * 4 + 3]])
}
const [none, edge, inside] = [
  [0, 0],
  [7, 230],
  [7, 90],
]

it('fills bits of a segment thinly within a clear edge', () => {
  const whole = Uint8Array.of(0xff, 0x01)
  const frame = [edge, edge, edge, edge, inside, edge, edge, edge, edge]
  expect(paint({ ...size, kind: 'bits' }, whole, [segment(1, 7)])).toEqual(frame)
  const one = paint({ ...size, kind: 'bits' }, Uint8Array.of(0b10, 0), [segment(1, 7)])
  expect(one).toEqual([none, edge, ...Array.from({ length: 7 }, () => none)])
})

it('lets shares of a segment be seen through by their size, also where the largest share is not 255', () => {
  const shares = Uint8Array.of(0, 50, 100, 0, 0, 0, 0, 0, 200)
  const painted = paint({ ...size, kind: 'shares', largest: 100 }, shares, [segment(1, 7)])
  expect(painted.map(([, alpha]) => alpha)).toEqual([0, 45, 90, 0, 0, 0, 0, 0, 90])
})

it('gives each number of a label map the colour of its segment, of one byte and of two, and none to padding', () => {
  const segments = [segment(2, 7), segment(300, 8)]
  const bytes = paint({ ...size, kind: 'labels', padding: 9 }, Uint8Array.of(2, 2, 9, 0, 5, 0, 0, 0, 2), segments)
  expect(bytes).toEqual([edge, edge, none, none, none, none, none, none, edge])
  const words = Uint16Array.of(300, 300, 300, 300, 300, 300, 300, 2, 300)
  const painted = paint({ ...size, kind: 'labels', labelBytes: 2 }, new Uint8Array(words.buffer), segments)
  expect(painted.map(([red]) => red)).toEqual([8, 8, 8, 8, 8, 8, 8, 7, 8])
  // a neighbour of another segment is an edge as well
  expect(painted[4]).toEqual([8, 230])
})
