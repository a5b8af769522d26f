import { attachmentAdd } from '@hilum/contract/routes/storage-attachments'
import type { Study } from '@hilum/contract/entities/study'
import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { readStudiesAgain } from '../../queries/patch-studies.ts'
import { mayCall } from '../../session/use-may.ts'
import { putNotice } from '../../state/notices.ts'
import { Banner } from '../../ui/banner.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { IconPaperclip } from '../../ui/icons.ts'
import { AttachmentDrop } from './attachment-drop.tsx'
import { mayGiveFiles } from './may-give-files.ts'
import style from './share.module.css'

interface SendAttachmentsProps {
  studies: readonly Study[]
  /** By links, which show the reports as well. */
  isMailed: boolean
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}

/** Attached files: whether they go along, and a window to add more (SEND-02). */
export function SendAttachments({ studies, isMailed, isChosen, onChoose }: SendAttachmentsProps) {
  const [isOpen, setIsOpen] = useState(false)
  const count = studies.reduce((sum, one) => sum + one.attachment_count, 0)
  const takers = studies.filter(({ permissions }) => mayCall(attachmentAdd, permissions))
  if (!mayGiveFiles(studies)) return null
  return (
    <div className={style.actions}>
      {(count > 0 || isMailed) && (
        <Checkbox
          size="xs"
          label={isMailed ? t('links.files') : t('send.attachments', { count })}
          description={isMailed ? t('links.filesHint') : undefined}
          checked={isChosen}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
      )}
      {takers.length > 0 && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPaperclip size={14} />}
          onClick={() => setIsOpen(true)}
        >
          {t('send.addAttachment')}
        </Button>
      )}
      {isOpen && <AddAttachment studies={takers} onAdded={() => onChoose(true)} onClose={() => setIsOpen(false)} />}
    </div>
  )
}

interface AddAttachmentProps {
  studies: readonly Study[]
  onAdded: () => void
  onClose: () => void
}

function AddAttachment({ studies, onAdded, onClose }: AddAttachmentProps) {
  const client = useQueryClient()
  const [uuid, setUuid] = useState(studies[0]?.uuid)
  const [isFailed, setIsFailed] = useState(false)
  const study = studies.find((one) => one.uuid === uuid)
  const handleAdded = () => {
    if (study) void readStudiesAgain(client, [study.uuid])
    putNotice(t('send.attached'))
    onAdded()
  }
  return (
    <Dialog title={t('send.addAttachment')} closeLabel={t('button.close')} onClose={onClose}>
      <div className={style.form}>
        {studies.length > 1 && (
          <NativeSelect
            label={t('send.addAttachmentTo')}
            value={uuid}
            onChange={(event) => setUuid(event.currentTarget.value)}
            data={studies.map((one) => ({ value: one.uuid, label: examText(one) }))}
          />
        )}
        {isFailed && <Banner tone="failed">{t('send.attachFailed')}</Banner>}
        {study && <AttachmentDrop study={study} onAdded={handleAdded} onFailed={() => setIsFailed(true)} />}
      </div>
    </Dialog>
  )
}

function examText({ patient_name: name, study_description: description, modality }: Study): string {
  return [nameText(name) || t('card.noName'), description || modality.replaceAll('\\', '/')].filter(Boolean).join(', ')
}
