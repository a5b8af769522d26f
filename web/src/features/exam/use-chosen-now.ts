import { orderGet } from '@hilum/contract/calls/order'
import { destinationSearch } from '@hilum/contract/calls/retrieve'
import type { Study } from '@hilum/contract/entities/study'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { usePlaceFlags } from '../../queries/namespaces.ts'
import { orderQuery } from '../../queries/orders.ts'
import { useAskSearches, useSearchAnswers } from '../../queries/retrieve.ts'
import { mayCall, useMayCall } from '../../session/use-may.ts'
import { examOfFound, examOfOrder } from './chosen-exam.ts'
import type { ChosenExam } from './compare-patient.ts'

/** A chosen order or patient as its keeper has it at this moment; an exam is sent by nothing else. */
export interface ChosenNow {
  /** `beyond`: the archive has more than it gives, so that nobody knows whether the chosen one is there. */
  kind: 'there' | 'asking' | 'failed' | 'gone' | 'beyond' | 'cancelled'
  /** As of now where it is there, else as it was chosen. */
  exam: ChosenExam | undefined
  onAskAgain: () => void
}

/**
 * Asks again for what a person chose, as that may have been a while ago: an order at each opening of the step, and the
 * patient of an archive where the person comes back to the step.
 */
export function useChosenNow(study: Study, chosen: ChosenExam | undefined, isReturned: boolean): ChosenNow {
  const ofOrder = useOrderNow(chosen)
  const ofArchive = useArchiveNow(study, chosen, isReturned)
  return chosen?.orderId ? ofOrder : ofArchive
}

function useOrderNow(chosen: ChosenExam | undefined): ChosenNow {
  const uuid = chosen?.orderId ?? ''
  const maySee = useMayCall(orderGet)
  const { data, error, isFetchedAfterMount, refetch } = useQuery({
    ...orderQuery(uuid),
    enabled: maySee && uuid !== '',
  })
  const answered = { exam: chosen, onAskAgain: () => void refetch() }
  if (!maySee) return { ...answered, kind: 'gone' }
  if (error) return { ...answered, kind: failureCode(error) === 'NOT_FOUND' ? 'gone' : 'failed' }
  if (!data || !isFetchedAfterMount) return { ...answered, kind: 'asking' }
  return data.cancelled_at
    ? { ...answered, kind: 'cancelled' }
    : { ...answered, kind: 'there', exam: examOfOrder(data) }
}

function useArchiveNow(study: Study, chosen: ChosenExam | undefined, isReturned: boolean): ChosenNow {
  const archive = chosen?.archive
  const placeFlags = usePlaceFlags()
  const maySearch = mayCall(destinationSearch, placeFlags(study))
  const ask = useAskSearches(study.phi_namespace)
  const [answer] = useSearchAnswers(ask.data ?? [])
  const askAgain = () => {
    if (archive && maySearch) ask.mutate({ places: [archive], fields: { patientid: chosen.patientid } })
  }
  const askOnReturn = useEffectEvent(() => {
    if (isReturned) askAgain()
  })
  useEffect(() => askOnReturn(), [])
  const answered = { exam: chosen, onAskAgain: askAgain }
  if (!archive || !isReturned) return { ...answered, kind: 'there' }
  const isRefused = ask.data?.some(({ uuid }) => uuid === undefined)
  if (!maySearch || ask.isError || isRefused || answer?.isError || answer?.data?.state === 'failed')
    return { ...answered, kind: 'failed' }
  if (answer?.data?.state !== 'done') return { ...answered, kind: 'asking' }
  // an archive may hold one exam under two patients: of these the chosen one is meant, or nobody
  const listed = answer.data.results
    .filter((one) => one.study_uid === archive.studyUid)
    .map((one) => examOfFound(one, archive))
  const exam = listed.find((one) => isSamePatient(one, chosen)) ?? (listed.length === 1 ? listed[0] : undefined)
  if (exam) return { ...answered, kind: 'there', exam }
  return { ...answered, kind: answer.data.more === 1 ? 'beyond' : 'gone' }
}

function isSamePatient(one: ChosenExam, other: ChosenExam): boolean {
  const fields = ['patient_name', 'patient_birth_date', 'patient_sex', 'patientid', 'issuer'] as const
  return fields.every((field) => one[field] === other[field])
}
