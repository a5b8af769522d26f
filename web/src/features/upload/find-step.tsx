import { Button, Progress } from '@mantine/core'
import { type DragEvent, useRef, useState } from 'react'
import { formatCount } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { Banner } from '../../ui/banner.tsx'
import { IconCloudUpload, IconFolderOpen } from '../../ui/icons.ts'
import type { FindProgress } from './find-exams.ts'
import { leftOutOf, takeOtherFiles, type WrapTerms } from './other-files-actions.ts'
import { SkippedList } from './skipped-list.tsx'
import style from './upload.module.css'
import { countPatients, studyCountText } from './upload-format.ts'
import type { UploadDestination } from './upload-job.ts'
import type { DiscSearch } from './upload-store.ts'
import { searchExams, stopSearch } from './wizard-actions.ts'
import { takeDroppedEntries, walkEntries, walkFileList } from './walk.ts'

/** Step 1: find exams by browsing for a folder or dropping it (UPLOAD-03). */
export function FindStep({
  search,
  destination,
  offersFiles = false,
  wrap,
}: {
  search: DiscSearch
  destination: UploadDestination | undefined
  /** Single files too, as on a phone, whose browser knows no folders. */
  offersFiles?: boolean
  /** Where files that are no DICOM may be uploaded (UPLOAD-04). */
  wrap?: WrapTerms | undefined
}) {
  return (
    <>
      <h2 tabIndex={-1}>{t('upload.find.title')}</h2>
      {destination && <p className={style.lead}>{t('upload.find.to', { destination: destination.name })}</p>}
      <SearchOutcome search={search} wrap={wrap} />
      {search.kind === 'reading' ? (
        <Reading progress={search.progress} />
      ) : (
        <DropZone offersFiles={offersFiles || wrap !== undefined} wrap={wrap} />
      )}
      <p className={style.hint}>{t('upload.find.hint')}</p>
      {wrap && <p className={style.hint}>{t('upload.find.otherHint')}</p>}
    </>
  )
}

function DropZone({ offersFiles, wrap }: { offersFiles: boolean; wrap: WrapTerms | undefined }) {
  const [isOver, setIsOver] = useState(false)
  const folder = useRef<HTMLInputElement>(null)
  const files = useRef<HTMLInputElement>(null)

  function handleDrop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    const entries = takeDroppedEntries(event.dataTransfer)
    void searchExams((signal) => walkEntries(entries, signal))
  }
  function handleBrowse(input: HTMLInputElement | null) {
    if (!input) return
    input.value = '' // The same folder may be chosen again.
    input.click()
  }
  // The list is walked as it is: copying 5,000 files out of it holds the page up for 130 ms.
  const handleBrowsed = (files: FileList | null, terms?: WrapTerms) =>
    void searchExams((signal) => walkFileList(files ?? [], signal), terms)
  function handleLeave(event: DragEvent<HTMLDivElement>) {
    const to = event.relatedTarget
    if (!(to instanceof Node && event.currentTarget.contains(to))) setIsOver(false)
  }

  return (
    <div
      className={style.drop}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={handleLeave}
      onDrop={handleDrop}
    >
      <IconCloudUpload size={34} stroke={1.4} aria-hidden="true" className={style.dropIcon} />
      <p className={style.dropText}>{isOver ? t('upload.find.dropNow') : t('upload.find.drop')}</p>
      <p className={style.hint}>{t('upload.find.or')}</p>
      <Button size="sm" leftSection={<IconFolderOpen size={16} />} onClick={() => handleBrowse(folder.current)}>
        {t('upload.find.browse')}
      </Button>
      {offersFiles && (
        <>
          <Button variant="subtle" size="compact-sm" onClick={() => handleBrowse(files.current)}>
            {t('upload.find.browseFiles')}
          </Button>
          <input
            ref={files}
            type="file"
            multiple
            hidden
            aria-label={t('upload.find.browseFiles')}
            onChange={(event) => handleBrowsed(event.currentTarget.files, wrap)}
          />
        </>
      )}
      <input
        ref={folder}
        type="file"
        multiple
        hidden
        aria-label={t('upload.find.browse')}
        {...{ webkitdirectory: '' }}
        onChange={(event) => handleBrowsed(event.currentTarget.files)}
      />
    </div>
  )
}

function Reading({ progress: { seen, read, instances } }: { progress: FindProgress }) {
  const counts = { seen: formatCount(seen), read: formatCount(read), instances: formatCount(instances) }
  return (
    <div className={style.drop}>
      <p className={style.dropText} role="status">
        {t('upload.find.reading')}
      </p>
      <Progress
        value={seen > 0 ? (read / seen) * 100 : 0}
        w={320}
        size={6}
        transitionDuration={0}
        aria-label={t('upload.find.reading')}
      />
      <p className={style.numbers}>{t('upload.find.progress', counts)}</p>
      <Button variant="default" size="sm" onClick={stopSearch}>
        {t('upload.find.stop')}
      </Button>
    </div>
  )
}

/** Result of the last search (UPLOAD-25). */
function SearchOutcome({ search, wrap }: { search: DiscSearch; wrap: WrapTerms | undefined }) {
  if (search.kind === 'found') {
    const { plan, skipped } = search.exams
    const found = { studies: studyCountText(plan.studyCount), patients: countPatients(plan.patients.length) }
    return (
      <>
        <Banner tone="completed">{t('upload.find.found', found)}</Banner>
        <SkippedList skipped={skipped} />
      </>
    )
  }
  if (search.kind !== 'failed') return null
  const { reason, skipped, others } = search
  return (
    <>
      <Banner tone="failed">
        <strong>{t(reason === 'cannot-load' ? 'upload.find.cannotLoad' : 'upload.find.noExams')}</strong>
        <div>
          {reason === 'cannot-load' && t('upload.find.cannotLoadText')}
          {reason === 'no-exams' && t(skipped.length === 0 ? 'upload.find.emptyFolder' : 'upload.find.noDicom')}
        </div>
      </Banner>
      {wrap && others.length > 0 && (
        <div className={style.buttons}>
          <Button size="sm" onClick={() => void takeOtherFiles(others, leftOutOf(skipped), wrap)}>
            {t('upload.find.takeOthers', { count: others.length })}
          </Button>
        </div>
      )}
      <SkippedList skipped={skipped} />
    </>
  )
}
