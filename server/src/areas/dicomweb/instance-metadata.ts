import type { Correction } from '@hilum/dicom/node/correct-file'
import type { Services } from '../../services.ts'
import { describeAlteredImage } from '../altered/describe-image.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'

/**
 * One instance's attributes as the text of a DICOM JSON object, as it leaves: a record's edits applied where the instance
 * still holds the old values, which are kept in the Original Attributes Sequence (`design` §5.1).
 * @param record through which it leaves: the address of the instance names it
 * @param origin scheme and host of the addresses of long values, e.g. `https://hilum.example`
 * @throws DicomReadError when the header is damaged
 */
export function tellMetadata(
  services: Pick<Services, 'store' | 'render' | 'log'>,
  instance: StoredInstance,
  record: { phi_namespace: string; study_uid: string },
  correction: Correction | undefined,
  origin: string,
): Promise<Uint8Array> {
  const { series_uid, sop_uid } = instance
  const address = `${addressOfRecord(record, origin)}/series/${series_uid}/instances/${sop_uid}`
  return describeAlteredImage(services, instance, { kind: 'model', address, correction })
}

/** The address of a study by DICOMweb; every address inside its metadata begins with it. */
export function addressOfRecord(record: { phi_namespace: string; study_uid: string }, origin: string): string {
  return `${origin}/dicomweb/${record.phi_namespace}/studies/${record.study_uid}`
}
