import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../../labels/label.ts'
import { usePreferences } from '../../session/preferences.ts'
import style from './acts.module.css'
import type { ChosenExam } from './compare-patient.ts'
import { comparedFields } from './demographic-table.tsx'
import panel from './exam-panel.module.css'
import part from './nominate.module.css'
import { sizeStyle } from './process-steps.ts'
import { shownValue } from './shown-value.ts'

/** The orders found, as a table of its own with the button that takes it. */
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
    <div className={part.choice} style={sizeStyle('nomination')}>
      <table className={`${style.table} ${part.compared}`} aria-label={label}>
        <tbody>
          {comparedFields.map(([field, name]) => (
            <tr key={field}>
              <th scope="row">{t(name)}</th>
              <td>{shownValue(field, chosen[field], dateFormat)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={panel.actions}>
        <Button
          size="compact-sm"
          aria-label={t('process.selectOf', { name: label, accession: chosen.accession_number || t('field.none') })}
          onClick={() => onChoose(chosen)}
        >
          {t('process.select')}
        </Button>
        {onDetails && (
          <Button size="compact-sm" variant="default" onClick={onDetails}>
            {t('process.detail')}
          </Button>
        )}
      </div>
      {children}
    </div>
  )
}
