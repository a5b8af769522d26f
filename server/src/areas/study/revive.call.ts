import { mayDo } from '@hilum/contract/acts'
import type { studyRevive } from '@hilum/contract/calls/study-acts'
import { isRolledBack } from '../../db/rolled-back.ts'
import type { Handler } from '../handler.ts'
import { type Restored, restoreRecord } from './restore-record.command.ts'

export const revive: Handler<typeof studyRevive> = async ({ services, caller, on, fail }) => {
  const restore = (): Promise<Restored> =>
    services.db.transaction().execute((tx) => restoreRecord(tx, caller, on.record))
  // a study that arrives at the same moment has a record then, beside which the images come in
  const restored = await restore().catch((error: unknown) => {
    if (!isRolledBack(error)) throw error
    return restore()
  })
  if (restored.kind === 'gone') throw fail('CAN_NOT_REVIVE')
  if (restored.kind === 'differs') throw fail('CAN_NOT_REVIVE', { subtype: restored.tags })
  services.events.ring()
  // whom an exam was shared with is for those alone who may see that
  const isShown = mayDo('seeShares', on) && Object.values(restored.access).some((count) => count > 0)
  const access = isShown ? { access: restored.access } : {}
  return restored.kind === 'merged' ? { uuid: restored.uuid, ...access } : access
}
