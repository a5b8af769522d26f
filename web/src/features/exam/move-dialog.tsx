import type { Shareable } from '@hilum/contract/calls/study-share'
import type { Study } from '@hilum/contract/entities/study'
import { restoreDays } from '@hilum/contract/limits'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../labels/label.ts'
import { useMoveStudies } from '../../queries/move-studies.ts'
import { usePutActMessages } from '../../state/act-messages.ts'
import { unmarkAll } from '../../state/marked-studies.ts'
import { Banner } from '../../ui/banner.tsx'
import { CancelButton, Dialog } from '../../ui/dialog.tsx'
import { IconFolderSymlink } from '../../ui/icons.ts'
import { ActFailure } from './act-failure.tsx'
import style from './acts.module.css'
import { DeletionReach } from './deletion-reach.tsx'
import { ExamLine } from './exam-line.tsx'
import { reasonToStay } from './may-move.ts'
import { tellMoved } from './move-messages.ts'
import { RecipientPicker } from './recipient-picker.tsx'
import { nobodyKnown } from './known-recipients.ts'
import { useMixedSeen } from './use-mixed-seen.tsx'

/** Exams that the dialog names; the others are counted. */
const namedExams = 5

interface MoveDialogProps {
  studies: readonly Study[]
  onClose: () => void
  /** Something was moved. */
  onMoved?: () => void
}

/** Moves exams to another group: which one, what goes along, and who loses them. The message that tells of it has the Undo. */
export function MoveDialog({ studies, onClose, onMoved }: MoveDialogProps) {
  const putMessages = usePutActMessages()
  const [group, setGroup] = useState<Shareable>()
  const [typed, setTyped] = useState('')
  const movable = studies.filter((study) => !reasonToStay(study))
  const mixed = useMixedSeen(movable)
  const moving = useMoveStudies((outcome) => {
    putMessages(tellMoved(outcome))
    onClose()
    if (!outcome.undo) return
    onMoved?.()
    unmarkAll() // LIST-15
  })
  const [first] = movable
  const count = movable.length
  const handleMove = () => {
    if (group && typed === '' && mixed.demand()) moving.mutate({ studies: movable, group, isMixedSeen: mixed.isSeen })
  }
  return (
    <Dialog title={t('move.title', { count: studies.length })} closeLabel={t('button.close')} onClose={onClose}>
      <div className={style.confirm}>
        <Staying studies={studies} />
        {first && (
          <>
            <ul className={style.asked}>
              {movable.slice(0, namedExams).map((study) => (
                <li key={study.uuid}>
                  <ExamLine study={study} among={studies} />
                </li>
              ))}
              {count > namedExams && <li>{t('delete.others', { count: count - namedExams })}</li>}
            </ul>
            <RecipientPicker
              kind="group"
              isInDialog
              label={t('move.group')}
              studyUuid={first.uuid}
              value={group ? [group] : []}
              onChange={(chosen) => setGroup(chosen[0])}
              typed={typed}
              onTyped={setTyped}
              known={nobodyKnown}
            />
            <p>{t('move.text', { count })}</p>
            <DeletionReach studies={movable} />
            <p>{t('move.undoText', { count, days: restoreDays })}</p>
            {mixed.field}
          </>
        )}
        {moving.isError && <ActFailure text={t('move.notDone')} failure={moving.error} onRetry={handleMove} />}
        <div className={style.choices}>
          <CancelButton disabled={moving.isPending} onCancel={onClose}>
            {t('delete.cancel')}
          </CancelButton>
          {first && (
            <Button
              onClick={handleMove}
              leftSection={<IconFolderSymlink size={15} />}
              disabled={!group || typed !== ''}
              loading={moving.isPending}
            >
              {t('move.go', { count })}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}

/** Exams that cannot be moved now, each with the reason. */
function Staying({ studies }: { studies: readonly Study[] }) {
  const staying = studies.flatMap((study) => {
    const reason = reasonToStay(study)
    return reason ? [{ study, reason }] : []
  })
  if (staying.length === 0) return null
  return (
    <Banner tone="priority">
      {t('move.stays')}
      <ul className={style.list}>
        {staying.map(({ study, reason }) => (
          <li key={study.uuid}>
            <ExamLine study={study} among={studies} />
            <span className={style.reason}>{t(`move.stays.${reason}`)}</span>
          </li>
        ))}
      </ul>
    </Banner>
  )
}
