import { DicomReadError } from '../read-error.ts'

/** How the frames of a transfer syntax are cleaned of what is not picture; undefined for syntaxes where nobody can say. */
type FrameForm = 'plain' | 'jpeg' | 'jpeg2000'

const base = '1.2.840.10008.1.2'
const forms: Readonly<Record<string, FrameForm | undefined>> = {
  [base]: 'plain',
  [`${base}.1`]: 'plain',
  [`${base}.1.98`]: 'plain',
  [`${base}.1.99`]: 'plain',
  [`${base}.2`]: 'plain',
  [`${base}.5`]: 'plain',
  ...Object.fromEntries(['50', '51', '53', '55', '57', '70', '80', '81'].map((one) => [`${base}.4.${one}`, 'jpeg'])),
  ...Object.fromEntries(['90', '91', '92', '93', '201', '202', '203'].map((one) => [`${base}.4.${one}`, 'jpeg2000'])),
}

export function frameFormOf(transferSyntax: string): FrameForm | undefined {
  return forms[transferSyntax]
}

/** A frame that is longer is not looked through. */
const MAX_FRAGMENT_BYTES = 512 * 1024 * 1024
const PIXEL_HEADER_BYTES = 12
const ITEM_HEADER_BYTES = 8

/**
 * Encapsulated pixel data, from their element header on, with comments and the data of applications (EXIF, thumbnails,
 * texts) of every frame blanked. The length stays, and so do the offsets of frames.
 * @throws DicomReadError for frames that cannot be looked through
 */
export async function* cleanFragments(
  chunks: AsyncIterable<Uint8Array>,
  form: 'jpeg' | 'jpeg2000',
): AsyncGenerator<Uint8Array> {
  const read = reader(chunks)
  yield await read(PIXEL_HEADER_BYTES)
  for (let index = 0; ; index += 1) {
    const header = await read(ITEM_HEADER_BYTES)
    yield header
    const tag = header.readUInt32LE(0)
    if (tag === 0xe0ddfffe) return
    const length = header.readUInt32LE(4)
    if (tag !== 0xe000fffe || length > MAX_FRAGMENT_BYTES) throw unreadable()
    if (length === 0) continue
    // a copy: the bytes may be those of a cache
    const fragment = Buffer.from(await read(length))
    if (index > 0) blank(fragment, form)
    yield fragment
  }
}

function reader(chunks: AsyncIterable<Uint8Array>): (count: number) => Promise<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]()
  let held: Buffer[] = []
  let bytes = 0
  return async (count) => {
    while (bytes < count) {
      const next = await iterator.next()
      if (next.done) throw unreadable()
      held.push(Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength))
      bytes += next.value.byteLength
    }
    const all = held.length === 1 ? (held[0] ?? Buffer.alloc(0)) : Buffer.concat(held)
    held = [all.subarray(count)]
    bytes -= count
    return all.subarray(0, count)
  }
}

function blank(frame: Buffer, form: 'jpeg' | 'jpeg2000'): void {
  if (form === 'jpeg') blankJpeg(frame)
  else blankJpeg2000(frame)
}

/** Beginnings of application data that decoders need, by marker: their name and the bytes that stay. */
const neededData: Readonly<Record<number, readonly [name: string, bytes: number]>> = {
  0xe0: ['JFIF\0', 12],
  0xe8: ['mrfx', 5],
  0xee: ['Adobe', 12],
}

/** Source: ITU-T T.81 annex B, T.87 annex C. */
function blankJpeg(frame: Buffer): void {
  if (frame.length < 4 || frame.readUInt16BE(0) !== 0xffd8) throw unreadable()
  let at = 2
  for (;;) {
    at = frame.indexOf(0xff, at)
    if (at < 0 || at + 1 >= frame.length) throw unreadable()
    const marker = frame[at + 1] ?? 0
    if (marker === 0xff) at += 1
    else if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else if (marker === 0xd9) {
      frame.fill(0, at + 2)
      return
    } else at = passSegment(frame, at, marker)
  }
}

function passSegment(frame: Buffer, at: number, marker: number): number {
  if (at + 4 > frame.length) throw unreadable()
  const end = at + 2 + frame.readUInt16BE(at + 2)
  if (end > frame.length || end < at + 4) throw unreadable()
  if ((marker >= 0xe0 && marker <= 0xef) || marker === 0xfe) {
    const needed = neededData[marker]
    const isNeeded = needed && frame.toString('latin1', at + 4, at + 4 + needed[0].length) === needed[0]
    frame.fill(0, Math.min(end, at + 4 + (isNeeded ? needed[1] : 0)), end)
  }
  return end
}

/** Source: ISO/IEC 15444-1 annex A. */
function blankJpeg2000(frame: Buffer): void {
  if (frame.length < 4 || frame.readUInt32BE(0) !== 0xff4fff51) throw unreadable()
  let at = 2
  let tileEnd = frame.length
  while (at + 2 <= frame.length) {
    const marker = frame.readUInt16BE(at)
    if (marker === 0xffd9) {
      frame.fill(0, at + 2)
      return
    }
    if (marker === 0xff93) {
      at = tileEnd
      continue
    }
    if (at + 4 > frame.length) break
    const length = frame.readUInt16BE(at + 2)
    if (length < 2 || at + 2 + length > frame.length) break
    if (marker === 0xff90) tileEnd = tileEndOf(frame, at)
    if (marker === 0xff64) frame.fill(0, at + 6, at + 2 + length)
    at += 2 + length
  }
  throw unreadable()
}

function tileEndOf(frame: Buffer, at: number): number {
  const length = frame.readUInt32BE(at + 6)
  // the last tile-part may leave its length open: up to the marker that ends the codestream
  const end = length === 0 ? frame.lastIndexOf(Buffer.of(0xff, 0xd9)) : at + length
  if (end <= at + 12 || end > frame.length - 2) throw unreadable()
  return end
}

function unreadable(): DicomReadError {
  return new DicomReadError('malformed', 'The compressed frames cannot be looked through for comments')
}
