import type { FragmentTable } from '@hilum/dicom/render/render-job'
import { pixelCodingOf } from '@hilum/dicom/render/transfer-syntax'
import { mediaTypeOf } from './media-types.ts'
import type { Services } from '../../services.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { withLocation } from '../storage/location.ts'
import type { Part } from '../storage/parts.ts'

type VideoStream = Extract<Part, { kind: 'stream' }>

/** Where the fragments of a video lie and where each ends in the stream. */
type Fragments = FragmentTable & { ends: Float64Array }

/**
 * A player asks for a video in hundreds of ranges, each of which needs all its fragments: those of the last few videos
 * stay, as long as they are few enough. Stored bytes never change, so what is known of them holds.
 */
const known = new Map<string, Fragments>()
const MAX_VIDEOS = 32
const MAX_FRAGMENTS = 20_000

/**
 * The video stream inside an instance, as it was stored; undefined when its pixels are no video. A video may be cut into
 * millions of fragments: they are listed by the renderer's threads and kept as numbers.
 * @throws RenderError
 */
export async function findVideo(
  { render, store }: Pick<Services, 'render' | 'store'>,
  instance: StoredInstance,
): Promise<VideoStream | undefined> {
  const { object_key, byte_offset, transfer_syntax } = instance
  if (pixelCodingOf(transfer_syntax) !== 'video') return undefined
  const key = `${object_key} ${byte_offset}`
  const before = known.get(key)
  const fragments =
    before ?? withEnds(await withLocation({ store }, instance, (location) => render.fragments(location)))
  const { offsets, lengths, ends } = fragments
  if (offsets.length === 0) return undefined
  known.delete(key)
  if (offsets.length <= MAX_FRAGMENTS) known.set(key, fragments)
  const [longestUnused] = known.keys()
  if (known.size > MAX_VIDEOS && longestUnused !== undefined) known.delete(longestUnused)
  return {
    kind: 'stream',
    length: ends.at(-1) ?? 0,
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

function withEnds({ offsets, lengths }: FragmentTable): Fragments {
  const ends = new Float64Array(lengths.length)
  let total = 0
  for (const [index, fragment] of lengths.entries()) ends[index] = total += fragment
  return { offsets, lengths, ends }
}

/** The content type and ending of a video: MPEG-2 streams are one kind, all others another. */
export function videoTypeOf({ transfer_syntax }: Pick<StoredInstance, 'transfer_syntax'>) {
  return mediaTypeOf(transfer_syntax) === 'video/mpeg'
    ? { contentType: 'video/mpeg', ending: 'mpg' }
    : { contentType: 'video/mp4', ending: 'mp4' }
}

/** Whether browsers play a video as it is: H.264 in an MP4 file, which names its kind in its first box. */
export async function isPlayable({ transfer_syntax }: StoredInstance, video: VideoStream): Promise<boolean> {
  if (!/^1\.2\.840\.10008\.1\.2\.4\.10[2-6](?:\.1)?$/.test(transfer_syntax) || video.length < 8) return false
  const start: Uint8Array[] = []
  for await (const chunk of video.open(0, 8)) start.push(chunk)
  return Buffer.concat(start).toString('latin1', 4, 8) === 'ftyp'
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
