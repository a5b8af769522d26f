import type { NamespaceKind } from '../../access/caller.ts'
import type { Db } from '../../db/database.ts'
import { findChoice, findHarvestChoice } from './event-choice.sql.ts'
import { isMailedAtFirst } from './event.policy.ts'

/** Of which events of a namespace a person is mailed. */
export async function readChoices(
  db: Db,
  userUuid: string,
  place: { namespaceUuid: string; kind: NamespaceKind },
): Promise<{ event_share: 0 | 1; event_harvest: 0 | 1; event_approve: 0 | 1 }> {
  const chosen = await findChoice(db, userUuid, place.namespaceUuid, 'event_share')
  const isHarvestMailed = await findHarvestChoice(db, userUuid, place.namespaceUuid)
  const isApprovalMailed = await findChoice(db, userUuid, place.namespaceUuid, 'event_approve')
  return {
    event_share: (chosen ?? isMailedAtFirst(place)) ? 1 : 0,
    event_harvest: isHarvestMailed ? 1 : 0,
    event_approve: isApprovalMailed ? 1 : 0,
  }
}
