import type { Tx } from '../../db/database.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { listRuledRecords, lookKey } from './put-to-rules.sql.ts'
import { separatedBy } from './call-off-rules.command.ts'

/**
 * Has the routing rules look at records that became ready, in the transaction that made them so; `number` counts the
 * times of each record.
 * @param separation uuid of the separation or merge that made them ready: Undo calls the look off
 */
export async function putReadyToRules(
  tx: Tx,
  ready: readonly { uuid: string; number: number }[],
  separation?: string,
): Promise<void> {
  if (ready.length === 0) return
  const numbers = new Map(ready.map((one) => [one.uuid, one.number]))
  for (const { uuid, origin, undo_until: undoUntil } of await listRuledRecords(tx, [...numbers.keys()], false)) {
    const occasion = separation ? separatedBy(separation) : `ready ${numbers.get(uuid) ?? 1}`
    await enqueue(
      tx,
      declaredJobs.lookAtRules,
      { studyUuid: uuid, trigger: origin, occasion, number: numbers.get(uuid) ?? 1, chain: [] },
      { key: lookKey(uuid, occasion), group: `route ${uuid}`, ...(undoUntil ? { runAt: undoUntil } : {}) },
    )
  }
}

/**
 * The same for records that a share gave to their place, once all of their images are there.
 * @param chain uuids of the rules by which they came
 */
export async function putSharedToRules(
  tx: Tx,
  uuids: readonly string[],
  occasion: string,
  chain: readonly string[] = [],
): Promise<void> {
  if (uuids.length === 0) return
  for (const { uuid, undo_until: undoUntil } of await listRuledRecords(tx, uuids, true)) {
    await enqueue(
      tx,
      declaredJobs.lookAtRules,
      { studyUuid: uuid, trigger: 'share', occasion, number: 1, chain: [...chain] },
      { key: lookKey(uuid, occasion), group: `route ${uuid}`, ...(undoUntil ? { runAt: undoUntil } : {}) },
    )
  }
}
