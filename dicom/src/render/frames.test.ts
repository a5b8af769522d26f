import { describe, expect, test } from 'vitest'
import { type ByteSource, memorySource } from './byte-source.ts'
import { decodeFrame } from './decode.ts'
import { locateFrame, readFrame } from './frames.ts'
import { describeImage } from './image-description.ts'
import { readImageHeader } from './image-header.ts'
import { buildObject, type TestImage, words } from './test-object.ts'
import { toNativeFrame } from './transcode.ts'

const jpegLs = '1.2.840.10008.1.2.4.80'
const encapsulatedUncompressed = '1.2.840.10008.1.2.1.98'

async function framesOf(image: TestImage): Promise<number[][]> {
  const header = await readImageHeader(memorySource(buildObject(image)))
  const { frameCount } = describeImage(header)
  const frames: number[][] = []
  for (let frame = 0; frame < frameCount; frame++) frames.push([...(await readFrame(header, frame)).bytes])
  return frames
}

const jpeg = (...body: number[]) => new Uint8Array([0xff, 0xd8, 0xff, ...body, 0xff, 0xd9])
const table = (...offsets: number[]) => words(offsets.flatMap((offset) => [offset, 0]))
const longs = (...values: number[]) => words(values.flatMap((value) => [value, 0, 0, 0]))
const encapsulated = { rows: 2, columns: 2, transferSyntax: jpegLs }

describe('frames of encapsulated pixel data', () => {
  const one = jpeg(1, 1, 1)
  const two = jpeg(2)
  const three = jpeg(3, 3, 3)
  const all = [[...one], [...two], [...three]]

  test('are found by fragment when there is one for each', async () => {
    expect(await framesOf({ ...encapsulated, frames: 3, fragments: [table(), one, two, three] })).toEqual(all)
  })

  test('are found by the basic offset table across several fragments each', async () => {
    const fragments = [
      table(0, 24, 38),
      one.subarray(0, 4),
      one.subarray(4),
      two,
      three.subarray(0, 4),
      three.subarray(4),
    ]
    expect(await framesOf({ ...encapsulated, frames: 3, fragments })).toEqual(all)
  })

  test('are found by their first bytes when there is no table and more fragments than frames', async () => {
    const fragments = [table(), one.subarray(0, 4), one.subarray(4), two, three.subarray(0, 6), three.subarray(6)]
    expect(await framesOf({ ...encapsulated, frames: 3, fragments })).toEqual(all)
  })

  test('are found by the extended offset table', async () => {
    const elements = [
      { tag: 0x7fe00001, vr: 'OV', value: longs(0, 16, 30) },
      { tag: 0x7fe00002, vr: 'OV', value: longs(8, 6, 8) },
    ]
    expect(await framesOf({ ...encapsulated, frames: 3, elements, fragments: [table(), one, two, three] })).toEqual(all)
  })

  test('are found although the offset table points beside them', async () => {
    expect(await framesOf({ ...encapsulated, frames: 3, fragments: [table(0, 5, 999), one, two, three] })).toEqual(all)
  })

  test('are told apart when several lie in one fragment', async () => {
    const fragments = [table(), new Uint8Array(Buffer.concat([one, two, three]))]
    expect(await framesOf({ ...encapsulated, frames: 3, fragments })).toEqual(all)
  })

  test('take all fragments when there is one frame', async () => {
    const fragments = [table(), one.subarray(0, 2), one.subarray(2, 4), one.subarray(4)]
    expect(await framesOf({ ...encapsulated, fragments })).toEqual([[...one]])
  })

  test('that cannot be told apart are refused in words', async () => {
    const fragments = [table(), one, new Uint8Array([9, 9]), new Uint8Array([8, 8]), two]
    await expect(framesOf({ ...encapsulated, frames: 3, fragments })).rejects.toMatchObject({
      fault: 'damaged',
      message: 'Frame 1 of 3 cannot be told apart in 4 fragments.',
    })
  })

  test('cut by the end of the file are refused, and those before it are not', async () => {
    const bytes = buildObject({ ...encapsulated, frames: 2, fragments: [table(), one, three] })
    const header = await readImageHeader(memorySource(bytes.subarray(0, bytes.length - 10)))
    expect([...(await readFrame(header, 0)).bytes]).toEqual([...one])
    await expect(readFrame(header, 1)).rejects.toMatchObject({ fault: 'damaged' })
  })

  test('of a file that ends in the offset table are refused in words', async () => {
    const bytes = buildObject({ ...encapsulated, frames: 3, fragments: [table(0, 16, 30), one, two, three] })
    const tableEnd = Buffer.from(bytes).indexOf(table(0, 16, 30)) + 12
    const header = await readImageHeader(memorySource(bytes.subarray(0, tableEnd - 6)))
    for (const frame of [0, 1, 2])
      await expect(readFrame(header, frame)).rejects.toMatchObject({
        fault: 'damaged',
        message: 'The pixel data holds no fragments.',
      })
  })

  test('may be uncompressed', async () => {
    const fragments = [table(), new Uint8Array([1, 2, 3, 4]), new Uint8Array([5, 6, 7, 8])]
    const image = { ...encapsulated, frames: 2, transferSyntax: encapsulatedUncompressed, fragments }
    const header = await readImageHeader(memorySource(buildObject(image)))
    const description = describeImage(header)
    const decoded = await decodeFrame(await readFrame(header, 1), description)
    expect([...toNativeFrame(decoded, description).bytes]).toEqual([5, 6, 7, 8])
  })
})

