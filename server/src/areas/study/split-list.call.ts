import type { Separation, studySplitList } from '@hilum/contract/calls/study-split'
import { findRecordByUuid } from '../../access/study-record.sql.ts'
import type { Handler } from '../handler.ts'
import { findSeparation, listSeparations } from '../separation/separation.sql.ts'
import { listUndoMergeObstacles } from '../separation/undo-merge.command.ts'
import { listUndoObstacles } from '../separation/undo-separation.command.ts'

export const splitList: Handler<typeof studySplitList> = async ({ services: { db }, on: { record } }) => {
  const separations: Separation[] = []
  for (const row of await listSeparations(db, record.uuid)) {
    const isSource = row.study_uuid === record.uuid
    const other = (isSource ? row.to_study_uuid : row.study_uuid) ?? ''
    const there = other ? await findRecordByUuid(db, other) : undefined
    const one = row.state === 'made' ? await findSeparation(db, row.uuid) : undefined
    const { uuid, kind, state, images, done, message, reason, created, created_by_name } = row
    separations.push({
      uuid,
      kind,
      state,
      is_source: Number(isSource),
      other_uuid: there && !there.deleted ? other : '',
      images,
      done,
      message,
      reason,
      created,
      created_by_name,
      undo_obstacles: one ? await (one.kind === 'merge' ? listUndoMergeObstacles : listUndoObstacles)(db, one) : [],
    })
  }
  return { separations }
}
