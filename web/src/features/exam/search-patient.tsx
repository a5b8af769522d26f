import { destinationSearch } from '@hilum/contract/calls/retrieve'
import { Button, NativeSelect } from '@mantine/core'
import { type FormEvent, useEffect, useEffectEvent } from 'react'
import type { Study } from '@hilum/contract/entities/study'
import { nameText } from '../../format/person-name.ts'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { usePlaceFlags } from '../../queries/namespaces.ts'
import type { Gate } from '../../queries/processing.ts'
import { criteriaRefusal } from '../../queries/criteria-refusal.ts'
import { useAskSearches, useSearchAnswers } from '../../queries/retrieve.ts'
import { mayCall } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import style from './acts.module.css'
import { examOfFound } from './chosen-exam.ts'
import type { ChosenExam } from './compare-patient.ts'
import panel from './exam-panel.module.css'
import part from './nominate.module.css'
import { ExamChoice } from './exam-choice.tsx'
import { NoDestinations } from './no-destinations.tsx'

export interface PatientSearch {
  patientId: string
  destinationId: string
}

interface SearchPatientProps {
  study: Study
  gate: Gate
  /** The search that the person made last, which is made again. */
  kept: PatientSearch | undefined
  /** The fields as the person left them. */
  typed: PatientSearch | undefined
  onType: (typed: PatientSearch) => void
  onSearch: (search: PatientSearch) => void
  /** Undefined to send without an order. */
  onChoose: (chosen: ChosenExam | undefined) => void
  onBack: () => void
}

/** PROCESS-09, PROCESS-10: asks a destination of the group for the patient, and waits for the answer. */
export function SearchPatient({ study, gate, kept, typed, onType, onSearch, onChoose, onBack }: SearchPatientProps) {
  const placeFlags = usePlaceFlags()
  const maySearch = mayCall(destinationSearch, placeFlags(study))
  const places = maySearch ? gate.destinations.filter((one) => one.can_search === 1) : []
  const first = {
    patientId: study.mrn_outside === 1 ? '' : study.patientid,
    destinationId: places.length === 1 ? (places[0]?.uuid ?? '') : '',
  }
  const { patientId, destinationId: chosen } = typed ?? kept ?? first
  const place = places.find(({ uuid }) => uuid === chosen)
  const ask = useAskSearches(study.phi_namespace)
  const [answer] = useSearchAnswers(ask.data ?? [])
  const isRefused = ask.data?.some(({ uuid }) => uuid === undefined) ?? false
  const refusal = criteriaRefusal(ask.data?.[0]?.failure, 'process.patientId')
  const isFailed = ask.isError || isRefused || answer?.isError || answer?.data?.state === 'failed'
  const isWaiting = ask.isPending || (ask.data !== undefined && !isFailed && answer?.data?.state !== 'done')
  const [asked] = ask.data ?? []
  const results = asked && answer?.data?.state === 'done' ? answer.data.results : undefined
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!place || !patientId.trim()) return
    onSearch({ patientId: patientId.trim(), destinationId: place.uuid })
    ask.mutate({ places: [place], fields: { patientid: patientId.trim() } })
  }
  const askAgain = useEffectEvent(() => {
    const before = places.find(({ uuid }) => uuid === kept?.destinationId)
    if (kept && before) ask.mutate({ places: [before], fields: { patientid: kept.patientId } })
  })
  useEffect(() => askAgain(), [])
  return (
    <>
      <form className={part.form} aria-label={t('process.step.searchPatient')} noValidate onSubmit={handleSubmit}>
        {!maySearch && <Banner tone="neutral">{t('act.notPermitted')}</Banner>}
        {maySearch && places.length === 0 && <NoDestinations gate={gate} />}
        <div className={part.search}>
          <TextInput
            label={t('process.patientId')}
            value={patientId}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => onType({ patientId: event.currentTarget.value, destinationId: chosen })}
          />
          <NativeSelect
            label={t('process.destination')}
            value={chosen}
            data={[
              { value: '', label: t('process.choose') },
              ...places.map(({ uuid, name }) => ({ value: uuid, label: name.replaceAll('_', ' ') })),
            ]}
            onChange={(event) => onType({ patientId, destinationId: event.currentTarget.value })}
          />
          <Button type="submit" disabled={!place || !patientId.trim()} loading={isWaiting}>
            {t('process.search')}
          </Button>
        </div>
      </form>
      {isFailed && (
        <Banner tone="failed">
          {refusal ?? t('process.searchFailed')}
          {answer?.data?.message && <span className={style.reason}>{answer.data.message}</span>}
        </Banner>
      )}
      {isWaiting && <LoadingState label={t('process.searching')} isNamed />}
      {results && (
        <p className={panel.note} role="status">
          {foundText(results.length, answer?.data?.more === 1)}
        </p>
      )}
      {asked &&
        results?.map((found) => (
          <ExamChoice
            key={found.study_uid}
            chosen={examOfFound(found, { uuid: asked.destinationId, name: asked.name })}
            label={nameText(found.patient_name) || t('card.noName')}
            onChoose={onChoose}
          />
        ))}
      <div className={panel.actions}>
        <Button variant="default" onClick={onBack}>
          {t('process.back')}
        </Button>
        <Button variant="default" onClick={() => onChoose(undefined)}>
          {t('process.withoutOrder')}
        </Button>
      </div>
    </>
  )
}

function foundText(count: number, hasMore: boolean): string {
  if (count === 0) return t('process.noPatients')
  return hasMore ? t('process.patientsFirst', { count }) : t('process.found', { count })
}
