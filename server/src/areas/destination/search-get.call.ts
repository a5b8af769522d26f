import { factsOf, mayDo } from '@hilum/contract/acts'
import type { destinationSearchGet } from '@hilum/contract/calls/retrieve'
import type { Handler } from '../handler.ts'
import { listRetrievals } from '../retrieve/retrieval.sql.ts'
import { findSearch, listStudiesHere } from '../retrieve/search.sql.ts'

export const searchGet: Handler<typeof destinationSearchGet> = async ({ services, input, caller, on, fail }) => {
  const { db } = services
  const search = await findSearch(db, input.uuid)
  if (search?.user_uuid !== caller.userUuid) throw fail('NOT_FOUND')
  const seesWaiting = mayDo('findStudy', { ...on, facts: factsOf({ awaitsApproval: true }) })
  const uids = search.results.map((one) => one.study_uid)
  const [here, retrievals] = await Promise.all([
    listStudiesHere(db, search.phi_namespace, uids, seesWaiting),
    listRetrievals(db, search.uuid),
  ])
  const hereByUid = new Map(here.map((one) => [one.study_uid, one]))
  const retrievalByUid = new Map(retrievals.map((one) => [one.study_uid, one]))
  return {
    uuid: search.uuid,
    destination_id: search.destination_uuid,
    state: search.state,
    message: search.message,
    more: search.is_cut ? 1 : 0,
    orders: search.orders.map((one, item) => ({ item, ...one })),
    results: search.results.map(({ is_name_unread, ...one }) => {
      const record = hereByUid.get(one.study_uid)
      const retrieval = retrievalByUid.get(one.study_uid)
      return {
        ...one,
        name_unread: is_name_unread ? 1 : 0,
        here_id: record?.uuid ?? '',
        here_image_count: record?.image_count ?? 0,
        retrieval: retrieval
          ? {
              state: retrieval.state,
              message: retrieval.message,
              completed: retrieval.completed,
              total: retrieval.total,
            }
          : null,
      }
    }),
  }
}
