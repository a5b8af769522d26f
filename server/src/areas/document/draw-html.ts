import { StorageError } from '@hilum/contract/storage-errors'
import { atMost } from '../storage/at-most.ts'
import { inThread } from './in-thread.ts'

/** The largest HTML file that is made a PDF of, its pictures included. */
export const MAX_HTML_BYTES = 10 * 1024 * 1024
const DRAW_MS = 60_000
const HEAP_MB = 512

const inTurn = atMost(1)
const worker = new URL('./html-worker.ts', import.meta.url)

interface DrawnHtml {
  bytes: Uint8Array
  /** Characters that the PDF cannot show and says so. */
  undrawn: number
}

/**
 * Makes a PDF of an HTML file: its text, tables and the pictures inside it. Nothing of it runs, nothing is fetched, and
 * style sheets are passed over.
 * @throws StorageError VALIDATION_ERROR, PAYLOAD_TOO_LARGE in words
 */
export async function drawHtml(html: Uint8Array, name: string, owner: string): Promise<DrawnHtml> {
  return inTurn(
    async () => {
      for await (const drawn of inThread<DrawnHtml>(worker, { html, name }, { stepMs: DRAW_MS, heapMb: HEAP_MB })) {
        return drawn
      }
      throw new StorageError('VALIDATION_ERROR', 'The document cannot be drawn')
    },
    { owner },
  )
}

const htmlName = /\.x?html?$/i
/** A comment ends at its first end alone: with a choice of ends, some comments in a row would take for ever to tell. */
const htmlOpening = /^(?:\s|<\?xml[^>]*>|<!--(?:(?!-->)[\s\S])*-->)*<(?:!doctype\s+html|html)\b/i

/** Bytes that tell whether a file is HTML. */
export const HTML_TELLING_BYTES = 1024

/** Whether a file is HTML: by how it begins, or by its name where nothing in its beginning speaks against it. */
export function isHtml(name: string, start: Uint8Array): boolean {
  const text = textOf(start)
  if (htmlOpening.test(text)) return true
  return htmlName.test(name) && /<[a-z!?]/i.test(text) && !text.includes('\0')
}

/** The beginning as far as ASCII goes, whatever it is encoded in. */
function textOf(start: Uint8Array): string {
  const buffer = Buffer.from(start.buffer, start.byteOffset, start.length)
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return buffer.subarray(2).toString('utf16le')
  if (buffer[0] === 0xfe && buffer[1] === 0xff) {
    return Buffer.from(buffer.subarray(2, buffer.length - (buffer.length % 2)))
      .swap16()
      .toString('utf16le')
  }
  return buffer.toString('latin1').replace(/^\xef\xbb\xbf/, '')
}
