import { type DicomJson, dataSetToJson } from '@hilum/dicom/json'
import type { FileStore } from '../../outbound/storage/file-store.ts'
import { asCorrected, asReceived } from '../storage/corrected-instance.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import type { Correction } from '../storage/record-edits.ts'
import { readLeavingHeader } from './leaving-header.ts'

/** Binary values up to this length are carried inline; longer ones get an address. */
const maxInlineBytes = 1024

/**
 * One instance's attributes in the DICOM JSON model as it leaves: a record's edits applied where the instance still
 * holds the old values, which are kept in the Original Attributes Sequence (`design` §5.1).
 * @param address where the instance lives, e.g. `/dicomweb/{namespace}/studies/1.2/series/1.2.3/instances/1.2.3.4`
 * @throws DicomReadError when the header is damaged
 */
export async function readInstanceMetadata(
  store: FileStore,
  instance: StoredInstance,
  address: string,
  correction: Correction | undefined,
): Promise<DicomJson> {
  const leaving = correction ? await asCorrected(store, instance, correction) : asReceived(store, instance)
  const { header } = await readLeavingHeader(instance, leaving)
  const json = dataSetToJson(header.dataSet, {
    maxInlineBytes,
    bulkDataUri: ({ path }) => `${address}/bulkdata/${path}`,
  })
  if (instance.pixel_offset !== null) json['7FE00010'] = { vr: 'OW', BulkDataURI: `${address}/bulkdata/7FE00010` }
  json['00083002'] = { vr: 'UI', Value: [instance.transfer_syntax] }
  dropUselessSpacing(json)
  return json
}

/** A pixel spacing of zero blackens viewers that divide by it; without one they show the image unscaled. */
function dropUselessSpacing(json: DicomJson): void {
  for (const tag of ['00280030', '00181164']) {
    const values = json[tag]?.Value
    if (values?.some((value) => !(typeof value === 'number' && value > 0))) delete json[tag]
  }
}
