import { DicomReadError } from '@hilum/dicom/read-error'
import type { ObjectStore } from '../../outbound/storage/object-store.ts'
import { factsOfHeader } from '../storage/image-facts.ts'
import type { ArrivingIdentity } from '../storage/ingest.sql.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { readInstanceStart } from './corrected-instance.ts'

/** The patient that an image names, without corrections; undefined where its header is damaged. */
export async function readIdentity(
  store: ObjectStore,
  instance: StoredInstance,
): Promise<ArrivingIdentity | undefined> {
  try {
    const { header } = await readInstanceStart(store, instance)
    const { patient_name, patientid, issuer, patient_birth_date, patient_sex } = factsOfHeader(header).demographics
    return { patient_name, patientid, issuer, patient_birth_date, patient_sex }
  } catch (error) {
    if (error instanceof DicomReadError) return undefined
    throw error
  }
}
