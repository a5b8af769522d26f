import { newUid } from '@hilum/dicom/uid'
import { expect, it } from 'vitest'
import { madeImage } from '../../../test/made-image.ts'
import { makeLink, openLink } from '../../../test/make-link.ts'
import type { Person } from '../../../test/make-organisation.ts'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { endShareInTime } from '../../areas/study/end-share.job.ts'
import { purge } from '../../areas/retention/purge.job.ts'
import { deliverShareActs } from '../../areas/study/deliver-share.job.ts'

/*
 * An exam that was shared, deleted, sent anew, shared again and then restored into the newer record: whoever has it by the
 * earlier share keeps it as long as the newer one lasts, and whatever ends the access of the newer one ends both.
 */

const { services, app, call, query } = await startTestApp()
const { accessOf, accountUuid, makePlace, organisation, received, share, stop } = await makeSharing({ services, call })

async function post(sid: string, namespace: string, studyUid: string, number: number) {
  const reply = await app.inject({
    method: 'POST',
    url: `/api/v3/storage/namespace/${namespace}/image?sid=${sid}`,
    headers: { 'content-type': 'application/octet-stream' },
    payload: Buffer.from(madeImage({ studyUid, number })),
  })
  expect([reply.statusCode, reply.statusCode === 202 ? '' : reply.body]).toEqual([202, ''])
}

interface Options {
  /** Words of the newer share besides its recipient. */
  newer?: object
  /** Whether the recipient passes the newer one on, too. */
  isPassedOnAgain?: boolean
  beforeDeletion?: (world: { other: Awaited<ReturnType<typeof makePlace>>; theirs: string }) => Promise<void>
}

/**
 * An exam that a group had and passed on to a person, and that person to another, restored into a newer record, which is
 * shared with the group again.
 */
async function makeRestored({ newer = {}, isPassedOnAgain = false, beforeDeletion }: Options = {}) {
  const [owner, other] = [await makePlace('Administrator'), await makePlace('Administrator')]
  const [third, fourth] = [await organisation.addPerson(), await organisation.addPerson()]
  const studyUid = newUid()
  const namespace = owner.group.namespaceUuid
  const uuidFor = async (one: Pick<Person, 'sid'>) => (await received(one, studyUid))?.uuid ?? ''
  const to = { group_id: other.group.groupUuid }
  await post(owner.sid, namespace, studyUid, 1)
  const old = await uuidFor(owner)
  expect(await share(owner.sid, { uuid: old, ...to })).toEqual(done)
  expect(await share(other.sid, { uuid: await uuidFor(other), user_id: third.userUuid })).toEqual(done)
  expect(await share(third.sid, { uuid: await uuidFor(third), user_id: fourth.userUuid })).toEqual(done)
  await beforeDeletion?.({ other, theirs: await uuidFor(other) })
  expect((await call('study/delete', { sid: owner.sid, uuid: old })).body).toEqual(done)
  await post(owner.sid, namespace, studyUid, 2)
  expect(await share(owner.sid, { uuid: await uuidFor(owner), ...to, ...newer })).toEqual(done)
  if (isPassedOnAgain)
    await call('study/share', { sid: other.sid, uuid: await uuidFor(other), user_id: third.userUuid })
  const { uuid } = (await call('study/revive', { sid: owner.sid, uuid: old })).body as { uuid: string }
  expect(uuid).toMatch(/^[\da-f-]{36}$/)
  return { owner, other, third, fourth, studyUid, uuid, old, to, namespace }
}
type Restored = Awaited<ReturnType<typeof makeRestored>>

/** Whether each of the three that have the exam by shares sees it. */
const seen = async ({ other, third, fourth, studyUid }: Restored) =>
  Promise.all([other, third, fourth].map(async (one) => (await received(one, studyUid)) !== undefined))
const run = { work: '', signal: new AbortController().signal }
const everybody = [true, true, true]
const nobody = [false, false, false]
const retract = async ({ owner, uuid }: Restored) =>
  (await call('study/retract', { sid: owner.sid, uuid, reason: 'Images of another patient' })).body
const sharesOf = async (uuid: string) =>
  query<{ uuid: string; state: string }>(
    `select uuid, state from share where study_uuid = '${uuid}' order by created desc`,
  )

