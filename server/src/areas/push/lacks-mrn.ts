import { foldId } from '@hilum/dicom/fold-id'
import type { Db } from '../../db/database.ts'
import { isGatekeeperGroup } from '../nomination/gatekeeper-group.sql.ts'

/** Whether an exam of a gatekeeper group has no MRN to be filed under. */
export async function lacksMrn(
  db: Db,
  record: { phi_namespace: string },
  { patientid }: { patientid: string },
): Promise<boolean> {
  return foldId(patientid) === '' && (await isGatekeeperGroup(db, record.phi_namespace))
}
