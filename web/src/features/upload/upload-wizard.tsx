import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { t } from '../../labels/label.ts'
import { logOnce } from '../../queries/log-once.ts'
import { useInboxes } from '../../queries/namespaces.ts'
import { may } from '../../session/use-may.ts'
import { IconCheck } from '../../ui/icons.ts'
import { ConfirmStep } from './confirm-step.tsx'
import { DestinationStep } from './destination-step.tsx'
import { FindStep } from './find-step.tsx'
import { OutcomeBanner } from './outcome-banner.tsx'
import { SelectStep } from './select-step.tsx'
import { startUpload } from './transfer-actions.ts'
import { TransferView } from './transfer-view.tsx'
import style from './upload.module.css'
import type { Destination } from './upload-job.ts'
import { type UploadState, useUpload } from './upload-store.ts'
import { chooseDestination, factsOf, goBack, goOn, jumpTo } from './wizard-actions.ts'
import { lastStep, mayGoOn, mayJumpTo } from './wizard-rules.ts'

const steps = [0, 1, 2, 3] as const

/**
 * The upload wizard in four steps (UPLOAD-01). Its state lives outside, so an upload goes on while other pages show.
 * @param props.groupId group to begin with, when the person came from one
 * @param props.onLeave shows the exams of a group, after they were uploaded to it
 */
export function UploadWizard({ groupId, onLeave }: { groupId?: string; onLeave: (groupId?: string) => void }) {
  const state = useUpload()
  const destinations = useDestinations()
  const content = useRef<HTMLDivElement>(null)
  const { step, transfer, outcome } = state

  useEffect(() => {
    if (!groupId) return
    const found = destinations.find((one) => one.groupId === groupId)
    if (!found) logOnce('Group lookup failed') // ERROR-11
    const wanted = found ?? destinations[0]
    const { destination, transfer } = useUpload.getState()
    if (wanted && !destination && !transfer) chooseDestination(wanted)
  }, [groupId, destinations])
  // A keyboard or screen reader goes on at the top of the new step.
  const shownStep = useRef(step)
  useEffect(() => {
    if (shownStep.current !== step) content.current?.querySelector('h2')?.focus()
    shownStep.current = step
  }, [step])

  return (
    <section className={style.wizard} aria-label={t('upload.title')}>
      <header className={style.head}>
        <p className={style.title}>{t('upload.title')}</p>
        {!transfer && <Steps step={step} />}
      </header>
      <div className={style.content} ref={content}>
        {outcome && <OutcomeBanner outcome={outcome} onLeave={onLeave} />}
        {transfer ? <TransferView transfer={transfer} /> : <WizardStep state={state} destinations={destinations} />}
      </div>
      {!transfer && <WizardFoot state={state} onCancel={() => onLeave()} />}
    </section>
  )
}

/** Where the person is; earlier steps may be clicked, later ones not (UPLOAD-09). */
function Steps({ step }: { step: number }) {
  return (
    <ol className={style.steps} aria-label={t('upload.steps')}>
      {steps.map((one) => (
        <li key={one} data-past={one < step}>
          <button
            type="button"
            className={style.step}
            disabled={!mayJumpTo(one, step)}
            aria-current={one === step ? 'step' : undefined}
            onClick={() => jumpTo(one)}
          >
            <span className={style.stepNumber}>{one < step ? <IconCheck size={14} aria-hidden="true" /> : one}</span>
            {t(`upload.step.${one}`)}
          </button>
        </li>
      ))}
    </ol>
  )
}

/** The content of one step; a number that is no step says so (UPLOAD-10). */
export function WizardStep({ state, destinations }: { state: UploadState; destinations: readonly Destination[] }) {
  switch (state.step) {
    case 0:
      return <DestinationStep destination={state.destination} destinations={destinations} />
    case 1:
      return <FindStep search={state.search} destination={state.destination} />
    case 2:
      return <SelectStep state={state} />
    case 3:
      return <ConfirmStep state={state} />
    default:
      return <p role="alert">{t('upload.invalidStep')}</p>
  }
}

function WizardFoot({ state, onCancel }: { state: UploadState; onCancel: () => void }) {
  const { step } = state
  return (
    <footer className={style.foot}>
      <Button variant="default" size="sm" onClick={step > 0 ? goBack : onCancel}>
        {t(step > 0 ? 'upload.back' : 'button.cancel')}
      </Button>
      {step < lastStep ? (
        <Button size="sm" onClick={goOn} disabled={!mayGoOn(step, factsOf(state))}>
          {t('upload.next')}
        </Button>
      ) : (
        <Button size="sm" onClick={() => void startUpload()}>
          {t('upload.start')}
        </Button>
      )}
    </footer>
  )
}

/** PERM-14, UPLOAD-02: the cloud groups where the person holds study_upload. */
function useDestinations(): readonly Destination[] {
  return useInboxes()
    .filter((inbox) => inbox.kind === 'group' && inbox.designation === 'CLOUD' && may('uploadStudy', inbox.permissions))
    .map(({ id, namespaceId, name }) => ({ groupId: id, namespaceId, name }))
}