describe('frames of native pixel data', () => {
  test('follow each other', async () => {
    const pixels = words([1, 2, 3, 4, 5, 6, 7, 8])
    const frames = await framesOf({ rows: 2, columns: 2, bits: 16, frames: 2, pixels })
    expect(frames).toEqual([[...words([1, 2, 3, 4])], [...words([5, 6, 7, 8])]])
  })

  test('of one bit a pixel begin anywhere in a byte and leave aligned to it', async () => {
    // Two frames of 3 × 3: 1 0 1 0 1 0 1 0 1, then 0 1 1 0 0 0 0 1 1.
    const pixels = new Uint8Array([0b01010101, 0b00001101, 0b00000011, 0])
    const header = await readImageHeader(memorySource(buildObject({ rows: 3, columns: 3, bits: 1, frames: 2, pixels })))
    const image = describeImage(header)
    const decoded = await decodeFrame(await readFrame(header, 1), image)
    expect([...toNativeFrame(decoded, image).bytes]).toEqual([0b10000110, 0b1])
  })

  test('that the file came without are not counted, and lost where they are asked for', async () => {
    const header = await readImageHeader(
      memorySource(buildObject({ rows: 2, columns: 2, frames: 2147483647, pixels: new Uint8Array(8) })),
    )
    expect(describeImage(header).frameCount).toBe(2)
    const message = 'Frame 3 is lost: of 2147483647 frames the image came with 2.'
    await expect(locateFrame(header, 2)).rejects.toMatchObject({ fault: 'damaged', message })
    await expect(locateFrame(header, 2147483647)).rejects.toMatchObject({ fault: 'noSuchFrame' })
  })

  test('cut short are refused in words', async () => {
    await expect(framesOf({ rows: 4, columns: 4, pixels: new Uint8Array(15) })).rejects.toMatchObject({
      fault: 'damaged',
      message: 'The file ends before its pixel data does.',
    })
  })

  test('of a 1 GB object are read without reading the object', async () => {
    const frameBytes = 1024 * 1024
    const head = buildObject({ rows: 1024, columns: 1024, frames: 1024, pixels: new Uint8Array(0) })
    new DataView(head.buffer).setUint32(head.length - 4, 1024 * frameBytes, true)
    let bytesRead = 0
    const source: ByteSource = {
      size: head.length + 1024 * frameBytes,
      read(offset, length) {
        const bytes = new Uint8Array(length)
        bytes.set(head.subarray(offset, offset + length))
        bytesRead += length
        return Promise.resolve(bytes)
      },
    }
    const header = await readImageHeader(source)
    expect((await readFrame(header, 1000)).bytes.length).toBe(frameBytes)
    expect(bytesRead).toBeLessThan(frameBytes + 512 * 1024)
  })
})

describe('images that are refused before memory is taken', () => {
  const describeTestImage = async (image: TestImage) =>
    describeImage(await readImageHeader(memorySource(buildObject(image))))

  test('65535 × 65535 pixels', async () => {
    await expect(describeTestImage({ rows: 65535, columns: 65535, pixels: new Uint8Array(8) })).rejects.toMatchObject({
      fault: 'tooLarge',
      message: 'The image claims 65535 × 65535 pixels, 4096 MB a frame; the limit is 256 MB.',
    })
  })

  test('no rows', async () => {
    const promise = describeTestImage({ rows: 0, columns: 5, pixels: new Uint8Array(8) })
    await expect(promise).rejects.toMatchObject({ fault: 'damaged' })
  })

  test('7 bits allocated', async () => {
    const promise = describeTestImage({ rows: 2, columns: 2, bits: 7, pixels: new Uint8Array(8) })
    await expect(promise).rejects.toMatchObject({ fault: 'unsupported' })
  })

  test('video, which has a reason of its own', async () => {
    const fragments = [new Uint8Array(0), new Uint8Array(8)]
    const promise = describeTestImage({ rows: 2, columns: 2, transferSyntax: '1.2.840.10008.1.2.4.102', fragments })
    await expect(promise).rejects.toMatchObject({ fault: 'noPicture', message: expect.stringContaining('video') })
  })
})
