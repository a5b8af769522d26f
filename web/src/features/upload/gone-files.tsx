import { t } from '../../labels/label.ts'
import { IconFolderOpen } from '../../ui/icons.ts'
import { handleChooser, walkHandles } from './file-handles.ts'
import { PickButton } from './pick-button.tsx'
import { chooseFilesAgain } from './transfer-actions.ts'
import style from './upload.module.css'
import type { UploadOutcome } from './upload-job.ts'
import { useUpload } from './upload-store.ts'
import { walkFileList } from './walk.ts'

type Failed = Extract<UploadOutcome, { kind: 'failed' }>

/** Files that failed since nobody can read them any more. */
export const countGone = ({ failures }: Failed) => failures.filter(({ kind }) => kind === 'unreadable').length

/** The sentence of files that were moved or changed since they were chosen. */
export function GoneText({ outcome }: { outcome: Failed }) {
  const renewal = useUpload(({ renewal }) => renewal)
  const count = countGone(outcome)
  if (count === 0) return null
  return (
    <>
      <div>{t('upload.failed.gone', { count })}</div>
      {renewal && renewal !== 'reading' && renewal.found === 0 && (
        <div role="alert">{t('upload.failed.notAmongThem')}</div>
      )}
    </>
  )
}

/** Chooses the folder or the files again, after they were moved; the upload then goes on by itself. */
export function ChooseAgain({ outcome }: { outcome: Failed }) {
  const isReading = useUpload(({ renewal }) => renewal === 'reading')
  if (countGone(outcome) === 0) return null
  if (isReading) return <span role="status">{t('upload.find.reading')}</span>
  const what = outcome.code === 'NON_DICOM_UPLOAD_FAILED' ? 'files' : 'folder'
  async function handleAsk() {
    const choose = handleChooser(what)
    if (!choose) return false
    const handles = await choose().catch(() => undefined)
    if (handles === undefined) return false
    if (handles !== 'no-choice') void chooseFilesAgain((signal) => walkHandles(handles, signal))
    return true
  }
  return (
    <span className={style.buttons} data-inline>
      <PickButton
        label={t(what === 'folder' ? 'upload.failed.chooseFolder' : 'upload.failed.chooseFiles')}
        size="sm"
        icon={<IconFolderOpen size={16} />}
        {...(what === 'folder' ? { input: { webkitdirectory: '' } } : {})}
        onAsk={handleAsk}
        onPicked={(files) => void chooseFilesAgain((signal) => walkFileList(files ?? [], signal))}
      />
      {what === 'folder' && (
        <PickButton
          label={t('upload.failed.chooseFiles')}
          variant="subtle"
          size="sm"
          onPicked={(files) => void chooseFilesAgain((signal) => walkFileList(files ?? [], signal))}
        />
      )}
    </span>
  )
}
