import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { formatDate } from '../../format/dates.ts'
import { formatCount } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { usePreferences } from '../../session/preferences.ts'
import { DatedText } from '../../ui/dated-text.tsx'
import { Banner } from '../../ui/banner.tsx'
import { IconAlertTriangleFilled } from '../../ui/icons.ts'
import { ChooseAgain, countGone, GoneText } from './gone-files.tsx'
import { ReasonList } from './reason-list.tsx'
import { dismissOutcome, tryUploadAgain } from './transfer-actions.ts'
import style from './upload.module.css'
import { countFiles, patientName, studyCountText, uploadFaultText } from './upload-format.ts'
import { uploadFaultCode, type FileNote, type UploadNotes, type UploadOutcome } from './upload-job.ts'

/** Studies that are named one by one after an upload. */
const mostNamed = 5

interface OutcomeProps {
  outcome: UploadOutcome
  /** Shows what was uploaded in its group, with one study open. Not given where the person may not see exams there. */
  onShow?: ((groupId: string, studyUuid?: string) => void) | undefined
}

/** How the last upload ended (UPLOAD-16): it stays until it is closed or another begins. */
export function OutcomeBanner({ outcome, onShow }: OutcomeProps) {
  const frame = useRef<HTMLDivElement>(null)
  // The end of an upload is where a keyboard or screen reader goes on.
  useEffect(() => {
    frame.current?.focus({ preventScroll: true })
    frame.current?.scrollIntoView?.({ block: 'nearest' })
  }, [])
  return (
    <div ref={frame} tabIndex={-1} className={style.outcome}>
      {outcome.kind === 'done' ? <Done outcome={outcome} onShow={onShow} /> : <Failed outcome={outcome} />}
    </div>
  )
}

interface DoneProps extends OutcomeProps {
  outcome: Extract<UploadOutcome, { kind: 'done' }>
}

function Done({ outcome, onShow }: DoneProps) {
  const { destination, studyCount, partCount, fileCount, thereFiles, studies, notes } = outcome
  const { dateFormat } = usePreferences()
  const [first] = studies
  return (
    <Banner tone="completed" action={<Dismiss />}>
      <strong>{t('upload.done.title')}</strong>
      <div>
        {t('upload.done.text', { studies: studyCountText(studyCount), files: countFiles(fileCount) })}
        {partCount > 0 && ` ${t('upload.done.part', { count: partCount })}`}
      </div>
      {thereFiles > 0 && <div>{t('upload.done.there', { count: thereFiles })}</div>}
      <Notes notes={notes} />
      {!onShow && <div>{t('upload.done.notSeen', { destination: destination.name })}</div>}
      {onShow && studyCount > 1 && (
        <ul className={style.uploaded} aria-label={t('upload.done.list')}>
          {studies.slice(0, mostNamed).map(({ uuid, patientName: name, description, date }) => (
            <li key={uuid}>
              <button type="button" onClick={() => onShow(destination.groupId, uuid)}>
                <DatedText>
                  {[patientName(name), description, formatDate(date, dateFormat)].filter(Boolean).join(' · ')}
                </DatedText>
              </button>
            </li>
          ))}
          {studies.length > mostNamed && <li>{t('upload.done.others', { count: studies.length - mostNamed })}</li>}
        </ul>
      )}
      {onShow && (
        <div className={style.buttons}>
          {studyCount === 1 && (
            <Button onClick={() => onShow(destination.groupId, first?.uuid)}>{t('upload.done.open')}</Button>
          )}
          <Button variant="default" onClick={() => onShow(destination.groupId)}>
            {t('upload.done.show', { destination: destination.name })}
          </Button>
        </div>
      )}
    </Banner>
  )
}

function Failed({ outcome }: { outcome: Extract<UploadOutcome, { kind: 'failed' }> }) {
  const { stoppedBy, failures, acknowledgedFiles, fileCount, notes } = outcome
  const rows = failures.map((failure) => ({
    path: failure.path ?? t('upload.failed.study', { study: failure.studyUid }),
    reason: uploadFaultText(failure),
    code: uploadFaultCode(failure, outcome.code),
  }))
  return (
    <Banner tone="failed" action={<Dismiss />}>
      <strong>{t('upload.failed.title')}</strong> <span className={style.code}>{outcome.code}</span>
      {stoppedBy && <div>{uploadFaultText(stoppedBy)}.</div>}
      <GoneText outcome={outcome} />
      <div>{t('upload.failed.text', { sent: formatCount(acknowledgedFiles), total: formatCount(fileCount) })}</div>
      <Notes notes={notes} />
      {rows.length > 0 && <ReasonList rows={rows} label={t('upload.failed.list')} />}
      <div className={style.buttons}>
        <ChooseAgain outcome={outcome} />
        <Button variant={countGone(outcome) > 0 ? 'default' : 'filled'} size="sm" onClick={() => void tryUploadAgain()}>
          {t('upload.failed.again')}
        </Button>
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
      <IconAlertTriangleFilled size={14} />
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
