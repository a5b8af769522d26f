import type { FastifyRequest } from 'fastify'

/** One range of an Accept header: `multipart/related; type="application/dicom"; transfer-syntax=*;q=0.5`. */
export interface MediaRange {
  /** `multipart/related`, `application/dicom+json`, or with wildcards. */
  media: string
  /** Of a multipart: the type of its parts. */
  type: string
  /** A UID, `*`, or undefined when left out. */
  transferSyntax: string | undefined
  quality: number
  /** Of a body's Content-Type. */
  boundary?: string
}

/** The ranges of an Accept header (or `accept` query, which wins), best first. Source: PS3.18 §8.7.4, RFC 9110 §12.5.1. */
function readAccept(header: string | undefined, query: unknown): MediaRange[] {
  const asked = Array.isArray(query) ? query.join(',') : query
  const text = typeof asked === 'string' && asked !== '' ? asked : (header ?? '')
  const ranges = splitOutside(text, ',')
    .slice(0, maxRanges)
    .map(readMediaRange)
    .filter((range) => range.media !== '' && range.quality > 0)
  return (ranges.length === 0 ? [readMediaRange('*/*')] : ranges).sort((a, b) => b.quality - a.quality)
}

const maxRanges = 64

/** The media ranges that the client takes, best first. */
export function rangesOf(request: FastifyRequest): MediaRange[] {
  return readAccept(request.headers.accept, (request.query as Record<string, unknown>).accept)
}

/** True when some range takes this media type. */
export function accepts(ranges: readonly MediaRange[], media: string): boolean {
  return ranges.some((range) => covers(range.media, media))
}

/** Whether a range like `image/*` takes a media type. */
export function covers(range: string, media: string): boolean {
  if (range === '*/*' || range === '*' || range === media) return true
  return range.endsWith('/*') && media.startsWith(range.slice(0, -1))
}

/** One media type with its parameters, quoted or not; also a Content-Type. */
export function readMediaRange(text: string): MediaRange {
  const [media = '', ...rest] = splitOutside(text, ';').map((part) => part.trim())
  const parameters = new Map(
    rest.map((part) => {
      const at = part.indexOf('=')
      return [
        part.slice(0, at).trim().toLowerCase(),
        part
          .slice(at + 1)
          .trim()
          .replace(/^"(.*)"$/, (_, inside: string) => inside.replace(/\\(.)/g, '$1')),
      ] as const
    }),
  )
  const boundary = parameters.get('boundary')
  const quality = Number(parameters.get('q') ?? '1')
  return {
    media: media.toLowerCase(),
    type: (parameters.get('type') ?? '').toLowerCase(),
    transferSyntax: parameters.get('transfer-syntax') || undefined,
    quality: Number.isFinite(quality) ? quality : 1,
    ...(boundary ? { boundary } : {}),
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
