import { readHeader } from '@hilum/dicom/read'
import { DicomReadError, NeedMoreBytes } from '@hilum/dicom/read-error'
import { StreamHead } from '@hilum/dicom/recode/stream-head'
import type { RenderPool } from '@hilum/dicom/render/pool'
import { Tag } from '@hilum/dicom/tags'
import { encodeRaw } from '@hilum/dicom/write-part10'
import type { OutgoingInstance } from './outgoing-instance.ts'

const MAX_PIXEL_BYTES = 0xfffffffe
/** Frames decoded ahead of the one that is being sent. */
const AHEAD = 2

/**
 * The data set of an instance with its compressed pixels decoded, as Explicit VR Little Endian; frame by frame, in the
 * threads that draw pictures. Elements after compressed pixels (padding, signatures that no longer fit) is left out.
 * @throws RenderError, DicomReadError
 */
export async function* decodeObject(instance: OutgoingInstance, render: RenderPool): AsyncGenerator<Uint8Array> {
  const frame = (number: number) => {
    const options = { transferSyntaxUid: instance.transferSyntax, frame: number }
    const job = instance.useFile((file) => render.transcode({ ...file, ...options }))
    // a reader that stops in between leaves jobs behind that nobody waits for
    job.catch(() => undefined)
    return job
  }
  const { bytes: first, frameCount, photometric } = await frame(0)
  const length = first.length * frameCount
  if (length > MAX_PIXEL_BYTES) throw new DicomReadError('malformed', 'The pixels are too many to be sent uncompressed')
  yield await readDecodedHead(instance, photometric)
  yield pixelHeader(length + (length % 2), first.length, frameCount)
  yield first
  const ahead = Array.from({ length: Math.min(AHEAD, frameCount - 1) }, (_, index) => frame(index + 1))
  for (let number = 1; number < frameCount; number += 1) {
    const { bytes } = await (ahead.shift() as ReturnType<typeof frame>)
    if (number + AHEAD < frameCount) ahead.push(frame(number + AHEAD))
    if (bytes.length !== first.length) throw new DicomReadError('malformed', 'The frames differ in size')
    yield bytes
  }
  if (length % 2 === 1) yield Uint8Array.of(0)
}

/** Everything in front of the pixels, with the colours named as the decoder gives them. */
async function readDecodedHead(instance: OutgoingInstance, photometric: string): Promise<Uint8Array> {
  const head = new StreamHead(instance.open())
  try {
    const { header, bytes } = await head.read((bytes, size) => {
      const read = readHeader(bytes, { size, untilPixelData: true })
      if (read.kind === 'need-more') throw new NeedMoreBytes(read.atLeastBytes)
      return { header: read.header, bytes }
    })
    const { dataSet, dataSetStart, pixelOffset } = header
    if (pixelOffset === undefined) throw new DicomReadError('malformed', 'There are no pixels to decode')
    const named = dataSet.elements.get(Tag.PhotometricInterpretation)
    if (!named) return Uint8Array.from(bytes.subarray(dataSetStart, pixelOffset))
    const renamed = encodeRaw(named.tag, 'CS', Buffer.from(photometric), dataSet.encoding)
    return Buffer.concat([bytes.subarray(dataSetStart, named.start), renamed, bytes.subarray(named.end, pixelOffset)])
  } finally {
    await head.close()
  }
}

function pixelHeader(length: number, frameBytes: number, frameCount: number): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt16LE(0x7fe0, 0)
  bytes.writeUInt16LE(0x0010, 2)
  // OW is right for either depth in explicit little endian (PS3.5 §8.1.2)
  bytes.write('OW', 4, 'latin1')
  bytes.writeUInt32LE(length, 8)
  if (frameBytes * frameCount > length) throw new RangeError('The length is too short for its frames')
  return bytes
}
