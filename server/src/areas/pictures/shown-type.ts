/**
 * Types that are named to a browser: raster images and PDF, told by their first bytes and never by a name or a claim. PDF
 * is saved where it is opened by itself, since readers of browsers run the scripts in it; our page draws its pages.
 */
const shown: readonly { type: string; starts: readonly (string | number)[]; at?: number; isSaved?: true }[] = [
  { type: 'image/png', starts: [0x89, 'PNG', 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', starts: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', starts: ['GIF8'] },
  { type: 'image/bmp', starts: ['BM'] },
  { type: 'image/webp', starts: ['WEBP'], at: 8 },
  { type: 'application/pdf', starts: ['%PDF-'], isSaved: true },
]

/** Bytes that tell the kind of a file. */
export const TELLING_BYTES = 16

export interface ShownType {
  type: string
  /** Whether a browser may show it at its own address. */
  isInline: boolean
}

const octets: ShownType = { type: 'application/octet-stream', isInline: false }

/** The type to name of a file, by its first bytes. */
export function shownTypeOf(start: Uint8Array): ShownType {
  const found = shown.find(({ starts, at = 0 }) => {
    const wanted = Buffer.concat(starts.map((one) => (typeof one === 'string' ? Buffer.from(one) : Buffer.of(one))))
    return wanted.equals(start.subarray(at, at + wanted.length))
  })
  return found ? { type: found.type, isInline: !found.isSaved } : octets
}
