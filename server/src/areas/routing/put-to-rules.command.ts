import type { Tx } from '../../db/database.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { listRuledRecords } from './put-to-rules.sql.ts'

/**
 * Has the routing rules look at records that became ready, in the transaction that made them so; `number` counts the
 * times of each record.
 */
export async function putReadyToRules(tx: Tx, ready: readonly { uuid: string; number: number }[]): Promise<void> {
  if (ready.length === 0) return
  const numbers = new Map(ready.map((one) => [one.uuid, one.number]))
  for (const { uuid, origin } of await listRuledRecords(tx, [...numbers.keys()], false)) {
    const occasion = `ready ${numbers.get(uuid) ?? 1}`
    await enqueue(
      tx,
      declaredJobs.lookAtRules,
      { studyUuid: uuid, trigger: origin, occasion, number: numbers.get(uuid) ?? 1, chain: [] },
      { key: `${uuid} ${occasion}`, group: `route ${uuid}` },
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
  for (const { uuid } of await listRuledRecords(tx, uuids, true)) {
    await enqueue(
      tx,
      declaredJobs.lookAtRules,
      { studyUuid: uuid, trigger: 'share', occasion, number: 1, chain: [...chain] },
      { key: `${uuid} ${occasion}`, group: `route ${uuid}` },
    )
  }
}
