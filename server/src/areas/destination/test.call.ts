import type { destinationTest } from '@hilum/contract/calls/destination'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { findDestination, setHealth } from './destination.sql.ts'
import { probeDestination } from './probe-destination.command.ts'

export const test: Handler<typeof destinationTest> = async ({ services, input, caller, fail }) => {
  const destination = await findDestination(services.db, input.uuid)
  if (!destination) throw fail('NOT_FOUND')
  const health = await probeDestination(services, destination, input.send_image === 1)
  await services.db.transaction().execute(async (tx) => {
    await setHealth(tx, destination.uuid, health)
    await writeAudit(tx, {
      accountUuid: destination.account_uuid,
      caller,
      action: 'TEST',
      type: 'Destination',
      objectUuid: destination.uuid,
      detail: Object.fromEntries(health.steps.map(({ step, outcome }) => [step, outcome])),
    })
  })
  return health
}
