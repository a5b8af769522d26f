import { orderList } from '@hilum/contract/calls/order'
import type { Study } from '@hilum/contract/entities/study'
import { useQuery } from '@tanstack/react-query'
import { useLiveOrders } from '../../queries/live-orders.ts'
import { studyOrdersQuery } from '../../queries/study-facts.ts'
import { useEstablished } from '../../session/session-store.ts'
import { useMayCall } from '../../session/use-may.ts'

/** Whether there is anything for the Orders tab, which is read again when an order of the place changes; PERM-16: orders are seen by a right in the account. */
export function useHasOrders(study: Study): boolean {
  const { account } = useEstablished()
  const maySee = useMayCall(orderList)
  useLiveOrders(study.phi_namespace)
  const query = studyOrdersQuery(account.uuid, study)
  const { data } = useQuery({ ...query, enabled: maySee && query.enabled === true })
  return (data?.length ?? 0) > 0
}
