import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { freshDatabase } from '../../test/fresh-database.ts'
import { oldData } from '../../test/old-data.ts'
import { openDatabase } from './database.ts'
import { migrateTo, migrateToLatest } from './migrate.ts'

const { url } = await freshDatabase()
const { db } = openDatabase({ connectionString: url, max: 1 })
await sql`drop schema public cascade`.execute(db)
await sql`create schema public`.execute(db)
afterAll(() => db.destroy())

/** Steps that change rows and are tried elsewhere, or change none of any release. */
const otherwise: Record<string, string> = {
  '0030-work': 'areas/job/old-queue.db.test.ts makes the queue of that release',
  '0039-view-links': 'no release made links',
  '0184-name-of-database': 'changes no row of a release; data-folder-name.db.test.ts tries it',
  '0185-rights-epoch': 'changes no row of a release; remembered-memberships.db.test.ts tries it',
  '0202-places-of-reports': 'no release made reports',
  '0303-deleted-nominations': 'areas/nomination/deleted-nominations.db.test.ts makes nominations of the release before',
  '0350-waiting-nominations':
    'areas/nomination/views-of-nominations.db.test.ts makes a nomination of the release before',
}

/** Words with which a statement begins that changes rows. Functions and triggers of a step begin likewise, and are tried with it. */
const changesRows = /(?:^|[`(])\s*(?:insert into|delete from|update [a-z_]+(?: as)?(?: [a-z])?\s+set|merge into)\b/m

describe('an installation of each release before', () => {
  // one after the other on one database: the rows of all of them come along to the end
  it.each(oldData)('comes through $step with its rows', async ({ from, step, before, question, answer }) => {
    await migrateTo(db, from)
    for (const statement of before) await statement.execute(db)
    await migrateTo(db, step)
    const { rows } = await sql`${question}`.execute(db)
    expect(rows).toEqual(answer)
  })

  it('comes to the schema of today', async () => {
    await migrateToLatest(db)
    const { rows } = await sql`select count(*) from study`.execute(db)
    expect(rows).toEqual([{ count: 9 }])
  })

  it('is tried with every step that changes rows', () => {
    const steps = globSync('migrations/*.ts', { cwd: import.meta.dirname })
      .filter((file) => changesRows.test(readFileSync(path.join(import.meta.dirname, file), 'utf8')))
      .map((file) => path.basename(file, '.ts'))
    const tried = [...oldData.map((one) => one.step), ...Object.keys(otherwise)]
    expect(steps.toSorted()).toEqual(tried.toSorted())
  })
})
