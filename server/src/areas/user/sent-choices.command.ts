import type { Tx } from '../../db/database.ts'
import { type ChosenEvent, findChoice, putChoice } from './event-choice.sql.ts'

/** Events that people choose to be mailed of, in the order of the wire. */
const chosenEvents = ['event_share', 'event_harvest', 'event_approve'] as const satisfies readonly ChosenEvent[]
export type SentChoices = { [Event in ChosenEvent]?: 0 | 1 | undefined }

export function sendsChoices(sent: SentChoices): boolean {
  return chosenEvents.some((event) => sent[event] !== undefined)
}

/** Keeps the choices that were sent. @returns those that changed, with the old value (null for none) and the new one */
export async function putSentChoices(
  tx: Tx,
  { userUuid, namespaceUuid }: { userUuid: string; namespaceUuid: string },
  sent: SentChoices,
): Promise<Record<string, [number | null, number]>> {
  const changed: Record<string, [number | null, number]> = {}
  for (const event of chosenEvents) {
    const flag = sent[event]
    if (flag === undefined) continue
    const before = await findChoice(tx, userUuid, namespaceUuid, event)
    if (before === (flag === 1)) continue
    await putChoice(tx, { userUuid, namespaceUuid, event, isOn: flag === 1 })
    changed[event] = [before === undefined ? null : Number(before), flag]
  }
  return changed
}
