import type { AddressInfo } from 'node:net'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, expect, it } from 'vitest'
import { findOtherDoors } from '../../../test/image-doors.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation, type Organisation, type Person } from '../../../test/make-organisation.ts'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { receiveImage } from '../../areas/ingest/receive-image.command.ts'
import { purge } from '../../areas/retention/purge.job.ts'
import { verifyStorage } from '../../areas/retention/verify-storage.command.ts'

/* Copies that one organisation keeps of what another sent. */

const { services, app, call, query } = await startTestApp()
const { organisation, accountUuid, makePlace, share, stop, received, accessOf } = await makeSharing({ services, call })
await app.listen({ host: '127.0.0.1', port: 0 })
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
afterAll(() => app.close())

type Place = Awaited<ReturnType<typeof makePlace>>
interface Partner extends Organisation {
  person: Person
}
const connect = (from: string, to: string) =>
  query(`insert into account_connection (uuid, asking_account, asked_account, connected_at)
    values (gen_random_uuid(), '${from}', '${to}', now())`)
async function makePartner(from = accountUuid): Promise<Partner> {
  const partner = await makeOrganisation(services.db)
  await connect(from, partner.accountUuid)
  return { ...partner, person: await partner.addPerson({ role: 'Administrator' }) }
}
const administrator = await organisation.addPerson({ role: 'Administrator' })
const allow = async (isAllowed: boolean, uuid = accountUuid, { sid } = administrator) =>
  expect((await call('account/set', { sid, uuid, setting_allow_copies: isAllowed ? '1' : '0' })).body).toMatchObject(
    done,
  )

const send = (place: Place, studyUid: string, ...numbers: number[]) =>
  receive({ namespaceUuid: place.group.namespaceUuid, accountUuid }, studyUid, numbers)

async function receive(
  at: { namespaceUuid: string; accountUuid: string },
  studyUid: string,
  numbers: readonly number[],
) {
  for (const number of numbers) {
    const arrival = { ...at, source: 'upload' as const, sourceName: '', quietSeconds: 30 }
    const chunks = (async function* () {
      yield madeImage({ studyUid, number })
    })()
    await receiveImage(services, arrival, chunks)
  }
  await query(`update study set arrival = 'complete', complete_at = null where study_uid = '${studyUid}'`)
}

/** A study of three images that a group has sent to another organisation. */
async function makeSent() {
  const [from, to] = [await makePlace(), await makePartner()]
  const studyUid = newUid()
  await send(from, studyUid, 1, 2, 3)
  const uuid = (await received(from, studyUid))?.uuid ?? ''
  const toAccount = { uuid, account_id: to.accountUuid }
  expect(await share(from.sid, toAccount)).toEqual(done)
  const theirs = (await received(to.person, studyUid))?.uuid ?? ''
  return { from, to, studyUid, uuid, toAccount, theirs }
}
const keep = async ({ person, namespaceUuid }: Partner, uuid: string) =>
  (await call('study/duplicate', { sid: person.sid, uuid, namespace_id: namespaceUuid })).body
const notAllowed = { error_type: 'NOT_PERMITTED', error_subtype: 'allow_copies' }
const bytesOf = (account: string, studyUid: string) =>
  query<{ object_key: string; length: string }>(`
    select b.object_key, b.length
    from stored_study t
    join instance i on i.storage_namespace = t.storage_namespace and i.study_key = t.key
    join blob b on b.account_uuid = i.account_uuid and b.sha256 = i.sha256 and b.generation = i.generation
    where t.study_uid = '${studyUid}' and b.account_uuid = '${account}' and t.account_uuid = '${account}'
    order by b.object_key`)

async function expectShown(
  { person, namespaceUuid: namespace }: Partner,
  studyUid: string,
  numbers: readonly number[],
) {
  const sops = numbers.map((number) => `${studyUid}.1.${number}`)
  const reader = { origin, sid: person.sid, namespace, from: [namespace] }
  const candidates = sops.map((sop) => ({ sop, series: `${studyUid}.1` }))
  const { doors, others } = await findOtherDoors(reader, studyUid, { sops, candidates })
  expect(others).toEqual([])
  expect(doors).toBeGreaterThan(35)
}

