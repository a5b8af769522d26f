import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { makeStudies, storeMadeStudies } from '../../../test/make-studies.ts'
import { unanalysedDatabase } from '../../../test/unanalysed-database.ts'
import { enterListing } from './list-images.sql.ts'

/*
 * While a large upload arrives PostgreSQL knows nothing of what the tables hold. Entering an image must look up its
 * study and its record by their keys then too, however many there are beside them.
 */
const { db, blocksRead, one } = await unanalysedDatabase(['study', 'stored_study', 'series', 'instance'])

const studies = 3000
/** Runs after which PostgreSQL has settled on one plan for a prepared statement. */
const rounds = 12
/** For a study: look-ups, new versions of two rows and their index entries; a table read whole would be a hundred more. */
const mostBlocks = 80

const organisation = await makeOrganisation(db)
const { namespaceUuid } = await organisation.addGroup()

type Key = { uuid: string; study_uid: string; key: number }

/** Enters an image of each of these studies at once. */
async function enter(keys: readonly Key[]): Promise<void> {
  const gains = keys.map(({ study_uid, key }) => ({
    storage_namespace: namespaceUuid,
    study_uid,
    generation: 1,
    study_key: key,
    images: 1,
    conflicts: 0,
    bytes: 9,
    identities: [],
    modalities: ['CT'],
  }))
  const records = keys.map(({ uuid }) => ({
    phi_namespace: namespaceUuid,
    uuid,
    is_own: true,
    generation: 1,
    quiet_seconds: 90,
    mixed_patients: false,
    modalities: ['CT'],
  }))
  const listing = { instances: [], series: [], studies: gains, records }
  await db.transaction().execute((tx) => enterListing(tx, listing, new Date()))
}

it.each([
  ['over empty tables', 1],
  ['over full tables', 1],
  ['over empty tables', 50],
  ['over full tables', 50],
])(
  'images are entered by the keys of their studies before PostgreSQL has analysed the tables (prepared %s, %d at once)',
  async (prepared, atOnce) => {
    await sql`discard plans`.execute(db)
    await sql`truncate study, stored_study, study_source cascade`.execute(db)
    if (prepared === 'over empty tables')
      for (let round = 0; round < rounds; round++) await enter([{ uuid: namespaceUuid, study_uid: '1.2', key: 0 }])
    await makeStudies(
      db,
      organisation.accountUuid,
      Array.from({ length: studies }, (_, index) => ({ phi_namespace: namespaceUuid, patient_name: `NAME${index}` })),
    )
    await storeMadeStudies(db)
    const entered = rounds * atOnce
    const { rows } = await sql<Key>`
      select s.uuid, s.study_uid, t.key
      from study s
      join stored_study t using (storage_namespace, study_uid)
      order by s.uuid
      limit ${entered}
    `.execute(db)
    const before = await blocksRead()
    for (let round = 0; round < rounds; round++) await enter(rows.slice(round * atOnce, (round + 1) * atOnce))
    const read = (await blocksRead()) - before
    expect(await one(sql`select sum(image_count) from stored_study`)).toBe(entered)
    expect(await one(sql`select count(*) from study where arrival = 'receiving'`)).toBe(entered)
    expect(read / entered).toBeLessThan(mostBlocks)
  },
)
