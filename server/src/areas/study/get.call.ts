import type { studyGet } from '@hilum/contract/calls/study'
import type { Handler } from '../handler.ts'
import { listFieldDefinitions } from './field-definitions.ts'
import { narrowStudy, presentStudy } from './study.presenter.ts'
import { listStudyRows } from './study-rows.sql.ts'

export const get: Handler<typeof studyGet> = async ({ services, input, caller, on, origin, fail }) => {
  const [row] = await listStudyRows(services.db, [on.record], caller.userUuid)
  if (!row) throw fail('NOT_FOUND')
  const definitions = await listFieldDefinitions(services.db, [row])
  return narrowStudy(
    presentStudy(row, on.membership, origin.host, definitions),
    input.fields,
    input.customfield_h === 1,
  )
}