it('shows a copy that was kept as access from outside, beside its share and after it, until the exam is taken back', async () => {
  await allow(true)
  const { from, to, uuid, toAccount, theirs } = await makeSent()
  const listed = async (sid: string, more: object = {}) =>
    (
      (await call('outside/list', { sid, account_id: accountUuid, ...more })).body.accesses as {
        who_id: string
        study_id: string
      }[]
    ).filter((one) => one.who_id === to.accountUuid)
  expect(await listed(from.sid)).toMatchObject([{ kind: 'account', has_copy: 0 }])
  expect(await keep(to, theirs)).toMatchObject(done)
  expect(await listed(from.sid)).toMatchObject([{ kind: 'account', has_copy: 1, may_end: 1 }])
  expect(await stop(from.sid, toAccount)).toMatchObject(done)
  const copy = {
    kind: 'copy',
    has_copy: 1,
    who: expect.stringMatching(/./),
    is_outside: 1,
    study_count: 1,
    right: 'exam',
  }
  const acts = { may_end: 0, may_extend: 0, may_restore: 0, expires_at: null }
  expect(await listed(from.sid)).toMatchObject([{ ...copy, ...acts, study_id: uuid, is_own: 1 }])
  expect(await listed(administrator.sid, { everyone: 1, 'filter.kind.equals': 'copy' })).toMatchObject([
    { ...copy, ...acts, study_id: '', patient_names: [] },
  ])
  await query(
    `insert into group_user (group_uuid, user_uuid) values ('${from.group.groupUuid}', '${administrator.userUuid}')`,
  )
  expect((await call('study/retract', { sid: administrator.sid, uuid, reason: 'Another patient' })).body).toMatchObject(
    done,
  )
  expect(await listed(from.sid)).toEqual([])
  await allow(false)
})

it('keeps a copy of what another organisation sent only where that one allows it', async () => {
  const { to, theirs } = await makeSent()
  expect(await accessOf(to.person.sid, theirs)).toMatchObject({ keep_refused: 'allow_copies' })
  expect(await keep(to, theirs)).toMatchObject(notAllowed)
  // the setting of the receiver says nothing
  await allow(true, to.accountUuid, to.person)
  expect(await keep(to, theirs)).toMatchObject(notAllowed)
  await allow(true)
  expect(await accessOf(to.person.sid, theirs)).toMatchObject({ keep_refused: '', has_copy: false })
  await allow(false)
  expect(await keep(to, theirs)).toMatchObject(notAllowed)
  expect(await accessOf(to.person.sid, theirs)).toMatchObject({ keep_refused: 'allow_copies', has_copy: false })
})

it('a kept copy is the receiver’s own at every door, whatever becomes of the sender’s exam', async () => {
  await allow(true)
  const { from, to, studyUid, uuid, toAccount, theirs } = await makeSent()
  expect(await keep(to, theirs)).toEqual(done)
  const [own, senders] = [await bytesOf(to.accountUuid, studyUid), await bytesOf(accountUuid, studyUid)]
  // bytes are counted for the receiver, and lie once
  expect(own).toHaveLength(3)
  expect(own).toEqual(senders)
  const faults: string[] = []
  await verifyStorage(services, { isQuick: false, now: new Date(), tell: ({ kind }) => faults.push(kind) })
  expect(faults).toEqual([])
  expect(await keep(to, theirs)).toEqual(done)
  expect(await bytesOf(to.accountUuid, studyUid)).toHaveLength(3)
  expect((await accessOf(from.sid, uuid)).shares).toMatchObject([{ has_copy: true }])
  await send(from, studyUid, 4)
  expect(await keep(to, theirs)).toEqual(done)
  expect(await stop(from.sid, toAccount)).toEqual(done)
  await allow(false)
  expect(await received(to.person, studyUid)).toMatchObject({ uuid: theirs, storage_namespace: to.namespaceUuid })
  await expectShown(to, studyUid, [1, 2, 3, 4])
  expect((await call('study/delete', { sid: from.sid, uuid })).body).toEqual(done)
  for (const days of [40, 50, 60]) await purge(services, new Date(Date.now() + days * 86_400_000))
  expect(await query(`select from instance where storage_namespace = '${from.group.namespaceUuid}'`)).toEqual([])
  expect(await bytesOf(accountUuid, studyUid)).toEqual([])
  await expectShown(to, studyUid, [1, 2, 3, 4])
})

it('a copy that its receiver deletes takes nothing from the sender', async () => {
  await allow(true)
  const { from, to, studyUid, theirs } = await makeSent()
  expect(await keep(to, theirs)).toEqual(done)
  const before = await bytesOf(accountUuid, studyUid)
  expect((await call('study/delete', { sid: to.person.sid, uuid: theirs })).body).toEqual(done)
  for (const days of [40, 50, 60]) await purge(services, new Date(Date.now() + days * 86_400_000))
  expect(await bytesOf(to.accountUuid, studyUid)).toEqual([])
  expect(await bytesOf(accountUuid, studyUid)).toEqual(before)
  for (const { object_key: key, length } of before) expect(await services.store.size(key)).toBe(Number(length))
  expect(await received(from, studyUid)).toMatchObject({ image_count: 3 })
})

