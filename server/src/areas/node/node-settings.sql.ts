import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { aeTitleSetting, allowedPeersSetting, queryPeersSetting, worklistPeersSetting } from './peer-rules.ts'

/** A place that DICOM senders may call, and how. */
export interface NodeSettings {
  namespaceUuid: string
  accountUuid: string
  name: string
  accountName: string
  /** Null while nobody can call it. */
  title: string | null
  /** As kept; null while only programs of this machine may send. */
  allowedPeers: string | null
  /** As kept; null while nobody may query. */
  queryPeers: string | null
  /** As kept; null while nobody may ask for the worklist. */
  worklistPeers: string | null
}

/** The groups and organisations, and whatever else has an AE title, by name. */
export async function listNodeSettings(db: Db): Promise<NodeSettings[]> {
  const { rows } = await sql<NodeSettings>`
    select n.uuid as "namespaceUuid", n.account_uuid as "accountUuid", n.name, a.name as "accountName", title.value as title,
      peers.value as "allowedPeers", askers.value as "queryPeers",
      modalities.value as "worklistPeers"
    from namespace n
    join account a on a.uuid = n.account_uuid
    left join setting title
      on title.scope = 'namespace' and title.scope_uuid = n.uuid and title.key = ${aeTitleSetting}
    left join setting peers
      on peers.scope = 'namespace' and peers.scope_uuid = n.uuid and peers.key = ${allowedPeersSetting}
    left join setting askers
      on askers.scope = 'namespace' and askers.scope_uuid = n.uuid and askers.key = ${queryPeersSetting}
    left join setting modalities
      on modalities.scope = 'namespace' and modalities.scope_uuid = n.uuid and modalities.key = ${worklistPeersSetting}
    where n.gone_at is null and (n.kind <> 'user' or title.value is not null)
    order by n.name, n.uuid
  `.execute(db)
  return rows
}

export interface StoredAssociationReport {
  ended: Date
  calledTitle: string
  callingTitle: string
  address: string
  isTls: boolean
  outcome: string
  reason: string
  stored: number
  duplicates: number
  conflicts: number
  failed: number
  failures: readonly { status: string; reason: string; count: number }[]
}

/** Reports of the newest associations, newest first. */
export async function listAssociations(db: Db, count: number): Promise<StoredAssociationReport[]> {
  const { rows } = await sql<StoredAssociationReport>`
    select ended, called_title as "calledTitle", calling_title as "callingTitle", address, is_tls as "isTls", outcome, reason,
      stored, duplicates, conflicts, failed, failures
    from dicom_association
    order by ended desc, uuid desc
    limit ${count}
  `.execute(db)
  return rows
}
