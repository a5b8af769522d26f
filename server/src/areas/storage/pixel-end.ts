import { readElementHeader, UNDEFINED_LENGTH } from '@hilum/dicom/elements'
import type { DicomHeader } from '@hilum/dicom/read'
import { DicomReadError } from '@hilum/dicom/read-error'
import { WindowedReader } from '@hilum/dicom/render/byte-source'
import { endOfFragments } from '@hilum/dicom/render/fragments'
import type { ObjectStore } from '../../outbound/storage/object-store.ts'
import type { StoredInstance } from './instance.sql.ts'

/** Room for the headers of some small fragments. */
const FRAGMENT_WINDOW_BYTES = 4096

/**
 * Offset behind the pixel data of a stored file.
 * @throws DicomReadError when they have no end
 */
export async function findPixelEnd(
  store: ObjectStore,
  instance: StoredInstance,
  { dataSet }: DicomHeader,
  pixelOffset: number,
): Promise<number> {
  const { source, encoding } = dataSet
  const { valueStart, length } = readElementHeader(source, pixelOffset, instance.length, encoding.isExplicit)
  if (length !== UNDEFINED_LENGTH) return valueStart + length
  await using file = await store.open(instance)
  const end = await endOfFragments(new WindowedReader(file, FRAGMENT_WINDOW_BYTES), valueStart)
  if (end === undefined) throw new DicomReadError('malformed', 'The pixel data has no end')
  return end
}