it('both histories tell of a kept copy, the sender’s without the address of the receiver’s machine', async () => {
  await allow(true)
  const { from, to, uuid, theirs } = await makeSent()
  expect(await keep(to, theirs)).toEqual(done)
  const [name] = await query<{ name: string }>(`select name from account where uuid = '${to.accountUuid}'`)
  const historyOf = async (sid: string, one: string) =>
    ((await call('audit/object', { sid, uuid: one })).body.events as { action: string }[]).find(
      ({ action }) => action === 'DUPLICATE',
    )
  expect(await historyOf(from.sid, uuid)).toMatchObject({ who: to.person.name, with: name?.name, client_address: '' })
  expect(await historyOf(to.person.sid, theirs)).toMatchObject({ who: to.person.name, with: '' })
})

it('taking an exam back everywhere hides a copy that another organisation kept, after sharing was stopped too', async () => {
  await allow(true)
  const { from, to, studyUid, uuid, toAccount, theirs } = await makeSent()
  expect(await keep(to, theirs)).toEqual(done)
  expect(await stop(from.sid, toAccount)).toEqual(done)
  const retracted = await call('study/retract', { sid: from.sid, uuid, reason: 'Consent withdrawn' })
  expect(retracted.body).toMatchObject({ status: 'OK', places: 1 })
  expect(await received(to.person, studyUid)).toBeUndefined()
  expect((await call('study/revive', { sid: from.sid, uuid })).body).toEqual(done)
  expect(await received(to.person, studyUid)).toMatchObject({ uuid: theirs, image_count: 3 })
})

it('of an exam that came through another organisation each on its way must allow a copy', async () => {
  const { to: between, studyUid, theirs } = await makeSent()
  const last = await makePartner(between.accountUuid)
  expect(await share(between.person.sid, { uuid: theirs, account_id: last.accountUuid })).toEqual(done)
  const lasts = (await received(last.person, studyUid))?.uuid ?? ''
  for (const [first, second] of [
    [true, false],
    [false, true],
  ] as const) {
    await allow(first)
    await allow(second, between.accountUuid, between.person)
    expect(await keep(last, lasts)).toMatchObject(notAllowed)
  }
  await allow(true)
  expect(await keep(last, lasts)).toEqual(done)
  // what was kept is passed on as it may be
  await allow(false)
  expect(await accessOf(last.person.sid, lasts)).toMatchObject({ has_copy: true, keep_refused: 'allow_copies' })
})

it('keeps no copy among images of its own, where nobody could tell later whose they are, and calls none of them kept', async () => {
  await allow(true)
  const { to, studyUid, theirs } = await makeSent()
  await receive({ namespaceUuid: to.namespaceUuid, accountUuid: to.accountUuid }, studyUid, [4])
  expect(await accessOf(to.person.sid, theirs)).toMatchObject({ keep_refused: 'own_images', has_copy: false })
  expect(await keep(to, theirs)).toMatchObject({ error_type: 'NOT_PERMITTED', error_subtype: 'own_images' })
  expect(await bytesOf(to.accountUuid, studyUid)).toHaveLength(1)
  await allow(false)
  expect(await accessOf(to.person.sid, theirs)).toMatchObject({ keep_refused: 'allow_copies' })
})

it('a copy that lacks images that came since is not called whole, and takes them in', async () => {
  await allow(true)
  const { from, to, studyUid, theirs } = await makeSent()
  expect(await keep(to, theirs)).toEqual(done)
  await receive({ namespaceUuid: to.namespaceUuid, accountUuid: to.accountUuid }, studyUid, [9])
  expect(await accessOf(to.person.sid, theirs)).toMatchObject({ has_copy: true })
  await send(from, studyUid, 4)
  expect(await accessOf(to.person.sid, theirs)).toMatchObject({ has_copy: false, keep_refused: '' })
  expect(await keep(to, theirs)).toEqual(done)
  expect(await accessOf(to.person.sid, theirs)).toMatchObject({ has_copy: true })
  expect(await bytesOf(to.accountUuid, studyUid)).toHaveLength(5)
})

it('an exam that was purged where it came from is kept by others only where its organisation allows it', async () => {
  await allow(true)
  const { from, to, studyUid, uuid, theirs } = await makeSent()
  expect(await keep(to, theirs)).toEqual(done)
  expect((await call('study/delete', { sid: from.sid, uuid })).body).toEqual(done)
  for (const days of [40, 50, 60]) await purge(services, new Date(Date.now() + days * 86_400_000))
  expect(await query(`select from study where uuid = '${uuid}'`)).toEqual([])
  const last = await makePartner(to.accountUuid)
  await allow(true, to.accountUuid, to.person)
  expect(await share(to.person.sid, { uuid: theirs, account_id: last.accountUuid })).toEqual(done)
  const lasts = (await received(last.person, studyUid))?.uuid ?? ''
  await allow(false)
  expect(await keep(last, lasts)).toMatchObject(notAllowed)
  await allow(true)
  expect(await keep(last, lasts)).toEqual(done)
})
