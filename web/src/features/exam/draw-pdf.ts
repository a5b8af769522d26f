import { AnnotationMode, getDocument, GlobalWorkerOptions, type PDFDocumentProxy } from 'pdfjs-dist'
// oxlint-disable-next-line import/default -- the address of the file, which the build makes its default export
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url'

declare const __PDF_FOLDER__: string

GlobalWorkerOptions.workerSrc = workerAddress

export type { PDFDocumentProxy }

/**
 * Opens a PDF to draw its pages. Nothing in it runs: the part of the library that runs scripts of documents is not in the
 * product, forms and annotations are drawn as they look, and links lead nowhere.
 * @throws Error named PasswordException, InvalidPDFException …
 */
export async function openPdf(blob: Blob, signal: AbortSignal): Promise<PDFDocumentProxy> {
  const task = getDocument({
    data: new Uint8Array(await blob.arrayBuffer()),
    cMapUrl: `${__PDF_FOLDER__}cmaps/`,
    standardFontDataUrl: `${__PDF_FOLDER__}standard_fonts/`,
    wasmUrl: `${__PDF_FOLDER__}wasm/`,
    // the same letters on every machine
    useSystemFonts: false,
    enableXfa: false,
    verbosity: 0,
  })
  signal.addEventListener('abort', () => void task.destroy(), { once: true })
  return task.promise
}

/** More than a page on paper has; a larger one is drawn coarser. */
const mostPixels = 12_000_000

/** Draws a page as wide as the canvas stands on the screen. @returns the words on the page */
export async function drawPage(
  pdf: PDFDocumentProxy,
  number: number,
  canvas: HTMLCanvasElement,
  width: number,
): Promise<string> {
  const page = await pdf.getPage(number)
  const plain = page.getViewport({ scale: 1 })
  const wanted = (width / plain.width) * Math.max(1, devicePixelRatio)
  const most = Math.sqrt(mostPixels / (plain.width * plain.height))
  const viewport = page.getViewport({ scale: Math.min(wanted, most) })
  canvas.width = Math.max(1, Math.floor(viewport.width))
  canvas.height = Math.max(1, Math.floor(viewport.height))
  await page.render({ canvas, viewport, annotationMode: AnnotationMode.ENABLE }).promise
  const { items } = await page.getTextContent()
  return items.map((item) => ('str' in item ? item.str : '')).join(' ')
}
