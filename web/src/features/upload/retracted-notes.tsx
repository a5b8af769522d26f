import { Checkbox } from '@mantine/core'
import { formatStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { usePreferences } from '../../session/preferences.ts'
import { Banner } from '../../ui/banner.tsx'
import { answerClash } from './confirm-actions.ts'
import type { RetractedStudy } from './retracted-rules.ts'
import { patientName } from './upload-format.ts'

interface RetractedNotesProps {
  studies: readonly RetractedStudy[]
  answers: ReadonlySet<string>
  hasTried: boolean
}

/** Studies that their owner took back from the destination: each is uploaded only after a yes. */
export function RetractedNotes({ studies, answers, hasTried }: RetractedNotesProps) {
  const { dateFormat, timeZone } = usePreferences()
  return studies.map(({ key, patientName: name, byName: who, at, reason }) => {
    const isOpen = !answers.has(key)
    const slots = { name: patientName(name), when: formatStamp(at, dateFormat, timeZone) ?? '' }
    return (
      <div key={key} data-open={isOpen || undefined}>
        <Banner tone="priority">
          {reason ? t('upload.retracted', { ...slots, who, reason }) : t('upload.retractedUntold', slots)}
          <Checkbox
            label={t('upload.retractedGoOn')}
            checked={!isOpen}
            error={hasTried && isOpen ? t('upload.clash.answerMissing') : undefined}
            onChange={(event) => answerClash(key, event.currentTarget.checked)}
          />
        </Banner>
      </div>
    )
  })
}
