import { newUid } from '@hilum/dicom/uid'
import { expect, it } from 'vitest'
import { madeImage } from '../../../test/made-image.ts'
import { makeLink, openLink } from '../../../test/make-link.ts'
import type { Person } from '../../../test/make-organisation.ts'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { purge } from '../../areas/retention/purge.job.ts'

const { services, app, call, query } = await startTestApp()
const { accountUuid, makePlace, organisation, received, share } = await makeSharing({ services, call })

const reason = 'Images of another patient'
const retract = async (sid: string, uuid: string, more: object = {}) =>
  (await call('study/retract', { sid, uuid, reason, ...more })).body
/** Restores an exam; the access that comes back is counted in shares-into-newer.db.test.ts. */
const revive = async (sid: string, uuid: string) => {
  const { body } = await call('study/revive', { sid, uuid })
  delete body.access
  return body
}
const deletedOf = async (sid: string) =>
  (await call('study/list', { sid, 'filter.is_deleted.equals': 1 })).body.studies as { uuid: string }[]
const mailsTo = async (email: string) =>
  (
    await query<{ subject: string; body: string }>(`select subject, body from mail where recipient = '${email}'`)
  ).filter(({ subject }) => subject === 'An exam was taken back')
const actsOn = async (uuid: string) =>
  (await query<{ action: string }>(`select action from audit where object_uuid = '${uuid}' order by id`)).map(
    ({ action }) => action,
  )
async function post(sid: string, namespace: string, studyUid: string, number = 1) {
  const reply = await app.inject({
    method: 'POST',
    url: `/api/v3/storage/namespace/${namespace}/image?sid=${sid}`,
    headers: { 'content-type': 'application/octet-stream' },
    payload: Buffer.from(madeImage({ studyUid, number })),
  })
  expect([reply.statusCode, reply.statusCode === 202 ? '' : reply.body]).toEqual([202, ''])
}

/** A study with an image that went to a group, from there to a person, and by a link to somebody outside. */
async function makeSpread() {
  const owner = await makePlace('Administrator')
  const studyUid = newUid()
  await post(owner.sid, owner.group.namespaceUuid, studyUid)
  const own = await received(owner, studyUid)
  const uuid = own?.uuid ?? ''
  await call('study/sync', { sid: owner.sid, uuid, image_count: 1 })
  const other = await makePlace('Administrator')
  const last = await organisation.addPerson()
  await share(owner.sid, { uuid, group_id: other.group.groupUuid })
  const theirs = (await received(other, studyUid))?.uuid ?? ''
  await share(other.sid, { uuid: theirs, user_id: last.userUuid })
  const lasts = (await received(last, studyUid))?.uuid ?? ''
  return { owner, studyUid, uuid, other, theirs, last, lasts }
}
type Spread = Awaited<ReturnType<typeof makeSpread>>
const endShareTo = async (sid: string, uuid: string, groupUuid: string) =>
  (await call('study/share/stop', { sid, uuid, group_id: groupUuid })).body
const seenBy = async (people: readonly Pick<Person, 'sid'>[], studyUid: string) =>
  Promise.all(people.map(async (one) => (await received(one, studyUid)) !== undefined))

it.each([
  ['is taken back', (world: Spread) => retract(world.owner.sid, world.uuid)],
  ['is shared no longer', ({ owner, uuid, other }: Spread) => endShareTo(owner.sid, uuid, other.group.groupUuid)],
  [
    'is deleted',
    async ({ other, theirs }: Spread) => (await call('study/delete', { sid: other.sid, uuid: theirs })).body,
  ],
])('ends the lock of whoever has a study open that %s', async (_how, remove) => {
  const world = await makeSpread()
  const { other, theirs } = world
  expect((await call('study/lock', { sid: other.sid, uuid: theirs })).body).toMatchObject(done)
  expect(await remove(world)).toMatchObject(done)
  expect(await query(`select deleted_at is not null as gone from study where uuid = '${theirs}'`)).toEqual([
    { gone: true },
  ])
  expect(await query(`select from study_lock where study_uuid = '${theirs}'`)).toEqual([])
})

