import { useEffect, useRef } from 'react'
import { t } from '../../labels/label.ts'
import { Banner } from '../../ui/banner.tsx'
import { ExamFields } from './exam-fields.tsx'
import { OtherFileList } from './other-file-list.tsx'
import { hasImages, type OtherFiles } from './other-files.ts'
import { isFormValid } from './other-files-actions.ts'
import style from './other-files.module.css'
import { SkippedList } from './skipped-list.tsx'

/** Step 2 of files that are no DICOM: whose they are, beside the files (UPLOAD-06). */
export function OtherFilesStep({ other }: { other: OtherFiles }) {
  const frame = useRef<HTMLDivElement>(null)
  const { refusedNexts, files, leftOut, imagesOnly } = other
  const isSelected = files.some((one) => one.isSelected)
  useEffect(() => {
    if (refusedNexts > 0) frame.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusedNexts])
  return (
    <div className={style.step} ref={frame}>
      <h2 tabIndex={-1}>{t('upload.other.title')}</h2>
      {refusedNexts > 0 && !isFormValid(other) && <Banner tone="failed">{t('upload.form.incomplete')}</Banner>}
      {isSelected && !hasImages(other) && <Banner tone="priority">{t('upload.other.noImages')}</Banner>}
      <div className={style.halves}>
        <ExamFields other={other} />
        <div className={style.files}>
          <OtherFileList files={files} imagesOnly={imagesOnly} />
          <SkippedList skipped={leftOut} />
        </div>
      </div>
    </div>
  )
}
