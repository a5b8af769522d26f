import type { auditDeleted } from '@hilum/contract/calls/audit'
import type { Handler } from '../handler.ts'
import { ofDeleted } from './account-audit.sql.ts'
import { loadAuditPage } from './audit-page.command.ts'

export const deleted: Handler<typeof auditDeleted> = async ({ services: { db }, input, list, on }) => {
  const { rows, page } = await loadAuditPage(db, on.accountUuid, ofDeleted(input.type), list, false)
  const objects = rows.map((row) => ({
    uuid: row.object_uuid ?? '',
    who: row.actor_name,
    proxy: row.proxy,
    when: row.at,
    client_address: row.client_address,
  }))
  return { objects, page }
}
