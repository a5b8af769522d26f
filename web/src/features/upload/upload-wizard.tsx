import { studyGet } from '@hilum/contract/calls/study'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { t } from '../../labels/label.ts'
import { logOnce } from '../../queries/log-once.ts'
import { takesUploads, useInboxes } from '../../queries/namespaces.ts'
import { shareSettingsQuery } from '../../queries/share-settings.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useEstablished } from '../../session/session-store.ts'
import { mayCall } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { IconCheck } from '../../ui/icons.ts'
import { ConfirmStep } from './confirm-step.tsx'
import { DestinationStep } from './destination-step.tsx'
import { FindStep } from './find-step.tsx'
import { InterruptedUploads } from './interrupted-uploads.tsx'
import type { WrapTerms } from './other-files-actions.ts'
import { OtherFilesStep } from './other-files-step.tsx'
import { OutcomeBanner } from './outcome-banner.tsx'
import { SelectStep } from './select-step.tsx'
import { startUpload } from './transfer-actions.ts'
import { TransferView } from './transfer-view.tsx'
import style from './upload.module.css'
import type { UploadDestination } from './upload-job.ts'
import { type UploadState, useUpload } from './upload-store.ts'
import { beginWithOnly, chooseDestination, factsOfUpload, goBack, goOn, jumpTo } from './wizard-actions.ts'
import { lastStep, mayGoOn, mayJumpTo } from './wizard-rules.ts'

const steps = [0, 1, 2, 3] as const

interface UploadWizardProps {
  groupId?: string | undefined
  onLeave: () => void
  onShow?: ((groupId: string, studyUuid?: string) => void) | undefined
}

/**
 * The upload wizard in four steps (UPLOAD-01). The state lives outside the wizard, so an upload goes on while other
 * pages show.
 * @param props.groupId group to begin with, when the person came from one
 * @param props.onLeave leaves the wizard
 * @param props.onShow shows a group to which exams were uploaded, with one of them open; not given where there is no
 * inbox to show them in
 */
export function UploadWizard({ groupId, onLeave, onShow }: UploadWizardProps) {
  const state = useUpload()
  const { user } = useEstablished()
  const destinations = useDestinations()
  const content = useRef<HTMLDivElement>(null)
  const { step, transfer, outcome } = state
  const taking = useTaking(state.destination?.namespaceId)
  const uploadedTo = outcome?.kind === 'done' ? outcome.destination.namespaceId : undefined
  const inboxes = useInboxes()
  const maySee = inboxes.some((one) => one.namespaceId === uploadedTo && mayCall(studyGet, one.permissions))

  useEffect(() => {
    if (!groupId) return
    const found = destinations.find((one) => one.groupId === groupId)
    if (!found) logOnce('Group lookup failed') // ERROR-11
    const wanted = found ?? destinations[0]
    const { destination, transfer } = useUpload.getState()
    if (wanted && !destination && !transfer) chooseDestination(wanted)
  }, [groupId, destinations])
  const only = destinations.length === 1 ? destinations[0] : undefined
  const isUnbegun = !state.destination && !transfer && step === 0 && state.search.kind === 'none'
  useLayoutEffect(() => {
    if (isUnbegun && only) beginWithOnly(only)
  }, [isUnbegun, only])
  // A keyboard or screen reader goes on at the top of the new step; the end of an upload takes the focus itself.
  const shownStep = useRef(step)
  useEffect(() => {
    if (shownStep.current !== step && !outcome) content.current?.querySelector('h2')?.focus()
    shownStep.current = step
  }, [step, outcome])

  return (
    <section className={style.wizard} aria-label={t('upload.title')}>
      <header className={style.head}>
        <p className={style.title}>{t('upload.title')}</p>
        {!transfer && <Steps step={step} />}
      </header>
      <div className={style.content} ref={content}>
        {outcome && <OutcomeBanner outcome={outcome} onShow={maySee ? onShow : undefined} />}
        {transfer ? (
          <TransferView transfer={transfer} />
        ) : (
          <>
            {state.search.kind === 'other' && taking.isRefused && (
              <Banner tone="failed">{t('upload.other.notHere')}</Banner>
            )}
            {state.step < 2 && !outcome && state.search.kind !== 'reading' && (
              <InterruptedUploads owner={user.uuid} destinations={destinations} />
            )}
            <WizardStep state={state} destinations={destinations} wrap={taking.wrap} />
          </>
        )}
      </div>
      {!transfer && (
        <WizardFoot state={state} firstStep={only ? 1 : 0} isRefused={taking.isRefused} onCancel={() => onLeave()} />
      )}
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
            <span className={style.stepNumber}>{one < step ? <IconCheck size={14} /> : one + 1}</span>
            {t(`upload.step.${one}`)}
          </button>
        </li>
      ))}
    </ol>
  )
}

interface WizardStepProps {
  state: UploadState
  destinations: readonly UploadDestination[]
  /** Where the destination takes files that are no DICOM. */
  wrap?: WrapTerms | undefined
}

/** The content of one step; a number that is no step says so (UPLOAD-10). */
export function WizardStep({ state, destinations, wrap }: WizardStepProps) {
  switch (state.step) {
    case 0:
      return <DestinationStep destination={state.destination} destinations={destinations} />
    case 1:
      return <FindStep search={state.search} destination={state.destination} wrap={wrap} />
    case 2:
      return state.search.kind === 'other' ? (
        <OtherFilesStep other={state.search.other} />
      ) : (
        <SelectStep state={state} />
      )
    case 3:
      return <ConfirmStep state={state} />
    default:
      return <p role="alert">{t('upload.invalidStep')}</p>
  }
}

interface WizardFootProps {
  state: UploadState
  /** The step that the way back ends at. */
  firstStep: number
  /** The destination takes no files that are no DICOM. */
  isRefused: boolean
  onCancel: () => void
}

function WizardFoot({ state, firstStep, isRefused, onCancel }: WizardFootProps) {
  const { step, search } = state
  const isHeld = step >= 2 && search.kind === 'other' && isRefused
  return (
    <footer className={style.foot}>
      <Button variant="default" size="sm" onClick={step > firstStep ? goBack : onCancel}>
        {t(step > firstStep ? 'upload.back' : 'button.cancel')}
      </Button>
      {step < lastStep ? (
        <Button size="sm" onClick={goOn} disabled={isHeld || !mayGoOn(step, factsOfUpload(state))}>
          {t('upload.next')}
        </Button>
      ) : (
        <Button size="sm" disabled={isHeld} onClick={() => void startUpload()}>
          {t('upload.start')}
        </Button>
      )}
    </footer>
  )
}

/** UPLOAD-04: whether the destination takes files that are no DICOM, by its own settings. */
function useTaking(namespaceId: string | undefined): { wrap: WrapTerms | undefined; isRefused: boolean } {
  const { dateFormat } = usePreferences()
  const { data } = useQuery({ ...shareSettingsQuery(namespaceId ?? ''), enabled: namespaceId !== undefined })
  const wrap = data?.enable_dicom_wrapping === 1 ? { uidRoot: data.uid_root, dateFormat } : undefined
  return { wrap, isRefused: data !== undefined && !wrap }
}

/** The groups that the person may upload to. */
function useDestinations(): readonly UploadDestination[] {
  return useInboxes()
    .filter(takesUploads)
    .map(({ id, namespaceId, name }) => ({ groupId: id, namespaceId, name }))
}
