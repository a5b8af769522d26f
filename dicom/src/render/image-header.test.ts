import { expect, it } from 'vitest'
import type { ByteSource } from './byte-source.ts'
import { readImageHeader } from './image-header.ts'

const megabyte = 1024 * 1024

it('takes only so much of what a file claims to need for drawing', async () => {
  // overlay upon overlay, each within the limit of one value
  const heads = new Map<number, Buffer>()
  let size = 0
  for (let group = 0x6000; group <= 0x601e; group += 2) {
    const head = Buffer.alloc(12)
    head.writeUInt16LE(group, 0)
    head.writeUInt16LE(0x3000, 2)
    head.write('OW', 4, 'latin1')
    head.writeUInt32LE(32 * megabyte, 8)
    heads.set(size, head)
    size += 12 + 32 * megabyte
  }
  let readBytes = 0
  const source: ByteSource = {
    size,
    read: async (offset, length) => {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)))
      for (const [at, head] of heads) if (at >= offset && at + 12 <= offset + bytes.length) bytes.set(head, at - offset)
      readBytes += bytes.length
      return bytes
    },
  }
  await expect(readImageHeader(source, '1.2.840.10008.1.2.1')).rejects.toMatchObject({ fault: 'tooLarge' })
  expect(readBytes).toBeLessThan(160 * megabyte)
})
