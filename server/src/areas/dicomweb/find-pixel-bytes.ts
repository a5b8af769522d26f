import { openFileSource, WindowedReader } from '@hilum/dicom/render/byte-source'
import { listFragments } from '@hilum/dicom/render/fragments'
import { readImageHeader } from '@hilum/dicom/render/image-header'
import { pixelCodingOf } from '@hilum/dicom/render/transfer-syntax'
import { ExplicitLittleEndian, ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import type { Services } from '../../services.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import type { Part } from '../storage/parts.ts'
import { mediaTypeOf } from './media-types.ts'

const windowBytes = 4096

/**
 * Pixel data that leave as one run of bytes from where they lie: native little endian pixels, and videos.
 * @returns undefined for pixels that have to be taken frame by frame
 */
export async function findPixelBytes(
  services: Services,
  instance: StoredInstance,
): Promise<{ part: Part; mediaType: string } | undefined> {
  const { store } = services
  const { object_key, byte_offset, length } = instance
  await using source = await openFileSource(store.path(object_key), byte_offset, length)
  const { pixelElement, transferSyntaxUid } = await readImageHeader(source, instance.transfer_syntax)
  if (!pixelElement) return undefined
  const isPlain = [ImplicitLittleEndian, ExplicitLittleEndian].includes(transferSyntaxUid)
  if (isPlain && pixelElement.length !== undefined) {
    const { offset, length: bytes } = pixelElement
    const open = (start: number, count: number) => store.stream(object_key, byte_offset + offset + start, count)
    return { part: { kind: 'stream', length: bytes, open }, mediaType: octetsIn(ExplicitLittleEndian) }
  }
  if (pixelCodingOf(transferSyntaxUid) !== 'video' || pixelElement.length !== undefined) return undefined
  // the first item is the offset table; the stream of the video is all that follows
  const [, ...fragments] = await listFragments(new WindowedReader(source, windowBytes), pixelElement.offset)
  const total = fragments.reduce((sum, fragment) => sum + fragment.length, 0)
  const open = async function* (start: number, count: number) {
    let position = 0
    for (const fragment of fragments) {
      const from = Math.max(0, start - position)
      const until = Math.min(fragment.length, start + count - position)
      if (from < until) yield* store.stream(object_key, byte_offset + fragment.offset + from, until - from)
      position += fragment.length
    }
  }
  return {
    part: { kind: 'stream', length: total, open },
    mediaType: mediaTypeOf(transferSyntaxUid) ?? octetsIn(transferSyntaxUid),
  }
}

function octetsIn(transferSyntax: string): string {
  return `application/octet-stream; transfer-syntax=${transferSyntax}`
}
