import type { AccountAuditEvent } from '@hilum/contract/calls/audit'
import type { AccountAuditRow } from './account-audit.sql.ts'
import { withoutHidden, withoutSecrets, withWhom } from './audit-detail.ts'

/** @param hidden names of fields that the role of the reader does not see */
export function presentAccountAudit(row: AccountAuditRow, hidden: ReadonlySet<string>): AccountAuditEvent {
  const { study } = row
  return {
    uuid: String(row.id),
    action: row.action,
    type: row.type,
    what: row.object_uuid ?? '',
    who: row.actor_name,
    proxy: row.proxy,
    when: row.at,
    detail: withoutHidden(withoutSecrets(row.type, row.detail), hidden),
    with: withWhom(row.detail),
    client_address: row.client_address,
    actor_kind: row.actor_kind,
    actor_id: row.actor ?? '',
    object_name: row.object_name,
    names: row.names,
    study: study && {
      ...study,
      ...Object.fromEntries(Object.keys(study).flatMap((name) => (hidden.has(name) ? [[name, '']] : []))),
    },
  }
}
