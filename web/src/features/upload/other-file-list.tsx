import { ActionIcon, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { formatCount, formatSize } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { IconCamera, IconChevronLeft, IconChevronRight, IconPlus } from '../../ui/icons.ts'
import tables from './exam-tables.module.css'
import type { OtherFile } from './other-files.ts'
import { addOtherFiles, selectOtherFiles } from './other-files-actions.ts'
import style from './other-files.module.css'
import { photoTypes, PickButton } from './pick-button.tsx'
import finds from './upload.module.css'
import { countFiles } from './upload-format.ts'
import { walkFileList } from './walk.ts'

const ROWS_A_PAGE = 10

/** The files of the upload by page, each selectable; more can be added (UPLOAD-06). */
export function OtherFileList({ files, imagesOnly }: { files: readonly OtherFile[]; imagesOnly: boolean }) {
  const [wanted, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(files.length / ROWS_A_PAGE))
  const page = Math.min(wanted, pages)
  const shown = files.slice((page - 1) * ROWS_A_PAGE, page * ROWS_A_PAGE)
  const chosen = files.filter((one) => one.isSelected)
  const sizeBytes = chosen.reduce((total, { file }) => total + file.size, 0)
  return (
    <section className={style.list} aria-label={t('upload.other.files')}>
      <div className={tables.selectAll}>
        <Checkbox
          label={t('upload.other.all')}
          checked={chosen.length === files.length}
          indeterminate={chosen.length > 0 && chosen.length < files.length}
          onChange={(event) => selectOtherFiles(files, event.currentTarget.checked)}
        />
        <span className={style.summary} role="status">
          {t('upload.other.summary', {
            selected: formatCount(chosen.length),
            files: countFiles(files.length),
            size: formatSize(sizeBytes),
          })}
        </span>
        <AddMore imagesOnly={imagesOnly} />
      </div>
      <table className={tables.table} data-kind="files" aria-label={t('upload.other.files')}>
        <thead>
          <tr>
            <th aria-label={t('upload.column.select')} />
            <th>{t('upload.column.file')}</th>
            <th data-column="becomes">{t('upload.column.becomes')}</th>
            <th data-column="size">{t('upload.column.size')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((one) => (
            <tr key={`${one.path}/${one.file.size}/${one.file.lastModified}`} data-selected={one.isSelected}>
              <td>
                <Checkbox
                  aria-label={t('upload.other.select', { path: one.path })}
                  checked={one.isSelected}
                  onChange={(event) => selectOtherFiles([one], event.currentTarget.checked)}
                />
              </td>
              <td>
                <FileName path={one.path} />
              </td>
              <td data-column="becomes">{t(`upload.other.kind.${one.kind}`)}</td>
              <td data-column="size">{formatSize(one.file.size)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {pages > 1 && (
        <nav className={style.pages} aria-label={t('upload.other.pages')}>
          <ActionIcon aria-label={t('list.previous')} disabled={page === 1} onClick={() => setPage(page - 1)}>
            <IconChevronLeft size={16} />
          </ActionIcon>
          <span role="status">{t('list.page', { page, pages })}</span>
          <ActionIcon aria-label={t('list.next')} disabled={page === pages} onClick={() => setPage(page + 1)}>
            <IconChevronRight size={16} />
          </ActionIcon>
        </nav>
      )}
    </section>
  )
}

/** The file's own name, and below on one line the folder that it lies in. */
function FileName({ path }: { path: string }) {
  const end = path.lastIndexOf('/')
  return (
    <>
      {path.slice(end + 1)}
      {end > 0 && (
        <span className={style.folder} title={path}>
          {path.slice(0, end)}
        </span>
      )}
    </>
  )
}

function AddMore({ imagesOnly }: { imagesOnly: boolean }) {
  const handlePicked = (files: FileList | null) => void addOtherFiles((signal) => walkFileList(files ?? [], signal))
  return (
    <>
      <PickButton
        label={t('upload.other.more')}
        variant="default"
        icon={<IconPlus size={14} />}
        input={imagesOnly ? { accept: photoTypes } : {}}
        onPicked={handlePicked}
      />
      <PickButton
        label={t('upload.find.camera')}
        variant="default"
        icon={<IconCamera size={14} />}
        className={finds.camera ?? ''}
        input={{ accept: 'image/jpeg', capture: 'environment', multiple: false }}
        onPicked={handlePicked}
      />
    </>
  )
}
