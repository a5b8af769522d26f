import type { linkDelete } from '@hilum/contract/calls/link'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { endLink } from './link.sql.ts'

export const remove: Handler<typeof linkDelete> = async ({ services, input, caller, on, fail }) => {
  const { record } = on
  await services.db.transaction().execute(async (tx) => {
    if (!(await endLink(tx, input.uuid))) throw fail('EXPIRED')
    await writeAudit(tx, {
      accountUuid: record.account_uuid,
      caller,
      action: 'DELETE',
      type: 'Link',
      objectUuid: record.uuid,
      phiNamespace: record.phi_namespace,
      detail: { link: input.uuid },
    })
  })
  return {}
}
