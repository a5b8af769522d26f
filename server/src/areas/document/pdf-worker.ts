import { StorageError } from '@hilum/contract/storage-errors'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { readLentFile } from '../../outbound/storage/lent-file.ts'
import { answerThread } from './in-thread.ts'
import { MAX_PDF_PAGES, PDF_PPI, type PdfPage } from './pdf-page.ts'

/** Of one page, as pixels lie in memory four bytes each, and more than once. */
const MAX_PIXELS = 30_000_000
/** The memory that PDFium may take; the thread's own limit does not count it. */
const MAX_WASM_BYTES = 512 * 1024 * 1024
const WASM_PAGE_BYTES = 65_536
const POINTS_PER_INCH = 72
const MM_PER_INCH = 25.4

limitWasm()

await answerThread(async function* ({ path }: { path: string }): AsyncGenerator<PdfPage> {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(readLentFile(path)).catch((cause: unknown) => {
    throw new StorageError('VALIDATION_ERROR', wordsOn(cause), { reason: 'damaged' }, { cause })
  })
  const count = document.getPageCount()
  if (count > MAX_PDF_PAGES) throw new StorageError('PAYLOAD_TOO_LARGE', `The PDF has more than ${MAX_PDF_PAGES} pages`)
  if (count < 1) throw new StorageError('VALIDATION_ERROR', 'The PDF has no pages', { reason: 'damaged' })
  document.initializeFormFields()
  for (const page of document.pages()) {
    const { originalWidth, originalHeight } = page.getOriginalSize()
    const scale = scaleOf(originalWidth, originalHeight)
    const size = { width: Math.round(originalWidth * scale), height: Math.round(originalHeight * scale) }
    const { width, height, data } = await page.render({ ...size, render: 'bitmap', renderFormFields: true })
    const spacingMm = MM_PER_INCH / POINTS_PER_INCH / scale
    yield { rows: height, columns: width, ...withoutAlpha(data, width * height), count, spacingMm }
  }
})

/** Pixels a point: as asked for, or fewer where the page is so large that it would be more than may be. */
function scaleOf(widthPt: number, heightPt: number): number {
  const wanted = PDF_PPI / POINTS_PER_INCH
  const pixels = widthPt * wanted * heightPt * wanted
  if (!(pixels > 0)) throw new StorageError('VALIDATION_ERROR', 'A page of the PDF has no size', { reason: 'damaged' })
  return pixels <= MAX_PIXELS ? wanted : wanted * Math.sqrt(MAX_PIXELS / pixels)
}

/** One sample a pixel where no pixel has a colour, else three. */
function withoutAlpha(rgba: Uint8Array, pixels: number): { samples: 1 | 3; pixels: Uint8Array<ArrayBuffer> } {
  let isGrey = true
  for (let at = 0; isGrey && at < pixels * 4; at += 4) {
    isGrey = rgba[at] === rgba[at + 1] && rgba[at] === rgba[at + 2]
  }
  const samples = isGrey ? 1 : 3
  const opaque = new Uint8Array(pixels * samples)
  for (let from = 0, to = 0; to < opaque.length; from += 4) {
    for (let sample = 0; sample < samples; sample += 1) opaque[to++] = rgba[from + sample] ?? 0
  }
  return { samples, pixels: opaque }
}

function wordsOn(cause: unknown): string {
  const isLocked = cause instanceof Error && /password|security/i.test(cause.message)
  return isLocked ? 'The PDF is protected with a password' : 'The PDF cannot be read'
}

/** A document that asks for more memory than it may have fails by itself, and not the server. */
function limitWasm(): void {
  const { prototype } = WebAssembly.Memory
  const grow = prototype.grow
  prototype.grow = function (this: WebAssembly.Memory, pages: number) {
    if (this.buffer.byteLength + Number(pages) * WASM_PAGE_BYTES > MAX_WASM_BYTES)
      throw new RangeError('Too much memory')
    return grow.call(this, pages)
  }
}
