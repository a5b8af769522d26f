import { isForeignAuthority } from '@hilum/dicom/authority'
import type { Db } from '../../db/database.ts'
import { listIdentitiesOfRecord, type OutgoingRecord } from '../altered/outgoing-record.sql.ts'
import { outgoingIssuers } from '../altered/record-edits.ts'
import type { DestinationRow } from '../destination/destination.sql.ts'
import { findOwnNames } from '../storage/authority.sql.ts'

/**
 * Another assigning authority than the organisation, where the MRN of an exam is of such a one, in the record or in any of
 * its images as they leave, and the destination takes none such; undefined where the exam may leave. An archive that files by the digits
 * alone would file the exam under somebody else.
 */
export async function findForeignIssuer(
  db: Db,
  destination: Pick<DestinationRow, 'push_foreign' | 'account_uuid'>,
  record: { phi_namespace: string; uuid: string },
  outgoing: Pick<OutgoingRecord, 'patientid' | 'issuer' | 'edits' | 'one_mrn'>,
): Promise<string | undefined> {
  if (destination.push_foreign) return undefined
  const ownNames = await findOwnNames(db, destination.account_uuid)
  if (ownNames.length === 0) return undefined
  const identities = await listIdentitiesOfRecord(db, record.phi_namespace, record.uuid)
  return outgoingIssuers(outgoing, identities).find((issuer) => isForeignAuthority(issuer, ownNames))
}
