import type { Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { formatStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useDraft } from '../../state/drafts.ts'
import style from './acts.module.css'

interface LastMrnChange {
  before: string
  after: string
}

/** The user's last change of a study's MRN, as long as it stands; kept like a draft, so that it outlasts the tab. */
export function useLastMrnChange(
  study: Pick<Study, 'uuid' | 'patientid'>,
): [last: LastMrnChange | undefined, note: (last: LastMrnChange | undefined) => void] {
  const [stored, store] = useDraft(`mrn change ${study.uuid}`)
  const last = stored ? (JSON.parse(stored) as LastMrnChange) : undefined // written below
  return [last?.after === study.patientid ? last : undefined, (next) => store(next ? JSON.stringify(next) : '')]
}

interface Props {
  last: LastMrnChange
  isDisabled: boolean
  onUndo: () => void
}

/** The last change, and the way back. */
export function UndoMrn({ last, isDisabled, onUndo }: Props) {
  const { before, after } = last
  return (
    <div className={style.undo}>
      <span>{t('mrn.undone', { before: before || t('field.none'), after: after || t('field.none') })}</span>
      <Button variant="default" size="compact-sm" disabled={isDisabled} onClick={onUndo}>
        {t('mrn.undo')}
      </Button>
    </div>
  )
}

/** By whom and when the MRN was said to be that of all images, and the way back. */
export function MrnOfAll({ study, isDisabled, onUndo }: { study: Study; isDisabled: boolean; onUndo: () => void }) {
  const { dateFormat, timeZone } = usePreferences()
  const word = study.mrn_of_all
  if (!word) return null
  const when = formatStamp(word.at, dateFormat, timeZone) ?? ''
  const said = { mrn: study.patientid, when, others: word.mrns.filter((mrn) => mrn !== study.patientid).join(', ') }
  // a gatekeeper group sends all images under the number, also those that come under another one later
  const isAtGate = study.nomination?.side === 'gate'
  const text = word.by_name
    ? t(isAtGate ? 'mrn.saidOfAllAtGate' : 'mrn.saidOfAll', { ...said, who: word.by_name })
    : t(isAtGate ? 'mrn.saidOfAllAtGateElsewhere' : 'mrn.saidOfAllElsewhere', said)
  return (
    <div className={style.undo}>
      <span>{text}</span>
      <Button variant="default" size="compact-sm" disabled={isDisabled} onClick={onUndo}>
        {t('mrn.undo')}
      </Button>
    </div>
  )
}
