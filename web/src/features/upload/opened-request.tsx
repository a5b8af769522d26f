import type { OutputOf } from '@hilum/contract/call'
import type { linkRequest } from '@hilum/contract/calls/link-upload'
import { maxSender } from '@hilum/contract/limits'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isRefusal } from '../../api/api-failure.ts'
import { formatDate, formatStamp, writtenFormat } from '../../format/dates.ts'
import { formatCount } from '../../format/file-size.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { openedRequestQuery } from '../../queries/opened-link.ts'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { FindStep } from './find-step.tsx'
import { linkRemote } from './link-remote.ts'
import style from './opened-request.module.css'
import { ReasonList } from './reason-list.tsx'
import { SelectStep } from './select-step.tsx'
import { cancelUpload, dismissOutcome, startLinkUpload, tryUploadAgain } from './transfer-actions.ts'
import { TransferView } from './transfer-view.tsx'
import { countFiles, studyCountText, uploadFaultText } from './upload-format.ts'
import type { UploadOutcome } from './upload-job.ts'
import { useUpload } from './upload-store.ts'
import { jumpTo } from './wizard-actions.ts'

type Asked = OutputOf<typeof linkRequest>

/**
 * The page of an opened request: who asks for what, and the steps by which an outside party sends it.
 * @param props.onEnded the request is open no more, or the browser session of it is not
 */
export function OpenedRequest({ sid, onEnded }: { sid: string; onEnded: () => void }) {
  const { data, error, isFetching, refetch } = useQuery(openedRequestQuery(sid))
  const isEnded = error !== null && isRefusal(error)
  const tellEnded = useEffectEvent(onEnded)
  useEffect(() => {
    if (!isEnded) return
    cancelUpload()
    dismissOutcome()
    tellEnded()
  }, [isEnded])
  if (isEnded) return null
  if (data) return <Request asked={data} sid={sid} onLook={() => void refetch()} isLost={error !== null} />
  if (!error) return <LoadingState label={t('link.opening')} />
  return (
    <div className={style.page}>
      <FailedBanner retry={t('link.again')} isRetrying={isFetching} onRetry={() => void refetch()}>
        {t('linkUpload.network')}
      </FailedBanner>
    </div>
  )
}

interface RequestProps {
  asked: Asked
  sid: string
  isLost: boolean
  /** Asks anew how the request stands. */
  onLook: () => void
}

function Request({ asked, sid, isLost, onLook }: RequestProps) {
  const state = useUpload()
  const { transfer, outcome, search, step, selected } = state
  const [sender, setSender] = useState(asked.sender)
  const [isAsked, setIsAsked] = useState(false)
  const [isConfirmed, setIsConfirmed] = useState(asked.confirm_before_upload === 0)
  const field = useRef<HTMLInputElement>(null)
  const look = useEffectEvent(onLook)
  // a refusal while sending may be the end of the request, which is told at once
  useEffect(() => {
    if (outcome) look()
  }, [outcome])
  const isMissing = sender.trim() === ''
  const isFound = search.kind === 'found' && step >= 2
  const handleSend = () => {
    setIsAsked(true)
    if (isMissing) return field.current?.focus()
    if (!isConfirmed) return
    void startLinkUpload(linkRemote(sid, sender.trim()), asked.namespace_name)
  }
  return (
    <div className={style.page}>
      <AskedFor asked={asked} />
      {isLost && <Banner tone="priority">{t('link.lost')}</Banner>}
      {outcome ? (
        <Receipt outcome={outcome} asked={asked} />
      ) : transfer ? (
        <TransferView transfer={transfer} />
      ) : (
        <>
          {!isFound && asked.studies.length > 0 && (
            <Banner tone="neutral">{t('linkUpload.before', { count: asked.studies.length })}</Banner>
          )}
          <TextInput
            ref={field}
            size="sm"
            className={style.sender}
            required
            label={t('linkUpload.sender')}
            description={t('linkUpload.senderHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={maxSender}
            value={sender}
            error={isAsked && isMissing && t('linkUpload.senderMissing')}
            onChange={(event) => setSender(event.currentTarget.value)}
          />
          {isFound ? (
            <>
              <div className={style.tables}>
                <SelectStep state={state} />
              </div>
              {asked.confirm_before_upload === 1 && (
                <Checkbox
                  size="sm"
                  checked={isConfirmed}
                  error={isAsked && !isConfirmed && t('linkUpload.confirmMissing')}
                  label={t('linkUpload.confirm')}
                  onChange={(event) => setIsConfirmed(event.currentTarget.checked)}
                />
              )}
              <div className={style.acts}>
                <Button size="sm" disabled={selected.size === 0} onClick={handleSend}>
                  {t('linkUpload.send', { count: selected.size })}
                </Button>
                <Button variant="default" size="sm" onClick={() => jumpTo(1)}>
                  {t('linkUpload.other')}
                </Button>
              </div>
            </>
          ) : (
            <>
              <p className={style.hint}>{t('linkUpload.steps')}</p>
              <FindStep search={search} destination={undefined} offersFiles />
            </>
          )}
        </>
      )}
    </div>
  )
}

/** A request: its sender, the expected patient and exam, and its end. */
function AskedFor({ asked }: { asked: Asked }) {
  const { expected } = asked
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
    </header>
  )
}

function Receipt({ outcome, asked }: { outcome: UploadOutcome; asked: Asked }) {
  const [when] = useState(() => formatStamp(new Date().toISOString(), writtenFormat))
  if (outcome.kind === 'done') {
    const facts = {
      studies: studyCountText(outcome.studyCount),
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
        </Banner>
        <div className={style.acts}>
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
        {rows.length > 0 && <ReasonList rows={rows} label={t('linkUpload.list')} />}
      </Banner>
      <div className={style.acts}>
        <Button size="sm" onClick={() => void tryUploadAgain()}>
          {t('linkUpload.again')}
        </Button>
        <Button variant="default" size="sm" onClick={dismissOutcome}>
          {t('linkUpload.other')}
        </Button>
      </div>
    </>
  )
}
