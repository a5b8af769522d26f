import { newUid } from '@hilum/dicom/uid'
import { expect, test, vi } from 'vitest'
import { makeStudy } from '../../../test/make-organisation.ts'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { type Member, startStorage } from '../../../test/storage-fixture.ts'
import { openCalls } from '../../../test/test-app.ts'

const storage = await startStorage()
const call = await openCalls(storage.services, storage.folder)

/** A study with this many images, still receiving. */
async function makeReceiving(permissions: Parameters<typeof storage.addMember>[0], images = 2) {
  const member = await storage.addMember(permissions)
  const studyUid = newUid()
  const send = (number: number) => uploadImage(storage, member, madeImage({ studyUid, number }))
  for (let number = 1; number <= images; number++) expect((await send(number)).status).toBe(202)
  const { uuid } = await readStudy(member)
  const sync = (sent: Record<string, unknown> = {}) => call('study/sync', { sid: member.sid, uuid, ...sent })
  return { member, uuid, send, sync }
}

async function readStudy(member: Member) {
  const rows = await storage.query<{ uuid: string; arrival: string; expected_count: number | null }>(
    `select uuid, arrival, expected_count from study where phi_namespace = '${member.namespace}'`,
  )
  return rows[0] as (typeof rows)[number]
}

const ageSync = (member: Member, seconds: number) =>
  storage.query(
    `update study set synced_at = synced_at - interval '${seconds} seconds' where phi_namespace = '${member.namespace}'`,
  )

test('ends the receiving state for who may sync, with and without a number of images', async () => {
  for (const sent of [{}, { image_count: '2' }, { image_count: '[1,1]' }]) {
    const { member, sync } = await makeReceiving(['study_upload', 'study_sync'])
    expect((await sync(sent)).body).toEqual({ status: 'OK' })
    expect((await readStudy(member)).arrival).toBe('complete')
  }
})

test.each(['many', '3 images', '4;8', 'a4,8', '4a,8', '[[1]]', '-2', '1.5', '3000000000000'])(
  'refuses %s as a number of images, and the study goes on receiving',
  async (sent) => {
    const { member, sync } = await makeReceiving(['study_upload', 'study_sync'])
    expect((await sync({ image_count: sent })).body).toMatchObject({
      error_type: 'INVALID_INTEGER',
      error_subtype: 'image_count',
    })
    expect((await readStudy(member)).arrival).toBe('receiving')
  },
)

test('takes the number of images from an uploader, who may not sync without one', async () => {
  const { member, sync } = await makeReceiving(['study_upload'])
  expect((await sync()).body.error_type).toBe('NOT_PERMITTED')
  expect((await readStudy(member)).arrival).toBe('receiving')
  expect((await sync({ image_count: '2' })).body).toEqual({ status: 'OK' })
  expect((await readStudy(member)).arrival).toBe('complete')
})

test('takes a number of images from who may sync and not upload', async () => {
  const { member, sync } = await makeReceiving(['study_upload', 'study_sync'])
  await storage.query(`update role set permissions = '{study_sync}' where account_uuid = '${member.account}'`)
  expect((await sync({ image_count: '2' })).body).toEqual({ status: 'OK' })
  await storage.query(`update role set permissions = '{study_view}' where account_uuid = '${member.account}'`)
  await ageSync(member, 61)
  expect((await sync({ image_count: '2' })).body.error_type).toBe('NOT_PERMITTED')
})

test.each([
  { sent: '3', expected: 3 },
  { sent: '[2,1]', expected: 3 },
  { sent: '12', expected: 12 },
  { sent: '[999999999,999999999,999999999]', expected: 2 ** 31 - 1 },
])('leaves a study with fewer images than $sent visibly incomplete', async ({ sent, expected }) => {
  const { member, sync } = await makeReceiving(['study_upload'])
  expect((await sync({ image_count: sent })).body).toEqual({ status: 'OK' })
  expect(await readStudy(member)).toMatchObject({ arrival: 'incomplete', expected_count: expected })
})

test('never lowers the number of images that was announced', async () => {
  const { member, sync } = await makeReceiving(['study_upload'])
  await sync({ image_count: '3' })
  await ageSync(member, 61)
  await sync({ image_count: '1' })
  expect(await readStudy(member)).toMatchObject({ arrival: 'incomplete', expected_count: 3 })
})

test('blocks a repeated sync within 60 seconds only while nothing changed', async () => {
  const { member, send, sync } = await makeReceiving(['study_upload'])
  expect((await sync({ image_count: '2' })).body).toEqual({ status: 'OK' })
  await ageSync(member, 55)
  const repeated = await sync({ image_count: '2' })
  expect(repeated.status).toBe(412)
  expect(repeated.body.error_type).toBe('BLOCKED')
  await send(3)
  expect((await sync({ image_count: '3' })).body).toEqual({ status: 'OK' })
  expect((await readStudy(member)).arrival).toBe('complete')
  await ageSync(member, 60)
  expect((await sync({ image_count: '3' })).body).toEqual({ status: 'OK' })
})

test('tells of the end once', async () => {
  const { member, sync } = await makeReceiving(['study_upload'])
  await sync({ image_count: '2' })
  const rows = await storage.query<{ kind: string }>(
    `select kind from event where namespace_uuid = '${member.namespace}' order by id`,
  )
  expect(rows.filter(({ kind }) => kind === 'ready')).toHaveLength(1)
})

test('notes the number of images of a study that has none yet', async () => {
  const member = await storage.addMember(['study_upload'])
  const { uuid } = await makeStudy(storage.db, { namespaceUuid: member.namespace, accountUuid: member.account })
  await storage.query(`update study set arrival = 'announced' where uuid = '${uuid}'`)
  expect((await call('study/sync', { sid: member.sid, uuid, image_count: '3' })).body).toEqual({ status: 'OK' })
  expect(await readStudy(member)).toMatchObject({ arrival: 'announced', expected_count: 3 })
})

test('rings the open pages', async () => {
  const { sync } = await makeReceiving(['study_upload'])
  const ring = vi.spyOn(storage.services.events, 'ring')
  await sync({ image_count: '2' })
  expect(ring).toHaveBeenCalled()
  ring.mockRestore()
})
