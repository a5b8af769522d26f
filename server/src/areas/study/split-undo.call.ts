import type { studySplitUndo } from '@hilum/contract/calls/study-split'
import type { Handler } from '../handler.ts'
import { findSeparation } from '../separation/separation.sql.ts'
import { undoMerge } from '../separation/undo-merge.command.ts'
import { undoSeparation } from '../separation/undo-separation.command.ts'

export const splitUndo: Handler<typeof studySplitUndo> = async ({ services, input, caller, on: { record }, fail }) => {
  const one = await findSeparation(services.db, input.separation_id)
  if (!one || (one.study_uuid !== record.uuid && one.to_study_uuid !== record.uuid)) throw fail('NOT_FOUND')
  const uuid = await services.db.transaction().execute(async (tx) => {
    const undone =
      one.kind === 'merge'
        ? await undoMerge(tx, caller, one)
        : await undoSeparation(tx, caller, one, services.config.uidRoot)
    if (undone.kind === 'undone') return undone.uuid
    if (undone.why === 'locked') throw fail('LOCKED')
    throw fail('NOT_AVAILABLE', { subtype: undone.why })
  })
  services.events.ring()
  return { uuid }
}