it('takes a study back everywhere it went, tells all who had it, keeps the bytes, and shows everything again', async () => {
  const { owner, studyUid, uuid, other, theirs, last, lasts } = await makeSpread()
  const link = await makeLink(services.db, {
    accountUuid,
    createdBy: owner.person.userUuid,
    studies: [{ phi_namespace: owner.group.namespaceUuid, uuid }],
  })
  await query(`update link set email = 'outside@clinic.example' where uuid = '${link}'`)
  await query(`insert into mail (uuid, account_uuid, recipient, subject, body, sent_at, link_uuid)
    values (gen_random_uuid(), '${accountUuid}', 'outside@clinic.example', 'A link', '', now(), '${link}')`)
  const linkSid = await openLink(services.db, link)
  const shown = async () => (await call('link/studies', { sid: linkSid })).body.studies?.length ?? 0
  expect(await shown()).toBe(1)
  await call('study/star', { sid: last.sid, uuid: lasts, star: 1 })

  expect((await retract(other.sid, theirs)).error_type).toBe('NOT_PERMITTED') // received, not owned
  expect(await retract(owner.sid, uuid, { reason: '   ' })).toMatchObject({ error_subtype: 'reason' })
  expect(await retract(owner.sid, uuid)).toEqual({ status: 'OK', places: 2, copies: 0 })
  expect(await seenBy([owner, other, last], studyUid)).toEqual([false, false, false])
  expect(await shown()).toBe(0)
  // not even in the bins of those who had it
  for (const [sid, one] of [
    [other.sid, theirs],
    [last.sid, lasts],
  ] as const) {
    expect(await deletedOf(sid)).toEqual([])
    expect((await revive(sid, one)).error_type).toBe('NOT_FOUND')
  }
  expect(await deletedOf(owner.sid)).toMatchObject([{ uuid, retraction: { reason, by_name: owner.person.name } }])
  expect(await mailsTo(last.email)).toHaveLength(1)
  expect((await mailsTo('outside@clinic.example'))[0]?.body).not.toContain(reason)
  for (const one of [uuid, theirs, lasts]) expect(await actsOn(one)).toContain('RETRACT')
  expect(await query(`select from event where kind = 'retracted' and uuid in ('${theirs}', '${lasts}')`)).toHaveLength(
    2,
  )
  expect((await retract(owner.sid, uuid)).error_type).toBe('NOT_FOUND')
  // kept, however long it is
  await query(`update study set deleted_at = deleted_at - interval '60 days' where study_uid = '${studyUid}'`)
  await query(`update retraction set at = at - interval '60 days' where study_uid = '${studyUid}'`)
  await purge(services, new Date())
  expect(
    await query(
      `select from instance where study_key in (select key from stored_study where study_uid = '${studyUid}')`,
    ),
  ).toHaveLength(1)

  expect(await revive(owner.sid, uuid)).toEqual(done)
  expect(await seenBy([owner, other, last], studyUid)).toEqual([true, true, true])
  expect(await received(last, studyUid)).toMatchObject({ uuid: lasts, star: 1, image_count: 1 })
  expect(await shown()).toBe(1)
  for (const one of [uuid, theirs, lasts]) expect(await actsOn(one)).toContain('REVIVE')
})

it('has whatever comes of it again wait for approval, at every place it was taken back from, and says so before an upload', async () => {
  const { owner, studyUid, uuid, other } = await makeSpread()
  const member = await organisation.addPerson({ role: 'Viewer', groups: [owner.group, other.group] })
  await retract(owner.sid, uuid)
  const asked = async (sid: string, namespaceUuid: string) =>
    (await call('study/upload/retracted', { sid, namespace_id: namespaceUuid, study_uids: [studyUid, newUid()] })).body
      .studies
  const told = [{ study_uid: studyUid, reason, by_name: owner.person.name, at: expect.any(String) }]
  for (const { sid, group } of [owner, other]) expect(await asked(sid, group.namespaceUuid)).toEqual(told)
  const third = await makePlace('Administrator')
  expect(await asked(third.sid, third.group.namespaceUuid)).toEqual([])

  for (const place of [owner, other]) {
    await post(place.sid, place.group.namespaceUuid, studyUid, 2)
    expect(await received(place, studyUid)).toMatchObject({ must_approve: 1, retraction: { reason } })
  }
  expect(await received(member, studyUid)).toBeUndefined()
  await post(third.sid, third.group.namespaceUuid, studyUid, 2)
  expect(await received(third, studyUid)).toMatchObject({ must_approve: 0 })
  // by a share it waits, too
  await query(
    `update study set deleted_at = now() where study_uid = '${studyUid}' and phi_namespace = '${other.group.namespaceUuid}'`,
  )
  const again = (await received(third, studyUid))?.uuid
  expect(await share(third.sid, { uuid: again, group_id: other.group.groupUuid })).toEqual(done)
  expect(await received(other, studyUid)).toMatchObject({ must_approve: 1, source: 'share' })
})

