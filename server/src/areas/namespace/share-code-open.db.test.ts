import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { askDoor } from '../../../test/door-target.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { app, call, query, services } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const organisation = await makeOrganisation(services.db)
const owner = await organisation.addPerson({ role: 'Administrator' })

/** A group with a share code and these settings. */
async function addGroup(code: string, settings: Record<string, unknown>) {
  const group = await organisation.addGroup()
  const staff = await organisation.addPerson({ role: 'Staff', groups: [group] })
  const sent = { uuid: group.groupUuid, share_code: code, share_settings: JSON.stringify(settings) }
  expect((await call('group/set', { sid: owner.sid, ...sent })).body).toMatchObject({ status: 'OK' })
  return { ...group, staff }
}
const open = async (code: string) => (await call('namespace/share_code/open', { share_code: code })).body

/** Sends one image by the sid of an opened code. @returns the study */
async function send(sid: string): Promise<string> {
  const studyUid = newUid()
  const study = { study_uid: studyUid, image_count: 1 }
  expect((await call('link/upload/begin', { sid, studies: [study], sender: 'Clinic West' })).status).toBe(200)
  const payload = new Uint8Array(madeImage({ studyUid, number: 1 }))
  const url = '/api/v3/storage/link/image'
  const image = { method: 'POST', url, query: { study_uid: studyUid }, payload } as const
  expect((await askDoor(origin, image, sid)).statusCode).toBe(202)
  expect((await call('link/upload/end', { sid, study_uid: studyUid })).status).toBe(200)
  return studyUid
}
const recordOf = async (studyUid: string) =>
  (await query<{ must_approve: boolean }>(`select must_approve from study where study_uid = '${studyUid}'`))[0]

test('whoever knows the code of a group that says so uploads there without a login, and what comes waits for approval', async () => {
  const group = await addGroup('OPEN1', { takes_uploads: 1, confirm_before_upload: 1 })
  const { body } = await call('namespace/share_code', { share_code: 'OPEN1' })
  expect(body).toMatchObject({ takes_uploads: 1, confirm_before_upload: 1, share_settings: {}, share_type: 'group' })
  const opened = await open(' open1 ')
  expect(opened).toMatchObject({ status: 'OK', action: 'STUDY_UPLOAD' })
  const listRequests = async () =>
    (await call('link/list', { sid: group.staff.sid, namespace_id: group.namespaceUuid })).body.links
  expect(await listRequests()).toEqual([])
  const { sid } = opened
  expect((await call('link/request', { sid })).body).toMatchObject({
    by_share_code: 1,
    confirm_before_upload: 1,
    expected: null,
    message: '',
  })
  const studyUid = await send(sid)
  expect(await recordOf(studyUid)).toEqual({ must_approve: true })
  expect(await listRequests()).toMatchObject([{ sender: 'Clinic West', arrivals: [{ image_count: 1 }], url: '' }])
  const { body: members } = await call('namespace/share_code', { sid: group.staff.sid, share_code: 'OPEN1' })
  expect(members.share_settings).toMatchObject({ takes_uploads: 1 })
  for (const path of ['study/list', 'link/list', 'user/get']) expect((await call(path, { sid })).status).toBe(401)
})

test('what comes does not wait where the settings say so', async () => {
  await addGroup('OPEN2', { takes_uploads: 1, must_approve: 0 })
  expect(await recordOf(await send((await open('OPEN2')).sid))).toEqual({ must_approve: false })
})

test('a code that lets nobody upload is answered like none, also when the settings name somebody who would', async () => {
  const spoofed = { takes_uploads: 0, takes_uploads_by: owner.userUuid }
  await addGroup('SHUT1', spoofed)
  for (const code of ['SHUT1', 'NONE1', '%']) expect(await open(code)).toMatchObject({ error_type: 'NOT_FOUND' })
  const group = await addGroup('OPEN3', { takes_uploads: 1, takes_uploads_by: organisation.accountUuid })
  const { body } = await call('group/get', { sid: owner.sid, uuid: group.groupUuid })
  expect(body.share_settings).toEqual({ takes_uploads: 1, takes_uploads_by: owner.userUuid })
})

test('an opened code takes nothing more once the group lets nobody upload, and its audit says who opened what', async () => {
  const group = await addGroup('OPEN4', { takes_uploads: 1 })
  const { sid } = await open('OPEN4')
  await query(`update app_group set share_settings = '{}' where uuid = '${group.groupUuid}'`)
  expect((await call('link/request', { sid })).body).toMatchObject({ error_type: 'EXPIRED' })
  const audit = await query(
    `select action, actor_kind from audit where object_uuid = '${group.namespaceUuid}' and detail->>'share_code' = '1'`,
  )
  expect(audit).toEqual([{ action: 'CREATE', actor_kind: 'link' }])
})
