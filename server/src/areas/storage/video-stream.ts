import { openFileSource, WindowedReader } from '@hilum/dicom/render/byte-source'
import { listFragments } from '@hilum/dicom/render/fragments'
import { readImageHeader } from '@hilum/dicom/render/image-header'
import type { FileStore } from '../../outbound/storage/file-store.ts'
import type { StoredInstance } from './instance.sql.ts'
import type { Part } from './parts.ts'

const FRAGMENT_WINDOW_BYTES = 4096
/** MPEG-2, MPEG-4 AVC and HEVC, each with its fragmentable form (PS3.5 §8.2.5 and following). */
const VIDEO_SYNTAX = /^1\.2\.840\.10008\.1\.2\.4\.(10[0-8])(\.1)?$/

/** The video stream inside an instance, as it was stored; undefined when its pixels are no video. */
export async function findVideo(
  store: FileStore,
  instance: StoredInstance,
): Promise<{ parts: Part[]; contentType: string } | undefined> {
  const number = VIDEO_SYNTAX.exec(instance.transfer_syntax)?.[1]
  if (!number) return undefined
  const { object_key, byte_offset, length } = instance
  await using source = await openFileSource(store.path(object_key), byte_offset, length)
  const { pixelElement } = await readImageHeader(source, instance.transfer_syntax)
  if (!pixelElement || pixelElement.length !== undefined) return undefined
  const reader = new WindowedReader(source, FRAGMENT_WINDOW_BYTES)
  // The first item is the offset table.
  const [, ...fragments] = await listFragments(reader, pixelElement.offset)
  if (fragments.length === 0) return undefined
  const parts = fragments.map(
    (fragment): Part => ({
      kind: 'stream',
      length: fragment.length,
      open: (start, count) => store.stream(object_key, byte_offset + fragment.offset + start, count),
    }),
  )
  return { parts, contentType: Number(number) <= 101 ? 'video/mpeg' : 'video/mp4' }
}
