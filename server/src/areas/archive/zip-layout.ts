import { crc32 } from 'node:zlib'
import { type CountedParts, type Part, lengthOfParts } from '../storage/parts.ts'

/** A file of an archive, stored as it is. Length and CRC are known before its bytes are read. */
export type ZipEntry = { name: string; length: number; crc32: number; modified: Date; parts: readonly Part[] }

const LIMIT_32 = 0xffffffff
const LIMIT_16 = 0xffff
const VERSION_PLAIN = 20
const VERSION_ZIP64 = 45
const LOCAL_HEADER_BYTES = 30
const DIRECTORY_HEADER_BYTES = 46
const END_BYTES = 22
const ZIP64_END_BYTES = 76
/** Names are UTF-8. */
const FLAGS = 0x0800
/** The CRC stands behind the bytes, in a descriptor. */
const DESCRIBED = 0x0008

/** Entries by their number: a list, or something that makes each when it is asked for. */
export type Entries = {
  readonly length: number
  readonly at: (index: number) => ZipEntry | undefined
  /** The sizes of an entry alone, where they are at hand without making it. */
  readonly sizeAt?: (index: number) => EntrySize | undefined
}

/** `nameBytes` in UTF-8. */
export type EntrySize = { nameBytes: number; length: number }

export function sizeOfEntry(entries: Entries, index: number): EntrySize | undefined {
  if (entries.sizeAt) return entries.sizeAt(index)
  const entry = entries.at(index)
  return entry && { nameBytes: Buffer.byteLength(entry.name), length: entry.length }
}

/**
 * A ZIP without compression as parts, so that its length and any range of it are known at once. ZIP64 where sizes,
 * offsets or the number of entries need it (APPNOTE 4.3–4.5). The parts are made anew each time they are gone through,
 * so that an archive that is read slowly holds nothing but its entries. Their length is reckoned: headers of 200,000
 * images take a second to write, and every request asks for the length, the one for a range too.
 */
export function layoutZip(entries: Entries): CountedParts {
  return { [Symbol.iterator]: () => partsOfZip(entries), countBytes: () => lengthOfZip(entries) }
}

function lengthOfZip(entries: Entries): number {
  let offset = 0
  let central = 0
  for (let index = 0; index < entries.length; index++) {
    const size = sizeOfEntry(entries, index)
    if (!size) continue
    const isLarge = size.length >= LIMIT_32
    central += DIRECTORY_HEADER_BYTES + size.nameBytes + extraBytes((isLarge ? 2 : 0) + (offset >= LIMIT_32 ? 1 : 0))
    offset += LOCAL_HEADER_BYTES + size.nameBytes + extraBytes(isLarge ? 2 : 0) + size.length
  }
  const isZip64 = needsZip64(entries.length, central, offset)
  return offset + central + (isZip64 ? ZIP64_END_BYTES : 0) + END_BYTES
}

/** Bytes of a ZIP64 extra field with so many numbers. */
function extraBytes(numbers: number): number {
  return numbers === 0 ? 0 : 4 + 8 * numbers
}

function* partsOfZip(entries: Entries): Generator<Part> {
  let offset = 0
  for (const entry of each(entries)) {
    if (lengthOfParts(entry.parts) !== entry.length)
      throw new RangeError('A ZIP entry has another length than announced')
    const header = localHeader(entry)
    yield { kind: 'bytes', bytes: header }
    yield* entry.parts
    offset += header.length + entry.length
  }
  const central = Buffer.concat([...directoryHeaders(entries)])
  yield { kind: 'bytes', bytes: central }
  yield { kind: 'bytes', bytes: endOfDirectory(entries.length, central.length, offset) }
}

function* directoryHeaders(entries: Entries): Generator<Buffer> {
  let offset = 0
  for (const entry of each(entries)) {
    yield directoryHeader(entry, offset)
    offset += localHeader(entry).length + entry.length
  }
}

function* each(entries: Entries): Generator<ZipEntry> {
  for (let index = 0; index < entries.length; index++) {
    const entry = entries.at(index)
    if (entry) yield entry
  }
}

/** A file that is made while it is sent: in memory, or a stream of which the length is known ahead and the CRC is not. */
export type StreamedFile = { name: string; modified: Date } & (
  | { bytes: Uint8Array }
  | { length: number; body: Iterable<Uint8Array> | AsyncIterable<Uint8Array> }
)

/**
 * A ZIP without compression of files that are made one after the other, each when its turn comes. The length is not
 * known ahead. The CRC of a stream stands in a descriptor behind it (APPNOTE 4.3.9).
 */
export async function* streamZip(files: AsyncIterable<StreamedFile>): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const file of files) {
    const sent =
      'bytes' in file ? yield* sendKnown(file, file.bytes) : yield* sendDescribed(file, file.length, file.body)
    directory.push(directoryHeader(sent.entry, offset, sent.flags))
    offset += sent.total
  }
  const central = Buffer.concat(directory)
  yield central
  yield endOfDirectory(directory.length, central.length, offset)
}

/** An entry that has been sent, and the bytes that it took with what surrounds it. */
type Sent = { entry: ZipEntry; flags: number; total: number }
type Titled = { name: string; modified: Date }

async function* sendKnown({ name, modified }: Titled, bytes: Uint8Array): AsyncGenerator<Uint8Array, Sent> {
  const entry: ZipEntry = { name, length: bytes.length, crc32: crc32(bytes), modified, parts: [] }
  const header = localHeader(entry)
  yield header
  yield bytes
  return { entry, flags: FLAGS, total: header.length + bytes.length }
}

