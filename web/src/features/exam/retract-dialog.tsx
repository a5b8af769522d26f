import { studyRevive } from '@hilum/contract/calls/study-acts'
import type { Study } from '@hilum/contract/entities/study'
import { t } from '../../labels/label.ts'
import { useRetract } from '../../queries/retractions.ts'
import { mayCall } from '../../session/use-may.ts'
import { usePutActMessages } from '../../state/act-messages.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { ActFailure } from './act-failure.tsx'

/** Takes an exam back everywhere, with a reason; the message that tells of it has the Undo. */
export function RetractDialog({ study, onClose }: { study: Study; onClose: () => void }) {
  const putMessages = usePutActMessages()
  const retract = useRetract(study.uuid, (count) => {
    const text = t('retract.done', { count })
    // an administrator of the account takes back what others restore
    const restorable = mayCall(studyRevive, study.permissions) ? [study] : []
    putMessages([{ tone: 'completed', text, details: [], restorable }])
    onClose()
  })
  return (
    <ReasonDialog
      title={t('retract.title')}
      text={t('retract.text')}
      label={t('retract.reason')}
      hint={t('retract.reasonHint')}
      button={t('retract.item')}
      isPending={retract.isPending}
      onClose={onClose}
      onConfirm={(reason) => retract.mutate(reason)}
    >
      {retract.isError && <ActFailure text={t('retract.failed')} failure={retract.error} />}
    </ReasonDialog>
  )
}
