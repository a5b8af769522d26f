import type { Db } from '../../db/database.ts'
import { isPeerAt } from '../destination/peer-address.ts'
import type { CalledNode } from '../node/node.sql.ts'
import { listAwaitedReports } from './commitment.sql.ts'

/** The place of an exam that a peer, calling a node of our own, has still to report on. */
export async function findAwaitedReport(
  db: Db,
  calledTitle: string,
  peer: { callingTitle: string; address: string },
): Promise<CalledNode | undefined> {
  if (calledTitle.includes('\0')) return undefined
  for (const one of await listAwaitedReports(db, calledTitle)) {
    if (!(await isPeerAt(one, peer))) continue
    return { namespaceUuid: one.namespaceUuid, accountUuid: one.accountUuid, allowedPeers: null }
  }
  return undefined
}
