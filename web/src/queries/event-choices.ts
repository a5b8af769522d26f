import { userEvent, userEventSet } from '@hilum/contract/calls/user-event'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callBundle, type BundleItem } from '../api/call-bundle.ts'
import type { Inbox } from './namespaces.ts'

/** The events that a person is mailed of (ACCOUNT-13). */
export interface EventChoices {
  user: boolean
  harvest: boolean
  gatekeeper: boolean
  approve: boolean
}

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
        gatekeeper: others.length > 0 && others.every((one) => one.event_share === 1),
      }
    },
    staleTime: 0,
    gcTime: 0,
  })
}

/** Saves all choices in one request. @throws ApiFailure of the first that was refused */
export function useSaveEventChoices({ own, gatekeepers }: ChoicePlaces) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (choices: EventChoices) => {
      const flag = (isOn: boolean) => (isOn ? 1 : 0)
      const items: BundleItem<typeof userEventSet>[] = [
        {
          parameters: {
            namespace_id: own,
            event_share: flag(choices.user),
            event_harvest: flag(choices.harvest),
            event_approve: flag(choices.approve),
          },
        },
        ...gatekeepers.map((namespace_id) => ({
          parameters: { namespace_id, event_share: flag(choices.gatekeeper) } as const,
        })),
      ]
      for (const one of await callBundle(userEventSet, items)) if (!one.isDone) throw one.failure
    },
    onSettled: () => client.invalidateQueries({ queryKey: [key] }),
  })
}
