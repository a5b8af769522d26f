import type { Study } from '@hilum/contract/entities/study'
import { formatDate } from '../../format/dates.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { usePreferences } from '../../session/preferences.ts'
import style from './acts.module.css'

/** Rows of 45 px under a header of 50 px, in 455 px. */
const rowsInSight = 9

/** Several studies, each so that nobody takes it for another: patient, MRN, what and when. */
export function ExamTable({ studies }: { studies: readonly Study[] }) {
  const { dateFormat } = usePreferences()
  return (
    // A scrolling table must be reachable by keyboard: nothing in it takes the focus.
    <section
      className={style.tableScroll}
      aria-label={t('examTable.exam')}
      tabIndex={studies.length > rowsInSight ? 0 : undefined}
    >
      <table className={style.table}>
        <thead>
          <tr>
            <th scope="col">{t('examTable.patient')}</th>
            <th scope="col">{t('field.mrn')}</th>
            <th scope="col">{t('examTable.exam')}</th>
            <th scope="col">{t('examTable.date')}</th>
            <th scope="col">{t('examTable.group')}</th>
          </tr>
        </thead>
        <tbody>
          {studies.map((study) => (
            <tr key={study.uuid}>
              <td>{nameText(study.patient_name) || t('card.noName')}</td>
              <td>{study.patientid}</td>
              <td>{[study.modality.replaceAll('\\', '/'), study.study_description].filter(Boolean).join(', ')}</td>
              <td data-tight>{formatDate(study.study_date, dateFormat)}</td>
              <td>{study.phi_namespace_name}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
