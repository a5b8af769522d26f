/** What a browser may show in place: raster images and PDF, told by their first bytes and never by a name or a claim. */
const shown: readonly { type: string; starts: readonly (string | number)[]; at?: number }[] = [
  { type: 'image/png', starts: [0x89, 'PNG', 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', starts: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', starts: ['GIF8'] },
  { type: 'image/bmp', starts: ['BM'] },
  { type: 'image/webp', starts: ['WEBP'], at: 8 },
  { type: 'application/pdf', starts: ['%PDF-'] },
]

/** Bytes that tell the kind of a file. */
export const TELLING_BYTES = 16

/** The type of a file that a browser may show, or undefined: it is saved then. */
export function shownTypeOf(start: Uint8Array): string | undefined {
  return shown.find(({ starts, at = 0 }) => {
    const wanted = Buffer.concat(starts.map((one) => (typeof one === 'string' ? Buffer.from(one) : Buffer.of(one))))
    return wanted.equals(start.subarray(at, at + wanted.length))
  })?.type
}
