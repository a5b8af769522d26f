import { foldText } from '@hilum/contract/search-text'
import type { Identity } from './ingest.sql.ts'

/** Spellings kept per stored study; more say no more. */
const MAX_IDENTITIES = 20

/** Adds the spellings that are new. */
export function addIdentities(known: readonly Identity[], arrived: readonly Identity[]): Identity[] {
  const all = new Map([...known, ...arrived].map((identity) => [JSON.stringify(keyOf(identity)), identity]))
  return [...all.values()].slice(0, MAX_IDENTITIES)
}

/** Whether a stored study holds images of more than one patient. What an image does not say tells nothing. */
export function namesSeveralPatients(identities: readonly Identity[]): boolean {
  return identities.some((one, index) => identities.slice(index + 1).some((other) => isOtherPatient(one, other)))
}

function isOtherPatient(one: Identity, other: Identity): boolean {
  if (differs(one.patientid, other.patientid) || differs(one.issuer, other.issuer)) return true
  return (
    differs(foldName(one.patient_name), foldName(other.patient_name)) ||
    differs(one.patient_birth_date, other.patient_birth_date) ||
    differs(one.patient_sex, other.patient_sex)
  )
}

function differs(one: string, other: string): boolean {
  return one !== '' && other !== '' && one !== other
}

/** The alphabetic group without case, marks and trailing separators. */
function foldName(name: string): string {
  return foldText(name.split('=')[0] ?? '').replace(/[\s^]+$/, '')
}

function keyOf(identity: Identity): readonly string[] {
  return [identity.patient_name, identity.patientid, identity.issuer, identity.patient_birth_date, identity.patient_sex]
}
