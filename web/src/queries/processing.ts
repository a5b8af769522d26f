import { destinationList } from '@hilum/contract/calls/destination'
import { type Order, orderGet } from '@hilum/contract/calls/order'
import { studySet } from '@hilum/contract/calls/study'
import { studyPushConfirm } from '@hilum/contract/calls/study-nominate'
import { numberInUse, type NumberInUse } from '@hilum/contract/entities/mrn-holder'
import type { Study } from '@hilum/contract/entities/study'
import type { InboxConfig } from '@hilum/contract/inbox-config'
import type { RejectionCode } from '@hilum/contract/rejection-codes'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiFailure, failureCode } from '../api/api-failure.ts'
import { callApi } from '../api/call-api.ts'
import { useEstablished } from '../session/session-store.ts'
import { inPlace, mayCall, useMayCall } from '../session/use-may.ts'
import { forgetUnsent, noteUnsent } from '../state/unsent-studies.ts'
import { destinationsQuery, isOpenTo, pushableFrom } from './destinations.ts'
import { namespacesQuery } from './namespaces.ts'
import { mrnsSeenOf } from './exam-acts.ts'
import { orderKeyOf } from './orders.ts'
import { readStudiesAgain } from './patch-studies.ts'
import { whileLocked } from './study-lock.ts'

export interface Gate {
  groupId: string
  config: InboxConfig
  /** Where the group may send to. */
  destinations: readonly { uuid: string; name: string; can_search: number; push_foreign: number }[]
  /** The list of destinations could not be loaded. */
  isWithoutList: boolean
  /** Destinations whose worklists are asked for orders. */
  worklists: readonly { uuid: string; name: string }[]
}

/** How the gatekeeper group of a study works (ENTITY-08); undefined while it loads, null where it is not configured. */
export function useGate(study: Pick<Study, 'phi_namespace'>): Gate | null | undefined {
  const { account } = useEstablished()
  const { data: inboxes } = useQuery(namespacesQuery(account.uuid))
  const inbox = inboxes?.find(({ namespaceId }) => namespaceId === study.phi_namespace)
  const maySee = inbox !== undefined && mayCall(inPlace(destinationList), inbox.permissions)
  const {
    data: all = [],
    isLoading,
    isLoadingError,
  } = useQuery({ ...destinationsQuery(account.uuid), enabled: maySee })
  if (!inboxes || isLoading) return undefined
  if (!inbox?.gate) return null
  const destinations = pushableFrom(all, inbox)
  const worklists = all.filter((one) => one.can_search_mwl === 1 && isOpenTo(one, inbox.id))
  return { groupId: inbox.id, config: inbox.gate, destinations, isWithoutList: isLoadingError, worklists }
}

export interface ProcessFields {
  destinationId: string
  priority: string
  /** The patient and exam as they are to leave. */
  payload: Readonly<Record<string, string>>
  reason?: string
  /** Why the exam is sent without an MRN. */
  mrnReason?: string
  /** Both patients were compared, and are one although they look different. */
  isPatientConfirmed?: boolean
  /** The order that the exam leaves under, with its fields as the person saw them. */
  order?: SeenOrder | undefined
}

interface SeenOrder {
  uuid: string
  seen: Readonly<Partial<Record<keyof Order, string>>>
}

