import { expect, it } from 'vitest'
import { findTooLarge } from './drawable-size.ts'
import { wordsOfFault } from './fault-words.ts'

const image = (rows: number, columns: number) => ({
  '00280010': { vr: 'US', Value: [rows] },
  '00280011': { vr: 'US', Value: [columns] },
})

it('takes images of every size that browsers draw, and says of larger ones why they are not shown', () => {
  expect(findTooLarge({})).toBeUndefined()
  expect(findTooLarge(image(8192, 8192))).toBeUndefined()
  const tooLarge = findTooLarge(image(65535, 65535))
  expect(wordsOfFault(tooLarge)).toBe(
    'This image cannot be shown here: it has 65,535 × 65,535 pixels, more than this browser can draw. It can be downloaded.',
  )
})