const ends: Record<string, (world: Restored) => Promise<unknown>> = {
  'taking back': retract,
  stopping: ({ owner, uuid, to }) => stop(owner.sid, { uuid, ...to }),
  'its time, before any work': ({ uuid }) =>
    query(`update share set expires_at = now() where study_uuid = '${uuid}' and expires_at is not null`).then(() =>
      query(`update study_source set ends_at = now() where ends_at is not null`),
    ),
  'the work at its time': async ({ uuid }) => {
    const [newest] = await sharesOf(uuid)
    await query(`update share set expires_at = now() where uuid = '${newest?.uuid}'`)
    await endShareInTime(services, { shareUuid: newest?.uuid ?? '' })
  },
  'the page of access from outside': async ({ owner, uuid }) => {
    const [newest] = await sharesOf(uuid)
    return (await call('outside/end', { sid: owner.sid, account_id: accountUuid, share_id: newest?.uuid })).body
  },
}

/** The accesses from outside to what a group has. */
const outside = async ({ owner, uuid }: Restored) => {
  const { body } = await call('outside/list', { sid: owner.sid, account_id: accountUuid })
  return (body.accesses as { study_id: string; state: string }[]).filter((one) => one.study_id === uuid)
}

it.each(Object.keys(ends).flatMap((name) => [false, true].map((isAgain) => [name, isAgain] as const)))(
  'an exam that was restored into a newer record stays with all who have it, and %s reaches each (passed on again: %s)',
  async (name, isPassedOnAgain) => {
    const world = await makeRestored({ newer: { expires: 60 }, isPassedOnAgain })
    expect(await seen(world)).toEqual(everybody)
    const to = { uuid: world.to.group_id, state: 'delivered', expires: 60 }
    expect((await accessOf(world.owner.sid, world.uuid)).shares).toMatchObject([to])
    expect(await outside(world)).toMatchObject([{ state: 'open' }])
    await ends[name]?.(world)
    expect(await seen(world)).toEqual(nobody)
    expect((await accessOf(world.owner.sid, world.uuid)).shares ?? []).toEqual([])
    expect(await query(`select from share where study_uuid = '${world.old}'`)).toEqual([])
  },
)

it('a taking back of an exam that was restored into a newer record is undone for all who had it', async () => {
  const world = await makeRestored()
  expect(await retract(world)).toMatchObject({ status: 'OK', places: 3 })
  expect(await seen(world)).toEqual(nobody)
  const access = { shares: 1, links: 0, expired: 0, ended: 0, one_patient: 0 }
  expect((await call('study/revive', { sid: world.owner.sid, uuid: world.uuid })).body).toEqual({ ...done, access })
  expect(await seen(world)).toEqual(everybody)
})

it('copies that recipients kept are taken back with the newer record', async () => {
  const world = await makeRestored({
    beforeDeletion: async ({ other, theirs }) => {
      await query(`update study set arrival = 'complete' where uuid = '${theirs}'`)
      const kept = { sid: other.sid, uuid: theirs, namespace_id: other.group.namespaceUuid }
      expect((await call('study/duplicate', kept)).body).toEqual(done)
    },
  })
  await stop(world.owner.sid, { uuid: world.uuid, ...world.to })
  expect(await seen(world)).toEqual([true, false, false])
  await retract(world)
  expect(await seen(world)).toEqual(nobody)
})

