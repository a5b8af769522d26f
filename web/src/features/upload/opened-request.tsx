import { maxSender } from '@hilum/contract/limits'
import { Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isRefusal } from '../../api/api-failure.ts'
import { t } from '../../labels/label.ts'
import { hexDigestOf, forgetUploads, storesUploads } from '../../session/stored-uploads.ts'
import { usePreferences } from '../../session/preferences.ts'
import { openedRequestQuery } from '../../queries/opened-link.ts'
import { Banner } from '../../ui/banner.tsx'
import { findFault } from '../../fields/custom-field-fault.ts'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { AskedFields, answersTo, focusField } from '../../fields/asked-fields.tsx'
import { TextInput } from '../../fields/text-input.tsx'
import { FindStep } from './find-step.tsx'
import { weakDigestOf } from '../../session/upload-notes.ts'
import { InterruptedUploads } from './interrupted-uploads.tsx'
import { linkOtherRemote } from './link-other-remote.ts'
import { linkRemote } from './link-remote.ts'
import style from './opened-request.module.css'
import { hasImages, planOther } from './other-files.ts'
import { excessOf } from './room-left.ts'
import { isFormValid, refuseNext } from './other-files-actions.ts'
import { OtherFilesStep } from './other-files-step.tsx'
import { isOfOther, LeftOutNote, listPeople, PeopleNote } from './request-people.tsx'
import { type Asked, AskedFor, Receipt } from './request-parts.tsx'
import { SelectStep } from './select-step.tsx'
import { cancelUpload, dismissOutcome, startLinkUpload } from './transfer-actions.ts'
import { TransferView } from './transfer-view.tsx'
import { forgetTypedAnswers, readTypedAnswers, storeTypedAnswers } from './typed-answers.ts'
import { readSender, storeSender } from './typed-sender.ts'
import { emptyPlan, narrowPlan } from './upload-plan.ts'
import { useUpload } from './upload-store.ts'
import { jumpTo, selectStudies } from './wizard-actions.ts'

/**
 * The page of an opened request: who asks for what, and the steps by which an outside party sends it.
 * @param props.token secret by whose digest interrupted uploads are known: of the address, or where many know that, the sid
 * @param props.onEnded the request is open no more, or the browser session of it is not
 */
export function OpenedRequest({ token, sid, onEnded }: { token: string; sid: string; onEnded: () => void }) {
  const owner = useOwner(token)
  const { data, error, isFetching, refetch } = useQuery(openedRequestQuery(sid))
  const isEnded = error !== null && isRefusal(error)
  const tellEnded = useEffectEvent(onEnded)
  useEffect(() => {
    if (!isEnded) return
    cancelUpload()
    dismissOutcome()
    forgetTypedAnswers()
    if (owner) void forgetUploads((one) => one.owner !== owner)
    tellEnded()
  }, [isEnded, owner])
  if (isEnded) return null
  if (data)
    return <Request asked={data} sid={sid} owner={owner} onLook={() => void refetch()} isLost={error !== null} />
  if (!error) return <LoadingState label={t('link.opening')} />
  return (
    <div className={style.page}>
      <FailedBanner retry={t('link.again')} isRetrying={isFetching} onRetry={() => void refetch()}>
        {t('linkUpload.network')}
      </FailedBanner>
    </div>
  )
}

function useOwner(token: string): string | undefined {
  const [digest, setDigest] = useState<string>()
  const isSecure = storesUploads()
  useEffect(() => {
    // digests are made where handles are kept: on https or this very computer
    if (isSecure) void hexDigestOf(token).then(setDigest)
  }, [token, isSecure])
  return isSecure ? digest : weakDigestOf(token)
}

interface RequestProps {
  asked: Asked
  sid: string
  /** Undefined where the browser keeps no uploads. */
  owner: string | undefined
  isLost: boolean
  /** Asks anew how the request stands. */
  onLook: () => void
}

