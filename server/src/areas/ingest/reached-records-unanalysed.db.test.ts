import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { makeStudies, storeMadeStudies } from '../../../test/make-studies.ts'
import { unanalysedDatabase } from '../../../test/unanalysed-database.ts'
import { lockOpenStudies } from '../storage/ingest.sql.ts'
import { lockReachedRecords } from './reached-records.sql.ts'
import { listElsewhere } from './upload-check.sql.ts'

/*
 * While a large upload arrives PostgreSQL knows nothing of what the tables hold. The stored rows of an arriving image
 * must be looked up by their keys then too, however much there is beside it.
 */
const tables = ['study', 'stored_study', 'study_source', 'instance']
const { db, blocksRead, one } = await unanalysedDatabase(tables)

const studies = 3000
/** Runs after which PostgreSQL has settled on one plan for a prepared statement. */
const rounds = 12
/**
 * For an image: four look-ups, some levels deep, the locks on two rows, and a block of each index when a plan is made; a table read
 * whole would be a hundred.
 */
const mostBlocks = 40

const organisation = await makeOrganisation(db)
const { namespaceUuid } = await organisation.addGroup()

type Key = { study_uid: string; study_key: number; sop_uid: string }

/** Looks up what is there of an image of each of these studies. @returns how many images and records there are */
async function reachedBy(keys: readonly Key[]): Promise<{ known: number; reached: number; elsewhere: number }> {
  const own = keys.map((key) => ({ ...key, storage_namespace: namespaceUuid, generation: 1 }))
  return db.transaction().execute(async (tx) => {
    await lockOpenStudies(tx, own)
    const { known, reached, elsewhere } = await lockReachedRecords(tx, own, own)
    return { known: known.length, reached: reached.length, elsewhere: elsewhere.length }
  })
}

it.each([
  ['over empty tables', 1],
  ['over full tables', 1],
  ['over empty tables', 50],
  ['over full tables', 50],
])(
  'what is there of an image is found by its keys before PostgreSQL has analysed the tables (prepared %s, %d at once)',
  async (prepared, atOnce) => {
    await sql`discard plans`.execute(db)
    await sql`truncate study, stored_study, study_source, instance cascade`.execute(db)
    if (prepared === 'over empty tables')
      for (let round = 0; round < rounds; round++) await reachedBy([{ study_uid: '1.2', study_key: 0, sop_uid: '1' }])
    const keys = await fill()
    const before = await blocksRead()
    for (let round = 0; round < rounds; round++) {
      const found = await reachedBy(keys.slice(round * atOnce, (round + 1) * atOnce))
      expect(found).toEqual({ known: atOnce, reached: atOnce, elsewhere: 0 })
    }
    const read = (await blocksRead()) - before
    expect(read / rounds / atOnce).toBeLessThan(mostBlocks)
    expect(await one(sql`select count(*) from pg_stats where tablename = any(${tables})`)).toBe(0)
  },
)

it('what every image asks for is planned once, not for every image', async () => {
  await sql`truncate study, stored_study, study_source, instance cascade`.execute(db)
  const [key] = await fill()
  if (!key) throw new Error('No image was made')
  for (let round = 0; round < rounds; round++) {
    await reachedBy([key])
    const other = { study_uid: `${key.study_uid}.2`, sop_uid: key.sop_uid }
    expect(await listElsewhere(db, namespaceUuid, [key, other])).toEqual([{ at: 1, study_uid: key.study_uid }])
  }
  const { rows } = await sql<{ generic_plans: number }>`
    select generic_plans::integer as generic_plans
    from pg_prepared_statements
    where statement like '%unnest(%'
  `.execute(db)
  expect(rows.length).toBe(3)
  for (const row of rows) expect(row.generic_plans).toBeGreaterThan(0)
})

/** Studies of one image each, with their records. */
async function fill(): Promise<Key[]> {
  await makeStudies(
    db,
    organisation.accountUuid,
    Array.from({ length: studies }, (_, index) => ({ phi_namespace: namespaceUuid, patient_name: `NAME${index}` })),
  )
  await storeMadeStudies(db)
  await sql`
    insert into instance (
      storage_namespace, study_key, series_uid, sop_uid, version, is_primary, account_uuid, sha256, sop_class,
      transfer_syntax, length, crc32
    )
    select storage_namespace, key, study_uid || '.1', study_uid || '.1.1', gen_random_uuid(), true, account_uuid,
      '\\x00', '', '', 1, 0
    from stored_study
  `.execute(db)
  const { rows } = await sql<Key>`
    select study_uid, key as study_key, study_uid || '.1.1' as sop_uid
    from stored_study
    order by study_uid
  `.execute(db)
  return rows
}
