import { readImageHeader } from '@hilum/dicom/render/image-header'
import { ExplicitLittleEndian, ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import type { Services } from '../../services.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { storeOf } from '../storage/own-bytes.ts'
import type { Part } from '../storage/parts.ts'
import { findVideo } from '../pictures/video-stream.ts'
import { mediaTypeOf } from '../pictures/media-types.ts'

const plainSyntaxes = [ImplicitLittleEndian, ExplicitLittleEndian]

/**
 * Pixel data that leave as one run of bytes from where they lie: native little endian pixels, and videos.
 * @returns with the types that it may leave as, the best first; undefined for pixels that have to be taken frame by frame
 * @throws RenderError
 */
export async function findPixelBytes(
  services: Services,
  instance: StoredInstance,
): Promise<{ part: Part; mediaTypes: string[] } | undefined> {
  const { store } = services
  const { object_key, byte_offset, transfer_syntax } = instance
  const video = await findVideo(services, instance)
  if (video) {
    const own = mediaTypeOf(transfer_syntax)
    return { part: video, mediaTypes: [...(own ? [own] : []), octetsIn(transfer_syntax)] }
  }
  if (!plainSyntaxes.includes(transfer_syntax)) return undefined
  await using source = await storeOf(store, instance).open(instance)
  const { pixelElement, transferSyntaxUid } = await readImageHeader(source, transfer_syntax)
  if (pixelElement?.length === undefined || !plainSyntaxes.includes(transferSyntaxUid)) return undefined
  const { offset, length: bytes } = pixelElement
  const open = (start: number, count: number) => store.stream(object_key, byte_offset + offset + start, count)
  return { part: { kind: 'stream', length: bytes, open }, mediaTypes: [octetsIn(ExplicitLittleEndian)] }
}

function octetsIn(transferSyntax: string): string {
  return `application/octet-stream; transfer-syntax=${transferSyntax}`
}
