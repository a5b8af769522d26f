/** A file inside a ZIP, as its central directory tells of it. Source: PKWARE APPNOTE 4.3.12. */
export interface ZipFileEntry {
  path: string
  sizeBytes: number
  packedBytes: number
  method: number
  crc32: number
  isEncrypted: boolean
  /** Of its local header, from the start of the ZIP. */
  offset: number
}

/** A ZIP that cannot be read as one: cut off, damaged or spread over several discs. */
export class ZipDamaged extends Error {}

const END = 0x06054b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const ENTRY = 0x02014b50
const END_BYTES = 22
const LONGEST_COMMENT = 0xffff
/** More than any disc holds; the directory of so many files takes some hundred MB. */
const MOST_ENTRIES = 1_000_000

/** Whether bytes begin as a ZIP does, an empty one included. */
export const isZip = (bytes: Uint8Array) =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && ((bytes[2] === 3 && bytes[3] === 4) || (bytes[2] === 5 && bytes[3] === 6))

/**
 * The files of a ZIP in its own order, folders left out. Reads the directory at its end alone.
 * @throws ZipDamaged
 */
export async function listZip(zip: Blob): Promise<ZipFileEntry[]> {
  const { offset, size, count } = await findDirectory(zip)
  if (count > MOST_ENTRIES || offset + size > zip.size) throw new ZipDamaged('The directory lies outside the ZIP')
  const view = await viewOf(zip, offset, offset + size)
  const entries: ZipFileEntry[] = []
  for (let at = 0, k = 0; k < count; k++) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== ENTRY)
      throw new ZipDamaged('The directory is cut off')
    const lengths = [28, 30, 32].map((field) => view.getUint16(at + field, true))
    const [nameBytes = 0, extraBytes = 0, commentBytes = 0] = lengths
    const next = at + 46 + nameBytes + extraBytes + commentBytes
    if (next > view.byteLength) throw new ZipDamaged('The directory is cut off')
    const entry = readEntry(view, at, nameBytes, extraBytes)
    if (!entry.path.endsWith('/')) entries.push(entry)
    at = next
  }
  return entries
}

function readEntry(view: DataView, at: number, nameBytes: number, extraBytes: number): ZipFileEntry {
  const flags = view.getUint16(at + 8, true)
  const name = new Uint8Array(view.buffer, view.byteOffset + at + 46, nameBytes)
  const sizes = { sizeBytes: view.getUint32(at + 24, true), packedBytes: view.getUint32(at + 20, true) }
  return {
    path: nameOf(name, (flags & 0x800) !== 0),
    method: view.getUint16(at + 10, true),
    crc32: view.getUint32(at + 16, true),
    isEncrypted: (flags & 1) !== 0,
    ...readLong(view, at + 46 + nameBytes, extraBytes, { ...sizes, offset: view.getUint32(at + 42, true) }),
  }
}

/** Sizes and places beyond 4 GB stand in an extra field, in this order, as far as they are needed (APPNOTE 4.5.3). */
function readLong(
  view: DataView,
  from: number,
  length: number,
  short: Pick<ZipFileEntry, 'sizeBytes' | 'packedBytes' | 'offset'>,
) {
  const long = { ...short }
  for (let at = from; at + 4 <= from + length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue
    let field = at + 4
    for (const name of ['sizeBytes', 'packedBytes', 'offset'] as const) {
      if (short[name] !== 0xffffffff || field + 8 > from + length) continue
      long[name] = Number(view.getBigUint64(field, true))
      field += 8
    }
  }
  return long
}

/** Names are UTF-8 where the ZIP says so; others often are all the same, and are read byte by byte when they are not. */
function nameOf(bytes: Uint8Array, isUtf8: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: !isUtf8 }).decode(bytes).replaceAll('\\', '/')
  } catch {
    return new TextDecoder('windows-1252').decode(bytes).replaceAll('\\', '/')
  }
}

async function findDirectory(zip: Blob): Promise<{ offset: number; size: number; count: number }> {
  const from = Math.max(0, zip.size - END_BYTES - LONGEST_COMMENT)
  const view = await viewOf(zip, from, zip.size)
  let at = view.byteLength - END_BYTES
  while (at >= 0 && view.getUint32(at, true) !== END) at--
  if (at < 0) throw new ZipDamaged('The end of the ZIP is missing')
  const found = {
    count: view.getUint16(at + 10, true),
    size: view.getUint32(at + 12, true),
    offset: view.getUint32(at + 16, true),
  }
  const isLong = found.count === 0xffff || found.size === 0xffffffff || found.offset === 0xffffffff
  if (!isLong || at < 20 || view.getUint32(at - 20, true) !== LOCATOR_64) return found
  const place = Number(view.getBigUint64(at - 20 + 8, true))
  const end = await viewOf(zip, place, place + 56)
  if (end.getUint32(0, true) !== END_64) throw new ZipDamaged('The end of the ZIP is damaged')
  const [count, size, offset] = [32, 40, 48].map((field) => Number(end.getBigUint64(field, true)))
  return { count: count ?? 0, size: size ?? 0, offset: offset ?? 0 }
}

/** @throws ZipDamaged when the bytes are not there, or cannot be read */
export async function viewOf(zip: Blob, from: number, to: number): Promise<DataView> {
  if (from < 0 || from > to || to > zip.size) throw new ZipDamaged('The ZIP is cut off')
  return new DataView(await zip.slice(from, to).arrayBuffer())
}
