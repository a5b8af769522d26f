import { imageLoader, type Types } from '@cornerstonejs/core'
import type { DicomObject } from './dicom-json.ts'
import type { StudySource } from './dicomweb.ts'
import { holdEmbeddedBits } from './embedded-bits.ts'
import { RequestError } from './request-error.ts'
import { readPictureImage, readValueImage, UNCOMPRESSED } from './value-image.ts'

/** Images whose pixels the library's decoders do not make, by their address. */
const OWN_SCHEME = 'hilum'

type OwnImage = { kind: 'values' | 'server'; instance: DicomObject }

const known = new Map<string, OwnImage>()

export function registerOwnLoader(source: StudySource): void {
  imageLoader.registerImageLoader(OWN_SCHEME, (imageId: string) => ({ promise: load(source, imageId) }))
  // the library leaves a promise of its own behind; the tile or the screen tells of the failure
  globalThis.addEventListener('unhandledrejection', (event) => {
    if (event.reason instanceof RequestError) event.preventDefault()
  })
}

/** @returns the id of the image for the library */
export function nameOwnImage(address: string, image: OwnImage): string {
  const imageId = `${OWN_SCHEME}:${address}`
  known.set(imageId, image)
  return imageId
}

async function load(source: StudySource, imageId: string): Promise<Types.IImage> {
  const own = known.get(imageId)
  if (own === undefined) throw new Error('The image was not named before')
  const address = imageId.slice(OWN_SCHEME.length + 1)
  return own.kind === 'server'
    ? loadPicture(source, imageId, address)
    : loadValues(source, imageId, address, own.instance)
}

async function loadPicture(source: StudySource, imageId: string, address: string): Promise<Types.IImage> {
  const response = await source.fetchBytes(address, 'image/png')
  return readPictureImage(imageId, await response.blob())
}

async function loadValues(
  source: StudySource,
  imageId: string,
  address: string,
  instance: DicomObject,
): Promise<Types.IImage> {
  const response = await source.fetchBytes(address, UNCOMPRESSED)
  const { image, embedded: bits } = readValueImage(imageId, instance, new Uint8Array(await response.arrayBuffer()))
  holdEmbeddedBits(image, bits)
  return image
}
