import { newUid } from '@hilum/dicom/uid'
import { expect, it } from 'vitest'
import { madeImage } from '../../../test/made-image.ts'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { completeSharedStudies } from '../../areas/study/complete-shared.command.ts'

const { services, app, call, query } = await startTestApp()
const { accessOf, listed, makePlace, organisation, received, share, stop } = await makeSharing({ services, call })

it('[SHARE-01][SHARE-03][ENTITY-29] gives a user the study in My studies, with a trimmed message, and the sender the list of access', async () => {
  const { group, person, sid, study, uuid } = await makePlace()
  const to = await organisation.addPerson()
  expect(await share(sid, { uuid, user_id: to.userUuid, message: '  Please look at this \n' })).toEqual(done)
  const found = await received(to, study.study_uid)
  expect(found).toMatchObject({
    source: 'share',
    share_message: 'Please look at this',
    phi_namespace: to.namespaceUuid,
    storage_namespace: group.namespaceUuid,
    patient_name: 'DOE^JANE',
    unread: 1,
  })
  expect(await received(person, study.study_uid)).toMatchObject({ uuid, has_direct_shares: 1 })
  const access = await accessOf(sid, uuid)
  expect(access.owner).toMatchObject({ kind: 'group' })
  expect(access.shares).toMatchObject([
    { kind: 'user', uuid: to.userUuid, name: to.name, user_email: to.email, state: 'delivered', by_name: person.name },
  ])
  const there = await accessOf(to.sid, found?.uuid ?? '')
  expect(there).toMatchObject({
    owner: { kind: 'user' },
    received: [{ by_name: person.name, message: 'Please look at this', expires_at: null }],
    shares: [],
  })
})

it('counts the images that came after a share for whoever shared and whoever has it, of each share since its own delivery', async () => {
  const from = await makePlace()
  const [early, late] = [await organisation.addPerson(), await organisation.addPerson()]
  const studyUid = newUid()
  const post = async (number: number) => {
    const reply = await app.inject({
      method: 'POST',
      url: `/api/v3/storage/namespace/${from.group.namespaceUuid}/image?sid=${from.sid}`,
      headers: { 'content-type': 'application/octet-stream' },
      payload: Buffer.from(madeImage({ studyUid, number })),
    })
    expect(reply.statusCode).toBe(202)
  }
  await post(1)
  const uuid = (await received(from, studyUid))?.uuid ?? ''
  expect(await share(from.sid, { uuid, user_id: early.userUuid })).toEqual(done)
  await post(2)
  await post(3)
  expect(await share(from.sid, { uuid, user_id: late.userUuid })).toEqual(done)
  await post(3)
  await post(4)
  const { shares } = await accessOf(from.sid, uuid)
  const lateOf = (person: { userUuid: string }) =>
    shares.find((one: { uuid: string }) => one.uuid === person.userUuid)?.late_image_count
  expect([lateOf(early), lateOf(late)]).toEqual([3, 1])
  for (const [person, count] of [
    [early, 3],
    [late, 1],
  ] as const) {
    const theirs = (await received(person, studyUid))?.uuid ?? ''
    expect((await accessOf(person.sid, theirs)).received).toMatchObject([{ late_image_count: count }])
  }
})

it('[SHARE-01] gives all members of a group the study, by GET and triplet, with nothing said as no message', async () => {
  const { group, sid, study, uuid } = await makePlace()
  const other = await organisation.addGroup()
  const [one, two] = [
    await organisation.addPerson({ groups: [other] }),
    await organisation.addPerson({ groups: [other], role: 'Viewer' }),
  ]
  const triplet = { study_uid: study.study_uid, storage_namespace: group.namespaceUuid }
  const { body } = await call(
    'study/share',
    { sid, ...triplet, group_id: other.groupUuid, message: ' ' },
    { method: 'GET' },
  )
  expect(body).toMatchObject({ ...done, share: { is_new: 1, changed: [], run_at: null, expires_at: null } })
  const found = await received(one, study.study_uid)
  expect(found).toMatchObject({ source: 'share', share_message: '' })
  expect((await received(two, study.study_uid))?.uuid).toBe(found?.uuid)
  expect((await call('study/share/list', { sid, uuid, name: 1 })).body.group_id).toHaveLength(1)
})

