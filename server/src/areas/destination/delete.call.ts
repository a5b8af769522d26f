import type { destinationDelete } from '@hilum/contract/calls/destination'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { isUsed, listUsesOfDestination } from '../routing/uses.sql.ts'
import { findDestination, markDestinationDeleted } from './destination.sql.ts'

export const remove: Handler<typeof destinationDelete> = async ({ services, input, caller, fail }) => {
  await services.db.transaction().execute(async (tx) => {
    const destination = await findDestination(tx, input.uuid)
    if (!destination) throw fail('NOT_FOUND')
    const uses = await listUsesOfDestination(tx, destination.account_uuid, destination.uuid)
    if (isUsed(uses)) throw fail('IN_USE', { data: uses })
    await markDestinationDeleted(tx, destination.uuid)
    await writeAudit(tx, {
      accountUuid: destination.account_uuid,
      caller,
      action: 'DELETE',
      type: 'Destination',
      objectUuid: destination.uuid,
      detail: { name: destination.name, aetitle: destination.aetitle },
    })
  })
  return {}
}
