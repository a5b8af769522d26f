import { type GivenNumber, isOneNumber } from '@hilum/dicom/authority'
import type { Tx } from '../../db/database.ts'
import { findOwnNames } from '../storage/authority.sql.ts'
import { followMerges } from './change-patient-of-orders.command.ts'
import { listPlacesOfMerge } from './order-message.sql.ts'

/** The number in which a patient's number ended, as any place of the organisation was told; undefined while it is in use. */
export async function findNumberInUse(
  tx: Tx,
  accountUuid: string,
  number: GivenNumber,
): Promise<GivenNumber | undefined> {
  const places = await listPlacesOfMerge(tx, accountUuid, number.patientid)
  if (places.length === 0) return undefined
  const ownNames = await findOwnNames(tx, accountUuid)
  for (const namespaceUuid of places) {
    const place = { namespaceUuid, accountUuid, ownNames, senders: null }
    const { patientid, issuer } = await followMerges(tx, place, { patientid: number.patientid, issuer: number.issuer })
    if (!isOneNumber({ patientid, issuer }, number, ownNames)) return { patientid, issuer }
  }
  return undefined
}
