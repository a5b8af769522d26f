import { t } from '../../labels/label.ts'
import type { ActOutcome, useRestoreStudies, useSetWorkStatus, useStarStudy } from '../../queries/study-acts.ts'
import { putNotice } from '../../state/notices.ts'
import { Banner } from '../../ui/banner.tsx'
import style from './study-list.module.css'

interface ActNotesProps {
  restore: ReturnType<typeof useRestoreStudies>
  setStatus: ReturnType<typeof useSetWorkStatus>
  star: ReturnType<typeof useStarStudy>
}

/** Says in passing what became of rows whose change may be out of sight (ERROR-16). */
export function noteStatusSet({ done }: ActOutcome): void {
  if (done > 0) putNotice(t('list.statusSet', { count: done }))
}

/** Failures of the last act on the list, which stay until the next (GRID-05). */
export function ActNotes({ restore, setStatus, star }: ActNotesProps) {
  const failed = [
    (restore.isError || setStatus.isError || star.isError) && t('list.actFailed'),
    restore.data && restore.data.failed > 0 && t('list.notRestored', { count: restore.data.failed }),
    setStatus.data && setStatus.data.failed > 0 && t('list.notSet', { count: setStatus.data.failed }),
  ].filter((text) => typeof text === 'string')
  if (failed.length === 0) return null
  return (
    <div className={style.notice}>
      {failed.map((text) => (
        <Banner key={text} tone="failed">
          {text}
        </Banner>
      ))}
    </div>
  )
}
