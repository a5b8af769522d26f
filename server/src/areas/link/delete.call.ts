import type { linkDelete } from '@hilum/contract/calls/link'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { endLink } from './link.sql.ts'
import { placeOf } from './link-place.policy.ts'

export const remove: Handler<typeof linkDelete> = async ({ services, input, caller, on, fail }) => {
  const { accountUuid, membership, objectUuid } = placeOf(on)
  await services.db.transaction().execute(async (tx) => {
    if (!(await endLink(tx, input.uuid))) throw fail('EXPIRED')
    await writeAudit(tx, {
      accountUuid,
      caller,
      action: 'DELETE',
      type: 'Link',
      objectUuid,
      phiNamespace: membership.namespaceUuid,
      detail: { link: input.uuid },
    })
  })
  return {}
}
