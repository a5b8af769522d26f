import { foldId } from './fold-id.ts'

/**
 * Names of an organisation's own assigning authority, folded, none of them empty; no names where the organisation did not
 * say how its authority is called.
 */
export type OwnNames = readonly string[]

/** The names of an organisation's own authority. @param others names between commas, as the setting `other_issuers` */
export function ownNamesOf(issuer: string, others: string): OwnNames {
  return [issuer, ...others.split(',')].map(foldId).filter((name) => name !== '')
}

/** The authority of a number, folded; empty for the organisation's own, whichever name it is called by, and for none. */
export function authorityOf(issuer: string, own: OwnNames): string {
  const name = foldId(issuer)
  return own.includes(name) ? '' : name
}

/**
 * Whether another authority than the organisation gave a number. Nothing is known to be foreign where the organisation did
 * not say how its own authority is called, and no number is that comes without a name.
 */
export function isForeignAuthority(issuer: string, own: OwnNames): boolean {
  return own.length > 0 && authorityOf(issuer, own) !== ''
}

/**
 * Whether two numbers are of different assigning authorities. A number that comes without one is the organisation's own;
 * where the organisation did not say how its authority is called, it may be of any.
 */
export function areOtherAuthorities(one: string, other: string, own: OwnNames): boolean {
  const [first, second] = [authorityOf(one, own), authorityOf(other, own)]
  if (own.length === 0 && (first === '' || second === '')) return false
  return first !== second
}

/** A patient's number and the assigning authority that gave it; empty where nobody named one. */
export interface GivenNumber {
  patientid: string
  issuer: string
}

/** Whether two numbers may be one: the same digits, not of different authorities. */
export function mayBeOneNumber(one: GivenNumber, other: GivenNumber, own: OwnNames): boolean {
  return foldId(one.patientid) === foldId(other.patientid) && !areOtherAuthorities(one.issuer, other.issuer, own)
}

/** Whether two numbers are one: the same digits, of one authority under whichever of its names. */
export function isOneNumber(one: GivenNumber, other: GivenNumber, own: OwnNames): boolean {
  return (
    foldId(one.patientid) === foldId(other.patientid) && authorityOf(one.issuer, own) === authorityOf(other.issuer, own)
  )
}
