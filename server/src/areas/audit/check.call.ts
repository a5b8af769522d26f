import { randomUUID } from 'node:crypto'
import type { auditCheck } from '@hilum/contract/calls/audit'
import type { Handler } from '../handler.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { presentCheck } from './audit-check.presenter.ts'
import { beginCheck, findCheck } from './audit-check.sql.ts'

export const check: Handler<typeof auditCheck> = async ({ services, caller, on }) => {
  const { accountUuid } = on
  await services.db.transaction().execute(async (tx) => {
    const uuid = randomUUID()
    const by = { user_uuid: caller.userUuid, user_name: caller.name, client_address: caller.clientAddress }
    if (!(await beginCheck(tx, { uuid, account_uuid: accountUuid, ...by }))) return
    const about = { userUuid: caller.userUuid, accountUuid }
    await enqueue(
      tx,
      declaredJobs.checkAudit,
      { checkUuid: uuid, accountUuid },
      { group: `audit:${accountUuid}`, about },
    )
  })
  return presentCheck(await findCheck(services.db, accountUuid))
}