it('keeps what the earlier share gave until a scheduled newer one ends it, and where that is called off or fails', async () => {
  const later = { newer: { delay: 600 } }
  const [stopped, calledOff, failed, delivered] = [
    await makeRestored(later),
    await makeRestored(later),
    await makeRestored(later),
    await makeRestored(later),
  ]
  for (const world of [stopped, calledOff, failed, delivered]) {
    expect(await seen(world)).toEqual(everybody)
    expect((await accessOf(world.owner.sid, world.uuid)).shares).toMatchObject([{ state: 'delivered' }])
    expect(await outside(world)).toHaveLength(2)
  }
  await stop(stopped.owner.sid, { uuid: stopped.uuid, ...stopped.to })
  expect(await seen(stopped)).toEqual(nobody)

  expect(await stop(calledOff.owner.sid, { uuid: calledOff.uuid, ...calledOff.to, scheduled_only: 1 })).toEqual(done)
  expect(await seen(calledOff)).toEqual(everybody)
  await stop(calledOff.owner.sid, { uuid: calledOff.uuid, ...calledOff.to })
  expect(await seen(calledOff)).toEqual(nobody)

  const newest = async ({ uuid }: Restored) =>
    (await sharesOf(uuid)).find((one) => one.state === 'scheduled')?.uuid ?? ''
  await query(`update share set by_user = gen_random_uuid() where uuid = '${await newest(failed)}'`)
  await deliverShareActs.run(services, { shareUuid: await newest(failed) }, run)
  expect(await seen(failed)).toEqual(everybody)
  expect(await stop(failed.owner.sid, { uuid: failed.uuid, ...failed.to })).toEqual(done)
  expect(await seen(failed)).toEqual(nobody)

  await deliverShareActs.run(services, { shareUuid: await newest(delivered) }, run)
  expect(await outside(delivered)).toHaveLength(1)
  await retract(delivered)
  expect(await seen(delivered)).toEqual(nobody)
})

it('keeps what was approved where the newer share is rejected that waits beside it', async () => {
  const world = await makeRestored({
    beforeDeletion: async ({ other }) => {
      await query(`update app_group set must_approve = true where uuid = '${other.group.groupUuid}'`)
    },
  })
  expect(
    await query(`select awaits_approval as waits from share where study_uuid = '${world.uuid}' order by created`),
  ).toEqual([{ waits: false }, { waits: true }])
  const theirs = (await received(world.other, world.studyUid))?.uuid
  expect((await call('study/reject', { sid: world.other.sid, uuid: theirs, message: 'No' })).body).toEqual(done)
  expect(await seen(world)).toEqual(everybody)
  expect(await stop(world.owner.sid, { uuid: world.uuid, ...world.to })).toEqual(done)
  expect(await seen(world)).toEqual(nobody)
})

/** The exam that a group had and passed on to two people, and the record that the group has of it now. */
async function makePassedOn() {
  const [owner, other] = [await makePlace('Administrator'), await makePlace('Administrator')]
  const [third, fourth] = [await organisation.addPerson(), await organisation.addPerson()]
  const studyUid = newUid()
  const namespace = owner.group.namespaceUuid
  const uuidFor = async (one: Pick<Person, 'sid'>) => (await received(one, studyUid))?.uuid ?? ''
  await post(owner.sid, namespace, studyUid, 1)
  const uuid = await uuidFor(owner)
  const to = { group_id: other.group.groupUuid }
  expect(await share(owner.sid, { uuid, ...to })).toEqual(done)
  const old = await uuidFor(other)
  expect(await share(other.sid, { uuid: old, user_id: third.userUuid })).toEqual(done)
  expect(await share(third.sid, { uuid: await uuidFor(third), user_id: fourth.userUuid })).toEqual(done)
  expect((await call('study/delete', { sid: other.sid, uuid: old })).body).toEqual(done)
  return { owner, other, third, fourth, studyUid, uuid, old, to, namespace }
}

it.each(['taking back', 'stopping'])(
  '%s reaches whoever has an exam from a record that was purged, or ended in a newer one',
  async (name) => {
    const [purged, restored] = [await makePassedOn(), await makePassedOn()]
    await query(`update study set deleted_at = deleted_at - interval '60 days' where uuid = '${purged.old}'`)
    await purge(services, new Date())
    expect(await query(`select from study where uuid = '${purged.old}'`)).toEqual([])
    const { other, studyUid, old } = restored
    await post(other.sid, other.group.namespaceUuid, studyUid, 2)
    expect((await call('study/revive', { sid: other.sid, uuid: old })).body.uuid).toBeDefined()
    for (const world of [purged, restored]) {
      expect((await seen(world)).slice(1)).toEqual([true, true])
      expect(await ends[name]?.(world)).toMatchObject(done)
      expect((await seen(world)).slice(1)).toEqual([false, false])
    }
  },
)

