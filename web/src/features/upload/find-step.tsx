import { Button, Progress } from '@mantine/core'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { formatCount } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { Banner } from '../../ui/banner.tsx'
import { IconCamera, IconCloudUpload, IconFolderOpen, IconPhoto } from '../../ui/icons.ts'
import type { FindProgress } from './find-exams.ts'
import { handleChooser, takeDroppedHandles, walkDropped, walkHandles } from './file-handles.ts'
import { leftOutOf, takeOtherFiles, type WrapTerms } from './other-files-actions.ts'
import { photoTypes, PickButton } from './pick-button.tsx'
import { SkippedList } from './skipped-list.tsx'
import style from './upload.module.css'
import { countPatients, studyCountText } from './upload-format.ts'
import type { UploadDestination } from './upload-job.ts'
import type { DiscSearch } from './upload-store.ts'
import { forgetFound, searchExams, stopSearch } from './wizard-actions.ts'
import { takeDroppedEntries, walkFileList } from './walk.ts'

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
      {wrap && <p className={style.hint}>{t(wrap.imagesOnly ? 'upload.find.photosHint' : 'upload.find.otherHint')}</p>}
    </>
  )
}

function DropZone({ offersFiles, wrap }: { offersFiles: boolean; wrap: WrapTerms | undefined }) {
  const [isOver, setIsOver] = useState(false)

  function handleDrop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    const entries = takeDroppedEntries(event.dataTransfer)
    const taken = takeDroppedHandles(event.dataTransfer)
    const source = taken.then((handles) => ({ handles }))
    void searchExams((signal) => walkDropped(taken, entries, signal), undefined, { source, joins: true })
  }
  // The list is walked as it is: copying 5,000 files out of it holds the page up for 130 ms.
  const handleBrowsed = (files: FileList | null, terms?: WrapTerms) =>
    void searchExams((signal) => walkFileList(files ?? [], signal), terms, { joins: true })
  /** The choice that gives handles, so that an upload outlasts the page; where the browser has it. */
  function askFor(what: 'folder' | 'files', terms?: WrapTerms) {
    const choose = handleChooser(what)
    if (!choose) return undefined
    return async () => {
      const handles = await choose().catch(() => undefined)
      if (handles === undefined) return false
      if (handles !== 'no-choice') {
        void searchExams((signal) => walkHandles(handles, signal), terms, { source: { handles }, joins: true })
      }
      return true
    }
  }
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
      <IconCloudUpload size={34} stroke={1.4} className={style.dropIcon} />
      <p className={style.dropText}>{isOver ? t('upload.find.dropNow') : t('upload.find.drop')}</p>
      <p className={style.hint}>{t('upload.find.or')}</p>
      <PickButton
        label={t('upload.find.browse')}
        size="sm"
        icon={<IconFolderOpen size={16} />}
        input={{ webkitdirectory: '' }}
        onAsk={askFor('folder')}
        onPicked={(files) => handleBrowsed(files)}
      />
      {offersFiles && (
        <PickButton
          label={t('upload.find.browseFiles')}
          variant="subtle"
          size="compact-sm"
          onAsk={askFor('files', wrap)}
          onPicked={(files) => handleBrowsed(files, wrap)}
        />
      )}
      {wrap && <PhotoButtons onPicked={(files) => handleBrowsed(files, wrap)} />}
    </div>
  )
}

/** Photos and documents, and where a finger points, the camera. */
function PhotoButtons({ onPicked }: { onPicked: (files: FileList | null) => void }) {
  return (
    <div className={style.photos}>
      <PickButton
        label={t('upload.find.photos')}
        variant="default"
        size="sm"
        icon={<IconPhoto size={16} />}
        input={{ accept: photoTypes }}
        onPicked={onPicked}
      />
      <PickButton
        label={t('upload.find.camera')}
        variant="default"
        size="sm"
        icon={<IconCamera size={16} />}
        className={style.camera ?? ''}
        input={{ accept: 'image/jpeg', capture: 'environment', multiple: false }}
        onPicked={onPicked}
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
        <Banner
          tone="completed"
          action={
            <Button variant="default" size="compact-xs" onClick={forgetFound}>
              {t('upload.find.forget')}
            </Button>
          }
        >
          {t('upload.find.found', found)} {t('upload.find.joins')}
        </Banner>
        <SkippedList skipped={skipped} />
      </>
    )
  }
  if (search.kind !== 'failed') return null
  return <SearchFailed search={search} wrap={wrap} />
}

function SearchFailed({
  search,
  wrap,
}: {
  search: Extract<DiscSearch, { kind: 'failed' }>
  wrap: WrapTerms | undefined
}) {
  const { reason, skipped, others } = search
  const frame = useRef<HTMLDivElement>(null)
  // Stop, which had the focus, is gone: a keyboard or screen reader goes on at what is wrong.
  useEffect(() => frame.current?.focus(), [])
  return (
    <div ref={frame} tabIndex={-1} className={style.failed}>
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
    </div>
  )
}
