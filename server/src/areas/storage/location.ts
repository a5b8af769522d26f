import type { ObjectLocation } from '@hilum/dicom/render/render-job'
import type { Services } from '../../services.ts'
import { type OwnedPlace, storeOf } from './own-bytes.ts'

/** Where the bytes of an image lie, and how they are written. */
export type ImagePlace = OwnedPlace & { readonly transfer_syntax: string }

/** Runs work of the render pool on an image. The location is good until the work settles. */
export function withLocation<T>(
  { store }: Pick<Services, 'store'>,
  image: ImagePlace,
  work: (location: ObjectLocation) => Promise<T>,
): Promise<T> {
  return storeOf(store, image).useFile(image, (file) => work({ ...file, transferSyntaxUid: image.transfer_syntax }))
}