it('[SHARE-04][API-54] stops a share for one user and one group: the study is gone for them at once, and stays for others', async () => {
  const { person, sid, study, uuid } = await makePlace()
  const [one, two] = [await organisation.addPerson({ role: 'Administrator' }), await organisation.addPerson()]
  const other = await organisation.addGroup()
  const member = await organisation.addPerson({ groups: [other] })
  for (const to of [{ user_id: one.userUuid }, { user_id: two.userUuid }, { group_id: other.groupUuid }])
    expect(await share(sid, { uuid, ...to })).toEqual(done)
  const theirs = (await received(one, study.study_uid))?.uuid ?? ''
  expect(await stop(sid, { uuid, user_id: one.userUuid })).toEqual(done)
  expect(await received(one, study.study_uid)).toBeUndefined()
  expect((await call('study/get', { sid: one.sid, uuid: theirs })).body.error_type).toBe('NOT_FOUND')
  // nor in the bin of those who may restore
  expect(await listed(one.sid, { 'filter.is_deleted.equals': 1 })).toEqual([])
  expect((await call('study/revive', { sid: one.sid, uuid: theirs })).body.error_type).toBe('NOT_FOUND')
  expect(await received(two, study.study_uid)).toBeDefined()
  expect(await stop(sid, { uuid, group_id: other.groupUuid })).toEqual(done)
  expect(await received(member, study.study_uid)).toBeUndefined()
  expect(await received(person, study.study_uid)).toMatchObject({ has_direct_shares: 1 })
  expect(await stop(sid, { uuid, user_id: two.userUuid })).toEqual(done)
  expect(await received(person, study.study_uid)).toMatchObject({ has_direct_shares: 0 })
  expect(await stop(sid, { uuid, user_id: two.userUuid })).toMatchObject({
    error_type: 'NOT_FOUND',
    error_subtype: 'user_id',
  })
  // shared anew it is there again
  expect(await share(sid, { uuid, user_id: one.userUuid })).toEqual(done)
  expect(await received(one, study.study_uid)).toBeDefined()
})

it('takes back with a share whatever was passed on from it, but not what somebody has from elsewhere', async () => {
  const { sid, study, uuid } = await makePlace()
  const [one, two, three] = [await makePlace(), await makePlace(), await makePlace()]
  await share(sid, { uuid, group_id: one.group.groupUuid })
  await share(sid, { uuid, group_id: three.group.groupUuid })
  const ofOne = (await received(one, study.study_uid))?.uuid
  await share(one.sid, { uuid: ofOne, group_id: two.group.groupUuid })
  await share(one.sid, { uuid: ofOne, group_id: three.group.groupUuid })
  const ofTwo = (await received(two, study.study_uid))?.uuid
  const last = await organisation.addPerson()
  await share(two.sid, { uuid: ofTwo, user_id: last.userUuid })
  expect(await received(last, study.study_uid)).toBeDefined()
  await stop(sid, { uuid, group_id: one.group.groupUuid })
  for (const gone of [one, two, last]) expect(await received(gone, study.study_uid)).toBeUndefined()
  expect(await received(three, study.study_uid)).toBeDefined()
  expect((await accessOf(sid, uuid)).shares).toHaveLength(1)
})

