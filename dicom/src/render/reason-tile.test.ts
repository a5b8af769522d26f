import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawReasonTile } from './reason-tile.ts'
import { wrapLettering } from './stroke-lettering.ts'

test('a tile for an object without a picture is dark, of the size asked for, and holds lettering', async () => {
  const tile = await drawReasonTile({ label: 'SR', reason: 'This object is a structured report.', edge: 192 })
  expect(tile).toMatchObject({ mediaType: 'image/png', width: 192, height: 192 })
  const { channels } = await sharp(tile.bytes).greyscale().stats()
  expect(channels[0]?.mean).toBeLessThan(60)
  expect(channels[0]?.max).toBeGreaterThan(150)
})

test('a label cannot bring markup into the drawing', async () => {
  const tile = await drawReasonTile({ label: '"/><a', reason: '</svg><script>', fault: 'damaged' })
  expect((await sharp(tile.bytes).metadata()).width).toBe(256)
})

test('long reasons are wrapped and cut', () => {
  expect(wrapLettering('one two three', 7, 2)).toEqual(['one two', 'three'])
  expect(wrapLettering('one two three four', 7, 2)).toEqual(['one two', 'thre...'])
})
