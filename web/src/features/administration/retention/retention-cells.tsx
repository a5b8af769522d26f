import { formatDate, formatStamp } from '../../../format/dates.ts'
import { nameText } from '../../../format/person-name.ts'
import { t } from '../../../labels/label.ts'
import { usePreferences } from '../../../session/preferences.ts'
import style from './retention.module.css'

interface ExamOfPatient {
  patient_name: string
  patientid: string
  study_description: string
  study_date: string
}

/** The patient and the exam of a row, or the patient alone. */
export function ExamCell({ exam, day }: { exam: ExamOfPatient; day: (date: string) => string }) {
  const aside = [exam.study_description, day(exam.study_date)].filter(Boolean).join(' · ')
  return (
    <>
      <bdi>{patientText(exam)}</bdi>
      {aside && <p className={style.aside}>{aside}</p>}
    </>
  )
}

/** Name and MRN of a patient; a number alone where there is no name. */
export function patientText({
  patient_name: name,
  patientid,
}: Pick<ExamOfPatient, 'patient_name' | 'patientid'>): string {
  const mrn = patientid && t('retention.mrn', { mrn: patientid })
  return [nameText(name), mrn].filter(Boolean).join(' · ') || t('retention.noName')
}

export function StampCell({ children }: { children: string }) {
  return <span className={style.stamp}>{children}</span>
}

/** Days and moments, as the person reads them. */
export function useRetentionDates() {
  const { dateFormat, timeZone } = usePreferences()
  return {
    day: (date: string) => formatDate(date, dateFormat),
    moment: (stamp: string) => formatStamp(stamp, dateFormat, timeZone),
  }
}
