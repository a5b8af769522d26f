import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export interface CalledNode {
  namespaceUuid: string
  accountUuid: string
  /** The namespace's setting `dicom_allowed_peers`; null when it has none. */
  allowedPeers: string | null
}

/** A namespace that is called, and who may ask it for studies. */
export interface PlaceWithPeers extends CalledNode {
  /** The namespace's setting `dicom_query_peers`; null when it has none. */
  queryPeers: string | null
  /** The namespace's setting `dicom_worklist_peers`; null when it has none. */
  worklistPeers: string | null
}

/** The namespace that a called AE title stands for. */
export async function findNodeByTitle(db: Db, calledTitle: string): Promise<PlaceWithPeers | undefined> {
  const { rows } = await sql<PlaceWithPeers>`
    select n.uuid as "namespaceUuid", n.account_uuid as "accountUuid", peers.value as "allowedPeers",
      askers.value as "queryPeers", modalities.value as "worklistPeers"
    from setting title
    join namespace n on n.uuid = title.scope_uuid
    left join setting peers on peers.scope = 'namespace' and peers.scope_uuid = n.uuid and peers.key = 'dicom_allowed_peers'
    left join setting askers on askers.scope = 'namespace' and askers.scope_uuid = n.uuid and askers.key = 'dicom_query_peers'
    left join setting modalities on modalities.scope = 'namespace' and modalities.scope_uuid = n.uuid
      and modalities.key = 'dicom_worklist_peers'
    where title.scope = 'namespace' and title.key = 'dicom_ae_title' and title.value = ${calledTitle}
  `.execute(db)
  return rows[0]
}

interface TitledPlace {
  kind: 'account' | 'group' | 'location'
  uuid: string
  name: string
  ae_title: string
  /** The settings as they are kept; null where there is none. */
  senders: string | null
  query_peers: string | null
  worklist_peers: string | null
}

/** The organisation, groups and locations of an account that have an AE title, by that title. */
export async function listTitledPlaces(db: Db, accountUuid: string, most: number): Promise<TitledPlace[]> {
  const { rows } = await sql<TitledPlace>`
    select n.kind, n.owner_uuid as uuid, n.name, title.value as ae_title, peers.value as senders,
      askers.value as query_peers, modalities.value as worklist_peers
    from namespace n
    join setting title on title.scope = 'namespace' and title.scope_uuid = n.uuid and title.key = 'dicom_ae_title'
    left join setting peers on peers.scope = 'namespace' and peers.scope_uuid = n.uuid and peers.key = 'dicom_allowed_peers'
    left join setting askers on askers.scope = 'namespace' and askers.scope_uuid = n.uuid and askers.key = 'dicom_query_peers'
    left join setting modalities on modalities.scope = 'namespace' and modalities.scope_uuid = n.uuid
      and modalities.key = 'dicom_worklist_peers'
    where n.account_uuid = ${accountUuid} and n.kind <> 'user' and n.gone_at is null and title.value <> ''
    order by title.value, n.uuid
    limit ${most}
  `.execute(db)
  return rows
}

/** Reserves an AE title until the transaction ends. */
export async function lockTitle(db: Db, title: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('ae title ' || ${title}::text, 0))`.execute(db)
}

export type AssociationOutcome = 'released' | 'refused' | 'aborted' | 'lost' | 'timeout' | 'protocol' | 'failed'

export interface AssociationRow {
  uuid: string
  accountUuid: string
  namespaceUuid: string
  calledTitle: string
  callingTitle: string
  address: string
  isTls: boolean
  began: Date
  ended: Date
  outcome: AssociationOutcome
  reason: string
  stored: number
  duplicates: number
  conflicts: number
  failed: number
  bytes: number
  failures: readonly ReportedSender[]
  /** Warnings about objects that were kept. */
  warnings: readonly ReportedSender[]
}

/** A message to a sender, and the number of objects that it was about. */
export interface ReportedSender {
  status: string
  reason: string
  count: number
}

export async function insertAssociation(db: Db, row: AssociationRow): Promise<void> {
  await sql`
    insert into dicom_association (uuid, account_uuid, namespace_uuid, called_title, calling_title, address, is_tls, began,
      ended, outcome, reason, stored, duplicates, conflicts, failed, bytes, failures, warnings)
    values (${row.uuid}, ${row.accountUuid}, ${row.namespaceUuid}, ${row.calledTitle}, ${row.callingTitle}, ${row.address},
      ${row.isTls}, ${row.began}, ${row.ended}, ${row.outcome}, ${row.reason}, ${row.stored}, ${row.duplicates},
      ${row.conflicts}, ${row.failed}, ${row.bytes}, ${JSON.stringify(row.failures)}::jsonb,
      ${JSON.stringify(row.warnings)}::jsonb)
  `.execute(db)
}

/** Deletes reports of associations that ended before. */
export async function deleteAssociationsBefore(db: Db, before: Date): Promise<void> {
  await sql`
    delete from dicom_association
    where ended < ${before}
  `.execute(db)
}

/** The record under which a namespace lists a study. */
export async function findRecordUuid(db: Db, namespaceUuid: string, studyUid: string): Promise<string | undefined> {
  const { rows } = await sql<{ uuid: string }>`
    select uuid
    from study
    where phi_namespace = ${namespaceUuid} and study_uid = ${studyUid} and deleted_at is null
  `.execute(db)
  return rows[0]?.uuid
}
