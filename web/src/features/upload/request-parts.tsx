import type { OutputOf } from '@hilum/contract/call'
import type { linkRequest } from '@hilum/contract/calls/link-upload'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { formatDate, formatStamp, writtenFormat } from '../../format/dates.ts'
import { formatCount } from '../../format/file-size.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { expectedExamText } from '../../queries/request-words.ts'
import { DatedText } from '../../ui/dated-text.tsx'
import { Banner } from '../../ui/banner.tsx'
import style from './opened-request.module.css'
import { ChooseAgain, countGone, GoneText } from './gone-files.tsx'
import { ReasonList } from './reason-list.tsx'
import { dismissOutcome, tryUploadAgain } from './transfer-actions.ts'
import { countFiles, studyCountText, uploadFaultText } from './upload-format.ts'
import type { UploadedStudy, UploadOutcome } from './upload-job.ts'

/** A request as somebody reads it who opened it. */
export type Asked = OutputOf<typeof linkRequest>

/** Head of the page of a request: its sender, the expected patient and exam, and its end. */
export function AskedFor({ asked }: { asked: Asked }) {
  const { expected, expected_exam: exam } = asked
  const when = formatStamp(asked.expires_at, writtenFormat)
  const patient = expected && [
    nameText(expected.patient_name),
    formatDate(expected.patient_birth_date, writtenFormat),
    expected.patient_sex,
    expected.patientid,
  ]
  return (
    <header className={style.asked}>
      <h1>
        {asked.by_share_code
          ? t('linkUpload.code', { group: asked.namespace_name, account: asked.account_name })
          : t('linkUpload.asks', { who: asked.requested_by, account: asked.account_name })}
      </h1>
      <p className={style.hint}>
        {asked.by_share_code
          ? t('linkUpload.codeText', { when })
          : t('linkUpload.to', { group: asked.namespace_name, when })}
      </p>
      {asked.message && (
        <section className={style.message} aria-label={t('linkUpload.what')}>
          {asked.message}
        </section>
      )}
      {patient && (
        <p className={style.patient}>
          {t('linkUpload.patient')}: <b>{patient.filter(Boolean).join(' · ')}</b>
        </p>
      )}
      {exam && (
        <p className={style.patient}>
          {t('linkUpload.exam')}: <b>{expectedExamText(exam, (date) => formatDate(date, writtenFormat))}</b>
        </p>
      )}
    </header>
  )
}

/** An exam as its sender knows it, from the files that were sent. */
function receivedText({ patientName, description, date }: UploadedStudy): string {
  const day = formatDate(date, writtenFormat)
  return [nameText(patientName) || t('card.noName'), description, day].filter(Boolean).join(' · ')
}

/** Series of an exam that its sender left out, by their names. */
function leftOutText({ leftOut }: UploadedStudy): string {
  const names = leftOut.map(({ description, number }) => description || t('upload.series', { number: number ?? '' }))
  return t('linkUpload.leftOutSeries', { count: names.length, names: names.join(', ') })
}

/**
 * End of an upload by a request: what was received, or what was not and why.
 * @param props.sender the name that the outside party gave
 */
export function Receipt({ outcome, asked, sender }: { outcome: UploadOutcome; asked: Asked; sender: string }) {
  const [when] = useState(() => formatStamp(new Date().toISOString(), writtenFormat))
  if (outcome.kind === 'done') {
    const facts = {
      studies: studyCountText(outcome.studyCount, outcome.partCount),
      files: countFiles(outcome.fileCount),
      group: asked.namespace_name,
      account: asked.account_name,
      when,
    }
    return (
      <>
        <Banner tone="completed">
          <strong>{t('linkUpload.done')}</strong>
          <span className={style.more}>{t('linkUpload.doneText', facts)}</span>
          <span className={style.more}>{t('linkUpload.sentBy', { sender })}</span>
          <span className={`${style.more} ${style.screenOnly}`}>{t('linkUpload.mayClose')}</span>
        </Banner>
        <ul className={style.receipt} aria-label={t('linkUpload.received')}>
          {outcome.studies.map((one) => (
            <li key={one.uuid}>
              <DatedText>{receivedText(one)}</DatedText>
              {one.leftOut.length > 0 && <span className={style.more}>{leftOutText(one)}</span>}
            </li>
          ))}
        </ul>
        <div className={style.acts}>
          <Button variant="default" size="sm" onClick={() => window.print()}>
            {t('linkUpload.print')}
          </Button>
          <Button variant="default" size="sm" onClick={dismissOutcome}>
            {t('linkUpload.more')}
          </Button>
        </div>
      </>
    )
  }
  const { failures, acknowledgedFiles, fileCount, stoppedBy } = outcome
  const rows = failures.map((failure) => ({ path: failure.path ?? failure.studyUid, reason: uploadFaultText(failure) }))
  return (
    <>
      <Banner tone="failed">
        <strong>{t('linkUpload.failed')}</strong>
        {stoppedBy && <span className={style.more}>{uploadFaultText(stoppedBy)}.</span>}
        <span className={style.more}>
          {t('linkUpload.failedText', { sent: formatCount(acknowledgedFiles), total: formatCount(fileCount) })}
        </span>
        <GoneText outcome={outcome} />
        {rows.length > 0 && <ReasonList rows={rows} label={t('linkUpload.list')} />}
      </Banner>
      <div className={style.acts}>
        <ChooseAgain outcome={outcome} />
        <Button size="sm" variant={countGone(outcome) > 0 ? 'default' : 'filled'} onClick={() => void tryUploadAgain()}>
          {t('linkUpload.again')}
        </Button>
        <Button variant="default" size="sm" onClick={dismissOutcome}>
          {t('linkUpload.other')}
        </Button>
      </div>
    </>
  )
}
