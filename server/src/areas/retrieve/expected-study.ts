import type { Db } from '../../db/database.ts'
import { isPeerAt } from '../destination/peer-address.ts'
import type { CalledNode } from '../node/node.sql.ts'
import { type ExpectedStudy, listExpected } from './retrieval.sql.ts'

/** A study on its way to one of our own nodes, and the place that it is fetched for. */
interface Expected {
  node: CalledNode
  studyUid: string
}

/**
 * The retrieval that an object from a peer belongs to. The peer must be the destination that was asked: by its AE title, or
 * by its address, since some archives send under another title than they answer to. Of several at once the Move
 * Originator Message ID tells which; each retrieval of a node has its own.
 * @param messageId undefined to ask whether there is any
 */
export async function findExpectedStudy(
  db: Db,
  calledTitle: string,
  peer: { callingTitle: string; address: string },
  messageId: number | undefined,
): Promise<Expected | undefined> {
  if (calledTitle.includes('\0')) return undefined
  const running = (await listExpected(db, calledTitle)) ?? []
  const ofPeer: ExpectedStudy[] = []
  for (const one of running) {
    if (await isPeerAt(one, peer)) ofPeer.push(one)
  }
  const meant = ofPeer.find((one) => messageId !== undefined && one.messageId === messageId) ?? ofPeer[0]
  if (!meant) return undefined
  const { namespaceUuid, accountUuid, studyUid } = meant
  return { node: { namespaceUuid, accountUuid, allowedPeers: null }, studyUid }
}
