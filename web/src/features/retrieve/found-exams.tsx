import type { Destination } from '@hilum/contract/calls/destination'
import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { formatDate } from '../../format/dates.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { criteriaRefusal } from '../../queries/criteria-refusal.ts'
import { type AskedSearch, type FoundExam, useRetrieve, useSearchAnswers } from '../../queries/retrieve.ts'
import { usePreferences } from '../../session/preferences.ts'
import { Banner } from '../../ui/banner.tsx'
import { LoadingState, QuietState } from '../../ui/quiet-state.tsx'
import style from './retrieve.module.css'

type Found = FoundExam & {
  searchId: string
  /** Name of the destination. */
  place: string
  /** Exams are retrieved from the destination, and not only searched there. */
  isOpen: boolean
}

interface FoundExamsProps {
  searches: readonly AskedSearch[]
  /** The destinations that were asked. */
  places: readonly Pick<Destination, 'uuid' | 'can_query_retrieve'>[]
}

/**
 * The answers of the destinations, by patient, with the exams to choose from and how far each is (RETRIEVE-02 to 05).
 */
export function FoundExams({ searches, places }: FoundExamsProps) {
  const answers = useSearchAnswers(searches)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const retrieve = useRetrieve()
  const asked = searches.map((search, index) => ({ ...search, query: answers[index] }))
  const isOpenPlace = (destinationId: string) =>
    places.find((one) => one.uuid === destinationId)?.can_query_retrieve === 1
  const found = asked.flatMap(({ destinationId, name, uuid, query }) =>
    (query?.data?.results ?? []).map((one): Found => {
      return { ...one, searchId: uuid ?? '', place: name, isOpen: isOpenPlace(destinationId) }
    }),
  )
  const isWaiting = ({ uuid, query }: (typeof asked)[number]) =>
    uuid !== undefined && !query?.isError && (query?.data?.state ?? 'waiting') === 'waiting'
  const waiting = asked.filter(isWaiting)
  const refusals = new Set(asked.flatMap(({ failure }) => criteriaRefusal(failure) ?? []))
  const isFailed = ({ uuid, failure, query }: (typeof asked)[number]) =>
    uuid === undefined ? criteriaRefusal(failure) === undefined : query?.isError || query?.data?.state === 'failed'
  const failed = asked.filter(isFailed)
  const wanted = found.filter((one) => chosen.has(keyOf(one)) && canAsk(one))
  const handleChoose = (one: Found, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(keyOf(one))
    else next.delete(keyOf(one))
    setChosen(next)
  }
  const handleRetrieve = () =>
    retrieve.mutate(
      wanted.map(({ searchId, study_uid }) => ({ searchId, studyUid: study_uid })),
      { onSuccess: () => setChosen(new Set()) },
    )
  return (
    <section aria-label={t('retrieve.results')} className={style.results}>
      {[...refusals].map((text) => (
        <Banner key={text} tone="failed">
          {text}
        </Banner>
      ))}
      {failed.map(({ destinationId, name, query }) => (
        <Banner key={destinationId} tone="failed">
          {query?.data?.message
            ? t('retrieve.failed', { name, reason: query.data.message })
            : t('retrieve.failedPlain')}
        </Banner>
      ))}
      {asked
        .filter(({ query }) => query?.data?.more === 1)
        .map(({ destinationId, name }) => (
          <Banner key={destinationId} tone="neutral">
            {t('retrieve.more', { name })}
          </Banner>
        ))}
      {waiting.map(({ destinationId, name }) => (
        <LoadingState key={destinationId} label={t('retrieve.searching', { name })} isNamed />
      ))}
      {found.length === 0 && waiting.length === 0 && failed.length === 0 && refusals.size === 0 && (
        <QuietState title={t('retrieve.notFoundTitle')}>{t('retrieve.notFoundText')}</QuietState>
      )}
      {[...Map.groupBy(found, patientOf)].map(([patient, exams]) => (
        <PatientExams key={patient} exams={exams} chosen={chosen} onChoose={handleChoose} />
      ))}
      {retrieve.isError && <Banner tone="failed">{t('retrieve.askFailed')}</Banner>}
      {found.some((one) => one.isOpen) && (
        <div>
          <Button disabled={wanted.length === 0} loading={retrieve.isPending} onClick={handleRetrieve}>
            {wanted.length === 0 ? t('retrieve.retrieveNone') : t('retrieve.retrieve', { count: wanted.length })}
          </Button>
        </div>
      )}
    </section>
  )
}

