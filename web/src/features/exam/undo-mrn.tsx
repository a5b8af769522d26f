import type { Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { t } from '../../labels/label.ts'
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
