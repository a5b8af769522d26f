import { auditObject } from '@hilum/contract/calls/audit'
import type { Study } from '@hilum/contract/entities/study'
import { useQuery } from '@tanstack/react-query'
import { formatStamp } from '../../format/dates.ts'
import { type LabelKey, t } from '../../labels/label.ts'
import { usePlaceFlags } from '../../queries/namespaces.ts'
import { historyChanges, studyHistoryQuery } from '../../queries/study-history.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useMayCall } from '../../session/use-may.ts'
import style from './acts.module.css'
import panel from './exam-panel.module.css'
import part from './nominate.module.css'
import { sizeStyle } from './process-steps.ts'
import { shownOfStudy, shownValue } from './shown-value.ts'

export const comparedFields = [
  ['patient_name', 'field.patientName'],
  ['patientid', 'field.mrn'],
  ['patient_birth_date', 'field.birthDate'],
  ['patient_sex', 'field.sex'],
  ['accession_number', 'field.accession'],
  ['study_description', 'field.description'],
] as const satisfies readonly (readonly [keyof Study, LabelKey])[]

/** SUMMARY-03: the demographics of a nominated exam beside its last correction, with a heading where the screen has none. */
export function DemographicTable({ study, isTitled = false }: { study: Study; isTitled?: boolean }) {
  const { dateFormat, timeZone } = usePreferences()
  const placeFlags = usePlaceFlags()
  const maySee = useMayCall(auditObject, placeFlags(study))
  const { data } = useQuery({ ...studyHistoryQuery(study.uuid), enabled: maySee })
  const names: readonly string[] = comparedFields.map(([name]) => name)
  const isAbout = ({ name }: { name: string }) => names.includes(name)
  const last = data?.events.find((event) => historyChanges(event).some(isAbout))
  const changes = last ? historyChanges(last) : []
  const table = (
    <div style={sizeStyle('demographics')}>
      <table className={`${style.table} ${part.compared}`} aria-label={t('process.demographics')}>
        <thead>
          <tr>
            <td />
            <th scope="col">{t('process.now')}</th>
            <th scope="col">{t('process.lastEdit')}</th>
          </tr>
        </thead>
        <tbody>
          {comparedFields.map(([name, label]) => {
            const change = changes.find((one) => one.name === name)
            const shown = (value: string) => shownValue(name, value, dateFormat)
            return (
              <tr key={name}>
                <th scope="row">{t(label)}</th>
                <td>{shownOfStudy(study, name, dateFormat)}</td>
                <td>{change && t('process.edited', { before: shown(change.before), after: shown(change.after) })}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
  return (
    <>
      {isTitled ? (
        <div className={part.titled} style={sizeStyle('nomination')}>
          <h3 className={panel.heading}>{t('process.demographics')}</h3>
          {table}
        </div>
      ) : (
        table
      )}
      {data && (
        <p className={panel.note}>
          {last
            ? t('process.editBy', {
                who: last.who,
                when: formatStamp(last.when, dateFormat, timeZone),
              })
            : t('process.noEdit')}
        </p>
      )}
    </>
  )
}
