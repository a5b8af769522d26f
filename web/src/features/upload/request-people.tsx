import type { ExpectedPatient } from '@hilum/contract/calls/link'
import { compareWithExpected } from '@hilum/dicom/identity-expected'
import { formatDate, writtenFormat } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { Banner } from '../../ui/banner.tsx'
import style from './opened-request.module.css'
import { countPatients, patientName } from './upload-format.ts'
import type { PatientIdentity, PlannedPatient } from './upload-plan.ts'

/** Somebody whose exams are about to be sent. */
interface Person {
  name: string
  birthDate: string
  /** Perhaps not the patient whom the request asks for. */
  isOther: boolean
}

/** Everybody whom the exams name. */
export function listPeople(patients: readonly PlannedPatient[], expected: ExpectedPatient | null): Person[] {
  const people = patients.flatMap(({ studies, ...patient }) => {
    const mixed = studies.flatMap((study) => (study.people.length > 1 ? study.people : []))
    return mixed.length > 0 ? mixed : [patient]
  })
  const named = people.map((one) => ({
    name: patientName(one.name),
    birthDate: formatDate(one.birthDate, writtenFormat) || t('upload.select.noBirthDate'),
    isOther: verdictOf(one, expected) !== 'same',
  }))
  return [...new Map(named.map((one) => [JSON.stringify(one), one])).values()]
}

/** Whether exams of a patient are surely of somebody else than the request asks for. */
export function isOfOther(patient: PatientIdentity, expected: ExpectedPatient | null): boolean {
  return verdictOf(patient, expected) === 'different'
}

/** The number of whoever asks is one of another hospital: neither proves nor excludes that it is one person. */
function verdictOf(patient: PatientIdentity, expected: ExpectedPatient | null) {
  if (!expected) return 'same'
  const asked = {
    patientName: expected.patient_name,
    patientId: expected.patientid,
    patientIdIssuer: '',
    patientBirthDate: expected.patient_birth_date,
    patientSex: expected.patient_sex,
  }
  const { name: patientName, mrn: patientId, birthDate: patientBirthDate, sex: patientSex } = patient
  return compareWithExpected(asked, { patientName, patientId, patientIdIssuer: '', patientBirthDate, patientSex })
    .verdict
}

/** The patients whose exams are about to be sent, where these are not surely the one who was asked for. */
export function PeopleNote({ people }: { people: readonly Person[] }) {
  return (
    <Banner tone="priority">
      {people.length > 1
        ? t('linkUpload.several', { patients: countPatients(people.length) })
        : t('linkUpload.otherPatient')}
      <ul className={style.people}>
        {people.map((one) => (
          <li key={JSON.stringify(one)}>
            {one.name} · {one.birthDate}
            {one.isOther && <strong> {t('linkUpload.notAsked')}</strong>}
          </li>
        ))}
      </ul>
    </Banner>
  )
}

/** Says whose exams were found and not chosen, since the request asks for somebody else. */
export function LeftOutNote({ others }: { others: readonly PatientIdentity[] }) {
  return (
    <Banner tone="neutral">
      {t('linkUpload.leftOut')}
      <ul className={style.people}>
        {others.map((one) => (
          <li key={JSON.stringify([one.name, one.birthDate])}>
            {patientName(one.name)} · {formatDate(one.birthDate, writtenFormat) || t('upload.select.noBirthDate')}
          </li>
        ))}
      </ul>
    </Banner>
  )
}
