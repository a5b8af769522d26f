import type { SkipReason, ZipReason } from './picked-files.ts'
import { listZip, viewOf, ZipDamaged, type ZipFileEntry } from './zip-directory.ts'

/** A file taken out of a ZIP, or the reason why it stays in. */
export type ZipItem = { path: string; sizeBytes: number } & (
  | { content: Blob; unpackedBytes: number }
  | { reason: SkipReason }
)

/** Documents of offices and books are ZIP files too: these files in them tell so. */
const documentMarks = new Set(['[Content_Types].xml', 'mimetype', 'META-INF/container.xml'])
const LOCAL = 0x04034b50
const STORED = 0
const DEFLATED = 8
/** An image of one colour deflates to a thousandth, so that small files may; nothing that is larger does. */
const BOMB_BYTES = 64 * 1024 * 1024
const BOMB_RATIO = 200
/** Together the files of an exam deflate to a tenth, seldom to a thirtieth. */
const BOMB_SUM_BYTES = 1024 * 1024 * 1024
const BOMB_SUM_RATIO = 100
/** Bytes that all ZIPs of one choice unpack to, at most: the browser holds them, in memory or on its disc. */
export const MOST_UNPACKED_BYTES = 16 * 1024 * 1024 * 1024

/** A ZIP with the bytes that it may still unpack to. */
export interface ZipToOpen {
  zip: File
  leftBytes: number
}

/**
 * Opens the files of a ZIP one after another; nothing in it decides where anything is written. Files that are more than
 * may still be unpacked stay in, whatever comes after them; files stored as they are take nothing.
 * @returns 'document' instead for a document that is a ZIP only inside
 * @throws ZipDamaged
 */
export async function openZip(
  zip: Blob,
  leftBytes = MOST_UNPACKED_BYTES,
): Promise<AsyncGenerator<ZipItem> | 'document'> {
  const entries = await listZip(zip)
  if (entries.some(({ path }) => documentMarks.has(path))) return 'document'
  // entries that share bytes unpack to more than any ZIP that somebody packed
  const packed = entries.reduce((total, one) => total + one.packedBytes, 0)
  const unpacked = entries.reduce((total, one) => total + unpackedBytes(one), 0)
  const isBomb = packed > zip.size || (unpacked > BOMB_SUM_BYTES && unpacked > zip.size * BOMB_SUM_RATIO)
  return openEntries(zip, entries, { isBomb, leftBytes })
}

async function* openEntries(
  zip: Blob,
  entries: readonly ZipFileEntry[],
  { isBomb, leftBytes }: { isBomb: boolean; leftBytes: number },
): AsyncGenerator<ZipItem> {
  let left = leftBytes
  for (const entry of entries) {
    const { path, sizeBytes } = entry
    const kind = isBomb ? 'too-large-inflated' : (refusalOf(entry) ?? (unpackedBytes(entry) > left && 'zip-too-large'))
    if (kind) yield { path, sizeBytes, reason: { kind } }
    else {
      left -= unpackedBytes(entry)
      yield await openEntry(zip, entry)
    }
  }
}

/** Bytes that the browser holds of a file besides the ZIP; more than that are never unpacked of it. */
const unpackedBytes = ({ method, sizeBytes }: Pick<ZipFileEntry, 'method' | 'sizeBytes'>) =>
  method === STORED ? 0 : sizeBytes

function refusalOf({
  path,
  sizeBytes,
  packedBytes,
  method,
  isEncrypted,
}: ZipFileEntry): ZipReason | 'too-large-inflated' | undefined {
  if (path.startsWith('/') || /^[a-z]:/i.test(path) || path.split('/').includes('..')) return 'zip-name'
  if (isEncrypted) return 'zip-encrypted'
  if (method !== STORED && method !== DEFLATED) return 'zip-method'
  if (sizeBytes > BOMB_BYTES && sizeBytes > packedBytes * BOMB_RATIO) return 'too-large-inflated'
  return undefined
}

async function openEntry(zip: Blob, entry: ZipFileEntry): Promise<ZipItem> {
  const { path, sizeBytes, packedBytes, method, offset } = entry
  try {
    const head = await viewOf(zip, offset, offset + 30)
    if (head.getUint32(0, true) !== LOCAL) throw new ZipDamaged('The file has no header')
    const start = offset + 30 + head.getUint16(26, true) + head.getUint16(28, true)
    if (start + packedBytes > zip.size) throw new ZipDamaged('The file is cut off')
    const packed = zip.slice(start, start + packedBytes)
    // stored bytes stay where they are; reading the image tells whether they are whole
    const content = method === STORED ? packed : await inflate(packed, entry)
    return { path, sizeBytes, content, unpackedBytes: unpackedBytes(entry) }
  } catch {
    return { path, sizeBytes, reason: { kind: 'zip-damaged' } }
  }
}

/** @throws ZipDamaged when it holds more or other bytes than the directory says */
async function inflate(packed: Blob, { sizeBytes, crc32 }: ZipFileEntry): Promise<Blob> {
  const reader = packed.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let [size, crc] = [0, 0xffffffff]
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const chunk = piece.value as Uint8Array<ArrayBuffer> // a stream of the browser's own
    size += chunk.length
    if (size > sizeBytes) {
      await reader.cancel()
      throw new ZipDamaged('The file unpacks to more than it says')
    }
    crc = addToCrc(crc, chunk)
    chunks.push(chunk)
  }
  if (size !== sizeBytes || (crc ^ 0xffffffff) >>> 0 !== crc32) throw new ZipDamaged('The file is not what was packed')
  return new Blob(chunks)
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** CRC-32 of ISO 3309, not yet inverted. */
function addToCrc(crc: number, bytes: Uint8Array): number {
  let value = crc
  for (const byte of bytes) value = (value >>> 8) ^ (crcTable[(value ^ byte) & 0xff] ?? 0)
  return value
}
