import { type GivenNumber, isOneNumber, mayBeOneNumber } from '@hilum/dicom/authority'
import type { Tx } from '../../db/database.ts'
import { findOwnNames } from '../storage/authority.sql.ts'
import { followMerges } from './change-patient-of-orders.command.ts'
import { listPlacesOfMerge, listPriorNumbers } from './order-message.sql.ts'

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

/** The numbers of a patient that ended in this one, as any place of the organisation was told. */
export async function listEndedIn(tx: Tx, accountUuid: string, number: GivenNumber): Promise<GivenNumber[]> {
  if (number.patientid === '') return []
  const ownNames = await findOwnNames(tx, accountUuid)
  const ended: GivenNumber[] = []
  for (const prior of await listPriorNumbers(tx, accountUuid, number.patientid)) {
    const inUse = await findNumberInUse(tx, accountUuid, prior)
    if (inUse && mayBeOneNumber(inUse, number, ownNames)) ended.push(prior)
  }
  return ended
}
