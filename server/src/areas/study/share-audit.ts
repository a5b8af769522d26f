import type { RecipientKind } from '@hilum/contract/calls/study-share'
import type { Tx } from '../../db/database.ts'
import { type AuditEntry, writeAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import { findRecipientName } from './recipient-name.sql.ts'

/** Notes in the history of the sender's record what was done to a share of it, and tells whoever looks at the record. */
export async function noteShare(
  tx: Tx,
  caller: AuditEntry['caller'],
  record: { account_uuid: string; uuid: string; phi_namespace: string },
  share: { uuid: string; to_kind: RecipientKind; to_uuid: string },
  { action, ...facts }: { action: 'SCHEDULE'; delay: number } | ({ action: 'EDIT' } & ShareEdit),
): Promise<void> {
  await writeAudit(tx, {
    accountUuid: record.account_uuid,
    caller,
    action,
    type: 'Study_share',
    objectUuid: record.uuid,
    phiNamespace: record.phi_namespace,
    detail: {
      with: await findRecipientName(tx, share.uuid),
      to: `${share.to_kind} ${share.to_uuid}`,
      share: share.uuid,
      ...facts,
    },
  })
  await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
}

/** Changes of a share, as its history tells them; moments are stamps of the wire, from before and from now on. */
interface ShareEdit {
  /** When it leaves. */
  run_at?: [string | null, string | null]
  /** Null for no end. */
  expires_at?: [string | null, string | null]
  /** Files go along that did not. */
  attachments?: true
  /** Words of the message are not kept in a history. */
  message?: true
  /** Values of custom fields are not kept in a history. */
  customfields?: true
  /** Somebody else than before is the sender of the share that waits. */
  taken_over?: true
}
