import { randomUUID } from 'node:crypto'
import type { destinationSearch } from '@hilum/contract/calls/retrieve'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { readCriteria } from '../retrieve/read-criteria.ts'
import { insertSearch } from '../retrieve/search.sql.ts'
import { findOpenDestination } from './destination.sql.ts'

export const search: Handler<typeof destinationSearch> = async ({ services, input, caller, on, fail }) => {
  const worklist = input.worklist === 1
  if (worklist && input.study_description) throw fail('INVALID_VALUE', { subtype: 'study_description' })
  const criteria = readCriteria(input, { isWorklist: worklist })
  const destination = await findOpenDestination(services.db, input.uuid, on.namespaceUuid)
  if (!destination) throw fail('NOT_FOUND')
  if (!(worklist ? destination.can_search_mwl : destination.can_search)) throw fail('NOT_SUPPORTED')
  const uuid = randomUUID()
  await services.db.transaction().execute(async (tx) => {
    await insertSearch(tx, {
      uuid,
      account_uuid: on.accountUuid,
      destination_uuid: destination.uuid,
      user_uuid: caller.userUuid,
      phi_namespace: on.namespaceUuid,
      worklist,
      criteria,
    })
    await enqueue(
      tx,
      declaredJobs.searchDestination,
      { searchUuid: uuid },
      // two of a destination at a time: one that hangs takes no room from the others
      {
        group: `search:${destination.uuid}/${uuid}`,
        about: { userUuid: caller.userUuid, accountUuid: on.accountUuid },
      },
    )
    await writeAudit(tx, {
      accountUuid: on.accountUuid,
      caller,
      action: 'SEARCH',
      type: 'Destination',
      objectUuid: destination.uuid,
      phiNamespace: on.namespaceUuid,
      // the query names a patient, and the record is there to say who asked for whom
      detail: { search: uuid, ...(worklist ? { worklist } : {}), ...criteria },
    })
  })
  return { uuid }
}
