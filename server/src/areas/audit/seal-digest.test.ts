import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { digestOfSeal } from './seal-digest.ts'

const seal = {
  account_uuid: '0d4a1f1e-6f0c-4b61-9c59-d1a9c2b4f7e3',
  number: 7,
  sealed_at: new Date('2026-03-01T10:00:00.250Z'),
  row_ids: [3, 15],
  row_digests: Buffer.from('rows'),
}
const head = '0d4a1f1e-6f0c-4b61-9c59-d1a9c2b4f7e3\n7\n2026-03-01T10:00:00.250Z\n3,15\nrows'
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('the digest of a seal stays as it is from release to release: seals of before are read with it', () => {
  expect(digestOfSeal(seal, undefined).toString('hex')).toBe(sha256(head))
  expect(digestOfSeal(seal, Buffer.from('previous')).toString('hex')).toBe(sha256(`previous${head}`))
})
