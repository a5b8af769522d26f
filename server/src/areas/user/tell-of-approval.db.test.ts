import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { askDoor } from '../../../test/door-target.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { tellOfApproval } from './tell-of-approval.job.ts'

const { app, call, query, services } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const organisation = await makeOrganisation(services.db)
const owner = await organisation.addPerson({ role: 'Administrator' })
const group = await organisation.addGroup()
const sent = { share_code: 'WAITS1', share_settings: JSON.stringify({ takes_uploads: 1 }) }
await call('group/set', { sid: owner.sid, uuid: group.groupUuid, ...sent })
const addApprover = async () => {
  const person = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  await call('user/event/set', { sid: person.sid, namespace_id: person.namespaceUuid, event_approve: 1 })
  return person
}

/** Sends one study by the share code. */
async function send(): Promise<string> {
  const studyUid = newUid()
  const { sid } = (await call('namespace/share_code/open', { share_code: 'WAITS1' })).body
  await call('link/upload/begin', { sid, studies: [{ study_uid: studyUid, image_count: 1 }], sender: 'Clinic West' })
  const image = { method: 'POST', url: '/api/v3/storage/link/image', query: { study_uid: studyUid } } as const
  await askDoor(origin, { ...image, payload: new Uint8Array(madeImage({ studyUid, number: 1 })) }, sid)
  await call('link/upload/end', { sid, study_uid: studyUid })
  return studyUid
}
const flush = async () => {
  const waiting = await query<{ payload: { namespaceUuid: string } }>(
    `delete from work where job = 'tell-of-approval' returning payload`,
  )
  for (const { payload } of waiting) await tellOfApproval(services, payload)
  return waiting.length
}
const mailsTo = (email: string) => query<{ body: string }>(`select body from mail where recipient = '${email}'`)

test('those who may approve are mailed once for what comes within minutes by a share code, where they chose so', async () => {
  await send()
  expect(await flush(), 'nobody chose so').toBe(0)
  const [approver, other] = [
    await addApprover(),
    await organisation.addPerson({ role: 'Administrator', groups: [group] }),
  ]
  const uploader = await organisation.addPerson({ role: 'Uploader', groups: [group] })
  await query(
    `insert into event_choice (user_uuid, namespace_uuid, event, is_on) values ('${uploader.userUuid}', '${uploader.namespaceUuid}', 'event_approve', true)`,
  )
  const { body } = await call('user/event', { sid: approver.sid, namespace_id: approver.namespaceUuid })
  expect(body).toMatchObject({ event_approve: 1, event_share: 1 })
  await send()
  await send()
  expect(await flush()).toBe(1)
  const mails = await mailsTo(approver.email)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.body).not.toMatch(/made|clinic/i)
  // neither one who chose nothing nor one who may not approve
  expect(await mailsTo(other.email)).toEqual([])
  expect(await mailsTo(uploader.email)).toEqual([])
})

test('nobody is mailed of what was decided, or of a place left, before the mail was due', async () => {
  const [approver, leaver] = [await addApprover(), await addApprover()]
  await send()
  await query(`delete from group_user where user_uuid = '${leaver.userUuid}'`)
  await flush()
  expect(await mailsTo(approver.email)).toHaveLength(1)
  expect(await mailsTo(leaver.email)).toEqual([])
  await send()
  await query(`update study set must_approve = false where phi_namespace = '${group.namespaceUuid}'`)
  expect(await flush()).toBe(1)
  expect(await mailsTo(approver.email)).toHaveLength(1)
})

test('nobody is mailed twice where the mail to one of them could not be written at first', async () => {
  const approvers = [await addApprover(), await addApprover()].map(({ email }) => `'${email}'`)
  const inOrder = await query<{ email: string }>(
    `select email from app_user where email in (${approvers.join()}) order by email`,
  )
  const [first = '', last = ''] = inOrder.map(({ email }) => email)
  await query(`create function refuse_mail() returns trigger language plpgsql as $$
    begin
      if new.recipient = '${last}' then raise exception 'refused'; end if;
      return new;
    end $$`)
  await query('create trigger refuse_mail before insert on mail for each row execute function refuse_mail()')
  await query(`update study set must_approve = true where phi_namespace = '${group.namespaceUuid}'`)
  const told = { namespaceUuid: group.namespaceUuid }
  try {
    await expect(tellOfApproval(services, told)).rejects.toThrow('refused')
  } finally {
    await query('drop trigger refuse_mail on mail')
  }
  await tellOfApproval(services, told)
  for (const email of [first, last]) expect(await mailsTo(email)).toHaveLength(1)
})

test('a share into a group that approves is told in the same way', async () => {
  const approver = await addApprover()
  const [from, to] = [await organisation.addGroup(), await organisation.addGroup()]
  const sharer = await organisation.addPerson({ role: 'Administrator', groups: [from, to] })
  await query(`insert into group_user (group_uuid, user_uuid) values ('${to.groupUuid}', '${approver.userUuid}')`)
  await query(`update app_group set must_approve = true where uuid = '${to.groupUuid}'`)
  const { uuid } = await makeStudy(services.db, { ...from, accountUuid: organisation.accountUuid })
  expect((await call('study/share', { sid: sharer.sid, uuid, group_id: to.groupUuid })).body.status).toBe('OK')
  expect(await flush()).toBe(1)
  expect(await mailsTo(approver.email)).toHaveLength(1)
})
