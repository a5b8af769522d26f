import type { Study } from '@hilum/contract/entities/study'
import { t } from '../../labels/label.ts'
import { usePush } from '../../queries/destinations.ts'
import { Banner } from '../../ui/banner.tsx'
import { pushFailureText } from './push-failure-text.ts'
import { ReasonDialog } from './reason-dialog.tsx'

interface PushReasonProps {
  study: Study
  push: Study['study_push_status'][number]
  onClose: () => void
}

/** Sends an exam again whose push wants a reason: why it failed, and the question why it is right all the same. */
export function PushReason({ study, push: failed, onClose }: PushReasonProps) {
  const push = usePush(study.uuid)
  return (
    <ReasonDialog
      title={t('pacs.reasonTitle', { name: failed.destination_name.replaceAll('_', ' ') })}
      text={failed.status_reason ?? ''}
      label={t('pacs.reason')}
      hint={t('pacs.reasonHint')}
      button={t('pacs.reasonSend')}
      isPending={push.isPending}
      onClose={onClose}
      onConfirm={(mrnReason) =>
        push.mutate(
          { destinationId: failed.destination_uuid, reason: { mrnReason, question: failed.question } },
          { onSuccess: onClose },
        )
      }
    >
      {push.isError && <Banner tone="failed">{pushFailureText(push.error, study)}</Banner>}
    </ReasonDialog>
  )
}
