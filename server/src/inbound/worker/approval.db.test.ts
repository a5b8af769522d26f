import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeStudy } from '../../../test/make-organisation.ts'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const { accessOf, accountUuid, makePlace, organisation, received, share, stop } = await makeSharing({ services, call })

/** A group that approves what is shared with it: a member who may approve, and one who may not and is mailed of shares. */
async function makeApproving() {
  const group = await organisation.addGroup()
  await query(`update app_group set must_approve = true where uuid = '${group.groupUuid}'`)
  const approver = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const member = await organisation.addPerson({ role: 'Viewer', groups: [group] })
  await query(`insert into event_choice (user_uuid, namespace_uuid, event, is_on)
    values ('${member.userUuid}', '${group.namespaceUuid}', 'event_share', true)`)
  return { group, approver, member }
}
const approve = async (sid: string, uuid = '') => (await call('study/approve', { sid, uuid }, { method: 'GET' })).body
const reject = async (sid: string, uuid = '', more: object = {}) =>
  (await call('study/reject', { sid, uuid, ...more })).body
const mailsTo = async (email: string) =>
  (
    await query<{ subject: string }>(`select subject from mail where recipient = '${email}' order by created, uuid`)
  ).map(({ subject }) => subject)
const actsOn = async (uuid: string) =>
  (await query<{ action: string }>(`select action from audit where object_uuid = '${uuid}' order by id`)).map(
    ({ action }) => action,
  )
const sharedMail = 'An exam was shared with a group of yours'
const rejectedMail = 'An exam that you shared was not accepted'

/** The same study in another place, of the same patient. */
async function makeSame(studyUid: string, patientName = 'DOE^JANE') {
  const place = await makePlace()
  const { uuid } = await makeStudy(services.db, { ...place.group, accountUuid }, { patient_name: patientName })
  await query(`update study set study_uid = '${studyUid}' where uuid = '${uuid}'`)
  return { ...place, uuid }
}

it('[API-15] delivers what is shared with a group that approves to those who may approve alone, and tells nobody until one does, and then once', async () => {
  const { sid, study, uuid } = await makePlace()
  const { group, approver, member } = await makeApproving()
  expect(await share(sid, { uuid, group_id: group.groupUuid, message: 'Please check' })).toEqual(done)
  const waiting = await received(approver, study.study_uid)
  expect(waiting).toMatchObject({ must_approve: 1, has_waiting_shares: 0 })
  expect(await received(member, study.study_uid)).toBeUndefined()
  expect((await call('study/get', { sid: member.sid, uuid: waiting?.uuid })).body.error_type).toBe('NOT_FOUND')
  expect((await approve(member.sid, waiting?.uuid)).error_type).toBe('NOT_FOUND')
  expect(await mailsTo(member.email)).toEqual([])
  expect((await accessOf(sid, uuid)).shares).toMatchObject([{ state: 'delivered', awaits_approval: true }])
  expect((await accessOf(approver.sid, waiting?.uuid ?? '')).received).toMatchObject([
    { message: 'Please check', awaits_approval: true },
  ])
  // nothing that waits is passed on
  const passedOn = await share(approver.sid, { uuid: waiting?.uuid, user_id: member.userUuid })
  expect(passedOn).toMatchObject({ error_type: 'NOT_PERMITTED', error_subtype: 'must_approve' })

  // two people at once
  const answers = await Promise.all([approve(approver.sid, waiting?.uuid), approve(approver.sid, waiting?.uuid)])
  expect(answers).toEqual([done, done])
  expect(await received(member, study.study_uid)).toMatchObject({ must_approve: 0 })
  expect(await mailsTo(member.email)).toEqual([sharedMail])
  expect((await actsOn(waiting?.uuid ?? '')).filter((one) => one === 'APPROVE')).toHaveLength(1)
  expect((await actsOn(uuid)).filter((one) => one === 'APPROVE')).toHaveLength(1)
  expect((await accessOf(sid, uuid)).shares).toMatchObject([{ awaits_approval: false }])
})

it('rejects what was shared: it is gone, the sender reads the reason with the exam and in the field for it, and is mailed without it', async () => {
  const { person, sid, study, uuid } = await makePlace()
  const { group, approver } = await makeApproving()
  const field = randomUUID()
  await query(`insert into customfield (uuid, account_uuid, name, object, type)
    values ('${field}', '${accountUuid}', 'reject_message', 'Study', 'text')`)
  await share(sid, { uuid, group_id: group.groupUuid })
  const waiting = await received(approver, study.study_uid)
  expect(await reject(approver.sid, waiting?.uuid, { message: 'x'.repeat(1001) })).toMatchObject({
    error_type: 'INVALID_FIELD',
    error_subtype: 'message',
  })
  expect(await reject(approver.sid, waiting?.uuid, { message: ' Wrong patient ' })).toEqual(done)
  expect(await received(approver, study.study_uid)).toBeUndefined()
  expect((await call('study/revive', { sid: approver.sid, uuid: waiting?.uuid })).body.error_type).toBe('NOT_FOUND')
  expect((await accessOf(sid, uuid)).shares).toMatchObject([
    { state: 'failed', failure: 'REJECTED', reply: 'Wrong patient', awaits_approval: false },
  ])
  const [mail] = await query<{ subject: string; body: string }>(
    `select subject, body from mail where recipient = '${person.email}'`,
  )
  expect(mail?.subject).toBe(rejectedMail)
  expect(mail?.body).not.toContain('Wrong patient')
  expect(await query(`select customfields ->> '${field}' as value from study where uuid = '${uuid}'`)).toEqual([
    { value: 'Wrong patient' },
  ])
  expect(await actsOn(waiting?.uuid ?? '')).toContain('REJECT')
  expect(await actsOn(uuid)).toContain('REJECT')
  await query(`update customfield set deleted_at = now() where uuid = '${field}'`)
  // once more, after the sender has mended it
  expect(await share(sid, { uuid, group_id: group.groupUuid })).toEqual(done)
  expect(await received(approver, study.study_uid)).toMatchObject({ must_approve: 1 })
})

