import { openFileSource } from '@hilum/dicom/render/byte-source'
import { readFrame } from '@hilum/dicom/render/frames'
import { describeImage } from '@hilum/dicom/render/image-description'
import { readImageHeader } from '@hilum/dicom/render/image-header'
import { RenderError } from '@hilum/dicom/render/render-error'
import type { Services } from '../../services.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'

const explicitLittleEndian = '1.2.840.10008.1.2.1'
/** Syntaxes whose native bytes are those of Explicit VR Little Endian. */
const nativeLittleEndian = new Set(['1.2.840.10008.1.2', explicitLittleEndian])

export interface FrameOut {
  bytes: Uint8Array
  transferSyntax: string
}

/**
 * Frames of one instance, one after the other: as stored where the client takes that, else decoded.
 * @param numbers from 1, as the standard counts
 * @param wanted a transfer syntax, `*` for whatever is stored, undefined for the default: decoded
 * @throws RenderError when there is no such frame or it cannot be decoded
 */
export async function* readFrames(
  services: Services,
  instance: StoredInstance,
  numbers: readonly number[],
  wanted: string | undefined,
): AsyncGenerator<FrameOut> {
  const path = services.store.path(instance.object_key)
  await using source = await openFileSource(path, instance.byte_offset, instance.length)
  const header = await readImageHeader(source, instance.transfer_syntax)
  const image = describeImage(header)
  const stored = header.transferSyntaxUid
  const isAsStored = image.coding !== 'native' ? wanted === '*' || wanted === stored : nativeLittleEndian.has(stored)
  for (const number of numbers) {
    const raw = isAsStored ? await readFrame(header, number - 1, image) : undefined
    if (raw && raw.bitOffset === 0) {
      yield { bytes: raw.bytes, transferSyntax: image.coding === 'native' ? explicitLittleEndian : stored }
      continue
    }
    if (wanted !== undefined && wanted !== '*' && wanted !== explicitLittleEndian) {
      throw new RenderError('unsupported', `Frames can be had as stored or as ${explicitLittleEndian}.`)
    }
    const made = await services.render.transcode({
      path,
      offset: instance.byte_offset,
      length: instance.length,
      frame: number - 1,
      transferSyntaxUid: instance.transfer_syntax,
    })
    yield { bytes: made.bytes, transferSyntax: explicitLittleEndian }
  }
}
