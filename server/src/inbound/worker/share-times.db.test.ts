import { afterAll, expect, it, vi } from 'vitest'
import { type Person } from '../../../test/make-organisation.ts'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { jobs } from '../../areas/jobs.ts'
import { startRunner } from './run-work.ts'

const { services, call, query } = await startTestApp()
const { accessOf, makePlace, organisation, received, share, stop } = await makeSharing({ services, call })
const runner = await startRunner(
  services,
  jobs.filter(({ name }) => ['deliver-share', 'end-share'].includes(name)),
  { pollMs: 20 },
)
afterAll(() => runner.stop())

it('ends a share at the second, for everybody who has it from there, before any work has cleared it away', async () => {
  const { sid, study, uuid } = await makePlace()
  const [other, last] = [await makePlace(), await organisation.addPerson()]
  await share(sid, { uuid, group_id: other.group.groupUuid, expires: 60 })
  const theirs = (await received(other, study.study_uid))?.uuid
  await share(other.sid, { uuid: theirs, user_id: last.userUuid })
  expect((await accessOf(sid, uuid)).shares).toMatchObject([{ expires: 60, expires_at: expect.any(String) }])
  const counted = async () => (await call('study/count', { sid: last.sid })).body.count
  expect(await counted()).toBe(1)
  // the clock, without the work that waits for it
  await query(`update work set run_at = now() + interval '1 day' where job = 'end-share'`)
  await query(`update share set expires_at = now() where study_uuid = '${uuid}'`)
  await query(`update study_source set ends_at = now() where ends_at is not null`)
  for (const gone of [other, last]) expect(await received(gone, study.study_uid)).toBeUndefined()
  expect(await counted()).toBe(0)
  expect((await call('study/get', { sid: other.sid, uuid: theirs })).body.error_type).toBe('NOT_FOUND')
  expect((await accessOf(sid, uuid)).shares).toEqual([])
  expect((await call('study/share/list', { sid, uuid })).body.group_id).toEqual([])
  // another share may take the place of the ended one
  expect(await share(sid, { uuid, group_id: other.group.groupUuid })).toEqual(done)
  expect(await received(other, study.study_uid)).toBeDefined()
})

it('clears away what a share gave when its time is over', async () => {
  const { person, sid, study, uuid } = await makePlace()
  const to = await organisation.addPerson()
  await share(sid, { uuid, user_id: to.userUuid, expires: 60 })
  const theirs = (await received(to, study.study_uid))?.uuid
  await query(`update share set expires_at = now() where study_uuid = '${uuid}'`)
  await query(`update work set run_at = now() where job = 'end-share'`)
  await vi.waitFor(
    async () =>
      expect(await query(`select state, ended_by from share where study_uuid = '${uuid}'`)).toEqual([
        { state: 'stopped', ended_by: null },
      ]),
    { timeout: 20_000 },
  )
  expect(await query(`select from study where uuid = '${theirs}' and deleted_at is not null`)).toHaveLength(1)
  expect(await received(person, study.study_uid)).toMatchObject({ has_direct_shares: 0 })
})

it('[SEND-04] delivers a delayed share later, asks for the right again then, and forgets one that was stopped', async () => {
  const { group, person, sid, study, uuid } = await makePlace()
  const [first, second, third] = [
    await organisation.addPerson(),
    await organisation.addPerson(),
    await organisation.addPerson(),
  ]
  for (const { userUuid } of [first, second, third])
    expect(await share(sid, { uuid, user_id: userUuid, delay: 180 })).toEqual(done)
  expect(await received(first, study.study_uid)).toBeUndefined()
  const waiting = { state: 'scheduled', run_at: expect.any(String) }
  expect((await accessOf(sid, uuid)).shares).toMatchObject([waiting, waiting, waiting])
  expect(await received(person, study.study_uid)).toMatchObject({ has_direct_shares: 0 })
  expect(await stop(sid, { uuid, user_id: first.userUuid })).toEqual(done)
  // a share without a delay arrives at once
  expect(await share(sid, { uuid, user_id: second.userUuid })).toEqual(done)
  expect(await received(second, study.study_uid)).toBeDefined()
  await query(`delete from group_user where group_uuid = '${group.groupUuid}'`)
  await query(`update work set run_at = now() where job = 'deliver-share'`)
  const failed = `select to_uuid from share where study_uuid = '${uuid}' and state = 'failed' and failure = 'NOT_PERMITTED'`
  await vi.waitFor(async () => expect(await query(failed)).toEqual([{ to_uuid: third.userUuid }]), { timeout: 20_000 })
  for (const none of [first, third]) expect(await received(none, study.study_uid)).toBeUndefined()
})