it('takes copies back that recipients kept, with what was passed on from them, and leaves images that came another way', async () => {
  const { owner, studyUid, uuid, other, theirs } = await makeSpread()
  await call('study/sync', { sid: other.sid, uuid: theirs, image_count: 1 })
  await query(`update study set arrival = 'complete' where uuid = '${theirs}'`)
  expect(
    (await call('study/duplicate', { sid: other.sid, uuid: theirs, namespace_id: other.group.namespaceUuid })).body,
  ).toEqual(done)
  await call('study/share/stop', { sid: owner.sid, uuid, group_id: other.group.groupUuid })
  expect(await received(other, studyUid)).toMatchObject({ uuid: theirs })
  const next = await organisation.addPerson()
  await share(other.sid, { uuid: theirs, user_id: next.userUuid })
  // the same study from somewhere else
  const third = await makePlace('Administrator')
  await post(third.sid, third.group.namespaceUuid, studyUid)
  await share(owner.sid, { uuid, group_id: third.group.groupUuid })
  const thirds = (await received(third, studyUid))?.uuid

  expect(await retract(owner.sid, uuid)).toEqual({ status: 'OK', places: 3, copies: 0 })
  expect(await seenBy([owner, other, next, third], studyUid)).toEqual([false, false, false, true])
  expect(await query(`select storage_namespace from study_source where study_uuid = '${thirds}'`)).toEqual([
    { storage_namespace: third.group.namespaceUuid },
  ])
  expect(await revive(owner.sid, uuid)).toEqual(done)
  expect(await seenBy([owner, other, next, third], studyUid)).toEqual([true, true, true, true])
  // the copy takes what arrives again, as before
  await post(other.sid, other.group.namespaceUuid, studyUid, 3)
  expect(await received(other, studyUid)).toMatchObject({ uuid: theirs, image_count: 2, must_approve: 0 })
})

it('shows nobody again whose share has ended meanwhile, or whose place has the study anew', async () => {
  const { owner, studyUid, uuid, other, theirs, last } = await makeSpread()
  await retract(owner.sid, uuid)
  await post(other.sid, other.group.namespaceUuid, studyUid, 2)
  const anew = (await received(other, studyUid))?.uuid
  await query(`update study_source set ends_at = now() where phi_namespace = '${last.namespaceUuid}'`)
  expect(await revive(owner.sid, uuid)).toEqual(done)
  expect(await received(other, studyUid)).toMatchObject({ uuid: anew })
  expect(await received(last, studyUid)).toBeUndefined()
  expect(
    await query(`select from study where uuid = '${theirs}' and deleted_at is not null and retraction_uuid is null`),
  ).toHaveLength(1)
})

it('two people who take a study back, or stop a share of it, at once do it once', async () => {
  const { owner, uuid, other } = await makeSpread()
  const answers = await Promise.all([retract(owner.sid, uuid), retract(owner.sid, uuid)])
  expect(answers.map(({ status, error_type }) => error_type ?? status).toSorted()).toEqual(['NOT_FOUND', 'OK'])
  await revive(owner.sid, uuid)
  const stops = await Promise.all(
    [1, 2].map(
      async () => (await call('study/share/stop', { sid: owner.sid, uuid, group_id: other.group.groupUuid })).body,
    ),
  )
  expect(stops.map(({ status, error_type }) => error_type ?? status).toSorted()).toEqual(['NOT_FOUND', 'OK'])
  expect((await actsOn(uuid)).filter((one) => one === 'DELETE')).toHaveLength(1)
})
