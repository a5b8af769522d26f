import { pixelCodingOf } from '@hilum/dicom/render/transfer-syntax'
import { mediaTypeOf } from '../dicomweb/media-types.ts'
import type { Services } from '../../services.ts'
import type { StoredInstance } from './instance.sql.ts'
import type { Part } from './parts.ts'

/**
 * The video stream inside an instance, as it was stored; undefined when its pixels are no video. A video may be cut into
 * millions of fragments: they are listed by the renderer's threads and kept as numbers.
 * @throws RenderError
 */
export async function findVideo(
  { render, store }: Pick<Services, 'render' | 'store'>,
  instance: StoredInstance,
): Promise<Part | undefined> {
  const { object_key, byte_offset, length, transfer_syntax } = instance
  if (pixelCodingOf(transfer_syntax) !== 'video') return undefined
  const place = { path: store.path(object_key), offset: byte_offset, length, transferSyntaxUid: transfer_syntax }
  const { offsets, lengths } = await render.fragments(place)
  if (offsets.length === 0) return undefined
  const ends = new Float64Array(lengths.length)
  let total = 0
  for (const [index, fragment] of lengths.entries()) ends[index] = total += fragment
  return {
    kind: 'stream',
    length: total,
    open: async function* (start, count) {
      for (let index = firstAfter(ends, start), at = start; at < start + count; index += 1) {
        const end = Math.min(start + count, ends[index] ?? 0)
        const inside = at - ((ends[index] ?? 0) - (lengths[index] ?? 0))
        if (end > at) yield* store.stream(object_key, byte_offset + (offsets[index] ?? 0) + inside, end - at)
        at = Math.max(at, end)
      }
    },
  }
}

/** What a video is called: MPEG-2 streams are one kind, all others another. */
export function videoTypeOf({ transfer_syntax }: Pick<StoredInstance, 'transfer_syntax'>) {
  return mediaTypeOf(transfer_syntax) === 'video/mpeg'
    ? { contentType: 'video/mpeg', ending: 'mpg' }
    : { contentType: 'video/mp4', ending: 'mp4' }
}

/** The first of ascending numbers that is greater. */
function firstAfter(ascending: Float64Array, than: number): number {
  let from = 0
  let until = ascending.length
  while (from < until) {
    const middle = Math.floor((from + until) / 2)
    if ((ascending[middle] ?? 0) > than) until = middle
    else from = middle + 1
  }
  return from
}