it('[SEND-04] delivers a delayed share when its time has come', async () => {
  const { sid, study, uuid } = await makePlace()
  const to = await organisation.addPerson()
  await share(sid, { uuid, user_id: to.userUuid, delay: 180, message: 'Later' })
  await query(`update work set run_at = now() where job = 'deliver-share'`)
  await vi.waitFor(async () => expect(await received(to, study.study_uid)).toMatchObject({ share_message: 'Later' }), {
    timeout: 20_000,
  })
})

it('mails a recipient that something waits and where, naming nobody, unless that person chose otherwise', async () => {
  const { person, sid, uuid } = await makePlace()
  const [told, quiet, later] = [
    await organisation.addPerson(),
    await organisation.addPerson(),
    await organisation.addPerson(),
  ]
  const own = { namespace_id: quiet.namespaceUuid }
  expect((await call('user/event', { sid: quiet.sid, ...own })).body).toMatchObject({ event_share: 1 })
  expect((await call('user/event/set', { sid: quiet.sid, ...own, event_share: 0 })).body).toEqual(done)
  expect((await call('user/event', { sid: quiet.sid, ...own })).body).toMatchObject({ event_share: 0 })
  const mailsTo = ({ email }: Person) =>
    query<{ subject: string; body: string }>(`select subject, body from mail where recipient = '${email}'`)
  for (const { userUuid } of [told, quiet, person]) await share(sid, { uuid, user_id: userUuid, message: 'For JANE' })
  await share(sid, { uuid, user_id: later.userUuid, delay: 60 })
  expect(await mailsTo(later)).toEqual([])
  const mails = await mailsTo(told)
  expect(mails).toEqual([{ subject: 'An exam was shared with you', body: expect.stringMatching(/^http.*\n$/m) }])
  expect(JSON.stringify(mails)).not.toMatch(/DOE|JANE|Ada/)
  for (const one of [quiet, person]) expect(await mailsTo(one)).toEqual([])
  await query(`update work set run_at = now() where job = 'deliver-share'`)
  await vi.waitFor(async () => expect(await mailsTo(later)).toHaveLength(1), { timeout: 20_000 })
})

it('mails those members of a group who chose it, and nobody of what waits for approval', async () => {
  const { sid, uuid } = await makePlace()
  const [group, gated] = [await organisation.addGroup(), await organisation.addGroup()]
  await query(`update app_group set must_approve = true where uuid = '${gated.groupUuid}'`)
  const groups = [group, gated]
  const [chooser, other] = [await organisation.addPerson({ groups }), await organisation.addPerson({ groups })]
  for (const { namespaceUuid } of groups) {
    const place = { sid: chooser.sid, namespace_id: namespaceUuid }
    expect((await call('user/event', place)).body).toMatchObject({ event_share: 0 })
    expect((await call('user/event/set', { ...place, event_share: 1 })).body).toEqual(done)
  }
  for (const { groupUuid } of groups) await share(sid, { uuid, group_id: groupUuid })
  const mails = await query(
    `select recipient, subject from mail where recipient in ('${chooser.email}', '${other.email}')`,
  )
  expect(mails).toEqual([{ recipient: chooser.email, subject: 'An exam was shared with a group of yours' }])
})
