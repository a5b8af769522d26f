import { orderList } from '@hilum/contract/calls/order'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { subscribe } from '../api/channel.ts'
import { useEstablished } from '../session/session-store.ts'
import { mayCall } from '../session/use-may.ts'
import { namespacesQuery } from './namespaces.ts'
import { orderKey } from './orders.ts'

/** Changes of a moment are answered together: an interface sends hundreds of orders at once when it was held up. */
const gatherMs = 400

/**
 * Reads orders again when the server says that some of a place changed.
 * @param only the one place that is looked at; without it all places whose orders the person may see
 */
export function useLiveOrders(only?: string): void {
  const client = useQueryClient()
  const { account } = useEstablished()
  const { data: places = [] } = useQuery(namespacesQuery(account.uuid))
  const heard = places.filter(
    (place) => (only === undefined || place.namespaceId === only) && mayCall(orderList, place.permissions),
  )
  const joined = heard.map(({ namespaceId }) => namespaceId).join(' ')
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const readAgain = () => {
      timer = undefined
      void client.invalidateQueries({ queryKey: [orderKey] })
    }
    const stops = joined
      .split(' ')
      .filter(Boolean)
      .map((namespaceId) =>
        subscribe(`order.${namespaceId}`, () => {
          timer ??= setTimeout(readAgain, gatherMs)
        }),
      )
    return () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }, [client, joined])
}
