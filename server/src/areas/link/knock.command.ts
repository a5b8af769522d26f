import { addressKey } from '../../access/address-key.ts'
import { digestOf } from '../../access/sid.ts'
import type { Database } from '../../db/database.ts'
import { perLinkAddress } from '../session/attempt-rules.ts'
import { giveBackAttempt, mayAttempt } from '../session/attempt.sql.ts'
import { findKnockedLink, type KnockedLink } from './link-session.sql.ts'

/**
 * The link behind the secret of an address. Counted before it is looked for, so that secrets cannot be found by trying
 * many.
 * @param earlierSid hex digest of the sid of a session of the link, of whoever knocks
 * @returns 'locked out' for an address that tried too many that are none; undefined when there is no such link
 */
export async function knockAtLink(
  db: Database,
  secret: string,
  clientAddress: string,
  earlierSid?: string,
): Promise<KnockedLink | 'locked out' | undefined> {
  const byAddress = digestOf(addressKey(clientAddress))
  if (!(await mayAttempt(db, 'link-address', byAddress, perLinkAddress))) return 'locked out'
  const link = await findKnockedLink(db, digestOf(secret.trim()), digestFrom(earlierSid))
  if (link) await giveBackAttempt(db, 'link-address', byAddress)
  return link
}

const digestFrom = (hex: string | undefined) =>
  hex && /^[0-9a-f]{64}$/.test(hex) ? Buffer.from(hex, 'hex') : undefined
