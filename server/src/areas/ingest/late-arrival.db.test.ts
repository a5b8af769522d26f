import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { askDoor } from '../../../test/door-target.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { completeQuietStudies } from './complete-study.command.ts'
import { receiveImage, TRANSFER_QUIET_SECONDS } from './receive-image.command.ts'

const { app, call, query, services } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const staff = await organisation.addPerson({ role: 'Staff', groups: [group] })
const other = await organisation.addPerson({ role: 'Staff', groups: [group] })
const { namespaceUuid } = group
const inTwoMinutes = () => new Date(Date.now() + 120_000)

const historyOf = (studyUid: string) =>
  query(`
    select a.action, a.actor_kind, a.actor_name, a.detail
    from audit a
    join study s on s.uuid = a.object_uuid
    where s.study_uid = '${studyUid}' and a.action in ('CREATE', 'IMAGE_ADDED')
    order by a.id`)

/** The ways in, each of which sends one image. */
const post = async (sid: string, studyUid: string, number: number) => {
  const url = `/api/v3/storage/namespace/${namespaceUuid}/image`
  const payload = new Uint8Array(madeImage({ studyUid, number }))
  expect((await askDoor(origin, { method: 'POST', url, payload }, sid)).statusCode).toBe(202)
}
async function* bodyOf(bytes: Uint8Array) {
  yield bytes
}
const cStore = async (title: string, studyUid: string, number: number) => {
  const arrival = {
    namespaceUuid,
    accountUuid: organisation.accountUuid,
    source: 'harvest',
    sourceName: title,
    quietSeconds: TRANSFER_QUIET_SECONDS,
  } as const
  await receiveImage(services, arrival, bodyOf(madeImage({ studyUid, number })))
}
const askByLink = async (studyUid: string, count: number, sender: string) => {
  const asked = await call('link/add', {
    sid: staff.sid,
    namespace_id: namespaceUuid,
    action: 'STUDY_UPLOAD',
    email: 'clinic@outside.example',
  })
  const token = String(asked.body.url).split('/link/')[1]
  const sid = String((await call('link/session', { token })).body.sid)
  await call('link/upload/begin', { sid, studies: [{ study_uid: studyUid, image_count: count }], sender })
  return sid
}
const byLink = async (sid: string, studyUid: string, number: number) => {
  const payload = new Uint8Array(madeImage({ studyUid, number }))
  const url = '/api/v3/storage/link/image'
  const sent = await askDoor(origin, { method: 'POST', url, query: { study_uid: studyUid }, payload }, sid)
  expect(sent.statusCode).toBe(202)
}

/** An exam of two images that came from staff, and is complete. */
async function makeExam(): Promise<string> {
  const studyUid = newUid()
  await post(staff.sid, studyUid, 1)
  await post(staff.sid, studyUid, 2)
  await completeQuietStudies(services, inTwoMinutes())
  return studyUid
}
const made = { action: 'CREATE', actor_kind: 'user', actor_name: staff.name, detail: { source: 'upload' } }

test('images that come to an exam which is there, by whatever way, are in its history once for each sender and arrival [SUMMARY-02]', async () => {
  const studyUid = await makeExam()
  const link = await askByLink(studyUid, 2, ' Clinic West ')
  await post(other.sid, studyUid, 3)
  await post(other.sid, studyUid, 4)
  await byLink(link, studyUid, 5)
  await cStore('CT_ROOM_2', studyUid, 6)
  await cStore('CT_ROOM_2', studyUid, 7)
  await cStore('CT_ROOM_3', studyUid, 8)
  expect(await historyOf(studyUid)).toEqual([made])
  await completeQuietStudies(services, inTwoMinutes())
  await completeQuietStudies(services, inTwoMinutes())
  const [first, ...late] = await historyOf(studyUid)
  expect(first).toEqual(made)
  expect(late).toHaveLength(4)
  const node = { action: 'IMAGE_ADDED', actor_kind: 'node' }
  expect(late).toEqual(
    expect.arrayContaining([
      { action: 'IMAGE_ADDED', actor_kind: 'user', actor_name: other.name, detail: { images: 2 } },
      { action: 'IMAGE_ADDED', actor_kind: 'link', actor_name: 'Link', detail: { images: 1, sender: 'Clinic West' } },
      { ...node, actor_name: 'CT_ROOM_2', detail: { images: 2 } },
      { ...node, actor_name: 'CT_ROOM_3', detail: { images: 1 } },
    ]),
  )
  expect(await query('select * from late_arrival')).toEqual([])
  await cStore('CT_ROOM_2', studyUid, 9)
  await completeQuietStudies(services, inTwoMinutes())
  expect((await historyOf(studyUid)).at(-1)).toEqual({ ...node, actor_name: 'CT_ROOM_2', detail: { images: 1 } })
})

test('the first images of an exam are told by its making, those of another sender meanwhile besides', async () => {
  const studyUid = newUid()
  const [bySync, ofNode] = [newUid(), newUid()]
  for (const number of [1, 2, 3]) await post(staff.sid, studyUid, number)
  await post(other.sid, studyUid, 4)
  for (const number of [1, 2]) await cStore('CT_ROOM_2', ofNode, number)
  for (const number of [1, 2]) await post(staff.sid, bySync, number)
  const [record] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${bySync}'`)
  await call('study/sync', { sid: staff.sid, uuid: record?.uuid, image_count: 2 })
  await completeQuietStudies(services, inTwoMinutes())
  const added = { action: 'IMAGE_ADDED', actor_kind: 'user', actor_name: other.name, detail: { images: 1 } }
  expect(await historyOf(studyUid)).toEqual([made, added])
  expect(await historyOf(ofNode)).toMatchObject([{ action: 'CREATE', actor_kind: 'node', actor_name: 'CT_ROOM_2' }])
  expect(await historyOf(bySync)).toEqual([made])
})

test('images that are there already leave no line when they are sent again', async () => {
  const studyUid = await makeExam()
  await post(other.sid, studyUid, 1)
  await completeQuietStudies(services, inTwoMinutes())
  expect(await historyOf(studyUid)).toEqual([made])
})

test('an exam that came by a request names its sender in its history', async () => {
  const studyUid = newUid()
  const link = await askByLink(studyUid, 1, 'Clinic West')
  await byLink(link, studyUid, 1)
  expect(await historyOf(studyUid)).toEqual([
    { action: 'CREATE', actor_kind: 'link', actor_name: 'Link', detail: { source: 'upload', sender: 'Clinic West' } },
  ])
})
