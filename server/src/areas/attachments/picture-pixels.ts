import { StorageError } from '@hilum/contract/storage-errors'
import sharp from 'sharp'
import { openLentFile } from '../../outbound/storage/lent-file.ts'

/** The pixels of a picture as DICOM stores them: as they came when they are plain JPEG, else opened. */
export type PicturePixels = {
  rows: number
  columns: number
  samples: 1 | 3
  bits: 8 | 16
  photometric: string
  pixels: { kind: 'jpeg' } | { kind: 'native'; bytes: Uint8Array }
}

/** Of one page. */
export const MAX_PIXELS = 50_000_000
const MAX_PAGES = 200
/** In front of the picture; fill bytes count too, of which there may be as many as the file is long. */
const MAX_MARKERS = 10_000

/**
 * Pixels that opening the file may take at a time, from its header.
 * @throws StorageError VALIDATION_ERROR when it cannot be read, PAYLOAD_TOO_LARGE
 */
export async function countPixels(path: string): Promise<number> {
  const { width, height, pages = 1 } = await inWords(sharp(path, { limitInputPixels: MAX_PIXELS }).metadata())
  // only the first page's size is known
  return pages > 1 ? MAX_PIXELS : Math.min(MAX_PIXELS, width * height)
}

/**
 * Opens the picture in a file, page by page.
 * @throws StorageError VALIDATION_ERROR when it cannot be read, PAYLOAD_TOO_LARGE
 */
export async function* readPictures(path: string): AsyncGenerator<{ picture: PicturePixels; pages: number }> {
  const { pages = 1, format } = await inWords(sharp(path, { limitInputPixels: MAX_PIXELS }).metadata())
  if (pages > MAX_PAGES) throw new StorageError('PAYLOAD_TOO_LARGE', `The file has more than ${MAX_PAGES} pages`)
  const plain = format === 'jpeg' ? await readPlainJpeg(path) : undefined
  if (plain) {
    yield { picture: plain, pages: 1 }
    return
  }
  for (let page = 0; page < pages; page += 1) yield { picture: await readPage(path, page), pages }
}

async function readPage(path: string, page: number): Promise<PicturePixels> {
  const picture = sharp(path, { page, limitInputPixels: MAX_PIXELS, failOn: 'error' })
  const { space = '', channels = 3, depth } = await inWords(picture.metadata())
  const isGrey = space === 'b-w' || space === 'grey16' || channels <= 2
  const isDeep = isGrey && depth === 'ushort'
  const shaped = picture
    .rotate()
    .flatten({ background: '#ffffff' })
    .toColourspace(isDeep ? 'grey16' : isGrey ? 'b-w' : 'srgb')
    .raw({ depth: isDeep ? 'ushort' : 'uchar' })
  const { data, info } = await inWords(shaped.toBuffer({ resolveWithObject: true }))
  if (info.channels !== 1 && info.channels !== 3) throw unreadable()
  return {
    rows: info.height,
    columns: info.width,
    samples: info.channels,
    bits: isDeep ? 16 : 8,
    photometric: info.channels === 1 ? 'MONOCHROME2' : 'RGB',
    pixels: { kind: 'native', bytes: data },
  }
}

/** A baseline JPEG that is neither turned nor in printing colours goes in as it is: nothing is lost twice. */
async function readPlainJpeg(path: string): Promise<PicturePixels | undefined> {
  const found = await inWords(sharp(path, { limitInputPixels: MAX_PIXELS }).metadata())
  const { width, height, channels, isProgressive, orientation = 1, chromaSubsampling, hasAlpha } = found
  const samples = channels
  if (isProgressive || orientation !== 1 || hasAlpha || (samples !== 1 && samples !== 3)) return undefined
  if (!(await isBaselineYbr(path))) return undefined
  // One picture is opened to its end, so that a cut file is refused and not stored as half a picture.
  await inWords(sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).stats())
  const colour = chromaSubsampling === '4:4:4' ? 'YBR_FULL' : 'YBR_FULL_422'
  const photometric = samples === 1 ? 'MONOCHROME2' : colour
  return { rows: height, columns: width, samples, bits: 8, photometric, pixels: { kind: 'jpeg' } }
}

/** Walks the markers: baseline (SOF0), and no Adobe mark that says the colours are stored as RGB. */
async function isBaselineYbr(path: string): Promise<boolean> {
  await using file = await openLentFile(path)
  const head = Buffer.alloc(18)
  let at = 2
  for (let steps = 0; steps < MAX_MARKERS; steps += 1) {
    const { bytesRead } = await file.read(head, 0, head.length, at)
    if (bytesRead < 4 || head[0] !== 0xff) return false
    const marker = head[1] ?? 0
    if (marker === 0xc0) return true
    if (marker >= 0xc1 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) return false
    if (marker === 0xee && head.toString('latin1', 4, 9) === 'Adobe' && head[15] === 0) return false
    if (marker === 0xda) return false
    at += marker === 0xff ? 1 : 2 + head.readUInt16BE(2)
  }
  return false
}

async function inWords<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Error && /pixel limit/i.test(error.message)) {
      throw new StorageError('PAYLOAD_TOO_LARGE', 'The picture has too many pixels', {}, { cause: error })
    }
    throw unreadable(error)
  }
}

function unreadable(cause?: unknown): StorageError {
  return new StorageError('VALIDATION_ERROR', 'The picture cannot be read', { reason: 'damaged' }, { cause })
}
