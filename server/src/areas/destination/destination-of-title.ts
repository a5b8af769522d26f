import type { Db } from '../../db/database.ts'
import { type DestinationRow, listDestinationsByTitle } from './destination.sql.ts'
import { isAddress } from './peer-address.ts'

interface AskedTitle {
  title: string
  /** The place that is asked; destinations that are not open to it do not count. */
  namespaceUuid: string
  /** IP address of the peer that names the title. */
  askingAddress: string
}

/**
 * The destination that a peer means by an AE title. A title that several destinations share means the one at the address of
 * the peer, by name or IP; where none or several are, it means none: images must not go to a machine that nobody named.
 * @param isForPush destinations that studies are sent to, alone
 */
export async function findDestinationOfTitle(
  db: Db,
  { title, namespaceUuid, askingAddress }: AskedTitle,
  isForPush: boolean,
): Promise<DestinationRow | undefined> {
  const named = await listDestinationsByTitle(db, title, namespaceUuid, isForPush)
  if (named.length < 2) return named[0]
  const isThere = await Promise.all(named.map((one) => isAddress(one.address, askingAddress)))
  const there = named.filter((_, index) => isThere[index])
  return there.length === 1 ? there[0] : undefined
}
