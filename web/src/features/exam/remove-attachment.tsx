import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { holdOf } from '../../api/api-failure.ts'
import { type AttachedTo, deleteAttachment } from '../../api/attachments.ts'
import { t } from '../../labels/label.ts'
import type { ReceivedAttachment } from '../../queries/attachments.ts'
import { Banner } from '../../ui/banner.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ActFailure } from './act-failure.tsx'
import style from './acts.module.css'
import { useStampText } from './stamp-text.ts'

interface RemoveAttachmentProps {
  study: AttachedTo
  attachment: ReceivedAttachment
  onRemoved: () => void
  onClose: () => void
}

/** Asks before one version of an attachment is taken away. */
export function RemoveAttachment({ study, attachment, onRemoved, onClose }: RemoveAttachmentProps) {
  const stampText = useStampText()
  const remove = useMutation({ mutationFn: () => deleteAttachment(study, attachment), onSuccess: onRemoved })
  return (
    <Dialog title={t('attach.removeTitle')} closeLabel={t('button.close')} onClose={onClose}>
      <div className={style.confirm}>
        <p>{t('attach.removeText', { name: attachment.filename, when: stampText(attachment.stored) })}</p>
        {remove.isError && <RemoveFailure failure={remove.error} />}
        <div className={style.choices}>
          <Button variant="default" data-autofocus onClick={onClose}>
            {t('delete.cancel')}
          </Button>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t('attach.removeButton')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function RemoveFailure({ failure }: { failure: unknown }) {
  const kept = holdOf(failure)
  if (kept) return <Banner tone="failed">{t(kept === 'hold' ? 'attach.keptByHold' : 'attach.keptFrozen')}</Banner>
  return <ActFailure text={t('attach.removeFailed')} failure={failure} />
}
