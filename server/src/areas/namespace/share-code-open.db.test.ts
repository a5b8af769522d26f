import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { askDoor, makeDoorTarget } from '../../../test/door-target.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeRequest, openLink } from '../../../test/make-link.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { sweepLinks } from '../link/sweep-links.job.ts'
import { deliverShareActs } from '../study/deliver-share.job.ts'

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
async function send(sid: string, fields: Record<string, string> = {}, studyUid: string = newUid()): Promise<string> {
  const study = { study_uid: studyUid, image_count: 1 }
  const begun = await call('link/upload/begin', { sid, studies: [study], sender: 'Clinic West', ...fields })
  expect(begun.status).toBe(200)
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
  const made = `select a.detail from audit a join study s on s.uuid = a.object_uuid where s.study_uid = '${studyUid}' and a.action = 'CREATE'`
  expect(await query(made)).toEqual([{ detail: { source: 'upload', sender: 'Clinic West', by_share_code: true } }])
  expect(await listRequests()).toMatchObject([{ sender: 'Clinic West', arrivals: [{ image_count: 1 }], url: '' }])
  const { body: members } = await call('namespace/share_code', { sid: group.staff.sid, share_code: 'OPEN1' })
  expect(members.share_settings).toMatchObject({ takes_uploads: 1 })
  for (const path of ['study/list', 'link/list', 'user/get']) expect((await call(path, { sid })).status).toBe(401)
})

