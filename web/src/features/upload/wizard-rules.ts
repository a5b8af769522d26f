/** The four steps of the wizard, by number: 0 Destination, 1 Find Exams, 2 Select Exams, 3 Confirm (UPLOAD-01). */
export const lastStep = 3

/** The person's progress, as far as moving on depends on it. */
export interface WizardFacts {
  hasDestination: boolean
  foundStudies: number
  selectedStudies: number
  /** The form of files that are no DICOM; true of DICOM, which needs none. */
  isFormValid: boolean
}

/** Whether there is something to go on with (UPLOAD-11); a form with faults is told of when Next is pressed (UPLOAD-24). */
export function mayGoOn(step: number, facts: WizardFacts): boolean {
  if (step === 0) return facts.hasDestination
  if (step === 1) return facts.foundStudies > 0
  if (step === 2) return facts.selectedStudies > 0
  return false
}

/** The step after this one, never beyond the last; the same step while it may not be left (UPLOAD-09, UPLOAD-11). */
export function nextStep(step: number, facts: WizardFacts): number {
  if (!mayGoOn(step, facts) || (step === 2 && !facts.isFormValid)) return step
  return Math.min(step + 1, lastStep)
}

/** The step before this one, never below 0 (UPLOAD-09). */
export const previousStep = (step: number) => Math.max(step - 1, 0)

/** Earlier steps may be clicked, later ones may not (UPLOAD-09). */
export const mayJumpTo = (target: number, current: number) => target >= 0 && target < current