/** PROCESS-14: locks, sets and unlocks the study, then confirms; the lock is given back whatever happens. */
export function useSendToPacs(study: Study, { config }: Gate) {
  const client = useQueryClient()
  const fields = config.meta_info_customfields
  const maySeeOrders = useMayCall(orderGet)
  return useMutation({
    mutationFn: async ({
      destinationId,
      priority,
      payload,
      reason,
      mrnReason,
      isPatientConfirmed,
      order,
    }: ProcessFields) => {
      // the exam is corrected by no order that reads otherwise by now; the server asks once more when it is sent
      if (order && maySeeOrders) await demandAsSeen(order)
      const { row_version } = await whileLocked(study.uuid, () =>
        callApi(studySet, {
          study_id: study.uuid,
          ...payload,
          row_version: study.row_version,
          // an image under another number that came meanwhile was not seen
          ...mrnsSeenOf(study),
          ...(reason ? { mrn_reason: reason } : {}),
          ...(isPatientConfirmed ? { patient_confirmed: 1 } : {}),
          [`customfield-${fields['push_destination']}`]: destinationId,
          ...(fields['priority'] ? { [`customfield-${fields['priority']}`]: priority } : {}),
        }),
      )
      // what this person wrote is confirmed, not what another one wrote since
      const seen = row_version === undefined ? {} : { row_version }
      const ordered = order ? { order_id: order.uuid, order_seen: order.seen } : {}
      const why = mrnReason ? { mrn_reason: mrnReason } : {}
      return callApi(studyPushConfirm, { uuid: study.uuid, ...seen, ...mrnsSeenOf(study), ...ordered, ...why })
    },
    onSuccess: () => forgetUnsent(study.uuid),
    onError: (failure, { order }) => {
      if (order) void client.invalidateQueries({ queryKey: orderKeyOf(order.uuid) })
      endUnsent(client, study, failure)
    },
  })
}

/** @throws ApiFailure as study/push/confirm does of an order that is gone, or reads otherwise than the person saw */
async function demandAsSeen({ uuid, seen }: SeenOrder): Promise<void> {
  const now = await callApi(orderGet, { uuid }).catch((failure: unknown) => {
    if (failureCode(failure) === 'NOT_FOUND') throw new ApiFailure('NOT_FOUND', { subtype: 'order_id' })
    throw failure
  })
  const isSame = Object.entries(seen).every(([field, value]) => now[field as keyof Order] === value) // its own keys
  if (now.cancelled_at) throw new ApiFailure('STALE', { subtype: 'order_cancelled' })
  if (!isSame) throw new ApiFailure('STALE', { subtype: 'order_changed' })
}

/** The number in which the MRN of a refused exam has ended; undefined for any other failure. */
export function readNumberInUse(failure: unknown): NumberInUse | undefined {
  if (!(failure instanceof ApiFailure) || failure.subtype !== 'mrn_merged') return undefined
  return numberInUse.safeParse(failure.data).data
}

/** Sends an exam that another person has matched, as this person sees it; one without an MRN for a reason. */
export function useConfirmMatch(study: Study) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (mrnReason: string | undefined) =>
      callApi(studyPushConfirm, {
        uuid: study.uuid,
        row_version: study.row_version,
        ...mrnsSeenOf(study),
        ...(mrnReason ? { mrn_reason: mrnReason } : {}),
      }),
    onSuccess: () => forgetUnsent(study.uuid),
    onError: (failure) => endUnsent(client, study, failure),
  })
}

/** Reads an exam again that was not sent; of one that is gone nothing else tells so. */
function endUnsent(client: QueryClient, { uuid }: Study, failure: Error): void {
  if (['NOT_FOUND', 'NOT_PERMITTED'].includes(failureCode(failure) ?? '')) noteUnsent(uuid)
  void readStudiesAgain(client, [uuid])
}

/** PROCESS-17: one change of the gatekeeper's record rejects, and the server tells the record that was nominated. */
export function useRejectNomination(study: Study, { config }: Gate) {
  const fields = config.meta_info_customfields
  return useMutation({
    mutationFn: ({ reason, code, message }: { reason: string; code: RejectionCode | ''; message: string }) =>
      whileLocked(study.uuid, () =>
        callApi(studySet, {
          study_id: study.uuid,
          [`customfield-${fields['is_process_form_rejected']}`]: '1',
          [`customfield-${fields['process_rejection_reason']}`]: reason,
          [`customfield-${fields['process_rejection_message']}`]: message,
          ...(code ? { rejection_code: code } : {}),
        }),
      ),
  })
}
