import type { Study } from '@hilum/contract/entities/study'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../labels/label.ts'
import { attachmentsKey, attachmentsQuery, type ReceivedAttachment } from '../../queries/attachments.ts'
import { readStudiesAgain } from '../../queries/patch-studies.ts'
import { may } from '../../session/use-may.ts'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { AttachmentDrop } from './attachment-drop.tsx'
import { AttachmentTable } from './attachment-table.tsx'
import { AttachmentView } from './attachment-view.tsx'
import panel from './exam-panel.module.css'
import { PassingBanner } from '../../ui/passing-banner.tsx'
import { RemoveAttachment } from './remove-attachment.tsx'

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
  return (
    <div className={panel.content}>
      <h3 className={panel.heading}>{t('attach.title')}</h3>
      {may('attachFile', study.permissions) && (
        <AttachmentDrop study={study} onAdded={handleAdded} onFailed={() => tell('failed')} />
      )}
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
        <AttachmentTable
          study={study}
          files={files}
          onShow={setShown}
          onRemove={may('removeAttachment', study.permissions) ? setRemoving : undefined}
        />
      )}
      {shown && (
        <AttachmentView key={shown.version} study={study} attachment={shown} onClose={() => setShown(undefined)} />
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
