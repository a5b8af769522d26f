import { userEvent, userEventSet } from '@hilum/contract/calls/user-event'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callBundle, type BundleItem } from '../api/call-bundle.ts'
import type { Inbox } from './namespaces.ts'

/** The events that a person is mailed of (ACCOUNT-13). */
export interface EventChoices {
  user: boolean
  harvest: boolean
  /** Of all gatekeeper groups of the person; 'mixed' where some of them differ. */
  gatekeeper: boolean | 'mixed'
  approve: boolean
}

/** Choices to save: each kind on or off, the one of gatekeeper groups for all of them. */
export type EventChanges = { [kind in keyof EventChoices]?: boolean }

const key = 'event-choices'

/** Namespaces that the choices are kept with: the personal one, and those of the person's gatekeeper groups. */
export interface ChoicePlaces {
  own: string
  gatekeepers: readonly string[]
}

export function choicePlaces(own: string, inboxes: readonly Inbox[]): ChoicePlaces {
  const gatekeepers = inboxes.filter((one) => one.kind === 'group' && one.designation === 'GATEKEEPER')
  return { own, gatekeepers: gatekeepers.map((one) => one.namespaceId) }
}

export function eventChoicesQuery({ own, gatekeepers }: ChoicePlaces) {
  return queryOptions({
    queryKey: [key, own, gatekeepers],
    queryFn: async ({ signal }): Promise<EventChoices> => {
      const items = [own, ...gatekeepers].map((namespace_id) => ({ parameters: { namespace_id } }))
      const replies = (await callBundle(userEvent, items, signal)).map((one) => {
        if (!one.isDone) throw one.failure
        return one.reply
      })
      const [mine, ...others] = replies
      return {
        user: mine?.event_share === 1,
        harvest: mine?.event_harvest === 1,
        approve: mine?.event_approve === 1,
        gatekeeper: inAll(others.map((one) => one.event_share === 1)),
      }
    },
    staleTime: 0,
    gcTime: 0,
  })
}

function inAll(isOn: readonly boolean[]): boolean | 'mixed' {
  if (!isOn.includes(true)) return false
  return isOn.includes(false) ? 'mixed' : true
}

/** Saves in one request the choices that were changed, and those alone. @throws ApiFailure of the first that was refused */
export function useSaveEventChoices({ own, gatekeepers }: ChoicePlaces) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ user, harvest, approve, gatekeeper }: EventChanges) => {
      const flag = (isOn: boolean): 0 | 1 => (isOn ? 1 : 0)
      const ofOwn = {
        ...(user === undefined ? {} : { event_share: flag(user) }),
        ...(harvest === undefined ? {} : { event_harvest: flag(harvest) }),
        ...(approve === undefined ? {} : { event_approve: flag(approve) }),
      } as const
      const items: BundleItem<typeof userEventSet>[] = [
        ...(Object.keys(ofOwn).length > 0 ? [{ parameters: { namespace_id: own, ...ofOwn } }] : []),
        ...(gatekeeper === undefined ? [] : gatekeepers).map((namespace_id) => ({
          parameters: { namespace_id, event_share: flag(gatekeeper === true) } as const,
        })),
      ]
      for (const one of await callBundle(userEventSet, items)) if (!one.isDone) throw one.failure
    },
    onSettled: () => client.invalidateQueries({ queryKey: [key] }),
  })
}
