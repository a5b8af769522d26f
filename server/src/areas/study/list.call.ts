import { mayDo } from '@hilum/contract/acts'
import type { studyList } from '@hilum/contract/calls/study'
import type { Handler } from '../handler.ts'
import { countOrdersOf } from '../order/exams-of-order.sql.ts'
import { listFieldDefinitions } from './field-definitions.ts'
import { prepareStudyQuestion } from './study-question.command.ts'
import { narrowStudy, presentStudy } from './study.presenter.ts'
import { countStudies, listStudyKeys } from './study-list.sql.ts'
import { listStudyRows } from './study-rows.sql.ts'

export const list: Handler<typeof studyList> = async ({ services, input, list, caller, on, origin }) => {
  const { rows: limit, number, wantsTotal } = list.page
  const question = await prepareStudyQuestion(services.db, on, caller, list)
  const keys = await listStudyKeys(services.db, question, limit + 1, (number - 1) * limit)
  const more = keys.length > limit ? 1 : 0
  const page = keys.slice(0, limit)
  const found = await listStudyRows(services.db, page, caller.userUuid)
  const definitions = await listFieldDefinitions(services.db, found)
  const rows = new Map(found.map((row) => [row.uuid, row]))
  const places = new Map(on.namespaces.map((one) => [one.namespaceUuid, one]))
  // counting costs two look-ups a study, and lists are asked for all the time
  const mayCount = ({ phi_namespace }: { phi_namespace: string }) => {
    const place = places.get(phi_namespace)
    return place !== undefined && mayDo('seeOrders', place)
  }
  const ordered = list.fields?.includes('order_count') ? page.filter(mayCount) : []
  const orderCounts = await countOrdersOf(
    services.db,
    ordered.map(({ uuid }) => uuid),
  )
  const studies = page.flatMap(({ uuid, phi_namespace }) => {
    const row = rows.get(uuid)
    const place = places.get(phi_namespace)
    if (!row || !place) return []
    const order_count = orderCounts.get(uuid)
    const study = {
      ...presentStudy(row, place, origin.host, definitions),
      ...(order_count === undefined ? {} : { order_count }),
    }
    return [narrowStudy(study, list.fields, input.customfield_h === 1)]
  })
  const isEnd = more === 0 && (page.length > 0 || number === 1)
  const counted = wantsTotal && !isEnd ? await countStudies(services.db, question) : undefined
  const total = isEnd ? (number - 1) * limit + page.length : counted
  return { studies, page: { more, rows: limit, number, ...(total === undefined ? {} : { total }) }, more }
}
