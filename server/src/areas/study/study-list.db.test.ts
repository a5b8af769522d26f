import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const app = await startTestApp()
const organisation = await makeOrganisation(app.services.db)
const groups = [await organisation.addGroup(), await organisation.addGroup(), await organisation.addGroup()]
const person = await organisation.addPerson({ groups: groups.slice(0, 2) })

/** Studies over all three groups in turn, the later the newer; the third group is not the person's. */
async function addStudies(count: number, name: string): Promise<void> {
  const namespaces = groups.map((group) => `'${group.namespaceUuid}'::uuid`)
  await app.query(`
    insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, patient_name, search,
      accession_number, arrival, created, updated)
    select n, gen_random_uuid(), '2.25.${BigInt(`0x${randomUUID().replaceAll('-', '')}`)}.' || i, n,
      '${organisation.accountUuid}', '${name}', lower('${name}'), '${name}' || i, 'complete',
      now() + make_interval(secs => i), now()
    from generate_series(1, ${count}) i
    cross join lateral (select (array[${namespaces.join(', ')}])[1 + i % 3] as n) place
  `)
}

async function listAccessions(filters: Record<string, unknown>): Promise<string[]> {
  const { body } = await app.call('study/list', { sid: person.sid, sort_by: 'created-desc', ...filters })
  return (body.studies as { accession_number: string }[]).map((study) => study.accession_number)
}

/** The studies that the person should find, newest first: every study but those of the third group. */
function expected(count: number, name: string): string[] {
  return Array.from({ length: count }, (_, index) => count - index)
    .filter((number) => number % 3 !== 2)
    .map((number) => `${name}${number}`)
}

test('a rare name is found in all groups of the caller, newest first, page by page', async () => {
  await addStudies(9, 'RAREBIRD')
  const found = expected(9, 'RAREBIRD')
  const filters = { 'filter.patient_name.like': '%arebi%', 'page.rows': 4 }
  expect(await listAccessions(filters)).toEqual(found.slice(0, 4))
  expect(await listAccessions({ ...filters, 'page.number': 2 })).toEqual(found.slice(4))
  expect(await listAccessions({ ...filters, 'page.number': 3 })).toEqual([])
})

test('a name that thousands have gives the same order and pages', async () => {
  await addStudies(9000, 'COMMON')
  const found = expected(9000, 'COMMON')
  const filters = { 'filter.patient_name.like': '%ommo%', 'page.rows': 50 }
  expect(await listAccessions(filters)).toEqual(found.slice(0, 50))
  expect(await listAccessions({ ...filters, 'page.number': 30 })).toEqual(found.slice(29 * 50, 30 * 50))
})

test('a name that nobody has gives nothing', async () => {
  expect(await listAccessions({ 'filter.patient_name.like': '%qqqq%' })).toEqual([])
})

test('a filter without an index of its own finds the newest of all groups, page by page', async () => {
  await addStudies(30, 'FILTERED')
  await app.query(`update study set study_description = 'Odd one' where accession_number like 'FILTERED%'`)
  const found = expected(30, 'FILTERED')
  const filters = { 'filter.study_description.equals': 'odd one', 'page.rows': 7 }
  expect(await listAccessions(filters)).toEqual(found.slice(0, 7))
  expect(await listAccessions({ ...filters, 'page.number': 3 })).toEqual(found.slice(14, 21))
  expect(await listAccessions({ ...filters, sort_by: 'accession_number-asc,created-desc' })).toEqual(
    found.toSorted().slice(0, 7),
  )
})

test('studies that wait for approval are shown where the caller may approve, and nowhere else', async () => {
  await addStudies(6, 'WAITING')
  await app.query(`update study set must_approve = true where accession_number like 'WAITING%'`)
  const approver = await organisation.addPerson({ role: 'Administrator', groups: groups.slice(0, 2) })
  const [first] = groups
  for (const filters of [
    { 'filter.patient_name.like': '%waiting%' },
    { 'filter.phi_namespace.equals': first?.namespaceUuid, 'filter.patient_name.like': '%waiting%' },
    { 'filter.must_approve.equals': 1 },
  ]) {
    expect(await listAccessions(filters)).toEqual([])
    const shown = await listAccessions({ ...filters, sid: approver.sid })
    expect(shown.length).toBeGreaterThan(0)
    const counted = async (who: object) =>
      (await app.call('study/count', { sid: person.sid, ...filters, ...who })).body.count
    expect([await counted({}), await counted({ sid: approver.sid })]).toEqual([0, shown.length])
  }
})
