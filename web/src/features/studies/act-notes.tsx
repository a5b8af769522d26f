import { t } from '../../labels/label.ts'
import type { useRestoreStudies, useSetWorkStatus, useStarStudy } from '../../queries/study-acts.ts'
import { Banner } from '../../ui/banner.tsx'
import style from './study-list.module.css'

interface ActNotesProps {
  restore: ReturnType<typeof useRestoreStudies>
  setStatus: ReturnType<typeof useSetWorkStatus>
  star: ReturnType<typeof useStarStudy>
}

/** What became of the last act on the list: in words where something failed, or where the rows are gone (GRID-05). */
export function ActNotes({ restore, setStatus, star }: ActNotesProps) {
  const failed = [
    (restore.isError || setStatus.isError || star.isError) && t('list.actFailed'),
    restore.data && restore.data.failed > 0 && t('list.notRestored', { count: restore.data.failed }),
    setStatus.data && setStatus.data.failed > 0 && t('list.notSet', { count: setStatus.data.failed }),
  ].filter((text) => typeof text === 'string')
  const restored = restore.data?.done ?? 0
  if (failed.length === 0 && restored === 0) return null
  return (
    <div className={style.notice}>
      {failed.map((text) => (
        <Banner key={text} tone="failed">
          {text}
        </Banner>
      ))}
      {restored > 0 && <Banner tone="completed">{t('list.restored', { count: restored })}</Banner>}
    </div>
  )
}
