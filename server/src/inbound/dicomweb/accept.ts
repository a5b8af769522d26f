/** One range of an Accept header: `multipart/related; type="application/dicom"; transfer-syntax=*;q=0.5`. */
export interface MediaRange {
  /** `multipart/related`, `application/dicom+json`, or with wildcards. */
  media: string
  /** Of a multipart: the type of its parts. */
  type: string
  /** A UID, `*`, or undefined when left out. */
  transferSyntax: string | undefined
  quality: number
}

/** The ranges of an Accept header (or `accept` query, which wins), best first. Source: PS3.18 §8.7.4, RFC 9110 §12.5.1. */
export function readAccept(header: string | undefined, query: unknown): MediaRange[] {
  const text = typeof query === 'string' && query !== '' ? query : (header ?? '')
  const ranges = splitOutside(text, ',')
    .map(readRange)
    .filter((range) => range.media !== '' && range.quality > 0)
  return (ranges.length === 0 ? [readRange('*/*')] : ranges).sort((a, b) => b.quality - a.quality)
}

/** True when some range takes this media type. */
export function accepts(ranges: readonly MediaRange[], media: string): boolean {
  return ranges.some((range) => covers(range.media, media))
}

/** The first range that takes a multipart of this part type (or the bare type). */
export function findMultipart(ranges: readonly MediaRange[], partType: string): MediaRange | undefined {
  return ranges.find((range) =>
    range.media === 'multipart/related'
      ? range.type === '' || covers(range.type, partType)
      : covers(range.media, 'multipart/related') || covers(range.media, partType),
  )
}

function covers(range: string, media: string): boolean {
  if (range === '*/*' || range === '*' || range === media) return true
  return range.endsWith('/*') && media.startsWith(range.slice(0, -1))
}

function readRange(text: string): MediaRange {
  const [media = '', ...rest] = splitOutside(text, ';').map((part) => part.trim())
  const parameters = new Map(
    rest.map((part) => {
      const at = part.indexOf('=')
      return [
        part.slice(0, at).trim().toLowerCase(),
        part
          .slice(at + 1)
          .trim()
          .replace(/^"(.*)"$/, '$1'),
      ] as const
    }),
  )
  const quality = Number(parameters.get('q') ?? '1')
  return {
    media: media.toLowerCase(),
    type: (parameters.get('type') ?? '').toLowerCase(),
    transferSyntax: parameters.get('transfer-syntax') || undefined,
    quality: Number.isFinite(quality) ? quality : 1,
  }
}

/** Splits at a separator that stands outside of quotes. */
function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"' && text[at - 1] !== '\\') isQuoted = !isQuoted
    if (text[at] === separator && !isQuoted) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}
