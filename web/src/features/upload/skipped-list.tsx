import { Button } from '@mantine/core'
import { useState } from 'react'
import { formatCount, formatSize } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { ReasonList } from './reason-list.tsx'
import { skipCode, type SkippedFile } from './picked-files.ts'
import style from './upload.module.css'
import { skipText } from './upload-format.ts'

/** Files left out of the upload, each with its reason: in numbers first, one by one on demand. */
export function SkippedList({ skipped }: { skipped: readonly SkippedFile[] }) {
  const [isOpen, setIsOpen] = useState(false)
  if (skipped.length === 0) return null
  const rows = skipped.map(({ path, reason, sizeBytes }) => ({
    path,
    reason: skipText(reason),
    size: formatSize(sizeBytes),
    code: skipCode(reason),
  }))
  return (
    <section className={style.skipped}>
      <div className={style.skippedHead}>
        <strong>{t('upload.skipped.title', { count: skipped.length })}</strong>
        <span className={style.hint}>{summarise(skipped)}</span>
        <Button variant="subtle" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {t(isOpen ? 'upload.skipped.hide' : 'upload.skipped.show')}
        </Button>
      </div>
      {isOpen && <ReasonList rows={rows} label={t('upload.skipped.list')} />}
    </section>
  )
}

function summarise(skipped: readonly SkippedFile[]) {
  const kinds = [...Map.groupBy(skipped, ({ reason }) => reason.kind)]
  return kinds
    .map(([kind, files]) =>
      t('upload.skipped.summary', { count: formatCount(files.length), reason: t(`upload.skip.${kind}`) }),
    )
    .join(' · ')
}
