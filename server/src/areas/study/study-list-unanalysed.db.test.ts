import type { ListQuery } from '@hilum/contract/list'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { makeStudies, storeMadeStudies } from '../../../test/make-studies.ts'
import { unanalysedDatabase } from '../../../test/unanalysed-database.ts'
import { findCaller } from '../../access/find-caller.ts'
import { visibleStudies } from '../../access/study-scope.ts'
import { readFilter } from '../read-filter.ts'
import { studyListRules } from '@hilum/contract/calls/study'
import { listMatchingStudies } from '../dicomweb/qido.sql.ts'
import { readSearch } from '../dicomweb/read-search.ts'
import { listStudyKeys } from './study-list.sql.ts'
import { prepareStudyQuestion } from './study-question.command.ts'
import { listStudyRows } from './study-rows.sql.ts'

/*
 * For a minute or so after a large upload PostgreSQL knows nothing of what the tables hold. A page must be looked up by
 * whole keys then too: as many blocks are read for it as its rows take, however many there are beside them.
 */
const { db, blocksRead, one } = await unanalysedDatabase(['study', 'stored_study', 'study_source'])

const studies = 3000
const page = 50
/** A dozen look-ups a row, each some levels deep; the namespace read once a row would be a thousand times that. */
const mostBlocksARow = 40
/** Runs after which PostgreSQL has settled on one plan for a prepared statement. */
const rounds = 8

const organisation = await makeOrganisation(db)
const groups = await Promise.all(Array.from({ length: 3 }, () => organisation.addGroup()))
const person = await organisation.addPerson({ groups })
const caller = await findCaller(db, person.sid, '127.0.0.1')
if (!caller) throw new Error('The person has a session')
const scope = await visibleStudies(caller)
const here = groups[0]?.namespaceUuid ?? ''

/** Asks as from the first moment on: what was prepared over empty tables is used when they are full. */
async function askEmpty(): Promise<void> {
  for (let round = 0; round < rounds; round++) await listPage({})
}

async function listPage(filters: Record<string, string>, sort = 'created'): Promise<number> {
  if (!caller || caller.kind === 'link') return 0
  const query: ListQuery = {
    filters: Object.entries(filters).map(([key, value]) => readFilter(studyListRules, key, value)),
    sort: [{ field: sort, descending: true }],
    page: { number: 1, rows: page },
  }
  const question = await prepareStudyQuestion(db, scope, caller, query)
  const keys = await listStudyKeys(db, question, page, 0)
  // a key that is not there: nothing has been looked up over empty tables otherwise
  const asked = keys.length > 0 ? keys : [{ phi_namespace: here, uuid: here }]
  return (await listStudyRows(db, asked, caller.userUuid)).length
}

async function searchPage(query: Record<string, string>): Promise<number> {
  return (await listMatchingStudies(db, scope, readSearch('studies', { ...query, limit: String(page) }))).length
}

await askEmpty()
await makeStudies(
  db,
  organisation.accountUuid,
  Array.from({ length: studies }, (_, index) => ({
    // nearly all lie in one group
    phi_namespace: groups[index % 100 < 98 ? 0 : (index % 2) + 1]?.namespaceUuid ?? '',
    patient_name: `NAME${index}`,
    study_date: `2025${String(1 + (index % 12)).padStart(2, '0')}01`,
    created: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
  })),
)
await storeMadeStudies(db, 1)

it.each<[string, () => Promise<number>]>([
  ['the newest of a group', () => listPage({ 'filter.phi_namespace.equals': here })],
  ['the newest of all groups', () => listPage({})],
  ['the exam dates of a group', () => listPage({ 'filter.phi_namespace.equals': here }, 'study_date')],
  ['the names of a group', () => listPage({ 'filter.phi_namespace.equals': here }, 'patient_name')],
  ['a DICOMweb search of all groups', () => searchPage({})],
])('%s cost a look-up a row before PostgreSQL has analysed the tables', async (_, ask) => {
  const before = await blocksRead()
  for (let round = 0; round < rounds; round++) expect(await ask()).toBe(page)
  const read = (await blocksRead()) - before
  expect(read / rounds / page).toBeLessThan(mostBlocksARow)
})

it('the tables were not analysed meanwhile', async () => {
  expect(
    await one(sql`select count(*) from pg_stats where tablename in ('study', 'stored_study', 'study_source')`),
  ).toBe(0)
})
