import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { type StudyRows, writeStudyRows } from './study-rows.ts'

/** Groups of an installation that is filled. */
export const GROUPS = 200
/** Groups that the one who asks belongs to. */
export const OWN_GROUPS = 50

export type Filled = StudyRows & { namespaces: readonly string[] }

/**
 * Fills an installation of one account and one person with made-up studies, and lets PostgreSQL take stock of them.
 * @param into namespaces that there are; without them 200 groups are added
 */
export async function fillStudies(
  client: pg.Client,
  folder: string,
  size: number,
  into?: readonly string[],
): Promise<Filled> {
  await client.query('set statement_timeout = 0')
  await client.query(`set maintenance_work_mem = '512MB'`)
  const { rows } = await client.query<{ account: string; person: string }>(
    'select account_uuid as account, user_uuid as person from account_user',
  )
  const { account = '', person = '' } = rows[0] ?? {}
  const namespaces = into ?? (await addGroups(client, account, person))
  const written = await writeStudyRows(folder, size, { accountUuid: account, namespaces, now: Date.now() })
  const makeIndexes = await dropIndexes(client, ['study', 'stored_study'])
  await client.query(`copy study (${written.studyColumns.join(', ')}) from '${written.studyFile}'`)
  await client.query(`copy stored_study (${written.storedStudyColumns.join(', ')}) from '${written.storedStudyFile}'`)
  await makeIndexes()
  await client.query('vacuum analyze')
  return { ...written, namespaces }
}

async function addGroups(client: pg.Client, account: string, person: string): Promise<string[]> {
  const namespaces: string[] = []
  for (let number = 0; number < GROUPS; number++) {
    const [group, namespace, name] = [randomUUID(), randomUUID(), `Bench ${number}`]
    namespaces.push(namespace)
    await client.query(
      `insert into app_group (uuid, account_uuid, name, namespace_uuid, designation) values ($1, $2, $3, $4, 'CLOUD')`,
      [group, account, name, namespace],
    )
    await client.query(
      `insert into namespace (uuid, kind, owner_uuid, account_uuid, name) values ($1, 'group', $2, $3, $4)`,
      [namespace, group, account, name],
    )
    if (number % (GROUPS / OWN_GROUPS) === 0)
      await client.query('insert into group_user (group_uuid, user_uuid) values ($1, $2)', [group, person])
  }
  return namespaces
}

/** Rows are copied in many times faster without indexes. @returns makes them as they were */
async function dropIndexes(client: pg.Client, tables: readonly string[]): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i
    where i.indrelid = any($1::regclass[])
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [tables],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return async () => {
    for (const { definition } of rows) await client.query(definition)
  }
}
