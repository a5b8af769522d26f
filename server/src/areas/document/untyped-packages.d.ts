/** Types for packages that bring none, as far as we use them. */
declare module 'pdfmake' {
  interface PdfMake {
    virtualfs: { writeFileSync: (name: string, bytes: Uint8Array) => void }
    setFonts: (fonts: Record<string, Record<string, string>>) => void
    setUrlAccessPolicy: (allows: (url: string) => boolean) => void
    setLocalAccessPolicy: (allows: (path: string) => boolean) => void
    setTableLayouts: (layouts: Record<string, Record<string, () => number | string>>) => void
    createPdf: (definition: {
      content: readonly object[]
      pageSize: string
      pageMargins: number
      defaultStyle: Record<string, unknown>
      footer: (page: number, pages: number) => object
      info: Record<string, unknown>
    }) => {
      getStream: () => Promise<{ info: Record<string, unknown> }>
      getBuffer: () => Promise<Uint8Array>
    }
  }
  const pdfmake: PdfMake
  export default pdfmake
}

declare module 'fontkit' {
  export interface Font {
    hasGlyphForCodePoint: (codePoint: number) => boolean
  }
  export function create(bytes: Uint8Array): Font
}
