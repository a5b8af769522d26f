import { ActionIcon, Button, Progress } from '@mantine/core'
import type { Study } from '@hilum/contract/entities/study'
import { useRef } from 'react'
import type { ApiFailure } from '../../api/api-failure.ts'
import { formatSize } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { type AttachmentUpload, useAttachmentUploads } from '../../state/attachment-uploads.ts'
import { IconRefresh, IconUpload, IconX } from '../../ui/icons.ts'
import { failureText } from './act-failure.tsx'
import style from './acts.module.css'
import { cancelAttachmentUpload, maxAttachmentBytes, retryUpload, uploadAttachments } from './upload-attachments.ts'
import { useFileDrop } from './use-file-drop.ts'

interface AttachmentDropProps {
  study: Study
  onAdded: () => void
  onFailed: () => void
}

/** Takes files by drop or by button, and shows how far each is. */
export function AttachmentDrop({ study, onAdded, onFailed }: AttachmentDropProps) {
  const input = useRef<HTMLInputElement>(null)
  const uploads = useAttachmentUploads().filter(({ studyUuid }) => studyUuid === study.uuid)
  const listener = { onAdded, onFailed }
  const { isOver, ...dropTarget } = useFileDrop(true, (files) => uploadAttachments(study, files, listener))
  const size = formatSize(maxAttachmentBytes)
  const handleFiles = (files: FileList | null) => {
    if (files && files.length > 0) uploadAttachments(study, [...files], listener)
    if (input.current) input.current.value = '' // the same file can be chosen again
  }
  return (
    <>
      <div className={style.drop} data-over={isOver || undefined} {...dropTarget}>
        {t('attach.drop')}
        <Button variant="default" leftSection={<IconUpload size={15} />} onClick={() => input.current?.click()}>
          {t('attach.choose')}
        </Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label={t('attach.input')}
          onChange={(event) => handleFiles(event.currentTarget.files)}
        />
        <span>{t('attach.text', { size })}</span>
      </div>
      {uploads.length > 0 && (
        <ul className={style.uploads}>
          {uploads.map((upload) => (
            <UploadRow key={upload.key} upload={upload} onRetry={() => retryUpload(study, upload, listener)} />
          ))}
        </ul>
      )}
    </>
  )
}

function UploadRow({ upload, onRetry }: { upload: AttachmentUpload; onRetry: () => void }) {
  const { file, state } = upload
  const name = file.name
  return (
    <li>
      <span className={style.uploadName} title={name}>
        {name}
      </span>
      {state.kind === 'waiting' && t('attach.waiting')}
      {state.kind === 'sending' && (
        <Progress
          className={style.bar}
          value={(state.sentBytes / Math.max(1, file.size)) * 100}
          aria-label={t('attach.uploading', { name })}
          transitionDuration={0}
        />
      )}
      {state.kind === 'failed' && (
        <>
          <span>{uploadFailureText(state.failure)}</span>
          <ActionIcon size={26} aria-label={t('attach.retry', { name })} onClick={onRetry}>
            <IconRefresh size={15} />
          </ActionIcon>
        </>
      )}
      <ActionIcon
        size={26}
        aria-label={t(state.kind === 'failed' ? 'attach.dismiss' : 'attach.cancel', { name })}
        onClick={() => cancelAttachmentUpload(upload)}
      >
        <IconX size={15} />
      </ActionIcon>
    </li>
  )
}

function uploadFailureText(failure: ApiFailure | undefined): string {
  if (failure?.status === 413) return t('attach.tooLarge', { size: formatSize(maxAttachmentBytes) })
  if (failure?.status === 412) return t('attach.empty')
  if (failure?.subtype === 'VIRUS_DETECTED') return t('attach.virus')
  return failureText(failure)
}
