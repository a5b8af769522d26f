import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type AttachedTo, readAttachment } from '../../api/attachments.ts'
import { t } from '../../labels/label.ts'
import type { StoredAttachment } from '../../queries/attachments.ts'
import { IconX } from '../../ui/icons.ts'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { ActFailure } from './act-failure.tsx'
import style from './acts.module.css'
import panel from './exam-panel.module.css'

/** Larger ones are not held in the page's memory. */
const maxShownBytes = 100 * 1024 * 1024

interface AttachmentViewProps {
  study: AttachedTo
  attachment: StoredAttachment
  onClose: () => void
}

/** An attached picture or PDF in place; anything else is only told of. */
export function AttachmentView({ study, attachment, onClose }: AttachmentViewProps) {
  const isTooLarge = attachment.size > maxShownBytes
  const close = useRef<HTMLButtonElement>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['attachment', attachment.id, attachment.version],
    queryFn: ({ signal }) => readAttachment(study, attachment, signal),
    enabled: !isTooLarge,
    staleTime: Infinity,
    gcTime: 0,
  })
  useEffect(() => {
    close.current?.focus()
    close.current?.closest('section')?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <section className={style.shown} aria-label={attachment.filename}>
      <div className={style.shownHead}>
        <span className={style.grow}>{attachment.filename}</span>
        <ActionIcon ref={close} size={26} aria-label={t('button.close')} onClick={onClose}>
          <IconX size={16} />
        </ActionIcon>
      </div>
      {isTooLarge && <p className={panel.note}>{t('attach.viewTooLarge')}</p>}
      {error && <ActFailure text={t('attach.viewFailed')} failure={error} onRetry={() => void refetch()} />}
      {!isTooLarge && !data && !error && <LoadingState label={t('loading')} />}
      {data && <ShownBlob blob={data} name={attachment.filename} />}
    </section>
  )
}

function ShownBlob({ blob, name }: { blob: Blob; name: string }) {
  const show = (element: HTMLImageElement | HTMLIFrameElement | null) => {
    if (!element) return undefined
    const address = URL.createObjectURL(blob)
    element.src = element instanceof HTMLIFrameElement ? `${address}#navpanes=0` : address
    return () => URL.revokeObjectURL(address)
  }
  if (blob.type.startsWith('image/')) return <img ref={show} alt={name} />
  if (blob.type === 'application/pdf') {
    // oxlint-disable-next-line react/iframe-missing-sandbox -- a sandbox keeps the browser's PDF reader from starting; the type, which the server found by the bytes, keeps anything else from running
    return <iframe ref={show} title={name} />
  }
  return <p className={panel.note}>{t('attach.cannotShow')}</p>
}
