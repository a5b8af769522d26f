import { createHash } from 'node:crypto'
import type { RiskLine } from '@hilum/contract/inbox-config'
import { foldId } from '@hilum/dicom/fold-id'
import { compareIdentities, type IdentityVerdict } from '@hilum/dicom/identity'
import { foldText } from '@hilum/dicom/person-name'
import { isOwnIssuer, type LockedStudy } from '../altered/locked-study.sql.ts'
import { asIdentity, type ComparedPatient } from '../storage/compared-patient.ts'
import type { NominationRow } from './nomination.sql.ts'

const patientTags = ['patient_name', 'patientid', 'issuer', 'patient_birth_date', 'patient_sex'] as const

/**
 * How surely a study leaves under the patient of its images: their patient and that of all corrections, by the one
 * identity comparison. Where nothing was corrected, the MRN of another organisation was matched with nobody here. An MRN
 * written after an order without a name is that of a person whose name was compared with nothing.
 */
export function outgoingVerdict(
  row: Pick<LockedStudy, 'values' | 'issuer' | 'own_issuer' | 'own_names' | 'edits'>,
  order?: Pick<ComparedPatient, 'patient_name' | 'patientid'>,
): IdentityVerdict {
  const outgoing: Readonly<Record<string, string>> = { ...row.values, issuer: row.issuer }
  const came = { ...outgoing, ...Object.fromEntries(row.edits.map((edit) => [edit.tag, edit.old])) }
  if (patientTags.every((tag) => (came[tag] ?? '') === (outgoing[tag] ?? ''))) {
    const isOutside = (row.values['patientid'] ?? '') !== '' && !isOwnIssuer(row.issuer, row)
    return isOutside ? 'likely' : 'same'
  }
  const [mrnBefore, mrn, mrnOfOrder] = [came['patientid'], outgoing['patientid'], order?.patientid].map((one) =>
    foldId(one ?? ''),
  )
  if (order?.patient_name === '' && mrn !== '' && mrn === mrnOfOrder && mrn !== mrnBefore) return 'different'
  const [before, after] = [came, outgoing].map((one) => asIdentity(comparedPatientOf(one), row.own_names))
  return before && after ? compareIdentities(before, after).verdict : 'different'
}

/** The patient of a record, from its values by their names. */
export function comparedPatientOf(values: Readonly<Record<string, string>>): ComparedPatient {
  const [patient_name, patientid, issuer, patient_birth_date, patient_sex] = patientTags.map((tag) => values[tag] ?? '')
  return { patient_name, patientid, issuer, patient_birth_date, patient_sex } as ComparedPatient // five of five
}

const reached: Record<RiskLine, readonly IdentityVerdict[]> = {
  NONE: [],
  DIFFERENT: ['different'],
  LIKELY: ['different', 'likely'],
  ALL: ['different', 'likely', 'same'],
}

/** Whether two people confirm the patient of a study before it leaves. */
export function takesTwoPeople(line: RiskLine, verdict: IdentityVerdict): boolean {
  return reached[line].includes(verdict)
}

/** Bytes of a print that stand for the study and its destination; as many stand for the order, the others for the images. */
export const studyPrintLength = 32

/** An order as two people agree on it. */
interface MatchedOrder extends ComparedPatient {
  uuid: string
  accession_number: string
}

/**
 * Whether a study leaves as the patient whom an order names; what the order does not give speaks for nobody. The accession
 * number is not compared: people may write another one.
 */
export function isPatientOfOrder(outgoing: ComparedPatient, order: ComparedPatient): boolean {
  const isSame = (tag: keyof ComparedPatient, fold: (text: string) => string) =>
    order[tag] === '' || fold(order[tag]) === fold(outgoing[tag])
  return (
    isSame('patientid', foldId) &&
    isSame('patient_name', foldText) &&
    isSame('patient_birth_date', foldId) &&
    isSame('patient_sex', foldId)
  )
}

/** Digests of all that two people agree on: the study as it leaves and where to, then the order, then the images. */
export function printOf(
  row: Pick<LockedStudy, 'values' | 'issuer' | 'edits'>,
  destinationUuid: string,
  order: MatchedOrder | undefined,
  content: string,
): Buffer {
  // images that come late may be of another modality; one that a person wrote is among the edits
  const { modality: _, ...agreed } = row.values
  const values = Object.entries(agreed).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const edits = row.edits.map(({ tag, old, new: value }) => [tag, old, value]).toSorted()
  const ordered = order && [
    order.uuid,
    order.patient_name,
    order.patientid,
    order.issuer,
    order.patient_birth_date,
    order.patient_sex,
    order.accession_number,
  ]
  const digest = (agreed: unknown) => createHash('sha256').update(JSON.stringify(agreed)).digest()
  return Buffer.concat([digest([values, row.issuer, edits, destinationUuid]), digest(ordered ?? null), digest(content)])
}

/** Whether another person has matched just this before. */
export function isConfirmation(
  nomination: Pick<NominationRow, 'asked_by' | 'asked_version' | 'asked_print'>,
  { userUuid, version, print }: { userUuid: string; version: number; print: Buffer },
): boolean {
  const { asked_by: first, asked_version: seen, asked_print: askedPrint } = nomination
  return first !== null && first !== userUuid && seen === version && askedPrint !== null && askedPrint.equals(print)
}

/** Whether a match that was kept is this one but for its images. */
export function agreesButImages(
  { asked_print: askedPrint }: Pick<NominationRow, 'asked_print'>,
  print: Buffer,
): boolean {
  const agreed = (one: Buffer) => one.subarray(0, 2 * studyPrintLength)
  return askedPrint !== null && agreed(askedPrint).equals(agreed(print))
}
