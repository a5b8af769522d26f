/** A page of a PDF as pixels, grey where it has no colour. */
export interface PdfPage {
  rows: number
  columns: number
  samples: 1 | 3
  pixels: Uint8Array
  /** Pages in all. */
  count: number
  /** Between the centres of two pixels on paper. */
  spacingMm: number
}

/** The resolution at which pages are drawn, in pixels an inch. */
export const PDF_PPI = 200
export const MAX_PDF_PAGES = 200