it('has a source wait that a share adds to an approved record, and shows nobody its images until it is approved', async () => {
  const { sid, study, uuid } = await makePlace()
  const { group, approver, member } = await makeApproving()
  await share(sid, { uuid, group_id: group.groupUuid })
  const record = (await received(approver, study.study_uid))?.uuid ?? ''
  await approve(approver.sid, record)
  const second = await makeSame(study.study_uid)
  const sources = async () => (await query(`select from study_source where study_uuid = '${record}'`)).length
  expect(await share(second.sid, { uuid: second.uuid, group_id: group.groupUuid, message: 'More' })).toEqual(done)
  expect(await sources()).toBe(2)
  expect(await received(approver, study.study_uid)).toMatchObject({ must_approve: 0, has_waiting_shares: 1 })
  // a person who may not approve sees the record, and nothing of the images that wait
  expect(await received(member, study.study_uid)).toMatchObject({ uuid: record, has_waiting_shares: 0 })
  const named = async (sid: string) =>
    (
      await call('study/get', {
        sid,
        study_uid: study.study_uid,
        phi_namespace: group.namespaceUuid,
        storage_namespace: second.group.namespaceUuid,
      })
    ).body.uuid
  expect([await named(approver.sid), await named(member.sid)]).toEqual([undefined, undefined])
  expect(await mailsTo(member.email)).toEqual([sharedMail])
  expect((await accessOf(second.sid, second.uuid)).shares).toMatchObject([{ awaits_approval: true }])
  // a share that is rejected goes alone
  expect(await reject(approver.sid, record, { message: 'Not ours' })).toEqual(done)
  expect(await sources()).toBe(1)
  expect(await received(member, study.study_uid)).toMatchObject({ uuid: record })
  expect(await received(approver, study.study_uid)).toMatchObject({ has_waiting_shares: 0 })
  expect(await reject(approver.sid, record)).toMatchObject({ error_type: 'NOT_PERMITTED', error_subtype: 'approved' })

  await share(second.sid, { uuid: second.uuid, group_id: group.groupUuid })
  expect(await approve(approver.sid, record)).toEqual(done)
  expect([await named(approver.sid), await named(member.sid)]).toEqual([record, record])
  expect(await mailsTo(member.email)).toEqual([sharedMail, sharedMail])
})

it('has a record wait as a whole once nothing but what waits is left of it', async () => {
  const { sid, study, uuid } = await makePlace()
  const { group, approver, member } = await makeApproving()
  await share(sid, { uuid, group_id: group.groupUuid })
  const record = (await received(approver, study.study_uid))?.uuid ?? ''
  await approve(approver.sid, record)
  const second = await makeSame(study.study_uid)
  await share(second.sid, { uuid: second.uuid, group_id: group.groupUuid, message: 'Second' })
  expect(await stop(sid, { uuid, group_id: group.groupUuid })).toEqual(done)
  expect(await received(member, study.study_uid)).toBeUndefined()
  expect(await received(approver, study.study_uid)).toMatchObject({
    uuid: record,
    must_approve: 1,
    has_waiting_shares: 0,
    share_message: 'Second',
  })
  expect(await stop(second.sid, { uuid: second.uuid, group_id: group.groupUuid })).toEqual(done)
  expect(await received(approver, study.study_uid)).toBeUndefined()
})

it('deletes an upload that waited and is rejected, so that it can be restored, but for one that a hold keeps', async () => {
  const { group, approver } = await makeApproving()
  const place = { ...group, accountUuid }
  const other = await makeStudy(services.db, place, { must_approve: true })
  expect(await reject(approver.sid, other.uuid, { message: 'No' })).toEqual(done)
  expect(await received(approver, other.study_uid)).toBeUndefined()
  expect((await call('study/revive', { sid: approver.sid, uuid: other.uuid })).body).toMatchObject(done)
  expect(await received(approver, other.study_uid)).toMatchObject({ must_approve: 1 })
  const held = await makeStudy(services.db, place, { must_approve: true })
  await query(`update study set hold = true where uuid = '${held.uuid}'`)
  expect(await reject(approver.sid, held.uuid)).toMatchObject({ error_type: 'NOT_PERMITTED', error_subtype: 'hold' })
})
