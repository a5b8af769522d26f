import { useQuery } from '@tanstack/react-query'
import { type AttachedTo, readAttachment } from '../../api/attachments.ts'
import { t } from '../../labels/label.ts'
import type { ReceivedAttachment } from '../../queries/attachments.ts'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { ActFailure } from './act-failure.tsx'
import panel from './exam-panel.module.css'
import { ShownBlob } from './shown-blob.tsx'
import { ShownFrame } from './shown-frame.tsx'

/** Larger ones are not held in the page's memory. */
const maxShownBytes = 100 * 1024 * 1024

interface AttachmentViewProps {
  study: AttachedTo
  attachment: ReceivedAttachment
  onClose: () => void
  isQuiet?: boolean
}

/** An attached picture or PDF in place; anything else is only told of. */
export function AttachmentView({ study, attachment, onClose, isQuiet = false }: AttachmentViewProps) {
  const isTooLarge = attachment.size > maxShownBytes
  const { data, error, refetch } = useQuery({
    queryKey: ['attachment', attachment.id, attachment.version],
    queryFn: ({ signal }) => readAttachment(study, attachment, signal),
    enabled: !isTooLarge,
    staleTime: Infinity,
    gcTime: 0,
  })
  return (
    <ShownFrame name={attachment.filename} onClose={onClose} isQuiet={isQuiet}>
      {isTooLarge && <p className={panel.note}>{t('attach.viewTooLarge')}</p>}
      {error && <ActFailure text={t('attach.viewFailed')} failure={error} onRetry={() => void refetch()} />}
      {!isTooLarge && !data && !error && <LoadingState label={t('loading')} />}
      {data && <ShownBlob blob={data} name={attachment.filename} />}
    </ShownFrame>
  )
}
