import { expect, it } from 'vitest'
import { MAX_PDU_BYTES } from './association-limits.ts'
import { pdusOf } from './outgoing-pdus.ts'

async function* pieces(bytes: Buffer, size: number) {
  for (let offset = 0; offset < bytes.length; offset += size) yield bytes.subarray(offset, offset + size)
}

async function collect(data: AsyncIterable<Uint8Array>, maxPduBytes: number): Promise<Buffer[]> {
  const written: Buffer[] = []
  for await (const together of pdusOf(data, 5, maxPduBytes)) written.push(Buffer.concat(together))
  return written
}

/** Data and marks of each PDU. */
function read(bytes: Buffer): { data: Buffer; context: number; mark: number }[] {
  const pdus = []
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at + 2)
    expect(bytes[at]).toBe(4)
    expect(bytes.readUInt32BE(at + 6)).toBe(length - 4)
    pdus.push({
      data: bytes.subarray(at + 12, at + 6 + length),
      context: bytes[at + 10] ?? 0,
      mark: bytes[at + 11] ?? 0,
    })
    at += 6 + length
  }
  return pdus
}

const bytes = Buffer.from(Array.from({ length: 300_001 }, (_, index) => index % 251))

it.each([1, 2, 16_377, 16_378, 16_379, 300_000, 300_001])(
  'cuts %i bytes into PDUs that hold them all',
  async (size) => {
    for (const piece of [1_000, 65_536, size]) {
      const pdus = read(Buffer.concat(await collect(pieces(bytes.subarray(0, size), piece), 16_384)))
      const data = Buffer.concat(pdus.map((one) => one.data))
      expect(data.subarray(0, size).equals(bytes.subarray(0, size))).toBe(true)
      expect(data.length).toBe(size + (size % 2))
      expect(pdus.map((one) => one.mark)).toEqual([...pdus.slice(1).map(() => 0), 2])
      expect(pdus.every((one) => one.context === 5 && one.data.length <= 16_378 && one.data.length % 2 === 0)).toBe(
        true,
      )
    }
  },
)

it('lets PDUs that are ready together leave together, no more of them than one of ours may hold', async () => {
  const written = await collect(pieces(bytes, bytes.length), 16_384)
  expect(written.map((one) => read(one).length)).toEqual([8, 8, 2, 1])
  expect(Math.max(...written.map((one) => one.length))).toBeLessThanOrEqual(MAX_PDU_BYTES + 8 * 6)
  expect((await collect(pieces(bytes, 40_000), MAX_PDU_BYTES)).map((one) => read(one).length)).toEqual([1, 1, 1])
})

it('makes one PDU, the last, of a data set without bytes', async () => {
  expect(read(Buffer.concat(await collect(pieces(Buffer.alloc(0), 1), 16_384)))).toMatchObject([{ mark: 2 }])
})
