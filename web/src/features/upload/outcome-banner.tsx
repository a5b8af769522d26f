import { Button } from '@mantine/core'
import { formatDate } from '../../format/dates.ts'
import { formatCount } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { usePreferences } from '../../session/preferences.ts'
import { Banner } from '../../ui/banner.tsx'
import { IconAlertTriangleFilled } from '../../ui/icons.ts'
import { ReasonList } from './reason-list.tsx'
import { dismissOutcome, tryUploadAgain } from './transfer-actions.ts'
import style from './upload.module.css'
import { countFiles, studyCountText, uploadFaultText } from './upload-format.ts'
import type { FileNote, UploadNotes, UploadOutcome } from './upload-job.ts'

/** How the last upload ended (UPLOAD-16): it stays until it is closed or another begins. */
export function OutcomeBanner({ outcome, onLeave }: { outcome: UploadOutcome; onLeave: (groupId: string) => void }) {
  return outcome.kind === 'done' ? <Done outcome={outcome} onLeave={onLeave} /> : <Failed outcome={outcome} />
}

interface DoneProps {
  outcome: Extract<UploadOutcome, { kind: 'done' }>
  onLeave: (groupId: string) => void
}

function Done({ outcome, onLeave }: DoneProps) {
  const { destination, studyCount, fileCount, sentFiles, notes } = outcome
  const alreadyThere = fileCount - sentFiles
  return (
    <Banner tone="completed" action={<Dismiss />}>
      <strong>{t('upload.done.title')}</strong>
      <div>{t('upload.done.text', { studies: studyCountText(studyCount), files: countFiles(fileCount) })}</div>
      {alreadyThere > 0 && <div>{t('upload.done.there', { count: alreadyThere })}</div>}
      <Notes notes={notes} />
      <div className={style.buttons}>
        <Button variant="default" onClick={() => onLeave(destination.groupId)}>
          {t('upload.done.show', { destination: destination.name })}
        </Button>
      </div>
    </Banner>
  )
}

function Failed({ outcome }: { outcome: Extract<UploadOutcome, { kind: 'failed' }> }) {
  const { stoppedBy, failures, acknowledgedFiles, fileCount, notes } = outcome
  const rows = failures.map((failure) => ({
    path: failure.path ?? t('upload.failed.study', { study: failure.studyUid }),
    reason: uploadFaultText(failure),
  }))
  return (
    <Banner tone="failed" action={<Dismiss />}>
      <strong>{t('upload.failed.title')}</strong>
      {stoppedBy && <div>{uploadFaultText(stoppedBy)}.</div>}
      <div>{t('upload.failed.text', { sent: formatCount(acknowledgedFiles), total: formatCount(fileCount) })}</div>
      <Notes notes={notes} />
      {rows.length > 0 && <ReasonList rows={rows} label={t('upload.failed.list')} />}
      <div className={style.buttons}>
        <Button onClick={() => void tryUploadAgain()}>{t('upload.failed.again')}</Button>
      </div>
    </Banner>
  )
}

/** Files that arrived and need to be known of, each with its study. */
function Notes({ notes: { conflicts, elsewhere } }: { notes: UploadNotes }) {
  const { dateFormat } = usePreferences()
  const studyText = ({ description, date, studyUid }: FileNote) =>
    [description, formatDate(date, dateFormat)].filter((text) => text !== '').join(', ') || studyUid
  return (
    <>
      {conflicts.length > 0 && (
        <div className={style.notes}>
          <NoteHead>{t('upload.done.conflicts', { count: conflicts.length })}</NoteHead>
          <ReasonList
            rows={conflicts.map((note) => ({ path: note.path, reason: studyText(note) }))}
            label={t('upload.done.conflictList')}
          />
        </div>
      )}
      {elsewhere.length > 0 && (
        <div className={style.notes}>
          <NoteHead>{t('upload.done.elsewhere', { count: elsewhere.length })}</NoteHead>
          <ReasonList
            rows={elsewhere.map((note) => ({
              path: note.path,
              reason: t('upload.done.elsewhereIn', { study: studyText(note), other: note.otherUid }),
            }))}
            label={t('upload.done.elsewhereList')}
          />
        </div>
      )}
    </>
  )
}

function NoteHead({ children }: { children: string }) {
  return (
    <div className={style.noteHead}>
      <IconAlertTriangleFilled size={14} aria-hidden="true" />
      {children}
    </div>
  )
}

function Dismiss() {
  return (
    <Button variant="subtle" onClick={dismissOutcome}>
      {t('upload.dismiss')}
    </Button>
  )
}
