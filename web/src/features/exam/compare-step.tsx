import { ownNamesOf } from '@hilum/dicom/authority'
import { prioritiesOf } from '@hilum/contract/gate-fields'
import type { RiskLine } from '@hilum/contract/inbox-config'
import type { IdentityVerdict } from '@hilum/dicom/identity'
import { looksAlike, mixesScripts } from '@hilum/dicom/name-scripts'
import type { Study } from '@hilum/contract/entities/study'
import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { ApiFailure, failureCode } from '../../api/api-failure.ts'
import { TextInput } from '../../fields/text-input.tsx'
import { nameText } from '../../format/person-name.ts'
import { hasLabel, t } from '../../labels/label.ts'
import { valueFaultText } from '../../labels/value-fault.ts'
import { readHeldMrn } from '../../queries/exam-acts.ts'
import { type Gate, type ProcessFields, readNumberInUse, useSendToPacs } from '../../queries/processing.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useEstablished } from '../../session/session-store.ts'
import { Banner } from '../../ui/banner.tsx'
import { failureText } from './act-failure.tsx'
import style from './acts.module.css'
import { ChosenBanner } from './chosen-banner.tsx'
import { type ChosenExam, comparePatient, foreignIssuer, issuerSaid, payloadOf } from './compare-patient.ts'
import { comparedFields } from './demographic-table.tsx'
import panel from './exam-panel.module.css'
import { NoDestinations } from './no-destinations.tsx'
import { HeldMrnQuestion } from './held-mrn-question.tsx'
import part from './nominate.module.css'
import { sizeStyle } from './process-steps.ts'
import { isNotConfigured } from './push-failure-text.ts'
import { shownOfStudy, shownValue } from './shown-value.ts'
import { useChosenNow } from './use-chosen-now.ts'

/** Fields as a person filled them in; the others stand as the exam and its order have them. */
export interface MatchForm {
  destination?: string
  mrn?: string
  accession?: string
  priority?: string
}

interface CompareStepProps {
  study: Study
  gate: Gate
  /** Undefined where the exam is sent without an order. */
  chosen: ChosenExam | undefined
  /** The person was away since the exam was chosen. */
  isReturned: boolean
  form: MatchForm
  onForm: (form: MatchForm) => void
  onBack: () => void
  onStartOver: () => void
  onSent: () => void
}

