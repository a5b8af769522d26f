import { ActionIcon, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { type AttachedTo, attachmentAddress } from '../../api/attachments.ts'
import { formatSize } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import type { ListedAttachment, ReceivedAttachment } from '../../queries/attachments.ts'
import { IconChevronLeft, IconChevronRight, IconDownload, IconEye, IconTrash } from '../../ui/icons.ts'
import style from './acts.module.css'
import { useStampText } from './stamp-text.ts'

/** ATTACH-02 */
const pageSizes = [10, 25, 50, 100] as const

interface AttachmentTableProps {
  study: AttachedTo
  files: readonly ListedAttachment[]
  onShow: (attachment: ReceivedAttachment) => void
  /** Undefined for those who may not delete. */
  onRemove: ((attachment: ReceivedAttachment) => void) | undefined
}

/** The attached files by page, each with its earlier versions below it. */
export function AttachmentTable({ files, ...rest }: AttachmentTableProps) {
  const [rows, setRows] = useState<number>(pageSizes[0])
  const [wanted, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(files.length / rows))
  const page = Math.min(wanted, pages)
  const from = (page - 1) * rows
  const shown = files.slice(from, from + rows)
  return (
    <>
      <div className={style.tableScroll}>
        <table className={style.table}>
          <thead>
            <tr>
              <th scope="col">{t('attach.name')}</th>
              <th scope="col">{t('attach.size')}</th>
              <th scope="col">{t('attach.stored')}</th>
              <th scope="col">{t('attach.actions')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.flatMap((file) => [
              <AttachmentRow key={file.version} attachment={file} {...rest} />,
              ...file.earlier.map((version) => (
                <AttachmentRow key={version.version} attachment={version} isEarlier {...rest} />
              )),
            ])}
          </tbody>
        </table>
      </div>
      {files.length > pageSizes[0] && (
        <nav className={style.pager} aria-label={t('attach.pages')}>
          <label>
            {t('attach.rowsPerPage')}
            <NativeSelect
              value={String(rows)}
              data={pageSizes.map(String)}
              onChange={(event) => {
                setRows(Number(event.currentTarget.value))
                setPage(1)
              }}
            />
          </label>
          <span role="status">
            {t('attach.page', { from: from + 1, to: from + shown.length, total: files.length })}
          </span>
          <ActionIcon
            size={26}
            aria-label={t('attach.previous')}
            disabled={page === 1}
            onClick={() => setPage(page - 1)}
          >
            <IconChevronLeft size={16} />
          </ActionIcon>
          <ActionIcon
            size={26}
            aria-label={t('attach.next')}
            disabled={page === pages}
            onClick={() => setPage(page + 1)}
          >
            <IconChevronRight size={16} />
          </ActionIcon>
        </nav>
      )}
    </>
  )
}

function AttachmentRow(
  props: Omit<AttachmentTableProps, 'files'> & { attachment: ReceivedAttachment; isEarlier?: true },
) {
  const { study, attachment, isEarlier, onShow, onRemove } = props
  const stampText = useStampText()
  const stored = stampText(attachment.stored)
  // Versions of a file have one name: the time tells their buttons apart.
  const name = isEarlier ? t('attach.versionName', { name: attachment.filename, when: stored }) : attachment.filename
  return (
    <tr data-earlier={isEarlier}>
      <td>{isEarlier ? t('attach.earlier') : attachment.filename}</td>
      <td data-tight>{formatSize(attachment.size)}</td>
      <td data-tight>{stored}</td>
      <td>
        <span className={style.rowActions}>
          <ActionIcon size={26} aria-label={t('attach.view', { name })} onClick={() => onShow(attachment)}>
            <IconEye size={16} />
          </ActionIcon>
          <ActionIcon
            size={26}
            component="a"
            href={attachmentAddress(study, attachment)}
            download={attachment.filename}
            aria-label={t('attach.download', { name })}
          >
            <IconDownload size={16} />
          </ActionIcon>
          {onRemove && (
            <ActionIcon size={26} aria-label={t('attach.remove', { name })} onClick={() => onRemove(attachment)}>
              <IconTrash size={16} />
            </ActionIcon>
          )}
        </span>
      </td>
    </tr>
  )
}
