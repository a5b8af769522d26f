import type { Db } from '../../db/database.ts'
import { writeAudit, writeStudyAudit } from '../audit/audit.sql.ts'
import type { CalledNode } from '../node/node.sql.ts'

/** A peer that may query a place, and the association that it asks over. */
export interface AskingPeer {
  node: CalledNode
  calledTitle: string
  callingTitle: string
  address: string
  associationUuid: string
  /** Aborted when a right ends that the association began with. */
  isOver: AbortSignal
}

export type QueryService = 'C-FIND' | 'C-MOVE' | 'C-GET'

/** The end of a query or retrieval, as the record keeps it: numbers and titles, never what was searched for. */
interface QueryEnd {
  level: string
  /** As people write it, e.g. `FE00`. */
  status: string
  answers?: number
  sent?: number
  failed?: number
  destination?: string
  reason?: string
}

/** Puts on record how a query, or a retrieval, of a peer ended: also one that was refused. */
export function recordQuery(db: Db, peer: AskingPeer, service: QueryService, end: QueryEnd): Promise<void> {
  return writeAudit(db, {
    accountUuid: peer.node.accountUuid,
    caller: undefined,
    action: 'DICOM_QUERY',
    type: 'Namespace',
    objectUuid: peer.node.namespaceUuid,
    phiNamespace: peer.node.namespaceUuid,
    detail: { service, ...end, ...namesOf(peer) },
  })
}

/** Puts on record that a study leaves to a peer; before its first image. */
export function recordRetrieval(
  db: Db,
  peer: AskingPeer,
  service: QueryService,
  record: { account_uuid: string; uuid: string; phi_namespace: string },
  { images, destination }: { images: number; destination: string },
): Promise<void> {
  return writeStudyAudit(db, undefined, record, 'STUDY_RETRIEVE', { service, images, destination, ...namesOf(peer) })
}

function namesOf({ associationUuid, callingTitle, calledTitle, address }: AskingPeer) {
  return { association: associationUuid, calling_ae: callingTitle, called_ae: calledTitle, address }
}
