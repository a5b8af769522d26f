import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { makeOrganisation, type Organisation } from '../../../test/make-organisation.ts'
import { makeStudies } from '../../../test/make-studies.ts'
import { PlanReader } from '../../../test/plan-reader.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { listSql } from '../list-page.sql.ts'
import { listOutside, newestOutside, outsideColumns } from './outside.sql.ts'

const { services } = await startTestApp()
const { db } = services
const [asking, first, second] = await Promise.all([1, 2, 3].map(() => makeOrganisation(db)))
if (!asking || !first || !second) throw new Error('three were made')

/** Copies that one organisation kept of exams of another, whose shares are over. */
async function makeCopies(from: Organisation, to: Organisation, count: number, at?: { namespaceUuid: string }) {
  const [origin, place] = [at ?? (await from.addGroup()), await to.addGroup()]
  const made = async (at: { namespaceUuid: string }, accountUuid: string) =>
    await makeStudies(
      db,
      accountUuid,
      Array.from({ length: count }, () => ({ phi_namespace: at.namespaceUuid })),
    )
  const [origins, copies] = [await made(origin, from.accountUuid), await made(place, to.accountUuid)]
  await sql`
    update study_source o
    set copied_from = array[c.origin]
    from unnest(${origins}::uuid[], ${copies}::uuid[]) as c (origin, copy)
    where o.study_uuid = c.copy
  `.execute(db)
  await sql`vacuum analyze`.execute(db)
}

const asked = listSql({ filters: [], sort: [], page: { number: 1, rows: 50 } }, outsideColumns, 'UTC', newestOutside)
const list = (on: typeof db) => listOutside(on, { accountUuid: asking.accountUuid, byUser: undefined }, asked)

/** Rows of exams and their sources that the list of the asking organisation reads, those it passes over among them. */
async function countRead(): Promise<number> {
  const plans = new PlanReader('analyze')
  await list(db.withPlugin(plans))
  let loops = 1
  let isScan = false
  let read = 0
  for (const line of plans.lines) {
    const step = /actual.*rows=([\d.]+) loops=(\d+)/.exec(line)
    if (step) [loops, isScan] = [Number(step[2]), /Scan .*on study/.test(line)]
    const rows = step?.[1] ?? /Rows Removed by [\w ]+: (\d+)/.exec(line)?.[1] ?? '0'
    if (isScan) read += Number(rows) * loops
  }
  return read
}

it('reads no more of the installation for copies that others kept of exams of others', async () => {
  await makeCopies(asking, first, 1)
  // of a few rows the planner reads all, whatever indexes there are
  await makeCopies(first, second, 200)
  expect(await list(db)).toMatchObject([{ kind: 'copy', is_outside: true }])
  const before = await countRead()
  expect(before).toBeGreaterThan(0)
  await makeCopies(second, first, 1000)
  // a row or two more or less, as the planner goes, and none of the thousand
  expect(await countRead()).toBeLessThan(before + 20)
  await makeCopies(asking, first, 40)
  expect(await countRead()).toBeGreaterThanOrEqual(before + 40)
})

it('finds copies in the account that the personal place of their exam has gone to', async () => {
  const person = await asking.addPerson()
  await makeCopies(asking, second, 1, person)
  const all = { filters: [], sort: [], page: { number: 1, rows: 5000 } }
  const allAsked = listSql(all, outsideColumns, 'UTC', newestOutside)
  const listed = async (accountUuid: string) =>
    (await listOutside(db, { accountUuid, byUser: undefined }, allAsked)).filter(
      (one) => one.namespace_uuid === person.namespaceUuid,
    )
  expect(await listed(asking.accountUuid)).toMatchObject([{ kind: 'copy' }])
  await sql`update namespace set account_uuid = ${first.accountUuid} where uuid = ${person.namespaceUuid}`.execute(db)
  expect(await listed(asking.accountUuid)).toEqual([])
  expect(await listed(first.accountUuid)).toMatchObject([{ kind: 'copy' }])
})
