import { randomUUID } from 'node:crypto'
import type { destinationRetrieve } from '@hilum/contract/calls/retrieve'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { insertRetrieval } from '../retrieve/retrieval.sql.ts'
import { findSearch } from '../retrieve/search.sql.ts'
import { findOpenDestination } from './destination.sql.ts'

export const retrieve: Handler<typeof destinationRetrieve> = async ({ services, input, caller, on, fail }) => {
  await services.db.transaction().execute(async (tx) => {
    const search = await findSearch(tx, input.destination_search_id)
    if (search?.user_uuid !== caller.userUuid) throw fail('NOT_FOUND')
    // only what a search has shown is fetched: nobody tries UIDs
    const found = search.results.find((one) => one.study_uid === input.study_uid)
    if (!found) throw fail('NOT_FOUND', { subtype: 'study_uid' })
    const destination = await findOpenDestination(tx, search.destination_uuid, on.namespaceUuid)
    if (!destination?.can_query_retrieve) throw fail('NOT_SUPPORTED')
    const uuid = randomUUID()
    const isNew = await insertRetrieval(tx, {
      uuid,
      account_uuid: on.accountUuid,
      node_uuid: destination.node_uuid,
      destination_uuid: destination.uuid,
      search_uuid: search.uuid,
      user_uuid: caller.userUuid,
      phi_namespace: on.namespaceUuid,
      study_uid: found.study_uid,
      total: found.image_count ?? null,
    })
    if (!isNew) return
    await enqueue(
      tx,
      declaredJobs.retrieveStudy,
      { retrievalUuid: uuid },
      {
        key: uuid,
        group: `retrieve:${destination.uuid}`,
        about: { userUuid: caller.userUuid, accountUuid: on.accountUuid },
      },
    )
    await writeAudit(tx, {
      accountUuid: on.accountUuid,
      caller,
      action: 'RETRIEVE',
      type: 'Destination',
      objectUuid: destination.uuid,
      phiNamespace: on.namespaceUuid,
      detail: { study_uid: found.study_uid, retrieval: uuid },
    })
  })
  return {}
}