/** PROCESS-11, PROCESS-12: the exam beside the chosen order, and the form that sends it. */
export function CompareStep(props: CompareStepProps) {
  const { study, gate, chosen: before, isReturned, form, onForm, onBack, onStartOver, onSent } = props
  const destinationField = useRef<HTMLSelectElement>(null)
  const mrnField = useRef<HTMLInputElement>(null)
  const now = useChosenNow(study, before, isReturned)
  const chosen = now.exam
  const destination = gate.destinations.some(({ uuid }) => uuid === form.destination) ? (form.destination ?? '') : ''
  const accession = form.accession ?? (chosen?.kind === 'order' ? chosen.accession_number : '')
  const takesForeign = gate.destinations.some((one) => one.uuid === destination && one.push_foreign === 1)
  // the number of another organisation is nobody's here, but for a destination that keeps numbers by authority
  const isOutside = study.mrn_outside === 1 && !takesForeign
  const mrn = form.mrn ?? (isOutside ? '' : study.patientid)
  const priorities = prioritiesOf(gate.config)
  // one that was taken out meanwhile is none
  const priority = priorities.find((one) => one === form.priority) ?? priorities[0] ?? ''
  // a word about one patient is none about another
  const compared = JSON.stringify(chosen)
  const [confirmed, setConfirmed] = useState('')
  const isConfirmed = confirmed === compared
  const [isTried, setTried] = useState(false)
  const [isWithout, setWithout] = useState(false)
  const send = useSendToPacs(study, gate)
  const ownNames = useOwnAuthorities()
  const verdict = chosen && comparePatient(study, chosen, ownNames).verdict
  const accessionFault = accession.trim() ? valueFaultText(accession.trim(), 'SH') : undefined
  const wantsMrn = !chosen && mrn.trim() === '' && (isOutside || !isWithout)
  const mrnFault =
    (!chosen && mrn.trim() ? valueFaultText(mrn.trim(), 'LO') : undefined) ??
    (isTried && wantsMrn ? t('process.mrnRequired') : undefined)
  // an order without a number leaves the exam its own
  const isNumberless = (chosen ? chosen.patientid || study.patientid : study.patientid || mrn.trim()) === ''
  const held = readHeldMrn(send.error)
  const inUse = readNumberInUse(send.error)
  const foreign = takesForeign ? undefined : foreignIssuer(study, chosen, mrn, ownNames)
  const isBlocked =
    now.kind !== 'there' ||
    (isNumberless && chosen !== undefined && !isWithout) ||
    foreign !== undefined ||
    (verdict === 'different' && !isConfirmed)
  const sendIt = (reason?: string) => {
    const options: ProcessFields = {
      destinationId: destination,
      priority,
      payload: { ...payloadOf(chosen, { mrn, accession }), ...issuerSaid(study, chosen, ownNames) },
      order: chosen?.orderId ? { uuid: chosen.orderId, seen: seenOf(chosen) } : undefined,
      ...(isNumberless && isWithout ? { mrnReason: t('process.withoutMrnReason') } : {}),
      ...(verdict === 'different' ? { isPatientConfirmed: isConfirmed } : {}),
    }
    send.mutate(reason ? { ...options, reason } : options, { onSuccess: onSent })
  }
  const takeMrn = (number: string) => {
    onForm({ ...form, mrn: number })
    send.reset()
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!destination) destinationField.current?.focus()
    else if (wantsMrn) mrnField.current?.focus()
    else if (!accessionFault && !mrnFault && !isBlocked && !send.isPending) sendIt()
  }
  return (
    <div className={`${part.part} ${part.narrow}`}>
      <div className={part.head}>
        <h3 className={panel.heading}>{t('process.compareTitle')}</h3>
        <Button variant="subtle" size="compact-sm" onClick={onStartOver}>
          {t('process.startOver')}
        </Button>
      </div>
      {before && <ChosenBanner chosen={before} now={now} />}
      {before?.isNameUnread && chosen?.patient_name === '' && (
        <Banner tone="priority">{t('process.nameUnread')}</Banner>
      )}
      <ComparisonTable study={study} chosen={chosen} />
      <ScriptsOfNames names={[study.patient_name, ...(chosen ? [chosen.patient_name] : [])]} />
      {foreign !== undefined && <Banner tone="failed">{t('process.foreignMrn', { issuer: foreign })}</Banner>}
      {verdict === 'different' && <Banner tone="failed">{t('process.warnDifferent')}</Banner>}
      {reachesLine(gate.config.risk_line, verdict) && <Banner tone="neutral">{t('process.twoPeople')}</Banner>}
      {verdict === 'likely' && <Banner tone="priority">{t('process.warnLikely')}</Banner>}
      {held && <HeldMrnQuestion study={study} held={held} onGoOn={sendIt} onDecline={() => send.reset()} />}
      {send.isError && !held && (
        <Banner tone="failed" action={inUse && !chosen && <UseMrn mrn={inUse.patientid} onUse={takeMrn} />}>
          {sendFailure(send.error)}
        </Banner>
      )}
      {send.isSuccess && <Banner tone="completed">{t('process.sent')}</Banner>}
      <form className={part.form} aria-label={t('process.send')} noValidate onSubmit={handleSubmit}>
        {gate.destinations.length === 0 && <NoDestinations gate={gate} />}
        <NativeSelect
          ref={destinationField}
          label={t('process.destination')}
          required
          value={destination}
          error={isTried && !destination && t('process.destinationRequired')}
          data={[
            { value: '', label: t('process.choose') },
            ...gate.destinations.map(({ uuid, name }) => ({ value: uuid, label: name.replaceAll('_', ' ') })),
          ]}
          onChange={(event) => onForm({ ...form, destination: event.currentTarget.value })}
        />
        {!chosen && (
          <TextInput
            ref={mrnField}
            label={t('process.mrn')}
            required={isOutside}
            description={study.mrn_outside === 1 ? t('process.mrnOutside') : undefined}
            value={mrn}
            error={mrnFault}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => onForm({ ...form, mrn: event.currentTarget.value })}
          />
        )}
        {isNumberless && (
          <Checkbox
            label={t('process.withoutMrn')}
            checked={isWithout}
            onChange={(event) => setWithout(event.currentTarget.checked)}
          />
        )}
        <TextInput
          label={t('process.accession')}
          description={study.accession_number && t('process.accessionNow', { number: study.accession_number })}
          value={accession}
          error={accessionFault}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onForm({ ...form, accession: event.currentTarget.value })}
        />
        <NativeSelect
          label={t('process.priority')}
          value={priority}
          data={[...priorities]}
          onChange={(event) => onForm({ ...form, priority: event.currentTarget.value })}
        />
        {verdict === 'different' && (
          <Checkbox
            label={t('process.confirmPatient')}
            checked={isConfirmed}
            onChange={(event) => setConfirmed(event.currentTarget.checked ? compared : '')}
          />
        )}
        <div className={panel.actions}>
          <Button variant="default" disabled={send.isPending || send.isSuccess} onClick={onBack}>
            {t('process.back')}
          </Button>
          <Button type="submit" disabled={isBlocked || send.isSuccess} loading={send.isPending}>
            {t('process.send')}
          </Button>
        </div>
      </form>
    </div>
  )
}

/** The number in which the MRN of the exam has ended, to be sent under. */
function UseMrn({ mrn, onUse }: { mrn: string; onUse: (mrn: string) => void }) {
  return (
    <Button size="compact-sm" variant="default" onClick={() => onUse(mrn)}>
      {t('process.useMrn', { mrn })}
    </Button>
  )
}

