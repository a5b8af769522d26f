import type { Study } from '@hilum/contract/entities/study'
import { authorityOf, isForeignAuthority } from '@hilum/dicom/authority'
import { foldId } from '@hilum/dicom/fold-id'
import { compareIdentities, type IdentityReason, type IdentityVerdict } from '@hilum/dicom/identity'

/** A patient and exam as an order or an archive gives them (ENTITY-26). */
export interface ChosenExam {
  kind: 'order' | 'patient'
  /** Empty where it could not be read: such a name is neither compared nor written. */
  patient_name: string
  isNameUnread?: true
  patient_birth_date: string
  patient_sex: string
  patientid: string
  /** The assigning authority of the MRN, where the order names one. */
  issuer: string
  accession_number: string
  study_description: string
  /** Of an order of ours. */
  orderId?: string
  /** The destination that a patient was found in, and the exam there. */
  archive?: { uuid: string; name: string; studyUid: string }
}

type Compared = Pick<
  Study,
  'patient_name' | 'patient_birth_date' | 'patient_sex' | 'patientid' | 'issuer' | 'mrn_outside'
>

/**
 * Whether an exam and a chosen order are of one patient, by the one identity comparison. Orders and archives of the
 * organisation give its own MRNs, unless they name an authority that is not among `ownNames`.
 */
export function comparePatient(
  study: Compared,
  chosen: ChosenExam,
  ownNames: readonly string[],
): {
  verdict: IdentityVerdict
  reasons: Record<'patient_name' | 'patient_birth_date' | 'patient_sex' | 'patientid', IdentityReason>
} {
  const own = study.mrn_outside === 1 ? 'OWN' : study.issuer || 'OWN'
  const isOwn = authorityOf(chosen.issuer, ownNames) === ''
  const theirs = identityOf(chosen, isOwn ? own : chosen.issuer)
  const { verdict, reasons } = compareIdentities(identityOf(study, study.issuer || own), theirs)
  return { verdict, reasons: byField(reasons) }
}

/** The assigning authority of the MRN that an exam would leave under, where it is another than the organisation; else undefined. */
export function foreignIssuer(
  study: Compared,
  chosen: Pick<ChosenExam, 'patientid' | 'issuer'> | undefined,
  typedMrn: string,
  ownNames: readonly string[],
): string | undefined {
  const isChosen = chosen !== undefined && chosen.patientid !== ''
  const isUnchanged = chosen !== undefined || foldId(typedMrn) === foldId(study.patientid)
  const issuer = isChosen ? chosen.issuer : isUnchanged ? study.issuer : ''
  return isForeignAuthority(issuer, ownNames) ? issuer : undefined
}

/**
 * Words of an edit about the authority of the MRN of a chosen order or patient: another one stays with its number, and
 * digits that came from another one become the organisation's.
 */
export function issuerSaid(
  study: Compared,
  chosen: Pick<ChosenExam, 'patientid' | 'issuer'> | undefined,
  ownNames: readonly string[],
): { issuer?: string } {
  if (!chosen?.patientid) return {}
  if (isForeignAuthority(chosen.issuer, ownNames)) return { issuer: chosen.issuer }
  const isSame = foldId(chosen.patientid) === foldId(study.patientid)
  return isSame && isForeignAuthority(study.issuer, ownNames) ? { issuer: '' } : {}
}

/** The patient of an exam before its corrections beside the one that it leaves under. */
export function compareOutgoing(
  study: Compared,
  came: Readonly<Partial<Record<string, string>>>,
): ReturnType<typeof comparePatient> {
  const before = { ...study, ...came }
  const { verdict, reasons } = compareIdentities(identityOf(before, before.issuer), identityOf(study, study.issuer))
  return { verdict, reasons: byField(reasons) }
}

type ImageIdentity = Omit<Compared, 'mrn_outside'>

/** Two patients as images name them. */
export function compareImagePatients(one: ImageIdentity, other: ImageIdentity): ReturnType<typeof comparePatient> {
  const { verdict, reasons } = compareIdentities(identityOf(one, one.issuer), identityOf(other, other.issuer))
  return { verdict, reasons: byField(reasons) }
}

/** Reasons of the comparison, which gives them in this order. */
function byField(reasons: readonly IdentityReason[]): ReturnType<typeof comparePatient>['reasons'] {
  const [name, birthDate, sex, mrn] = reasons as [IdentityReason, IdentityReason, IdentityReason, IdentityReason]
  return { patient_name: name, patient_birth_date: birthDate, patient_sex: sex, patientid: mrn }
}

function identityOf(one: Omit<ImageIdentity, 'issuer'>, issuer: string) {
  return {
    patientName: one.patient_name,
    patientId: one.patientid,
    patientIdIssuer: one.patientid ? issuer : '',
    patientBirthDate: one.patient_birth_date.replaceAll('-', ''),
    patientSex: one.patient_sex,
  }
}

/**
 * The corrections by which an exam leaves as the chosen order says (ENTITY-31). Fields that the order does not give
 * stay as they are, but for the accession number, which is that of the order or none.
 */
export function payloadOf(chosen: ChosenExam | undefined, typed: { mrn: string; accession: string }) {
  const given = chosen
    ? {
        patient_name: chosen.patient_name,
        patient_birth_date: chosen.patient_birth_date,
        patient_sex: chosen.patient_sex,
        patientid: chosen.patientid,
        study_description: chosen.study_description,
      }
    : { patientid: typed.mrn.trim() }
  const known = Object.entries(given).filter(([, value]) => value !== '')
  return { ...Object.fromEntries(known), accession_number: typed.accession.trim() }
}
