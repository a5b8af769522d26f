import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../../test/fresh-database.ts'
import { openDatabase } from '../../db/database.ts'
import { migrateTo, migrateToLatest } from '../../db/migrate.ts'
import { declaredJobs } from './declared-jobs.ts'

test('work that an earlier release left in its queue comes along, and its queue goes', async () => {
  const { url } = await freshDatabase()
  const { db } = openDatabase({ connectionString: url })
  await sql`drop schema public cascade`.execute(db)
  await sql`create schema public`.execute(db)
  await migrateTo(db, '0029-folded-ids')
  await sql`create schema jobs`.execute(db)
  await sql`create table jobs.job (id uuid, name text, state text, data jsonb, start_after timestamptz, created_on timestamptz)`.execute(
    db,
  )
  const [user, study] = [randomUUID(), randomUUID()]
  const payload = { userUuid: user, studyUuid: study, id: randomUUID(), version: randomUUID(), seriesKey: 'a/b' }
  const works = { created: randomUUID(), retry: randomUUID(), active: randomUUID(), completed: randomUUID() }
  for (const [state, work] of Object.entries(works)) {
    const data = JSON.stringify({ ...payload, work })
    await sql`insert into jobs.job values (gen_random_uuid(), 'wrap-attachment', ${state}, ${data}::jsonb, now(), now())`.execute(
      db,
    )
  }
  await sql`insert into jobs.job values (gen_random_uuid(), 'purge', 'created', '{}', now(), now())`.execute(db)
  await migrateToLatest(db)
  const { rows } = await sql<{ uuid: string; user_uuid: string; payload: unknown }>`
    select uuid, user_uuid, payload
    from work
    where state = 'waiting' and job = ${declaredJobs.wrapAttachment.name}
  `.execute(db)
  expect(rows.map((row) => row.uuid).toSorted()).toEqual([works.created, works.retry, works.active].toSorted())
  for (const row of rows) {
    expect(row.user_uuid).toBe(user)
    expect(declaredJobs.wrapAttachment.payload.parse(row.payload)).toEqual(payload)
  }
  const { rows: schemas } = await sql`select from pg_namespace where nspname = 'jobs'`.execute(db)
  expect(schemas).toEqual([])
  await db.destroy()
})
