import { createHash } from 'node:crypto'
import { DicomReadError } from '@hilum/dicom/read-error'
import { listReferencedImages } from '@hilum/dicom/renamed-references'
import type { ObjectStore } from '../../outbound/storage/object-store.ts'
import { StoreError } from '../../outbound/storage/store-error.ts'
import { readInstanceStart } from '../altered/corrected-instance.ts'
import { atMost } from '../storage/at-most.ts'
import { type Demographics, factsOfHeader } from '../storage/image-facts.ts'
import type { ArrivingIdentity } from '../storage/ingest.sql.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'

/** Headers read at once, for all callers together. */
const inTurn = atMost(8)

/** An image with the patient and exam that its header names. */
export type NamedImage = {
  instance: StoredInstance
  identity: ArrivingIdentity
  demographics: Demographics & { modality: string }
  /** SOP Instance UIDs that the header refers to. */
  references: ReadonlySet<string>
}

/**
 * The images whose headers can be read, with the patients whom they name. An image that is lost says nothing; the others do.
 * @param owner whose turn each header takes
 * @throws StoreError `slow` of a store that does not answer; no further image is asked for then
 */
export async function readNamed(
  store: ObjectStore,
  images: readonly StoredInstance[],
  owner: string,
): Promise<NamedImage[]> {
  let silence: StoreError | undefined
  const readOne = async (instance: StoredInstance) => {
    if (silence) throw silence
    try {
      return await readHeaderOf(store, instance)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      if (error.fault !== 'slow') return []
      silence = error
      throw error
    }
  }
  return (await Promise.all(images.map((instance) => inTurn(() => readOne(instance), { owner })))).flat()
}

async function readHeaderOf(store: ObjectStore, instance: StoredInstance): Promise<NamedImage[]> {
  try {
    const { header } = await readInstanceStart(store, instance)
    const { demographics, modality } = factsOfHeader(header)
    const { patient_name, patientid, issuer, patient_birth_date, patient_sex } = demographics
    const identity = { patient_name, patientid, issuer, patient_birth_date, patient_sex }
    const references = listReferencedImages(header.dataSet)
    return [{ instance, identity, demographics: { ...demographics, modality }, references }]
  } catch (error) {
    if (error instanceof DicomReadError) return []
    throw error
  }
}

/** Names one patient of a study, by the spelling of most of his images. */
export function keyOfPatient(identity: ArrivingIdentity): string {
  const { patient_name, patientid, issuer, patient_birth_date, patient_sex } = identity
  const values = [patient_name, patientid, issuer, patient_birth_date, patient_sex]
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 32)
}

/** Names the images of a study as they are, with the patients whom they name. */
export function digestOfImages(images: readonly NamedImage[]): string {
  const facts = images.map(({ instance, identity }) => [instance.seq, instance.version, keyOfPatient(identity)])
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32)
}
