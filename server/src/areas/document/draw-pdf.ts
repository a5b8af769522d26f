import { StorageError } from '@hilum/contract/storage-errors'
import { atMost } from '../storage/at-most.ts'
import { inThread } from './in-thread.ts'
import type { PdfPage } from './pdf-page.ts'

const MAX_PDF_BYTES = 256 * 1024 * 1024
const PAGE_MS = 60_000
const HEAP_MB = 512

/** A document at a time: its pages lie in memory, and who draws it takes a whole core. */
const inTurn = atMost(1)
const worker = new URL('./pdf-worker.ts', import.meta.url)

/**
 * Draws a PDF page by page at 200 pixels an inch, or fewer where a page is larger than a picture may be.
 * @throws StorageError VALIDATION_ERROR when it cannot be read, PAYLOAD_TOO_LARGE
 */
export async function drawPdf(
  file: { path: string; length: number },
  owner: string,
  take: (page: PdfPage) => Promise<void>,
): Promise<void> {
  if (file.length > MAX_PDF_BYTES) throw new StorageError('PAYLOAD_TOO_LARGE', 'The PDF is larger than can be drawn')
  await inTurn(
    async () => {
      const pages = inThread<PdfPage>(worker, { path: file.path }, { stepMs: PAGE_MS, heapMb: HEAP_MB })
      for await (const page of pages) await take(page)
    },
    { owner },
  )
}