it('makes no second share by sharing again, takes the new message over, and makes the study anew for a recipient who deleted it', async () => {
  const { sid, study, uuid } = await makePlace()
  const other = await makePlace()
  const to = { uuid, group_id: other.group.groupUuid }
  await share(sid, { ...to, message: 'First' })
  const before = await received(other, study.study_uid)
  expect(await share(sid, { ...to, message: 'Second' })).toEqual(done)
  expect(await received(other, study.study_uid)).toMatchObject({ uuid: before?.uuid, share_message: 'Second' })
  expect((await accessOf(sid, uuid)).shares).toMatchObject([{ message: 'Second' }])
  await call('study/delete', { sid: other.sid, uuid: before?.uuid })
  expect(await received(other, study.study_uid)).toBeUndefined()
  expect(await share(sid, { ...to, message: 'Third' })).toEqual(done)
  const after = await received(other, study.study_uid)
  expect(after).toMatchObject({ share_message: 'Third' })
  expect(after?.uuid).not.toBe(before?.uuid)
})

it('adds a source to the record that the recipient has of the study, and refuses when it names another patient', async () => {
  const { sid, study, uuid } = await makePlace()
  const [same, other] = [await makePlace(), await makePlace()]
  const patient = `patientid = 'M1', issuer = 'HOME', patient_birth_date = '19700101', patient_sex = 'F'`
  await query(`update study set ${patient} where uuid = '${uuid}'`)
  await query(`update study set study_uid = '${study.study_uid}', ${patient} where uuid = '${same.uuid}'`)
  await query(`update study set study_uid = '${study.study_uid}', patient_name = 'ROE^RICHARD', patientid = 'M2',
    issuer = 'HOME', patient_birth_date = '19500505', patient_sex = 'M' where uuid = '${other.uuid}'`)
  expect(await share(sid, { uuid, group_id: same.group.groupUuid })).toEqual(done)
  expect(await received(same, study.study_uid)).toMatchObject({ uuid: same.uuid, source: 'upload' })
  const refused = await share(sid, { uuid, group_id: other.group.groupUuid })
  expect(refused).toMatchObject({ error_type: 'SHARE_FAILED', error_subtype: 'OTHER_PATIENT' })
  // the reasons without what the other record says
  expect(refused.error_data.reasons).toEqual(expect.arrayContaining(['name-different', 'birth-date-different']))
  expect(JSON.stringify(refused)).not.toMatch(/ROE|1950|M2/)
  expect((await accessOf(sid, uuid)).shares).toHaveLength(1)
  // the recipient's own record outlives the share
  await stop(sid, { uuid, group_id: same.group.groupUuid })
  expect(await received(same, study.study_uid)).toMatchObject({
    uuid: same.uuid,
    storage_namespace: same.group.namespaceUuid,
  })
})

it('[SHARE-05][API-53] answers each study of a bundle for itself', async () => {
  const { sid, study, uuid } = await makePlace()
  const foreign = await makePlace()
  const to = await organisation.addPerson()
  const items = [uuid, foreign.uuid].map((one) => ({ URL: '/study/share', sid, uuid: one, user_id: to.userUuid }))
  const { body } = await call('bundle', {}, { body: items })
  expect(body).toMatchObject([
    { status: 'OK', HTTP_STATUS_CODE: '200' },
    { error_type: 'NOT_FOUND', HTTP_STATUS_CODE: '412' },
  ])
  expect(await received(to, study.study_uid)).toBeDefined()
  expect(await received(to, foreign.study.study_uid)).toBeUndefined()
})

it('shows a study that is still arriving as receiving at its recipients too, until it is complete at the sender', async () => {
  const { sid, study, uuid } = await makePlace()
  const to = await organisation.addPerson()
  await query(`update study set arrival = 'receiving', complete_at = now() + interval '1 hour' where uuid = '${uuid}'`)
  await share(sid, { uuid, user_id: to.userUuid })
  expect(await received(to, study.study_uid)).toMatchObject({ arrival: 'receiving', phantom: 1 })
  await completeSharedStudies(services)
  expect(await received(to, study.study_uid)).toMatchObject({ arrival: 'receiving' })
  await query(`update study set arrival = 'incomplete', complete_at = null where uuid = '${uuid}'`)
  await completeSharedStudies(services)
  expect(await received(to, study.study_uid)).toMatchObject({ arrival: 'incomplete', phantom: 0 })
})
