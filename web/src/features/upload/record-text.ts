import type { OtherPatientsStudy } from '@hilum/contract/entities/mrn-holder'
import { t } from '../../labels/label.ts'
import type { PatientIdentity } from './upload-plan.ts'
import { longDate, patientName, sexText } from './upload-format.ts'

/** Somebody as a question names them: `DOE, JANE (21 May 1980, Female)`. */
export function patientWords(name: string, birthDate: string, sex: string): string {
  const facts = [longDate(birthDate) ?? birthDate, sexText(sex)].filter((fact) => fact !== '')
  return facts.length === 0
    ? patientName(name)
    : t('upload.clash.who', { name: patientName(name), facts: facts.join(', ') })
}

/** Says that a study is here under a different patient. */
export function recordText(record: OtherPatientsStudy & { exam: string }, row: PatientIdentity): string {
  const { exam, patient_name: name, patient_birth_date: birthDate, patient_sex: sex } = record
  const own = patientWords(row.name, row.birthDate, row.sex)
  if (name === '' && birthDate === '') return t('upload.clash.recordUnnamed', { exam, name: own })
  return t('upload.clash.record', { exam, name: own, other: patientWords(name, birthDate, sex) })
}