test('nothing joins an approved record by a code or a request where such uploads wait, but what is still being sent', async () => {
  const group = await addGroup('OPEN7', { takes_uploads: 1 })
  const { sid } = await open('OPEN7')
  const studyUid = newUid()
  const image = (number: number, as = sid) =>
    askDoor(
      origin,
      {
        method: 'POST',
        url: '/api/v3/storage/link/image',
        query: { study_uid: studyUid },
        payload: new Uint8Array(madeImage({ studyUid, number })),
      },
      as,
    )
  const begin = (as: string) =>
    call('link/upload/begin', { sid: as, studies: [{ study_uid: studyUid, image_count: 3 }], sender: 'Clinic West' })
  await begin(sid)
  expect((await image(1)).statusCode).toBe(202)
  const other = (await open('OPEN7')).sid
  await begin(other)
  expect((await image(2, other)).statusCode).toBe(202)
  await query(`update study set must_approve = false where study_uid = '${studyUid}'`)
  const refused = await image(3, other)
  expect([refused.statusCode, JSON.parse(refused.body).message]).toEqual([
    409,
    expect.stringContaining('takes no images'),
  ])
  expect((await image(3)).statusCode).toBe(202)
  await call('link/upload/end', { sid, study_uid: studyUid })
  expect((await image(4)).statusCode).toBe(409)
  const counted = async () =>
    (
      await query<{ count: number }>(
        `select image_count as count from stored_study where study_uid = '${studyUid}' and storage_namespace = '${group.namespaceUuid}'`,
      )
    )[0]?.count
  expect(await counted()).toBe(3)
  await query(`update study set must_approve = true where study_uid = '${studyUid}'`)
  expect((await image(4, other)).statusCode).toBe(202)
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

test('fields of exams that are marked so are asked on the page, demanded, and kept with the exams that come', async () => {
  const { sid: administrator } = owner
  const define = async (name: string, more: object) => {
    const of = { sid: administrator, account_id: organisation.accountUuid, object: 'Study', name }
    const { body } = await call('customfield/add', { ...of, ...more })
    return body.uuid as string
  }
  const clinic = await define('Clinic', { type: 'text', required: 1, capture_on_share_code: 1, display_order: 1 })
  const scanned = await define('Scanned on', { type: 'date', capture_on_share_code: 1, display_order: 2 })
  const inside = await define('Inside', { type: 'text' })
  try {
    const group = await addGroup('FIELD1', { takes_uploads: 1 })
    const { body: place } = await call('namespace/share_code', { share_code: 'FIELD1' })
    expect(place.customfields).toMatchObject([{ uuid: clinic, required: 1, value: '' }, { uuid: scanned }])
    const { sid } = await open('FIELD1')
    expect((await call('link/request', { sid })).body.customfields).toEqual(place.customfields)
    const begin = (fields: Record<string, string>) =>
      call('link/upload/begin', { sid, studies: [{ study_uid: '2.25.77', image_count: 1 }], ...fields })
    const refusals = [
      [{}, ['Clinic: a value is required']],
      [{ [`customfield-${clinic}`]: ' ' }, ['Clinic: a value is required']],
      [{ [`customfield-${clinic}`]: 'West', [`customfield-${scanned}`]: 'soon' }, ['Scanned on: not a date']],
      [{ [`customfield-${clinic}`]: 'West', [`customfield-${inside}`]: 'x' }, [`${inside}: no such field`]],
    ] as const
    for (const [sent, faults] of refusals)
      expect((await begin(sent)).body).toMatchObject({ error_type: 'INVALID_CUSTOMFIELD', error_subtype: faults })
    const studyUid = await send(sid, { [`customfield-${clinic}`]: ' West ', [`customfield-${scanned}`]: '' })
    const fieldsOf = async (uid: string) =>
      (await query<{ customfields: object }>(`select customfields from study where study_uid = '${uid}'`))[0]
    expect(await fieldsOf(studyUid)).toEqual({ customfields: { [clinic]: 'West' } })
    // who sends it once more changes nothing of an exam that is there
    await send((await open('FIELD1')).sid, { [`customfield-${clinic}`]: 'East' }, studyUid)
    expect(await fieldsOf(studyUid)).toEqual({ customfields: { [clinic]: 'West' } })
    // an exam that was deleted and is sent once more by the same page is made with the fields of then
    const page = (await open('FIELD1')).sid
    const again = await send(page, { [`customfield-${clinic}`]: 'South' })
    const first = await query<{ uuid: string }>(`select uuid from study where study_uid = '${again}'`)
    const { sid: member } = await organisation.addPerson({ role: 'Administrator', groups: [group] })
    expect((await call('study/delete', { sid: member, uuid: first[0]?.uuid ?? '' })).body.status).toBe('OK')
    await send(page, { [`customfield-${clinic}`]: 'South and west' }, again)
    expect(await query(`select customfields from study where study_uid = '${again}' and deleted_at is null`)).toEqual([
      { customfields: { [clinic]: 'South and west' } },
    ])
    await query(
      `update link set expires_at = now() where uuid in (select link_uuid from link_upload where customfields <> '{}')`,
    )
    await sweepLinks(services)
    expect(await query(`select 1 from link_upload where customfields <> '{}'`)).toEqual([])
  } finally {
    for (const uuid of [clinic, scanned, inside]) await call('customfield/delete', { sid: administrator, uuid })
  }
})

test('what was filled in for exams that never came is forgotten once the page is over, and a request asks for no fields', async () => {
  const of = { sid: owner.sid, account_id: organisation.accountUuid, object: 'Study', name: 'Ward' }
  const { body } = await call('customfield/add', { ...of, type: 'text', capture_on_share_code: 1 })
  await addGroup('FIELD2', { takes_uploads: 1 })
  const { sid } = await open('FIELD2')
  const studies = [{ study_uid: newUid(), image_count: 1 }]
  expect((await call('link/upload/begin', { sid, studies, [`customfield-${body.uuid}`]: 'North' })).status).toBe(200)
  const kept = () => query(`select customfields from link_upload where customfields <> '{}'`)
  await sweepLinks(services)
  expect(await kept()).toEqual([{ customfields: { [body.uuid]: 'North' } }])
  await query(`update link set expires_at = now() where uuid in
    (select link_uuid from link_upload where customfields <> '{}')`)
  await sweepLinks(services)
  expect(await kept()).toEqual([])
  const group = await organisation.addGroup()
  const asked = { accountUuid: organisation.accountUuid, createdBy: owner.userUuid, namespaceUuid: group.namespaceUuid }
  const link = await makeRequest(services.db, asked)
  const byRequest = await openLink(services.db, link, 'STUDY_UPLOAD')
  expect((await call('link/request', { sid: byRequest })).body.customfields).toEqual([])
  await call('customfield/delete', { sid: owner.sid, uuid: body.uuid })
})

test('whoever sends by a share code with a login fills the same fields in, which the exam has that comes, at once or later', async () => {
  const of = { sid: owner.sid, account_id: organisation.accountUuid, object: 'Study', name: 'Clinic' }
  const { body } = await call('customfield/add', { ...of, type: 'text', required: 1, capture_on_share_code: 1 })
  const field = `customfield-${body.uuid}`
  try {
    const receiver = await addGroup('FIELD3', {})
    const sender = await makeOrganisation(services.db)
    const place = await sender.addGroup()
    const { sid } = await sender.addPerson({ role: 'Administrator', groups: [place] })
    const shareOne = async (more: Record<string, string | number>) => {
      const { study } = await makeDoorTarget(origin, sid, place.namespaceUuid, newUid())
      const [row] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${study}'`)
      const reply = (await call('study/share', { sid, uuid: row?.uuid ?? '', share_code: 'FIELD3', ...more })).body
      return { study, uuid: row?.uuid ?? '', reply }
    }
    const fieldsOf = (study: string) =>
      query(
        `select customfields from study where study_uid = '${study}' and phi_namespace = '${receiver.namespaceUuid}'`,
      )
    const lacking = await shareOne({})
    expect(lacking.reply).toMatchObject({
      error_type: 'INVALID_CUSTOMFIELD',
      error_subtype: ['Clinic: a value is required'],
    })
    expect(await fieldsOf(lacking.study)).toEqual([])
    const given = await shareOne({ [field]: ' West ' })
    expect(given.reply).toMatchObject({ status: 'OK', share: { is_new: 1 } })
    expect(await fieldsOf(given.study)).toEqual([{ customfields: { [body.uuid]: 'West' } }])
    const later = await shareOne({ [field]: 'East', delay: 180 })
    const [waiting] = await query<{ uuid: string; customfields: object }>(
      `select uuid, customfields from share where study_uuid = '${later.uuid}'`,
    )
    expect(waiting?.customfields).toEqual({ [body.uuid]: 'East' })
    await deliverShareActs.run(services, { shareUuid: waiting?.uuid ?? '' }, {} as never)
    expect(await fieldsOf(later.study)).toEqual([{ customfields: { [body.uuid]: 'East' } }])
    // they stand with the exam alone from then on
    expect(await query(`select from share where customfields <> '{}'`)).toEqual([])
  } finally {
    await call('customfield/delete', { sid: owner.sid, uuid: body.uuid })
  }
})
