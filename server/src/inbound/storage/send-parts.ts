import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Part, lengthOfParts, streamParts } from '../../areas/storage/parts.ts'
import { sendBody } from './send-body.ts'
import type { SendingWatch } from './watch-sending.ts'

type Sending = {
  parts: Iterable<Part>
  contentType: string
  /** Strong: the same tag means the same bytes. Without quotes. */
  etag: string
  /** Makes the browser save the answer under this name. */
  filename?: string
  /** Lets the browser show the answer instead. */
  isInline?: boolean
  /** Pixels: the browser may keep them, and asks before it shows them again. Anything else is kept nowhere. */
  isPixels?: boolean
  watch?: SendingWatch | undefined
}

/** Bytes without names that a browser may keep for its own user, if the server confirms them each time. */
export const pixelCaching = { 'cache-control': 'private, no-cache' }

/**
 * Sends a body of known length: whole, one range of it (RFC 9110 §14), its head alone, or 304 when the caller has it.
 * @throws StorageError REQUESTED_RANGE_NOT_SATISFIABLE
 */
export async function sendParts(request: FastifyRequest, reply: FastifyReply, sending: Sending): Promise<FastifyReply> {
  const { parts, contentType, filename, isInline = false, isPixels = false, watch } = sending
  const etag = `"${sending.etag}"`
  const total = lengthOfParts(parts)
  reply.header('etag', etag).header('accept-ranges', 'bytes').type(contentType)
  if (filename) reply.header('content-disposition', contentDisposition(filename, isInline))
  const isKnown = matchesTag(request.headers['if-none-match'], etag)
  const range = isKnown ? undefined : rangeOf(request, etag, total)
  // not before: a range that is refused is kept nowhere
  if (isPixels) reply.headers(pixelCaching)
  if (isKnown) return reply.code(304).send()
  const { start, end } = range ?? { start: 0, end: total }
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${total}`)
  reply.header('content-length', end - start)
  if (request.method === 'HEAD') return reply.send()
  const body = streamParts(parts, start, end, { freesChunks: true })
  return sendBody(request, reply, watch ? watch(body, { start, end, total }) : body)
}

function rangeOf(request: FastifyRequest, etag: string, total: number): { start: number; end: number } | undefined {
  const { range, 'if-range': ifRange } = request.headers
  if (!range || (ifRange && ifRange !== etag)) return undefined
  // Several ranges at once are answered with the whole, which RFC 9110 leaves open.
  const match = /^bytes=(\d*)-(\d*)$/.exec(range.trim())
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  const [, first, last] = match
  const start = first === '' ? Math.max(0, total - Number(last)) : Number(first)
  const end = first === '' || last === '' ? total : Math.min(total, Number(last) + 1)
  if (start >= end) throw new StorageError('REQUESTED_RANGE_NOT_SATISFIABLE')
  return { start, end }
}

function matchesTag(header: string | undefined, etag: string): boolean {
  if (!header) return false
  return header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}

/** RFC 6266: a plain name for old clients, the true one in UTF-8. */
export function contentDisposition(filename: string, isInline: boolean): string {
  const plain = filename.replace(/[^\w.\- ]+/g, '_')
  return `${isInline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(filename.toWellFormed()).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`
}
