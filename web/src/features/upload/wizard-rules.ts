import type { PatientIdentity } from './upload-plan.ts'

/** The four steps of the wizard, by number: 0 Destination, 1 Find Exams, 2 Select Exams, 3 Confirm (UPLOAD-01). */
export const lastStep = 3

/** What the person has done so far, as far as moving on depends on it. */
export interface WizardFacts {
  hasDestination: boolean
  foundStudies: number
  selectedStudies: number
}

/** Whether the step may be left for the next one (UPLOAD-11). */
export function mayGoOn(step: number, facts: WizardFacts): boolean {
  if (step === 0) return facts.hasDestination
  if (step === 1) return facts.foundStudies > 0
  if (step === 2) return facts.selectedStudies > 0
  return false
}

/** The step after this one, never beyond the last; the same step while it may not be left (UPLOAD-09, UPLOAD-11). */
export function nextStep(step: number, facts: WizardFacts): number {
  return mayGoOn(step, facts) ? Math.min(step + 1, lastStep) : step
}

/** The step before this one, never below 0 (UPLOAD-09). */
export const previousStep = (step: number) => Math.max(step - 1, 0)

/** Earlier steps may be clicked, later ones may not (UPLOAD-09). */
export const mayJumpTo = (target: number, current: number) => target >= 0 && target < current

/** What stands in an MRN field of the confirm step: the person's text where they typed one, else the study's own. */
export function mrnOf(patient: PatientIdentity & { key: string }, typed: Readonly<Record<string, string>>): string {
  return (typed[patient.key] ?? patient.mrn).trim()
}

/** MRNs are required as soon as there are several patients (UPLOAD-08). Gives the keys of the patients without one. */
export function listMissingMrns(
  patients: readonly (PatientIdentity & { key: string })[],
  typed: Readonly<Record<string, string>>,
): string[] {
  if (patients.length < 2) return []
  return patients.filter((patient) => mrnOf(patient, typed) === '').map((patient) => patient.key)
}

/**
 * Why these cannot be one patient, or undefined when they can: a birth date or a sex that differs settles it. An
 * absent value differs from nothing; names may differ and are never rewritten.
 */
export function whyNotOnePatient(patients: readonly PatientIdentity[]): 'birth-date' | 'sex' | undefined {
  if (hasSeveral(patients.map((patient) => patient.birthDate))) return 'birth-date'
  if (hasSeveral(patients.map((patient) => patient.sex))) return 'sex'
  return undefined
}

/** One MRN for all: the one of the first patient that has any. */
export function commonMrn(
  patients: readonly (PatientIdentity & { key: string })[],
  typed: Readonly<Record<string, string>>,
): string {
  return patients.map((patient) => mrnOf(patient, typed)).find((mrn) => mrn !== '') ?? ''
}

const hasSeveral = (values: string[]) => new Set(values.filter((value) => value !== '')).size > 1