function Request({ asked, sid, owner, isLost, onLook }: RequestProps) {
  const state = useUpload()
  const { transfer, outcome, search, step, selected, leftOut: leftOutSeries } = state
  const [sender, setSender] = useState(() => readSender(sid) ?? asked.sender)
  const [isAsked, setIsAsked] = useState(false)
  const [confirmedFor, setConfirmedFor] = useState<string>()
  const [foundAgain, setFoundAgain] = useState(0)
  const [answers, setAnswers] = useState(() => readTypedAnswers(sid))
  const page = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const look = useEffectEvent(onLook)
  // a refusal while sending may be the end of the request, which is told at once
  useEffect(() => {
    if (outcome) look()
  }, [outcome])
  const isSent = outcome?.kind === 'done'
  // they were asked of what is sent by now: the next exam may be of another patient
  if (isSent && Object.keys(answers).length > 0) setAnswers({})
  useEffect(() => {
    if (isSent) forgetTypedAnswers()
  }, [isSent])
  const isMissing = sender.trim() === ''
  const other = search.kind === 'other' ? search.other : undefined
  const isFound = (search.kind === 'found' || other !== undefined) && step >= 2
  const { dateFormat } = usePreferences()
  const wrap = asked.takes_files === 1 ? { uidRoot: asked.uid_root, dateFormat, imagesOnly: true } : undefined
  const plan = other
    ? planOther(other)
    : search.kind === 'found'
      ? narrowPlan(search.exams.plan, selected, leftOutSeries)
      : emptyPlan
  const excess = excessOf(asked, plan)
  const people = listPeople(plan.patients, asked.expected)
  // whoever goes on with an upload has looked at its exams before, and at no others
  const { lookedAt } = state.source
  const isNew = (studies: readonly { studyUid: string }[]) => studies.some(({ studyUid }) => !lookedAt?.has(studyUid))
  const isDoubtful =
    isNew(plan.patients.flatMap(({ studies }) => studies)) &&
    (people.length > 1 || people.some(({ isOther }) => isOther))
  const mustConfirm = asked.confirm_before_upload === 1 || isDoubtful
  const question = JSON.stringify(people)
  const isConfirmed = !mustConfirm || confirmedFor === question
  const exams = search.kind === 'found' ? search.exams : undefined
  const others = exams?.plan.patients.filter((one) => isNew(one.studies) && isOfOther(one, asked.expected)) ?? []
  const leftOut = others.filter(({ studies }) => !studies.some(({ studyUid }) => selected.has(studyUid)))
  const untickOthers = useEffectEvent(() => {
    selectStudies(
      others.flatMap(({ studies }) => studies.map(({ studyUid }) => studyUid)),
      false,
    )
  })
  useEffect(() => {
    if (exams) untickOthers()
  }, [exams])
  const chosen = other ? other.files.filter((one) => one.isSelected).length : selected.size
  const send = () => {
    if (isMissing) return field.current?.focus()
    const unanswered = asked.customfields.find((one) => findFault(one, answers[one.uuid] ?? ''))
    if (unanswered) return focusField(page.current, unanswered)
    if (other && !isFormValid(other)) return refuseNext()
    if (!isConfirmed || excess) return
    const said = { sender: sender.trim(), answers: answersTo(asked.customfields, answers) }
    void startLinkUpload(
      other ? linkOtherRemote(sid, said, other) : linkRemote(sid, said),
      asked.namespace_name,
      owner ?? '',
    )
  }
  const handleSender = (typed: string) => {
    setSender(typed)
    storeSender(sid, typed)
  }
  const handleAnswers = (typed: Record<string, string>) => {
    setAnswers(typed)
    storeTypedAnswers(sid, typed)
  }
  const handleSend = () => {
    setIsAsked(true)
    send()
  }
  const handleFound = () => {
    setIsAsked(true)
    setFoundAgain((times) => times + 1)
  }
  // reading a folder again takes its time: what is sent is what the page says by then
  const sendFound = useEffectEvent(send)
  useEffect(() => {
    if (foundAgain > 0) sendFound()
  }, [foundAgain])
  return (
    <div ref={page} className={style.page}>
      <AskedFor asked={asked} />
      {isLost && <Banner tone="priority">{t('link.lost')}</Banner>}
      {outcome ? (
        <Receipt outcome={outcome} asked={asked} sender={sender.trim()} />
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
            onChange={(event) => handleSender(event.currentTarget.value)}
          />
          <AskedFields
            fields={asked.customfields}
            legend={t('linkUpload.fields')}
            answers={answers}
            isAsked={isAsked}
            onChange={handleAnswers}
          />
          {isFound ? (
            <>
              {other ? (
                <OtherFilesStep other={other} />
              ) : (
                <div className={style.tables}>
                  <SelectStep state={state} />
                </div>
              )}
              {leftOut.length > 0 && <LeftOutNote others={leftOut} />}
              {isDoubtful && <PeopleNote people={people} />}
              {mustConfirm && (
                <Checkbox
                  size="sm"
                  checked={confirmedFor === question}
                  error={isAsked && !isConfirmed && t('linkUpload.confirmMissing')}
                  label={t('linkUpload.confirm')}
                  onChange={(event) => setConfirmedFor(event.currentTarget.checked ? question : undefined)}
                />
              )}
              {excess && <Banner tone="failed">{t('linkUpload.tooLarge', excess)}</Banner>}
              <div className={style.acts}>
                <Button
                  size="sm"
                  disabled={excess !== undefined || (other ? !hasImages(other) : chosen === 0)}
                  onClick={handleSend}
                >
                  {t(other ? 'linkUpload.sendFiles' : 'linkUpload.send', { count: chosen })}
                </Button>
                <Button variant="default" size="sm" onClick={() => jumpTo(1)}>
                  {t(other ? 'linkUpload.otherFiles' : 'linkUpload.other')}
                </Button>
              </div>
            </>
          ) : (
            <>
              {search.kind !== 'reading' && <InterruptedUploads owner={owner} onFound={handleFound} />}
              <p className={style.hint}>{t(wrap ? 'linkUpload.stepsOther' : 'linkUpload.steps')}</p>
              <FindStep search={search} destination={undefined} offersFiles wrap={wrap} />
            </>
          )}
        </>
      )}
    </div>
  )
}
