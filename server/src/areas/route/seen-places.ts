import { mayDo } from '@hilum/contract/acts'
import type { Caller } from '../../access/caller.ts'

/** Namespaces whose studies the caller may see with every field: elsewhere even a count by conditions would tell of patients. */
export async function listSeenPlaces(caller: Caller): Promise<string[]> {
  const places = (await caller.memberships()).filter(
    (one) => mayDo('viewStudy', one) && Object.keys(one.fieldFlags).length === 0,
  )
  return places.map((one) => one.namespaceUuid)
}

/** Namespaces whose studies the caller may see before they are approved. */
export async function listApprovingPlaces(caller: Caller): Promise<string[]> {
  const places = (await caller.memberships()).filter((one) => mayDo('approveStudy', one))
  return places.map((one) => one.namespaceUuid)
}
