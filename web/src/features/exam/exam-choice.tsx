import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../../labels/label.ts'
import { usePreferences } from '../../session/preferences.ts'
import type { ChosenExam } from './compare-patient.ts'
import { comparedFields } from './demographic-table.tsx'
import panel from './exam-panel.module.css'
import part from './nominate.module.css'
import { sizeStyle } from './process-steps.ts'
import { shownValue } from './shown-value.ts'

/** The name stands above. */
const facts = comparedFields.filter(([field]) => field !== 'patient_name')

/** One of the orders or patients found, in columns that stand alike in each, with the button that takes it. */
export function ExamChoice(props: {
  chosen: ChosenExam
  label: string
  onChoose: (chosen: ChosenExam) => void
  onDetails?: () => void
  children?: ReactNode
}) {
  const { chosen, label, onChoose, onDetails, children } = props
  const { dateFormat } = usePreferences()
  return (
    <div className={part.choice} style={{ width: sizeStyle('nomination').width }}>
      <div className={part.head}>
        <strong>{label}</strong>
        <div className={panel.actions}>
          {onDetails && (
            <Button size="compact-sm" variant="default" onClick={onDetails}>
              {t('process.detail')}
            </Button>
          )}
          <Button
            size="compact-sm"
            aria-label={t('process.selectOf', { name: label, accession: chosen.accession_number || t('field.none') })}
            onClick={() => onChoose(chosen)}
          >
            {t('process.select')}
          </Button>
        </div>
      </div>
      {chosen.isNameUnread && <p className={panel.note}>{t('process.nameUnread')}</p>}
      <table className={part.found} aria-label={label}>
        <thead>
          <tr>
            {facts.map(([field, name]) => (
              <th key={field} scope="col">
                {t(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            {facts.map(([field]) => (
              <td key={field}>{shownValue(field, chosen[field], dateFormat)}</td>
            ))}
          </tr>
        </tbody>
      </table>
      {children}
    </div>
  )
}
