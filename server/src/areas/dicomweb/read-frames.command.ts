import type { ByteSource } from '@hilum/dicom/render/byte-source'
import { type FrameEncoding, isEncoding } from '@hilum/dicom/render/encodings'
import { readFrame } from '@hilum/dicom/render/frames'
import { describeImage, type ImageDescription } from '@hilum/dicom/render/image-description'
import { type ImageHeader, readImageHeader } from '@hilum/dicom/render/image-header'
import type { TranscodedFrame } from '@hilum/dicom/render/render-job'
import { ExplicitLittleEndian, ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import type { Services } from '../../services.ts'
import { withLocation } from '../storage/location.ts'
import { storeOf } from '../storage/own-bytes.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { openedInTurn } from './opened-in-turn.ts'

/** Syntaxes whose native bytes are those of Explicit VR Little Endian. */
const nativeLittleEndian = new Set([ImplicitLittleEndian, ExplicitLittleEndian])

/** How frames are to be given: as they are, as native little endian, or compressed without losses. */
export type FrameBytesForm = 'stored' | 'decoded' | FrameEncoding

/**
 * Frames of one instance, one after the other.
 * @param numbers from 1, as the standard counts; of `all` those that the file can hold, whatever it claims
 * @param form native little endian frames are both stored and decoded
 * @throws RenderError when there is no such frame or it cannot be decoded or encoded
 */
export async function* readFrames(
  services: Services,
  instance: StoredInstance,
  numbers: readonly number[] | 'all',
  form: FrameBytesForm,
): AsyncGenerator<Uint8Array> {
  await using source = await storeOf(services.store, instance).open(instance)
  const encoding = isEncoding(form) ? form : undefined
  const { image, header } = await openedInTurn(instance, () => openImage(source, instance, form))
  for (const number of numbers === 'all' ? countTo(image.frameCount) : numbers) {
    const raw = header ? await readFrame(header, number - 1, image) : undefined
    // frames of single bits need not begin on a byte; those are moved by decoding them
    yield raw && raw.bitOffset === 0
      ? raw.bytes
      : (await transcodeStoredFrame(services, instance, number - 1, encoding)).bytes
  }
}

/** The header is given where frames leave as they lie; else what was opened for it is let go of. */
async function openImage(
  source: ByteSource,
  instance: StoredInstance,
  form: FrameBytesForm,
): Promise<{ image: ImageDescription; header?: ImageHeader }> {
  const header = await readImageHeader(source, instance.transfer_syntax)
  const image = describeImage(header)
  const isNative = image.coding === 'native' && nativeLittleEndian.has(header.transferSyntaxUid)
  const isAsStored = !isEncoding(form) && (isNative || (form === 'stored' && image.coding !== 'native'))
  return isAsStored ? { image, header } : { image }
}

/** Not as a list: a file may claim two thousand million frames. */
function* countTo(last: number): Generator<number> {
  for (let number = 1; number <= last; number += 1) yield number
}

/** One frame as native little endian bytes or in an encoding, made by the pool. @param frame from 0 */
export function transcodeStoredFrame(
  services: Services,
  instance: StoredInstance,
  frame: number,
  encoding?: FrameEncoding,
  signal?: AbortSignal,
): Promise<TranscodedFrame> {
  const options = { frame, ...(encoding ? { encoding } : {}) }
  return withLocation(services, instance, (location) =>
    services.render.transcode({ ...location, ...options }, signal ? { signal } : {}),
  )
}
