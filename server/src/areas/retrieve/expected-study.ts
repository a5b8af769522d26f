import type { Db } from '../../db/database.ts'
import { isPeerAt } from '../destination/peer-address.ts'
import type { CalledNode } from '../node/node.sql.ts'
import { type ExpectedStudy, listExpected } from './retrieval.sql.ts'

interface Peer {
  callingTitle: string
  address: string
}

/** A study on its way to one of our own nodes, and the place that it is fetched for. */
interface Expected {
  node: CalledNode
  studyUid: string
}

/**
 * The retrieval that an object from a peer belongs to. The peer must be the destination that was asked: by its AE title, or
 * by its address, since some archives send under another title than they answer to. Of several at once the Move
 * Originator Message ID tells which; without one, the only one that the peer's AE title, else its address, stands for.
 * Nobody knows then for which of several places an object was sent, and it is taken for none.
 */
export async function findExpectedStudy(
  db: Db,
  calledTitle: string,
  peer: Peer,
  messageId: number | undefined,
): Promise<Expected | undefined> {
  const ofPeer = await listOfPeer(db, calledTitle, peer)
  const named = ofPeer.filter((one) => messageId !== undefined && one.messageId === messageId)
  const meant = onlyOne(named.length > 0 ? named : ofPeer, peer)
  if (!meant) return undefined
  const { namespaceUuid, accountUuid, studyUid } = meant
  return { node: { namespaceUuid, accountUuid, allowedPeers: null }, studyUid }
}

/** Whether anything is being retrieved from a peer by one of our nodes, and a place that it is retrieved for. */
export async function findAwaitingNode(db: Db, calledTitle: string, peer: Peer): Promise<CalledNode | undefined> {
  const [first] = await listOfPeer(db, calledTitle, peer)
  return first && { namespaceUuid: first.namespaceUuid, accountUuid: first.accountUuid, allowedPeers: null }
}

async function listOfPeer(db: Db, calledTitle: string, peer: Peer): Promise<ExpectedStudy[]> {
  if (calledTitle.includes('\0')) return []
  const ofPeer: ExpectedStudy[] = []
  for (const one of (await listExpected(db, calledTitle)) ?? []) {
    if (await isPeerAt(one, peer)) ofPeer.push(one)
  }
  return ofPeer
}

function onlyOne(found: readonly ExpectedStudy[], { callingTitle }: Peer): ExpectedStudy | undefined {
  const byTitle = found.filter((one) => one.aetitle === callingTitle)
  const [first, ...others] = byTitle.length > 0 ? byTitle : found
  return others.length === 0 ? first : undefined
}