interface PatientExamsProps {
  exams: readonly Found[]
  chosen: ReadonlySet<string>
  onChoose: (one: Found, isChosen: boolean) => void
}

/** One patient, with exams behind it that open and close. */
function PatientExams({ exams, chosen, onChoose }: PatientExamsProps) {
  const { dateFormat } = usePreferences()
  const [first] = exams
  if (!first) return null
  const birth = formatDate(first.patient_birth_date, dateFormat)
  return (
    <details open className={style.patient}>
      <summary>
        <strong className={style.name}>{nameText(first.patient_name) || t('card.noName')}</strong>
        <span className={style.count}>{t('retrieve.patientExams', { count: exams.length })}</span>
        <span className={style.facts}>
          {[first.patientid, birth, first.patient_sex].filter(Boolean).join(' · ') || t('field.none')}
        </span>
      </summary>
      <ul className={style.exams}>
        {exams.map((one) => {
          const date = formatDate(one.study_date, dateFormat)
          const description = one.study_description || one.modality
          return (
            <li key={keyOf(one)} className={style.exam}>
              {one.isOpen ? (
                <Checkbox
                  aria-label={t('retrieve.select', { description, date })}
                  checked={chosen.has(keyOf(one)) && canAsk(one)}
                  disabled={!canAsk(one)}
                  onChange={(event) => onChoose(one, event.currentTarget.checked)}
                />
              ) : (
                <span />
              )}
              <span>{date}</span>
              <span>{one.modality}</span>
              <span className={style.long} title={one.study_description}>
                {one.study_description}
              </span>
              <span title={one.accession_number}>{one.accession_number}</span>
              <span>{one.image_count === null ? '' : t('retrieve.images', { count: one.image_count })}</span>
              <span title={one.place}>{one.place}</span>
              <span role="status" className={style.progress}>
                <span>{progressOf(one)}</span>
                {one.retrieval?.message && <span className={style.reason}>{one.retrieval.message}</span>}
              </span>
            </li>
          )
        })}
      </ul>
    </details>
  )
}

function keyOf({ searchId, study_uid }: Found): string {
  return `${searchId} ${study_uid}`
}

/** Names of several destinations stand together only where everything that tells people apart is the same. */
function patientOf(one: Found): string {
  return JSON.stringify([
    one.patient_name.toUpperCase(),
    one.patientid,
    one.issuer,
    one.patient_birth_date,
    one.patient_sex,
  ])
}

function canAsk({ retrieval, isOpen }: Found): boolean {
  if (!isOpen) return false
  return retrieval === null || retrieval.state === 'failed' || retrieval.state === 'partial'
}

/** RETRIEVE-03: how far an exam is; the reason why it did not come stands on a line of its own. */
function progressOf({ retrieval, here_id: here, here_image_count: count, image_count: total, ...one }: Found): string {
  if (retrieval) {
    const { state, completed } = retrieval
    if (state !== 'running') return t(`retrieve.state.${state}`)
    return retrieval.total === null
      ? t('retrieve.state.running', { count: completed })
      : t('retrieve.state.runningOf', { completed, total: retrieval.total })
  }
  if (!here) return one.isOpen ? '' : t('retrieve.nothingFrom', { name: one.place })
  return total !== null && count < total ? t('retrieve.hereSome', { count, total }) : t('retrieve.here')
}
