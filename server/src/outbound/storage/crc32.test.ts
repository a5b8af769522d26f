import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { crc32OfRest, joinCrc32 } from './crc32.ts'

const whole = Buffer.from(Array.from({ length: 100_003 }, (_, index) => (index * 7919) % 251))

test.each([0, 1, 128, 132, 65_536, 100_003])('CRCs of two parts, cut at %i, give that of the whole and back', (cut) => {
  const first = crc32(whole.subarray(0, cut))
  const second = crc32(whole.subarray(cut))
  expect(joinCrc32(first, second, whole.length - cut)).toBe(crc32(whole))
  expect(crc32OfRest(crc32(whole), first, whole.length - cut)).toBe(second)
})
