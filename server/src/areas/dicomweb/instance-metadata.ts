import { type DicomJson, dataSetToJson } from '@hilum/dicom/json'
import { inflate } from '@hilum/dicom/node/inflate'
import { DicomReadError } from '@hilum/dicom/read-error'
import { type DicomHeader, readHeader } from '@hilum/dicom/read'
import type { FileStore } from '../../outbound/storage/file-store.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'

const firstReadBytes = 64 * 1024
const growth = 8
/** Enough to see that the pixel data element begins. */
const pixelHeaderBytes = 64
/** Binary values up to this length are carried inline; longer ones get an address. */
const maxInlineBytes = 1024

/**
 * One instance's attributes in the DICOM JSON model, read from the beginning of its file.
 * @param address where the instance lives, e.g. `/dicomweb/{namespace}/studies/1.2/series/1.2.3/instances/1.2.3.4`
 */
export async function readInstanceMetadata(
  store: FileStore,
  instance: StoredInstance,
  address: string,
): Promise<DicomJson> {
  const header = await readStoredHeader(store, instance)
  const json = dataSetToJson(header.dataSet, {
    maxInlineBytes,
    bulkDataUri: ({ path }) => `${address}/bulkdata/${path}`,
  })
  if (instance.pixel_offset !== null) json['7FE00010'] = { vr: 'OW', BulkDataURI: `${address}/bulkdata/7FE00010` }
  json['00083002'] = { vr: 'UI', Value: [instance.transfer_syntax] }
  dropUselessSpacing(json)
  return json
}

/** The header of a stored file, from as much of its beginning as it takes. @throws DicomReadError when it is damaged */
export async function readStoredHeader(store: FileStore, instance: StoredInstance): Promise<DicomHeader> {
  // the index knows where the pixels begin: of a thousand slices only the headers are read
  let wanted = Math.min(
    instance.length,
    instance.pixel_offset === null ? firstReadBytes : instance.pixel_offset + pixelHeaderBytes,
  )
  for (;;) {
    const bytes = await store.read(instance.object_key, instance.byte_offset, wanted)
    const read = readHeader(bytes, { inflate, size: instance.length, untilPixelData: true })
    if (read.kind === 'header') return read.header
    if (wanted >= instance.length) throw new DicomReadError('truncated', 'The file ends inside its header')
    wanted = Math.min(instance.length, Math.max(wanted * growth, read.atLeastBytes))
  }
}

/** A pixel spacing of zero blackens viewers that divide by it; without one they show the image unscaled. */
function dropUselessSpacing(json: DicomJson): void {
  for (const tag of ['00280030', '00181164']) {
    const values = json[tag]?.Value
    if (values?.some((value) => !(typeof value === 'number' && value > 0))) delete json[tag]
  }
}
