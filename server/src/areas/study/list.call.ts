import type { studyList } from '@hilum/contract/calls/study'
import type { Handler } from '../handler.ts'
import { findAlternatives } from '../filter/search-alternatives.command.ts'
import { askStudies } from './study-question.ts'
import { narrowStudy, presentStudy } from './study.presenter.ts'
import { listStudyKeys } from './study-list.sql.ts'
import { listStudyRows } from './study-rows.sql.ts'

export const list: Handler<typeof studyList> = async ({ services, list, caller, on, origin }) => {
  const { rows: limit, number } = list.page
  const question = askStudies(on, caller, list, await findAlternatives(services.db, caller, list))
  const keys = await listStudyKeys(services.db, question, limit + 1, (number - 1) * limit)
  const more = keys.length > limit ? 1 : 0
  const page = keys.slice(0, limit)
  const rows = new Map((await listStudyRows(services.db, page, caller.userUuid)).map((row) => [row.uuid, row]))
  const held = new Map(on.namespaces.map((one) => [one.namespaceUuid, one.permissions]))
  const studies = page.flatMap(({ uuid, phi_namespace }) => {
    const row = rows.get(uuid)
    const permissions = held.get(phi_namespace)
    return row && permissions ? [narrowStudy(presentStudy(row, permissions, origin.host), list.fields)] : []
  })
  return { studies, page: { more, rows: limit, number }, more }
}