/** Fields of an order as they stand on the screen. */
function seenOf(chosen: ChosenExam) {
  const { patient_name, patient_birth_date, patient_sex, patientid, issuer, accession_number } = chosen
  return { patient_name, patient_birth_date, patient_sex, patientid, issuer, accession_number }
}

/** The exam's values beside the order's, and whether the difference means another person. */
function ComparisonTable({ study, chosen }: Pick<CompareStepProps, 'study' | 'chosen'>) {
  const { dateFormat } = usePreferences()
  const ownNames = useOwnAuthorities()
  const reasons: Partial<Record<string, string>> = chosen ? comparePatient(study, chosen, ownNames).reasons : {}
  const meaning = (field: (typeof comparedFields)[number][0]) => {
    const key = `identity.${reasons[field] ?? ''}`
    if (hasLabel(key)) return t(key as 'identity.name-same') // all of them are without slots
    if (!chosen?.[field]) return t('process.differs.blank')
    return t(chosen[field] === study[field] ? 'process.differs.same' : 'process.differs.other')
  }
  return (
    <div style={sizeStyle(chosen ? 'ordered' : 'withoutQuery')}>
      <table
        className={`${style.table} ${part.compared} ${chosen ? '' : part.alone}`}
        aria-label={t('process.compareTable')}
      >
        <thead>
          <tr>
            <td />
            <th scope="col">{t('process.now')}</th>
            {chosen && <th scope="col">{t(chosen.kind === 'order' ? 'process.order' : 'process.patient')}</th>}
            {chosen && <th scope="col">{t('process.meaning')}</th>}
          </tr>
        </thead>
        <tbody>
          {comparedFields.map(([field, label]) => (
            <tr key={field}>
              <th scope="row">{t(label)}</th>
              <td>{shownOfStudy(study, field, dateFormat)}</td>
              {chosen && <td>{shownValue(field, chosen[field], dateFormat)}</td>}
              {chosen && <td data-other={reasons[field]?.endsWith('-different')}>{meaning(field)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Says of names that look alike, or of one that looks like another, that they are written with letters of two scripts. */
function ScriptsOfNames({ names: [name = '', other = ''] }: { names: readonly string[] }) {
  if (looksAlike(name, other)) return <Banner tone="priority">{t('process.namesLookAlike')}</Banner>
  const mixed = [name, other].find(mixesScripts)
  if (mixed === undefined) return null
  return <Banner tone="priority">{t('process.nameOfScripts', { name: nameText(mixed) })}</Banner>
}

/** Names of the assigning authority of the organisation's own MRNs. */
function useOwnAuthorities(): readonly string[] {
  const { issuer, settings } = useEstablished().account
  return ownNamesOf(issuer, settings['other_issuers'] ?? '')
}

/** Whether the group is likely to want a second person here; the server decides by all corrections of the exam. */
function reachesLine(line: RiskLine | undefined, verdict: IdentityVerdict | undefined): boolean {
  if (line === 'ALL') return true
  return (
    (line === 'LIKELY' && verdict !== undefined && verdict !== 'same') ||
    (line === 'DIFFERENT' && verdict === 'different')
  )
}

const reasons = ['SECOND_PERSON', 'PENDING', 'NOT_READY', 'NOT_SUPPORTED', 'NOT_FOUND', 'FOREIGN_MRN'] as const

/** ERROR-23 */
export function sendFailure(failure: unknown): string {
  const code = failureCode(failure)
  const isOrderGone = code === 'NOT_FOUND' && failure instanceof ApiFailure && failure.subtype === 'order_id'
  const order = isOrderGone ? 'process.orderGone' : orderFault(failure)
  if (order) return `${t('process.failed')}. ${t(order)}`
  if (isNotConfigured(failure)) return `${t('process.failed')}. ${t('pacs.notConfigured')}`
  const known = reasons.find((one) => one === code)
  return `${t('process.failed')}. ${known ? t(`process.reason.${known}`) : failureText(failure)}`
}

const orderFaults = {
  order_id: 'process.orderStale',
  order_changed: 'process.orderChanged',
  order_cancelled: 'process.orderCancelled',
  issuer: 'process.orderIssuer',
  mrn_merged: 'process.mrnMerged',
  accession_number: 'process.orderAccession',
  seen_mrns: 'process.mrnUnseen',
} as const

/** Text key of the reason, where an order speaks against sending the exam. */
function orderFault(failure: unknown): (typeof orderFaults)[keyof typeof orderFaults] | undefined {
  if (failureCode(failure) !== 'STALE' || !(failure instanceof ApiFailure)) return undefined
  const { subtype } = failure
  return typeof subtype === 'string' && Object.hasOwn(orderFaults, subtype)
    ? orderFaults[subtype as keyof typeof orderFaults] // one of its own keys
    : undefined
}
