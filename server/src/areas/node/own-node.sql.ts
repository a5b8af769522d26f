import type { NodeObject } from '@hilum/contract/calls/node'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'

/** A DICOM node of our own: the AE title that we call others by, and that retrieved studies are sent to. */
export type OwnNode = {
  uuid: string
  account_uuid: string
  name: string
  type: NodeObject['type']
  serial_no: number
  aetitle: string
}

/** Fields that the list is filtered and sorted by. */
export const nodeColumns = {
  uuid: { kind: 'uuid', column: sql.ref('n.uuid') },
  name: { kind: 'text', column: sql.ref('n.name') },
  aetitle: { kind: 'exact', column: sql.ref('n.aetitle') },
  type: { kind: 'exact', column: sql.ref('n.type') },
  serial_no: { kind: 'integer', column: sql.ref('n.serial_no') },
} as const
export const nodeOrder = sql`n.serial_no`

const columns = sql`n.uuid, n.account_uuid, n.name, n.type, n.serial_no, n.aetitle`

export async function listOwnNodes(
  db: Db,
  accountUuid: string,
  { where, orderBy, limit }: ListSql,
): Promise<OwnNode[]> {
  const { rows } = await sql<OwnNode>`
    select ${columns}, ${totalColumn}
    from node n
    where n.account_uuid = ${accountUuid} and ${where}
    order by ${orderBy}
    limit ${limit}
  `.execute(db)
  return rows
}

export async function findOwnNode(db: Db, uuid: string): Promise<OwnNode | undefined> {
  const { rows } = await sql<OwnNode>`
    select ${columns}
    from node n
    where n.uuid = ${uuid}
  `.execute(db)
  return rows[0]
}

/** The node that was made first in an account, which calls where no other is named. */
export async function findFirstNode(db: Db, accountUuid: string): Promise<OwnNode | undefined> {
  const { rows } = await sql<OwnNode>`
    select ${columns}
    from node n
    where n.account_uuid = ${accountUuid}
    order by n.serial_no
    limit 1
  `.execute(db)
  return rows[0]
}

export async function findNodeByAeTitle(db: Db, aetitle: string): Promise<OwnNode | undefined> {
  const { rows } = await sql<OwnNode>`
    select ${columns}
    from node n
    where n.aetitle = ${aetitle}
  `.execute(db)
  return rows[0]
}

export async function insertOwnNode(db: Db, one: Omit<OwnNode, 'serial_no'>): Promise<number> {
  const { rows } = await sql<{ serial_no: number }>`
    insert into node (uuid, account_uuid, name, type, aetitle)
    values (${one.uuid}, ${one.account_uuid}, ${one.name}, ${one.type}, ${one.aetitle})
    returning serial_no
  `.execute(db)
  return rows[0]?.serial_no ?? 0
}

export async function updateOwnNode(db: Db, uuid: string, to: Pick<OwnNode, 'name' | 'aetitle'>): Promise<void> {
  await sql`
    update node
    set name = ${to.name}, aetitle = ${to.aetitle}, updated = now()
    where uuid = ${uuid}
  `.execute(db)
}

/**
 * Deletes a node; false while a destination uses it, something is fetched by it, or a peer that was one still owes a report
 * on what it stored.
 */
export async function deleteOwnNode(tx: Tx, uuid: string): Promise<boolean> {
  // whoever enters a destination at this moment is waited for
  await sql`select from node where uuid = ${uuid} for update`.execute(tx)
  const { numAffectedRows } = await sql`
    delete from node n
    where n.uuid = ${uuid}
      and not exists (select from destination d where d.node_uuid = n.uuid and d.deleted_at is null)
      and not exists (select from retrieval r where r.node_uuid = n.uuid and r.state in ('waiting', 'running'))
      and not exists (
        select
        from destination d
        join push_commitment c on c.destination_uuid = d.uuid
        where d.node_uuid = n.uuid and c.waiting <> '{}' and c.created > now() - interval '30 days'
      )
  `.execute(tx)
  return numAffectedRows === 1n
}

/** Names of the destinations that are called by a node, the first 20. */
export async function listCallersBy(db: Db, uuid: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select d.name
    from destination d
    where d.node_uuid = ${uuid} and d.deleted_at is null
    order by d.name, d.uuid
    limit 20
  `.execute(db)
  return rows.map(({ name }) => name)
}

/** Keeps two who choose a title at the same moment apart, until the end of the transaction. */
export async function lockTitles(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('dicom titles'))`.execute(db)
}
