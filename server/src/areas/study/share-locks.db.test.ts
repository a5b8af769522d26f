import { expect, it, vi } from 'vitest'
import { sql } from 'kysely'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { lockStoredStudies } from '../storage/ingest.sql.ts'
import { lockReachedRecords } from '../ingest/reached-records.sql.ts'

const { services, call, query } = await startTestApp()
const { accountUuid, makePlace, share, stop, received } = await makeSharing({ services, call })
type Place = Awaited<ReturnType<typeof makePlace>>

/** Places in the order of their records' keys, in which records are locked. */
async function makePlaces(count: number): Promise<Place[]> {
  const places = await Promise.all(Array.from({ length: count }, () => makePlace()))
  return places.toSorted((a, b) => (a.group.namespaceUuid < b.group.namespaceUuid ? -1 : 1))
}

/** Takes the locks of a batch of arriving images: the stored study, then all records that show it, in their order. */
const arriveAt = (place: Place, studyUid: string) =>
  services.db.transaction().execute(async (tx) => {
    const key = { storage_namespace: place.group.namespaceUuid, study_uid: studyUid, account_uuid: accountUuid }
    await lockReachedRecords(tx, await lockStoredStudies(tx, [key]), [])
  })

/**
 * Holds a record until all of these acts wait: the first of them is served first. Two that lock in different orders lock
 * each other out then, and PostgreSQL ends one of them.
 */
async function whileHeld(recordUuid: string, acts: readonly (() => Promise<unknown>)[]): Promise<unknown[]> {
  const running: Promise<unknown>[] = []
  await services.db.transaction().execute(async (tx) => {
    await sql`select from study where uuid = ${recordUuid} for update`.execute(tx)
    for (const act of acts) {
      running.push(act())
      await vi.waitFor(async () => expect(await waiting()).toBe(running.length), { timeout: 20_000 })
    }
  })
  return Promise.all(running)
}

async function waiting(): Promise<number> {
  const rows = await query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and backend_type = 'client backend'`,
  )
  return rows.length
}

it('stops the last share of a study while images of it arrive', async () => {
  const [from, to] = (await makePlaces(2)) as [Place, Place]
  const { study, uuid } = from
  const toGroup = { uuid, group_id: to.group.groupUuid }
  await share(from.sid, toGroup)
  await arriveAt(from, study.study_uid)
  const theirs = await received(to, study.study_uid)
  const [stopped] = await whileHeld(theirs?.uuid ?? '', [
    () => stop(from.sid, toGroup),
    () => arriveAt(from, study.study_uid),
  ])
  expect(stopped).toEqual(done)
  expect(await received(to, study.study_uid)).toBeUndefined()
})

it('replaces a share of another sender whose time is over while images arrive there', async () => {
  const [first, second, to] = (await makePlaces(3)) as [Place, Place, Place]
  const { study_uid } = first.study
  await query(`update study set study_uid = '${study_uid}' where uuid = '${second.uuid}'`)
  await share(first.sid, { uuid: first.uuid, group_id: to.group.groupUuid, expires: 60 })
  const over = await received(to, study_uid)
  await query(`update work set run_at = now() + interval '1 day' where job = 'end-share'`)
  await query(`update share set expires_at = now() where study_uuid = '${first.uuid}'`)
  const [replaced] = await whileHeld(over?.uuid ?? '', [
    () => share(second.sid, { uuid: second.uuid, group_id: to.group.groupUuid }),
    () => arriveAt(first, study_uid),
  ])
  expect(replaced).toEqual(done)
  expect((await received(to, study_uid))?.uuid).not.toBe(over?.uuid)
  expect(await query(`select state from share where study_uuid = '${first.uuid}'`)).toEqual([{ state: 'stopped' }])
})

it('replaces a share whose time is over while images of the study arrive', async () => {
  const [from, to] = (await makePlaces(2)) as [Place, Place]
  const { study, uuid } = from
  const toGroup = { uuid, group_id: to.group.groupUuid }
  await share(from.sid, { ...toGroup, expires: 60 })
  const over = await received(to, study.study_uid)
  await query(`update work set run_at = now() + interval '1 day' where job = 'end-share'`)
  await query(`update share set expires_at = now() where study_uuid = '${uuid}'`)
  const [again] = await whileHeld(over?.uuid ?? '', [
    () => share(from.sid, toGroup),
    () => arriveAt(from, study.study_uid),
  ])
  expect(again).toEqual(done)
  expect((await received(to, study.study_uid))?.uuid).not.toBe(over?.uuid)
})

it('stops a share, and at the same moment one that was passed on from it', async () => {
  const [from, between, last] = (await makePlaces(3)) as [Place, Place, Place]
  const { study, uuid } = from
  await share(from.sid, { uuid, group_id: between.group.groupUuid })
  const passed = { uuid: (await received(between, study.study_uid))?.uuid, group_id: last.group.groupUuid }
  await share(between.sid, passed)
  const end = await received(last, study.study_uid)
  const [first, second] = await whileHeld(end?.uuid ?? '', [
    () => stop(from.sid, { uuid, group_id: between.group.groupUuid }),
    () => stop(between.sid, passed),
  ])
  expect(first).toEqual(done)
  // the other one was over by then
  expect(second).toMatchObject({ error_type: 'NOT_FOUND' })
  for (const gone of [between, last]) expect(await received(gone, study.study_uid)).toBeUndefined()
})
