import type { Db } from '../../db/database.ts'
import { mustApproveCode } from './share-recipient.policy.ts'
import { findRecipient, findRecipientOfCode, type Recipient } from './share-recipient.sql.ts'
import type { ShareRow } from './share.sql.ts'

/** The recipient of a share that was made before, as it may be given to at present. */
export async function findRecipientOfShare(
  db: Db,
  accountUuid: string,
  share: Pick<ShareRow, 'to_kind' | 'to_uuid' | 'by_code'>,
): Promise<Recipient | undefined> {
  const named = { kind: share.to_kind, uuid: share.to_uuid }
  if (!share.by_code) return findRecipient(db, accountUuid, named)
  const found = await findRecipientOfCode(db, named)
  return found && { ...found, must_approve: mustApproveCode(found) }
}
