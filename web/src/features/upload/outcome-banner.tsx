import { Button } from '@mantine/core'
import { formatCount } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { Banner } from '../../ui/banner.tsx'
import { ReasonList } from './reason-list.tsx'
import { dismissOutcome, tryUploadAgain } from './transfer-actions.ts'
import style from './upload.module.css'
import { countFiles, countStudies, faultText } from './upload-format.ts'
import type { UploadOutcome } from './upload-job.ts'

/** How the last upload ended (UPLOAD-16): it stays until it is closed or another begins. */
export function OutcomeBanner({ outcome, onLeave }: { outcome: UploadOutcome; onLeave: (groupId: string) => void }) {
  return outcome.kind === 'done' ? <Done outcome={outcome} onLeave={onLeave} /> : <Failed outcome={outcome} />
}

interface DoneProps {
  outcome: Extract<UploadOutcome, { kind: 'done' }>
  onLeave: (groupId: string) => void
}

function Done({ outcome, onLeave }: DoneProps) {
  const { destination, studyCount, fileCount, sentFiles, conflicts } = outcome
  const alreadyThere = fileCount - sentFiles
  return (
    <Banner tone="completed" action={<Dismiss />}>
      <strong>{t('upload.done.title')}</strong>
      <div>{t('upload.done.text', { studies: countStudies(studyCount), files: countFiles(fileCount) })}</div>
      {alreadyThere > 0 && <div>{t('upload.done.there', { count: alreadyThere })}</div>}
      {conflicts > 0 && <div>{t('upload.done.conflicts', { count: conflicts })}</div>}
      <div className={style.buttons}>
        <Button variant="default" onClick={() => onLeave(destination.groupId)}>
          {t('upload.done.show', { destination: destination.name })}
        </Button>
      </div>
    </Banner>
  )
}

function Failed({ outcome }: { outcome: Extract<UploadOutcome, { kind: 'failed' }> }) {
  const { stoppedBy, failures, acknowledgedFiles, fileCount } = outcome
  const rows = failures.map((failure) => ({
    path: failure.path ?? t('upload.failed.study', { study: failure.studyUid }),
    reason: faultText(failure),
  }))
  return (
    <Banner tone="failed" action={<Dismiss />}>
      <strong>{t('upload.failed.title')}</strong>
      {stoppedBy && <div>{faultText(stoppedBy)}.</div>}
      <div>{t('upload.failed.text', { sent: formatCount(acknowledgedFiles), total: formatCount(fileCount) })}</div>
      {rows.length > 0 && <ReasonList rows={rows} label={t('upload.failed.list')} />}
      <div className={style.buttons}>
        <Button onClick={() => void tryUploadAgain()}>{t('upload.failed.again')}</Button>
      </div>
    </Banner>
  )
}

function Dismiss() {
  return (
    <Button variant="subtle" onClick={dismissOutcome}>
      {t('upload.dismiss')}
    </Button>
  )
}