it.each([false, true])(
  'a link shows an exam that was restored into a newer record, unless several patients came with that (%s)',
  async (isMixed) => {
    const owner = await makePlace('Administrator')
    const studyUid = newUid()
    const phiNamespace = owner.group.namespaceUuid
    await post(owner.sid, phiNamespace, studyUid, 1)
    const old = (await received(owner, studyUid))?.uuid ?? ''
    const studies = [{ phi_namespace: phiNamespace, uuid: old }]
    const link = await makeLink(services.db, { accountUuid, createdBy: owner.person.userUuid, studies })
    const shown = async () => {
      const { body } = await call('link/studies', { sid: await openLink(services.db, link) })
      return (body.studies ?? []).map(({ uuid }: { uuid: string }) => uuid)
    }
    expect(await shown()).toEqual([old])
    expect((await call('study/delete', { sid: owner.sid, uuid: old })).body).toEqual(done)
    await post(owner.sid, phiNamespace, studyUid, 2)
    await query(`update study set mixed_patients = ${isMixed} where study_uid = '${studyUid}' and deleted_at is null`)
    const { uuid, access } = (await call('study/revive', { sid: owner.sid, uuid: old })).body
    const counts = { shares: 0, expired: 0, ended: 0 }
    expect(access).toEqual({ ...counts, links: isMixed ? 0 : 1, one_patient: isMixed ? 1 : 0 })
    expect(await shown().catch(() => [])).toEqual(isMixed ? [] : [uuid])
    expect(await query(`select from link_study where study_uuid = '${uuid}'`)).toHaveLength(isMixed ? 0 : 1)
  },
)

it('a restored exam tells how many shares and links give access again, and how many stay ended and why', async () => {
  for (const isMerged of [false, true]) {
    const owner = await makePlace('Administrator')
    const studyUid = newUid()
    const namespace = owner.group.namespaceUuid
    await post(owner.sid, namespace, studyUid, 1)
    const uuid = (await received(owner, studyUid))?.uuid ?? ''
    const people = await Promise.all(['kept', 'expired', 'stopped', 'before'].map(() => organisation.addPerson()))
    const [, expired, stopped, before] = people
    for (const { userUuid } of people) expect(await share(owner.sid, { uuid, user_id: userUuid })).toEqual(done)
    expect(await stop(owner.sid, { uuid, user_id: before?.userUuid })).toEqual(done)
    const studies = [{ phi_namespace: namespace, uuid }]
    const by = { accountUuid, createdBy: owner.person.userUuid, studies }
    const links = [await makeLink(services.db, by), await makeLink(services.db, by), await makeLink(services.db, by)]
    expect((await call('study/delete', { sid: owner.sid, uuid })).body).toEqual(done)
    if (isMerged) await post(owner.sid, namespace, studyUid, 2)

    const end = `update share set expires_at = now() where study_uuid = '${uuid}' and to_uuid =`
    await query(`${end} '${expired?.userUuid}'`)
    await query(
      `update share set state = 'stopped', ended_at = now() where study_uuid = '${uuid}' and to_uuid = '${stopped?.userUuid}'`,
    )
    await query(`update link set ended_at = now() where uuid = '${links[0]}'`)
    await query(`update link set expires_at = now() where uuid = '${links[1]}'`)
    const { body } = await call('study/revive', { sid: owner.sid, uuid })
    expect(body.access).toEqual({ shares: 1, links: 1, expired: 2, ended: 2, one_patient: 0 })
  }
})

it('whoever may restore an exam and not see whom it is shared with is told nothing of that', async () => {
  const owner = await makePlace('Staff')
  const person = await organisation.addPerson()
  const studyUid = newUid()
  await post(owner.sid, owner.group.namespaceUuid, studyUid, 1)
  const uuid = (await received(owner, studyUid))?.uuid ?? ''
  expect(await share(owner.sid, { uuid, user_id: person.userUuid })).toEqual(done)
  await query(`update role set permissions = array_remove(array_remove(permissions, 'study_share'), 'study_approve')
    where uuid = '${organisation.roles.get('Staff')}'`)
  expect((await call('study/delete', { sid: owner.sid, uuid })).body).toEqual(done)
  expect((await call('study/revive', { sid: owner.sid, uuid })).body).toEqual(done)
})
