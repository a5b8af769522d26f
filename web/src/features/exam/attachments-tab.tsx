import { attachmentAdd, attachmentRemove } from '@hilum/contract/routes/storage-attachments'
import type { Study } from '@hilum/contract/entities/study'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../labels/label.ts'
import { attachmentsKey, attachmentsQuery, type ReceivedAttachment } from '../../queries/attachments.ts'
import { readStudiesAgain } from '../../queries/patch-studies.ts'
import { mayCall } from '../../session/use-may.ts'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { AttachmentDrop } from './attachment-drop.tsx'
import { AttachmentTable } from './attachment-table.tsx'
import { AttachmentView } from './attachment-view.tsx'
import style from './acts.module.css'
import panel from './exam-panel.module.css'
import { PassingBanner } from '../../ui/passing-banner.tsx'
import { RemoveAttachment } from './remove-attachment.tsx'
import { uploadAttachments } from './upload-attachments.ts'
import { useFileDrop } from './use-file-drop.ts'

/** ATTACH-03 */
const failedMs = 10_000

interface Notice {
  kind: 'added' | 'failed' | 'removed'
  count: number
  at: number
}

/** ATTACH-01: files beside the images: added, shown, saved, deleted. */
export function AttachmentsTab({ study }: { study: Study }) {
  const client = useQueryClient()
  const { data: files, error, refetch } = useQuery(attachmentsQuery(study))
  const [shown, setShown] = useState<ReceivedAttachment>()
  const [removing, setRemoving] = useState<ReceivedAttachment>()
  const [notice, setNotice] = useState<Notice>()
  const mayAttach = mayCall(attachmentAdd, study.permissions)
  const tell = (kind: Notice['kind']) =>
    setNotice((before) => ({ kind, count: before?.kind === kind ? before.count + 1 : 1, at: Date.now() }))
  const readAgain = () => {
    void client.invalidateQueries({ queryKey: attachmentsKey(study) })
    void readStudiesAgain(client, [study.uuid])
  }
  const handleAdded = () => {
    tell('added')
    readAgain()
  }
  const handleRemoved = (removed: ReceivedAttachment) => {
    setRemoving(undefined)
    if (shown?.version === removed.version) setShown(undefined)
    tell('removed')
    readAgain()
  }
  const handlers = { onAdded: handleAdded, onFailed: () => tell('failed') }
  const { isOver, ...dropTarget } = useFileDrop(mayAttach, (dropped) => uploadAttachments(study, dropped, handlers))
  return (
    <div className={`${panel.content} ${style.attachments}`} data-over={isOver || undefined} {...dropTarget}>
      <h3 className={panel.heading}>{t('attach.title')}</h3>
      {mayAttach && <AttachmentDrop study={study} {...handlers} />}
      {notice && (
        <PassingBanner
          key={`${notice.kind} ${notice.at}`}
          tone={notice.kind === 'failed' ? 'failed' : 'completed'}
          ms={notice.kind === 'failed' ? failedMs : undefined}
          onGone={() => setNotice(undefined)}
        >
          {notice.kind === 'added' && t('attach.added', { count: notice.count })}
          {notice.kind === 'removed' && t('attach.removed')}
          {notice.kind === 'failed' && t('attach.failed')}
        </PassingBanner>
      )}
      {error && !files && (
        <FailedBanner retry={t('button.retry')} onRetry={() => void refetch()}>
          {t('attach.listFailed')}
        </FailedBanner>
      )}
      {!files && !error && <LoadingState label={t('loading')} />}
      {files?.length === 0 && <p className={panel.note}>{t('attach.none')}</p>}
      {files && files.length > 0 && (
        <div className={style.beside}>
          <div>
            <AttachmentTable
              study={study}
              files={files}
              onShow={setShown}
              onRemove={mayCall(attachmentRemove, study.permissions) ? setRemoving : undefined}
            />
          </div>
          {shown && (
            <AttachmentView key={shown.version} study={study} attachment={shown} onClose={() => setShown(undefined)} />
          )}
        </div>
      )}
      {removing && (
        <RemoveAttachment
          study={study}
          attachment={removing}
          onRemoved={() => handleRemoved(removing)}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </div>
  )
}
