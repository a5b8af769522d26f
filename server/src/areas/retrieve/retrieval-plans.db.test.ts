import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { freshDatabase } from '../../../test/fresh-database.ts'
import { makeDestination } from '../../../test/make-destination.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { PlanReader } from '../../../test/plan-reader.ts'
import { openDatabase } from '../../db/database.ts'
import { listRetrievals } from './retrieval.sql.ts'

const { url } = await freshDatabase()
const { db } = openDatabase({ connectionString: url, max: 1 })
afterAll(() => db.destroy())
const query = async <Row>(text: string) => (await sql.raw<Row>(text).execute(db)).rows
const { accountUuid, addGroup, addPerson } = await makeOrganisation(db)
const [group, person] = [await addGroup(), await addPerson()]
const { uuid: destination, nodeUuid: node } = await makeDestination({ query }, accountUuid)

async function makeSearch(): Promise<string> {
  const uuid = randomUUID()
  await query(`insert into destination_search (uuid, account_uuid, destination_uuid, user_uuid, phi_namespace, criteria)
    values ('${uuid}', '${accountUuid}', '${destination}', '${person.userUuid}', '${group.namespaceUuid}', '{}')`)
  return uuid
}

/** Retrievals that a search asked for, of studies whose UIDs begin alike. */
async function makeRetrievals(
  search: string,
  { count, state, prefix }: { count: number; state: string; prefix: string },
) {
  await query(`with made as (
      insert into retrieval (uuid, account_uuid, node_uuid, destination_uuid, search_uuid, user_uuid, phi_namespace,
        study_uid, state, created)
      select gen_random_uuid(), '${accountUuid}', '${node}', '${destination}', '${search}', '${person.userUuid}',
        '${group.namespaceUuid}', '${prefix}' || n, '${state}', now() - make_interval(secs => n)
      from generate_series(1, ${count}) as n
      returning uuid
    )
    insert into retrieval_asker (retrieval_uuid, search_uuid, user_uuid)
    select uuid, '${search}', '${person.userUuid}' from made`)
}

it('reads for the progress of a search what it asked for and what is on its way, and no other retrieval', async () => {
  const [ours, others] = [await makeSearch(), await makeSearch()]
  await makeRetrievals(others, { count: 8_000, state: 'done', prefix: '1.2.' })
  await makeRetrievals(others, { count: 3, state: 'running', prefix: '1.3.' })
  await makeRetrievals(ours, { count: 5, state: 'failed', prefix: '1.4.' })
  await makeRetrievals(ours, { count: 5, state: 'done', prefix: '1.4.' })
  await makeRetrievals(ours, { count: 2, state: 'waiting', prefix: '1.5.' })
  await sql`analyze`.execute(db)
  const found = await listRetrievals(db, ours)
  const number = (prefix: string) => found.filter((one) => one.study_uid.startsWith(prefix)).length
  expect([number('1.2.'), number('1.3.'), number('1.4.'), number('1.5.'), found.length]).toEqual([0, 3, 5, 2, 10])
  const plans = new PlanReader()
  await listRetrievals(db.withPlugin(plans), ours)
  const text = plans.lines.join('\n')
  expect(text).toContain('retrieval_asker_of_search')
  expect(text).toContain('retrieval_once')
  expect(plans.lines.filter((line) => /Seq Scan on retrieval/.test(line))).toEqual([])
})
