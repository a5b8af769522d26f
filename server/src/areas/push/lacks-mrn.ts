import { foldId } from '@hilum/dicom/fold-id'
import type { Db } from '../../db/database.ts'
import { findInboxConfig } from '../nomination/nomination-form.ts'

/** Whether an exam of a gatekeeper group has no MRN to be filed under. */
export async function lacksMrn(
  db: Db,
  record: { phi_namespace: string },
  { patientid }: { patientid: string },
): Promise<boolean> {
  if (foldId(patientid) !== '') return false
  const config = await findInboxConfig(db, record.phi_namespace)
  return config?.group_designation === 'GATEKEEPER'
}
