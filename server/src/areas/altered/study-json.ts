import type { AttributeListing } from '@hilum/dicom/attribute-list'
import { DicomReadError } from '@hilum/dicom/read-error'
import type { ElementEdit } from '@hilum/dicom/splice'
import type { Services } from '../../services.ts'
import { describeAlteredImage } from './describe-image.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'

/** The attributes of many images as one JSON list, an image at a time. */
export async function* streamAttributesOf(
  services: Services,
  instances: readonly StoredInstance[],
  edits: readonly ElementEdit[],
  listing: AttributeListing,
): AsyncGenerator<string | Uint8Array> {
  let lead = '['
  for (const instance of instances) {
    const { series_uid, sop_uid, version } = instance
    const named = JSON.stringify({ series_uid, image_uid: sop_uid, image_version: version })
    const described = await describeAlteredImage(services, instance, { kind: 'attributes', edits, listing }).catch(
      asReason,
    )
    // the description is an object of its own: its fields follow the names
    yield `${lead}${named.slice(0, -1)},`
    yield described.subarray(1)
    lead = ','
  }
  yield lead === '[' ? '[]' : ']'
}

function asReason(error: unknown): Uint8Array {
  if (!(error instanceof DicomReadError)) throw error
  return Buffer.from(JSON.stringify({ tags: [], error: error.message }))
}
