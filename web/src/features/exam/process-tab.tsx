import { orderTake } from '@hilum/contract/calls/order'
import { studyPush } from '@hilum/contract/calls/study-push'
import type { Nomination, Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { t } from '../../labels/label.ts'
import { usePush } from '../../queries/destinations.ts'
import { readStudiesAgain } from '../../queries/patch-studies.ts'
import type { OrderSearch } from '../../queries/orders.ts'
import { type Gate, useGate } from '../../queries/processing.ts'
import { mayCall } from '../../session/use-may.ts'
import { useDraft } from '../../state/drafts.ts'
import { clearSearchFilters } from '../../state/search-filters.ts'
import { Banner } from '../../ui/banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import style from './acts.module.css'
import type { ChosenExam } from './compare-patient.ts'
import { ConfirmMatch } from './confirm-match.tsx'
import { CompareStep, type MatchForm } from './compare-step.tsx'
import { DemographicTable } from './demographic-table.tsx'
import panel from './exam-panel.module.css'
import { FactList } from './fact-list.tsx'
import part from './nominate.module.css'
import { useNominationFacts } from './nomination-details.tsx'
import { NominationStatus } from './nomination-status.tsx'
import { moveStep, queueStatus, stepsOf } from './process-steps.ts'
import { pushFailureText } from './push-failure-text.ts'
import { PushReason } from './push-reason.tsx'
import { RejectStep } from './reject-step.tsx'
import { SearchOrder } from './search-order.tsx'
import { type PatientSearch, SearchPatient } from './search-patient.tsx'

/** Design §6: how long a decision is read before the study moves to the view of its new state. */
const switchMs = 2_000

/** PROCESS-01: a nominated exam is matched to an order or patient and sent into the PACS, or rejected. */
export function ProcessTab({ study }: { study: Study }) {
  const gate = useGate(study)
  const { nomination } = study
  return (
    <div className={panel.content}>
      {nomination && gate === undefined && <LoadingState label={t('loading')} />}
      {nomination && gate === null && <Banner tone="failed">{t('nominate.notConfigured')}</Banner>}
      {nomination?.is_corrected === 1 && (
        <Banner tone="priority">{t('process.corrected', { place: nomination.from_name })}</Banner>
      )}
      {nomination && gate && <Steps key={study.uuid} study={study} nomination={nomination} gate={gate} />}
    </div>
  )
}

/** How far a person is with an exam, with all that was searched, chosen and filled in on the way. */
interface Stand {
  at: number
  chosen?: ChosenExam | undefined
  order?: OrderSearch
  patient?: PatientSearch
  /** The fields of a search as they are typed, which may not have been made yet. */
  typedOrder?: OrderSearch
  typedPatient?: PatientSearch
  form?: MatchForm
}

function readStand(stored: string): Stand {
  return stored ? (JSON.parse(stored) as Stand) : { at: 0 } // as `note` writes it
}

interface StepsProps {
  study: Study
  nomination: Nomination
  gate: Gate
}

function Steps({ study, nomination, gate }: StepsProps) {
  const mode = gate.config.pacs_promote_preference
  // the browser's Back leaves the exam, and coming back goes on where the person was
  const [stored, store] = useDraft(`process ${study.uuid} ${nomination.submitted_at}`)
  const stand = readStand(stored)
  const { at: before, chosen } = stand
  // what is chosen on this visit is as its keeper says
  const [isFresh, setFresh] = useState(false)
  // whoever may not decide any more is led back
  const at = mayCall(orderTake, study.permissions) ? before : 0
  const [isRejecting, setRejecting] = useState(false)
  const [decided, setDecided] = useState<'Queued' | 'Rejected'>()
  // a match that this person sent, and the stamp of one that is made again
  const [confirmed, setConfirmed] = useState<Nomination['asked']>(null)
  const [again, setAgain] = useState('')
  const [wantsRematch, setRematched] = useState(false)
  const isRematched = wantsRematch && (nomination.state === 'failed' || failedElsewhere(study, nomination).length > 0)
  useSwitch(study, gate.groupId, decided, () => {
    setDecided(undefined)
    store('')
  })
  const steps = stepsOf(mode)
  const step = steps[at] ?? 'nomination'
  const note = (now: Partial<Stand>) => store(JSON.stringify({ ...stand, at, ...now }))
  const move = (by: number) => note({ at: moveStep(mode, at, by) })
  const choose = (found: ChosenExam | undefined) => {
    setFresh(true)
    // the number of one order is not that of another
    const { accession: _, ...form } = stand.form ?? {}
    note({ at: moveStep(mode, at, 1), chosen: found, form })
  }
  const startOver = () => store('')
  // the step that decided stays while its good news is read
  if (queueStatus(nomination) !== 'none' && !decided && !isRematched)
    return (
      <Decided
        study={study}
        nomination={nomination}
        onRematch={() => {
          setRematched(true)
          startOver()
        }}
      />
    )
  const { asked } = nomination
  const waiting = confirmed ?? (asked?.is_valid === 1 && asked.at !== again ? asked : null)
  if (waiting && !isRejecting) {
    return (
      <ConfirmMatch
        study={study}
        asked={waiting}
        groupName={nomination.group_name}
        onReject={() => setRejecting(true)}
        onAgain={() => {
          setAgain(waiting.at)
          startOver()
        }}
        onSent={() => {
          setConfirmed(waiting)
          setDecided('Queued')
        }}
      />
    )
  }
  const name = t(isRejecting ? 'process.step.rejection' : `process.step.${step}`)
  return (
    <section className={part.part} aria-label={name}>
      {asked && asked.is_valid !== 1 && (
        <Banner tone="priority">{t('process.matchVoid', { name: asked.by_name })}</Banner>
      )}
      <p className={panel.note} aria-live="polite">
        {isRejecting ? name : t('process.steps', { step: at + 1, all: steps.length, name })}
      </p>
      {isRejecting && (
        <RejectStep
          study={study}
          gate={gate}
          onCancel={() => setRejecting(false)}
          onRejected={() => setDecided('Rejected')}
        />
      )}
      {!isRejecting && step === 'nomination' && (
        <>
          <NominationPage study={study} nomination={nomination} />
          {mayCall(orderTake, study.permissions) ? (
            <div className={panel.actions}>
              {!isRematched && (
                <Button variant="default" onClick={() => setRejecting(true)}>
                  {t('process.reject')}
                </Button>
              )}
              <Button onClick={() => move(1)}>{t('process.process')}</Button>
            </div>
          ) : (
            <Banner tone="neutral">{t('process.notYours')}</Banner>
          )}
        </>
      )}
      {!isRejecting && step === 'searchOrder' && (
        <SearchOrder
          study={study}
          gate={gate}
          kept={stand.order}
          typed={stand.typedOrder}
          onType={(typedOrder) => note({ typedOrder })}
          onSearch={(order) => note({ order })}
          onChoose={choose}
          onBack={() => move(-1)}
        />
      )}
      {!isRejecting && step === 'searchPatient' && (
        <SearchPatient
          study={study}
          gate={gate}
          kept={stand.patient}
          typed={stand.typedPatient}
          onType={(typedPatient) => note({ typedPatient })}
          onSearch={(patient) => note({ patient })}
          onChoose={choose}
          onBack={() => move(-1)}
        />
      )}
      {!isRejecting && step === 'comparison' && (
        <CompareStep
          study={study}
          gate={gate}
          chosen={chosen}
          isReturned={!isFresh}
          form={stand.form ?? {}}
          onForm={(form) => note({ form })}
          onBack={() => move(-1)}
          onStartOver={startOver}
          onSent={() => setDecided('Queued')}
        />
      )}
    </section>
  )
}

interface DecidedProps {
  study: Study
  nomination: Nomination
  onRematch: () => void
}

/** PROCESS-05: the nomination with its status; a push that failed is asked for again, or the exam matched anew. */
function Decided({ study, nomination, onRematch }: DecidedProps) {
  const push = usePush(study.uuid)
  const { destination_uuid: destination } = nomination
  const [asked, setAsked] = useState<Study['study_push_status'][number]>()
  const wanting = study.study_push_status.find((one) => one.destination_uuid === destination && one.wants_reason === 1)
  const mayRetry = destination !== null && mayCall(studyPush, study.permissions)
  const rematch = mayCall(orderTake, study.permissions) && (
    <Button size="compact-sm" variant="default" onClick={onRematch}>
      {t('process.matchAgain')}
    </Button>
  )
  return (
    // nothing in it takes the focus, and by keyboard the panel scrolls from here
    <section className={part.part} aria-label={t('process.title')} tabIndex={0}>
      <NominationStatus
        nomination={nomination}
        isRetrying={push.isPending}
        rematch={rematch}
        {...(mayRetry
          ? { onRetry: () => (wanting ? setAsked(wanting) : push.mutate({ destinationId: destination })) }
          : {})}
      />
      {push.isError && <Banner tone="failed">{pushFailureText(push.error, study)}</Banner>}
      {asked && <PushReason study={study} push={asked} onClose={() => setAsked(undefined)} />}
      {failedElsewhere(study, nomination).map((one) => (
        <Banner key={one.destination_uuid} tone="failed" action={rematch}>
          {t('process.failedElsewhere', { destination: one.destination_name })}
          {one.status_reason && <span className={style.reason}>{one.status_reason}</span>}
        </Banner>
      ))}
      <NominationPage study={study} nomination={nomination} omitsOutcome />
    </section>
  )
}

/** Pushes of a sent exam to further destinations that have failed, but for those of before it was sent where it is now. */
function failedElsewhere(study: Study, nomination: Nomination): Study['study_push_status'] {
  if (nomination.state !== 'completed') return []
  return study.study_push_status.filter(
    (one) => one.status === 'F' && one.is_overtaken === 0 && one.destination_uuid !== nomination.destination_uuid,
  )
}

interface NominationPageProps {
  study: Study
  nomination: Nomination
  /** The outcome stands above. */
  omitsOutcome?: boolean
}

/** PROCESS-06 */
function NominationPage({ study, nomination, omitsOutcome = false }: NominationPageProps) {
  const facts = useNominationFacts(nomination, study.customfields, omitsOutcome)
  return (
    <>
      <h3 className={panel.heading}>{t('process.title')}</h3>
      <FactList facts={facts} />
      <DemographicTable study={study} isTitled />
    </>
  )
}

/** PROCESS-15, PROCESS-17: shows the study in the view of its new state, after the good news was read. */
function useSwitch(
  study: Study,
  groupId: string,
  decided: 'Queued' | 'Rejected' | undefined,
  onDone: () => void,
): void {
  const client = useQueryClient()
  const router = useRouter({ warn: false })
  const uuid = useRef(study.uuid)
  const handleDone = useEffectEvent(onDone)
  useEffect(() => {
    if (!decided) return
    const timer = setTimeout(() => {
      clearSearchFilters()
      handleDone()
      void readStudiesAgain(client, [uuid.current])
      void router?.navigate({
        to: '/group/$groupId/{-$state}',
        params: { groupId, state: decided },
        search: { study: uuid.current },
      })
    }, switchMs)
    return () => clearTimeout(timer)
  }, [client, router, groupId, decided])
}
