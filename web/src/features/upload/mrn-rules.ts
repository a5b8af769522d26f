import { foldId } from '@hilum/dicom/fold-id'
import { compareIdentities, type Identity } from '@hilum/dicom/identity'
import { findMrnClash, type MrnClash } from '@hilum/dicom/identity-mrn'
import { findValueFault } from '@hilum/dicom/value-rules'
import type { PatientIdentity } from './upload-plan.ts'

/** A row of the confirm step. */
export type MrnRow = PatientIdentity & { key: string; isTyped?: boolean }

/** "These are one patient": said of exactly these rows, with one MRN for them. */
export interface OnePatient {
  keys: readonly string[]
  mrn: string
}

/** Typed MRNs and the ticked box. */
export interface MrnEntries {
  /** MRNs typed for single rows, by patient key. */
  mrns: Readonly<Record<string, string>>
  onePatient: OnePatient | undefined
  /** Keys of rows whose MRN was typed in an upload that broke off. */
  typedBefore?: ReadonlySet<string>
}

/**
 * Whether "These are one patient" was said of exactly these rows, and may be. People who were added or left out since
 * make it a question again.
 */
export function areOnePatient(rows: readonly MrnRow[], onePatient: OnePatient | undefined): onePatient is OnePatient {
  if (!onePatient || rows.length < 2 || rows.length !== onePatient.keys.length) return false
  return rows.every(({ key }) => onePatient.keys.includes(key)) && whyNotOnePatient(rows) === undefined
}

/** The MRN in the field of a row: the common one, the typed one, or that of the images. */
export function mrnOf(row: MrnRow, rows: readonly MrnRow[], { mrns, onePatient }: MrnEntries): string {
  if (areOnePatient(rows, onePatient)) return onePatient.mrn.trim()
  return (mrns[row.key] ?? row.mrn).trim()
}

/**
 * MRNs are required as soon as there are several patients (UPLOAD-08), and of a patient of the form (UPLOAD-19), and of one
 * for whom an MRN was typed before the upload broke off. Gives the keys of the patients without one.
 */
export function listMissingMrns(rows: readonly MrnRow[], entries: MrnEntries): string[] {
  return rows
    .filter(
      (row) =>
        (rows.length > 1 || row.isTyped || entries.typedBefore?.has(row.key)) && mrnOf(row, rows, entries) === '',
    )
    .map((row) => row.key)
}

/** Gives the keys of the patients with a new MRN that DICOM cannot hold; what the images say already is no fault of the form. */
export function listUnwritableMrns(rows: readonly MrnRow[], entries: MrnEntries): string[] {
  const isUnwritable = (row: MrnRow) => {
    const mrn = mrnOf(row, rows, entries)
    return (row.isTyped || mrn !== row.mrn.trim()) && findValueFault(mrn, 'LO') !== undefined
  }
  return rows.filter(isUnwritable).map((row) => row.key)
}

/**
 * Why these cannot be one patient, or undefined when they can: a birth date or a sex that differs settles it, an absent
 * value differs from nothing. Names may differ as far as the identity comparison takes them for one person's.
 */
export function whyNotOnePatient(rows: readonly PatientIdentity[]): 'birth-date' | 'sex' | 'name' | undefined {
  if (hasSeveral(rows.map((row) => row.birthDate))) return 'birth-date'
  if (hasSeveral(rows.map((row) => row.sex))) return 'sex'
  const people = rows.map((row) => asIdentity(row, { patientId: 'one', patientIdIssuer: 'one' }))
  const isOther = people.some((one, at) =>
    people.slice(at + 1).some((other) => compareIdentities(one, other).verdict === 'different'),
  )
  return isOther ? 'name' : undefined
}

/** One MRN for all: the one of the first row that has any. */
export function commonMrn(rows: readonly MrnRow[], entries: MrnEntries): string {
  return rows.map((row) => mrnOf(row, rows, entries)).find((mrn) => mrn !== '') ?? ''
}

/** Two rows with one MRN that are not plainly one patient. */
export interface RowClash extends MrnClash {
  /** Names the question, for its answer: another number or another person is another question. */
  id: string
  rows: readonly [MrnRow, MrnRow]
}

/**
 * Rows that would get one MRN without being plainly one patient. None while all were said to be one patient: that is
 * the answer, and nobody may say it of people who are different.
 */
export function findRowClashes(rows: readonly MrnRow[], entries: MrnEntries): RowClash[] {
  if (areOnePatient(rows, entries.onePatient)) return []
  const withMrn = rows.map((row) => ({ row, identity: identityOf(row, mrnOf(row, rows, entries)) }))
  const byMrn = Map.groupBy(withMrn, ({ identity }) => foldId(identity.patientId))
  return [...byMrn.entries()].flatMap(([mrn, same]) =>
    same.flatMap((one, at) =>
      same.slice(at + 1).flatMap((other) => {
        const clash = findMrnClash(one.identity, other.identity)
        const id = JSON.stringify([mrn, ...[one.row.key, other.row.key].sort()])
        return clash ? [{ ...clash, id, rows: [one.row, other.row] as const }] : []
      }),
    ),
  )
}

/** A row as it would be uploaded. A typed MRN is the destination's own, whose issuer the server knows. */
function identityOf(row: MrnRow, mrn: string): Identity {
  return asIdentity(row, { patientId: mrn, patientIdIssuer: mrn === row.mrn.trim() ? row.issuer : '' })
}

function asIdentity(row: PatientIdentity, mrn: Pick<Identity, 'patientId' | 'patientIdIssuer'>): Identity {
  return { patientName: row.name, patientBirthDate: row.birthDate, patientSex: row.sex, ...mrn }
}

const hasSeveral = (values: string[]) =>
  new Set(values.map((value) => value.trim()).filter((value) => value !== '')).size > 1
