import type { AddressInfo } from 'node:net'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, expect, it } from 'vitest'
import { findOtherDoors } from '../../../test/image-doors.ts'
import { madeImage } from '../../../test/made-image.ts'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { purge } from '../../areas/retention/purge.job.ts'
import { receiveImage } from '../../areas/ingest/receive-image.command.ts'

const { services, app, call, query } = await startTestApp()
const { organisation, accountUuid, makePlace, share, stop, received, accessOf } = await makeSharing({ services, call })
await app.listen({ host: '127.0.0.1', port: 0 })
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
afterAll(() => app.close())
type Place = Awaited<ReturnType<typeof makePlace>>

async function send(place: Place, studyUid: string, ...numbers: number[]) {
  for (const number of numbers) {
    const arrival = {
      namespaceUuid: place.group.namespaceUuid,
      accountUuid,
      source: 'upload' as const,
      quietSeconds: 30,
    }
    const chunks = (async function* () {
      yield madeImage({ studyUid, number })
    })()
    await receiveImage(services, { ...arrival, sourceName: '' }, chunks)
  }
  await query(`update study set arrival = 'complete', complete_at = null where study_uid = '${studyUid}'`)
}

/** A study of three images that one group has shared with another. */
async function makeShared(more: object = {}) {
  const [from, to] = [await makePlace(), await makePlace()]
  const studyUid = newUid()
  await send(from, studyUid, 1, 2, 3)
  const uuid = (await received(from, studyUid))?.uuid ?? ''
  const toGroup = { uuid, group_id: to.group.groupUuid }
  expect(await share(from.sid, { ...toGroup, ...more })).toEqual(done)
  const theirs = (await received(to, studyUid))?.uuid ?? ''
  return { from, to, studyUid, uuid, toGroup, theirs }
}
const keep = async (place: Place, uuid: string, namespace = place.group.namespaceUuid) =>
  (await call('study/duplicate', { sid: place.sid, uuid, namespace_id: namespace })).body

/** Asks at every door for these images of a study, which lie in the place itself. */
async function expectShown(place: Place, studyUid: string, numbers: readonly number[]) {
  const namespace = place.group.namespaceUuid
  const sops = numbers.map((number) => `${studyUid}.1.${number}`)
  const reader = { origin, sid: place.sid, namespace, from: [namespace] }
  const candidates = sops.map((sop) => ({ sop, series: `${studyUid}.1` }))
  const { doors, others } = await findOtherDoors(reader, studyUid, { sops, candidates })
  expect(others).toEqual([])
  expect(doors).toBeGreaterThan(35)
}

it('keeps a copy of a received study, which stays at every door when sharing is stopped and the sender’s study purged', async () => {
  const { from, to, studyUid, uuid, toGroup, theirs } = await makeShared()
  expect(await accessOf(to.sid, theirs)).toMatchObject({ has_copy: false })
  expect((await accessOf(from.sid, uuid)).shares).toMatchObject([{ has_copy: false }])
  expect(await keep(to, theirs)).toEqual(done)
  expect(await accessOf(to.sid, theirs)).toMatchObject({ has_copy: true })
  // the sender is told
  expect((await accessOf(from.sid, uuid)).shares).toMatchObject([{ has_copy: true }])
  expect(await stop(from.sid, toGroup)).toEqual(done)
  expect(await received(to, studyUid)).toMatchObject({ uuid: theirs, storage_namespace: to.group.namespaceUuid })
  await expectShown(to, studyUid, [1, 2, 3])
  expect((await call('study/delete', { sid: from.sid, uuid })).body).toEqual(done)
  for (const days of [40, 50, 60]) await purge(services, new Date(Date.now() + days * 86_400_000))
  expect(await query(`select from study where uuid = '${uuid}'`)).toEqual([])
  expect(await query(`select from instance where storage_namespace = '${from.group.namespaceUuid}'`)).toEqual([])
  await expectShown(to, studyUid, [1, 2, 3])
})

it('keeps a copy beyond the end of a share that was given for a time', async () => {
  const { to, uuid, studyUid, theirs } = await makeShared({ expires: 60 })
  expect(await keep(to, theirs)).toEqual(done)
  await query(`update share set expires_at = now() where study_uuid = '${uuid}'`)
  await query(`update study_source set ends_at = now() where ends_at is not null`)
  expect((await received(to, studyUid))?.uuid).toBe(theirs)
  await expectShown(to, studyUid, [1, 2, 3])
})

it('puts a kept copy on record on both sides, and tells those who watch either', async () => {
  const { from, to, uuid, theirs } = await makeShared()
  const watched = `select namespace_uuid, uuid from event where uuid in ('${uuid}', '${theirs}') order by id desc limit 2`
  expect(await keep(to, theirs)).toEqual(done)
  for (const [sid, one] of [
    [from.sid, uuid],
    [to.sid, theirs],
  ]) {
    const { events } = (await call('audit/object', { sid, uuid: one })).body
    expect(events[0]).toMatchObject({ action: 'DUPLICATE', who: to.person.name })
  }
  expect(await query(watched)).toEqual([
    { namespace_uuid: from.group.namespaceUuid, uuid },
    { namespace_uuid: to.group.namespaceUuid, uuid: theirs },
  ])
})

it('brings what has come since when a copy is kept again, and nothing twice', async () => {
  const { from, to, studyUid, toGroup, theirs } = await makeShared()
  expect(await keep(to, theirs)).toEqual(done)
  await send(from, studyUid, 4)
  expect(await keep(to, theirs)).toEqual(done)
  await stop(from.sid, toGroup)
  await expectShown(to, studyUid, [1, 2, 3, 4])
})

it('says why no copy can be kept', async () => {
  const { from, to, uuid, theirs } = await makeShared()
  const other = await makePlace()
  expect(await keep(from, uuid)).toMatchObject({ error_type: 'ALREADY_EXISTS' })
  expect(await keep(to, theirs, other.group.namespaceUuid)).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(await keep(to, theirs, to.person.namespaceUuid)).toMatchObject({ error_type: 'NO_DESTINATION' })
  expect(await keep(other, theirs, other.group.namespaceUuid)).toMatchObject({ error_type: 'NOT_FOUND' })
  const clinician = await organisation.addPerson({ role: 'Clinician', groups: [to.group] })
  expect(await keep({ ...to, sid: clinician.sid }, theirs)).toMatchObject({ error_type: 'NOT_PERMITTED' })
  for (const [set, error] of [
    [`is_frozen = true`, { error_type: 'NOT_PERMITTED', error_subtype: 'frozen' }],
    [`is_frozen = false, arrival = 'receiving'`, { error_type: 'PHANTOM' }],
  ] as const) {
    await query(`update study set ${set} where uuid = '${theirs}'`)
    expect(await keep(to, theirs)).toMatchObject(error)
  }
  expect(await accessOf(to.sid, theirs)).toMatchObject({ has_copy: false })
})

it('keeps a copy in My studies by the same right', async () => {
  const { from, studyUid, uuid } = await makeShared()
  const reader = await organisation.addPerson()
  const toUser = { uuid, user_id: reader.userUuid }
  await share(from.sid, toUser)
  const theirs = (await received(reader, studyUid))?.uuid
  const sent = { sid: reader.sid, uuid: theirs, namespace_id: reader.namespaceUuid }
  expect((await call('study/duplicate', sent)).body).toEqual(done)
  await stop(from.sid, toUser)
  expect((await received(reader, studyUid))?.uuid).toBe(theirs)
})
