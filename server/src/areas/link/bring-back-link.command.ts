import type { Tx } from '../../db/database.ts'
import type { Sealer } from '../../sealer.ts'
import type { LinkRow } from './link-list.sql.ts'
import { restoreLink, showsUnseenMixed } from './link.sql.ts'
import { linkError } from './link-values.policy.ts'
import { mailLinkAgain } from './mail-link.command.ts'

/**
 * Brings back a link that was revoked a short while ago, as it was; a mail that was taken back before it left goes again.
 * False when it is too late.
 * @throws ApiError NOT_READY where the mail would go out with images of several patients that nobody looked at
 * @param to the account and the address of the web app
 */
export async function bringBackLink(
  tx: Tx,
  sealer: Sealer,
  row: LinkRow,
  to: { accountUuid: string; address: string },
): Promise<boolean> {
  const restored = await restoreLink(tx, row.uuid)
  if (!restored) return false
  if (restored.lacksMail && (await showsUnseenMixed(tx, row.uuid))) throw linkError('mixed')
  return !restored.lacksMail || mailLinkAgain(tx, sealer, row, { ...to, email: row.email, isLater: true })
}