async function* sendDescribed(
  { name, modified }: Titled,
  length: number,
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, Sent> {
  const open: ZipEntry = { name, length: 0, crc32: 0, modified, parts: [] }
  const isLarge = length >= LIMIT_32
  const flags = FLAGS | DESCRIBED
  const header = localHeader(open, { isLarge, flags })
  yield header
  let crc = 0
  let sent = 0
  for await (const chunk of body) {
    crc = crc32(chunk, crc)
    sent += chunk.length
    yield chunk
  }
  if (sent !== length) throw new RangeError('A ZIP entry has another length than announced')
  const descriptor = descriptorOf(crc, length, isLarge)
  yield descriptor
  return { entry: { ...open, length, crc32: crc }, flags, total: header.length + length + descriptor.length }
}

function descriptorOf(crc: number, length: number, isLarge: boolean): Buffer {
  const descriptor = Buffer.alloc(isLarge ? 24 : 16)
  descriptor.writeUInt32LE(0x08074b50, 0)
  descriptor.writeUInt32LE(crc, 4)
  for (const [index, size] of [length, length].entries()) {
    if (isLarge) descriptor.writeBigUInt64LE(BigInt(size), 8 + 8 * index)
    else descriptor.writeUInt32LE(size, 8 + 4 * index)
  }
  return descriptor
}

function localHeader(entry: ZipEntry, { isLarge = entry.length >= LIMIT_32, flags = FLAGS } = {}): Buffer {
  const name = Buffer.from(entry.name, 'utf8')
  const extra = isLarge ? zip64Extra([entry.length, entry.length]) : Buffer.alloc(0)
  const header = Buffer.alloc(LOCAL_HEADER_BYTES)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(isLarge ? VERSION_ZIP64 : VERSION_PLAIN, 4)
  writeEntryFields(header, 6, { ...entry, flags }, name.length, extra.length)
  return Buffer.concat([header, name, extra])
}

function directoryHeader(entry: ZipEntry, offset: number, flags = FLAGS): Buffer {
  const name = Buffer.from(entry.name, 'utf8')
  const isLarge = entry.length >= LIMIT_32
  const isFar = offset >= LIMIT_32
  const extra = zip64Extra([...(isLarge ? [entry.length, entry.length] : []), ...(isFar ? [offset] : [])])
  const header = Buffer.alloc(DIRECTORY_HEADER_BYTES)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(VERSION_ZIP64, 4)
  header.writeUInt16LE(isLarge || isFar ? VERSION_ZIP64 : VERSION_PLAIN, 6)
  writeEntryFields(header, 8, { ...entry, flags }, name.length, extra.length)
  header.writeUInt32LE(isFar ? LIMIT_32 : offset, 42)
  return Buffer.concat([header, name, extra])
}

/** Flags, method, time, CRC, sizes and lengths: the same run of fields in both headers. */
function writeEntryFields(
  header: Buffer,
  at: number,
  entry: ZipEntry & { flags: number },
  nameBytes: number,
  extraBytes: number,
): void {
  const { time, date } = dosTime(entry.modified)
  const size = Math.min(entry.length, LIMIT_32)
  header.writeUInt16LE(entry.flags, at)
  header.writeUInt16LE(0, at + 2)
  header.writeUInt16LE(time, at + 4)
  header.writeUInt16LE(date, at + 6)
  header.writeUInt32LE(entry.crc32, at + 8)
  header.writeUInt32LE(size, at + 12)
  header.writeUInt32LE(size, at + 16)
  header.writeUInt16LE(nameBytes, at + 20)
  header.writeUInt16LE(extraBytes, at + 22)
}

function zip64Extra(numbers: readonly number[]): Buffer {
  if (numbers.length === 0) return Buffer.alloc(0)
  const extra = Buffer.alloc(extraBytes(numbers.length))
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8 * numbers.length, 2)
  for (const [index, number] of numbers.entries()) extra.writeBigUInt64LE(BigInt(number), 4 + 8 * index)
  return extra
}

function endOfDirectory(count: number, bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(END_BYTES)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(count, LIMIT_16), 8)
  end.writeUInt16LE(Math.min(count, LIMIT_16), 10)
  end.writeUInt32LE(Math.min(bytes, LIMIT_32), 12)
  end.writeUInt32LE(Math.min(offset, LIMIT_32), 16)
  return needsZip64(count, bytes, offset) ? Buffer.concat([zip64End(count, bytes, offset), end]) : end
}

function needsZip64(count: number, bytes: number, offset: number): boolean {
  return count >= LIMIT_16 || bytes >= LIMIT_32 || offset >= LIMIT_32
}

function zip64End(count: number, bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(ZIP64_END_BYTES)
  end.writeUInt32LE(0x06064b50, 0)
  end.writeBigUInt64LE(44n, 4)
  end.writeUInt16LE(VERSION_ZIP64, 12)
  end.writeUInt16LE(VERSION_ZIP64, 14)
  end.writeBigUInt64LE(BigInt(count), 24)
  end.writeBigUInt64LE(BigInt(count), 32)
  end.writeBigUInt64LE(BigInt(bytes), 40)
  end.writeBigUInt64LE(BigInt(offset), 48)
  end.writeUInt32LE(0x07064b50, 56)
  end.writeBigUInt64LE(BigInt(offset + bytes), 64)
  end.writeUInt32LE(1, 72)
  return end
}

/** MS-DOS time in UTC; it begins in 1980 and counts two seconds at a time. */
function dosTime(at: Date): { time: number; date: number } {
  const year = Math.max(0, Math.min(127, at.getUTCFullYear() - 1980))
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  }
}
