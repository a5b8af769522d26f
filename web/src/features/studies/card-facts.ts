import type { Study } from '@hilum/contract/entities/study'
import type { Designation } from '@hilum/contract/inbox-config'
import { ageAt } from '../../format/age.ts'
import { t } from '../../labels/label.ts'

/** The age at the study in few letters, e.g. "34 y"; empty when unknown. */
export function shortAge(study: Pick<Study, 'patient_birth_date' | 'study_date' | 'patient_age'>): string {
  const age = ageAt(study.patient_birth_date, study.study_date, study.patient_age)
  return age ? t(`age.${age.unit}`, { count: age.count }) : ''
}

export function sexLabel(sex: string): string {
  return sex === 'M' || sex === 'F' || sex === 'O' ? t(`sex.${sex}`) : sex
}

/** LIST-19: priority is shown in gatekeeper groups only. */
export function showsPriority(study: Pick<Study, 'priority'>, designation: Designation | undefined): boolean {
  return designation === 'GATEKEEPER' && study.priority > 0
}
