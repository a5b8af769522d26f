import { createHash, randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { newUid } from '@hilum/dicom/uid'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { multipartOf } from '../../../test/dicomweb-fixture.ts'
import { madeImage } from '../../../test/made-image.ts'
import { freshDatabase } from '../../../test/fresh-database.ts'
import { makeOrganisation, type Person } from '../../../test/make-organisation.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { openDatabase } from '../../db/database.ts'
import { migrateTo, migrateToLatest } from '../../db/migrate.ts'
import { buildApp } from '../http/app.ts'
import { purge } from '../../areas/retention/purge.job.ts'
import { receiveImage } from '../../areas/ingest/receive-image.command.ts'

const { services, folder, query } = await openTestServices()
const earlier = await freshDatabase()
const app = await buildApp(services, { web: { app: folder, proviewer: folder }, viewer: { folder: undefined } })
await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => app.close())
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation

type Body = Record<string, unknown> & { uuid: string; studies: Body[]; study_uid: string }
const call = async (path: string, sent: object): Promise<Body> =>
  (
    await fetch(`${origin}/api/v3/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    })
  ).json() as Promise<Body>

async function makePlace() {
  const group = await organisation.addGroup()
  const person = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const sender = await organisation.addPerson({ role: 'Uploader', groups: [group] })
  return { group, namespace: group.namespaceUuid, person, sender, sid: person.sid }
}
type Place = Awaited<ReturnType<typeof makePlace>>

const store = (place: Place, bytes: Uint8Array) =>
  receiveImage(
    services,
    { namespaceUuid: place.namespace, accountUuid, source: 'harvest', sourceName: 'SCANNER', quietSeconds: 30 },
    (async function* () {
      yield bytes
    })(),
  )
const image = (studyUid: string, number: number, more: object = {}) => madeImage({ studyUid, number, ...more })

/** A study of three images with all that a person may put on it, deleted. */
async function makeDeleted(place: Place) {
  const studyUid = newUid()
  for (const number of [1, 2, 3]) await store(place, image(studyUid, number))
  const { uuid } = await listOne(place)
  await call('study/set', { sid: place.sid, uuid, study_description: 'corrected' })
  await call('tag/object/add', { sid: place.sid, uuid, object: 'Study', tags: 'old' })
  await call('study/star', { sid: place.sid, uuid, star: 1 })
  await query(`update study set tags = array['old'] where uuid = '${uuid}'`)
  const form = new FormData()
  form.append('data', new Blob(['text']), 'a.txt')
  const address = `${origin}/api/v3/storage/study/${place.namespace}/${studyUid}`
  expect((await fetch(`${address}/attachment?sid=${place.sid}`, { method: 'POST', body: form })).status).toBeLessThan(
    300,
  )
  expect(await call('study/delete', { sid: place.sid, uuid })).toEqual({ status: 'OK' })
  return { studyUid, uuid, address }
}

const list = async (place: Place, filter: object = {}) =>
  (await call('study/list', { sid: place.sid, 'filter.phi_namespace.equals': place.namespace, ...filter })).studies
const listOne = async (place: Place, filter: object = {}) => {
  const [only, ...more] = await list(place, filter)
  expect(more).toEqual([])
  if (!only) throw new Error('There is no study.')
  return only
}

/** The SOP UIDs that every door of reading gives of a study, each door the same ones. */
async function sopsOf({ namespace, sid }: { namespace: string; sid: string }, studyUid: string, from = namespace) {
  const get = (path: string) => fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${sid}` } })
  const qido = await get(`/dicomweb/${namespace}/studies/${studyUid}/instances`)
  const found = qido.status === 200 ? ((await qido.json()) as Record<string, { Value: string[] }>[]) : []
  const sops = found.map((one) => String(one['00080018']?.Value[0])).sort()
  const address = `/api/v3/storage/study/${from}/${studyUid}`
  const schema = await get(`${address}/schema?phi_namespace=${namespace}`)
  const { series = [] } = (await schema.json()) as { series?: { images: { id: string }[] }[] }
  expect(series.flatMap((one) => one.images.map(({ id }) => id)).sort()).toEqual(sops)
  const wado = await get(`/dicomweb/${namespace}/studies/${studyUid}`)
  const whole = Buffer.from(await wado.arrayBuffer()).toString('latin1')
  const zip = await get(`${address}/download?bundle=dicom&phi_namespace=${namespace}`)
  const archive = Buffer.from(await zip.arrayBuffer()).toString('latin1')
  const metadata = await get(`/dicomweb/${namespace}/studies/${studyUid}/metadata`)
  const described = sops.length > 0 ? JSON.stringify(await metadata.json()) : ''
  for (let number = 1; number <= 4; number += 1) {
    const sop = `${studyUid}.1.${number}`
    const isThere = sops.includes(sop)
    expect([sop, whole.includes(sop), archive.includes(sop), described.includes(sop)]).toEqual([
      sop,
      isThere,
      isThere,
      isThere,
    ])
  }
  return sops.map((sop) => Number(sop.split('.').at(-1)))
}

const doors: Record<string, (place: Place, studyUid: string) => Promise<unknown>> = {
  'C-STORE, the same bytes': (place, studyUid) => store(place, image(studyUid, 2)),
  'upload, the same bytes': (place, studyUid) => upload(place, image(studyUid, 2)),
  'upload, an image that is new': (place, studyUid) => upload(place, image(studyUid, 4)),
  'STOW-RS': async (place, studyUid) => {
    const reply = await fetch(`${origin}/dicomweb/${place.namespace}/studies`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${place.sender.sid}`,
        'content-type': 'multipart/related; type="application/dicom"; boundary="b"',
      },
      body: new Uint8Array(multipartOf([image(studyUid, 2)], 'b')),
    })
    expect(reply.status).toBe(200)
  },
  'study/add': async (place, studyUid) => {
    const { namespace } = place
    const sent = { sid: place.sender.sid, study_uid: studyUid, storage_namespace: namespace, phi_namespace: namespace }
    expect(await call('study/add', sent)).toMatchObject({ status: 'OK' })
    // a live record it names stays
    expect(await call('study/add', sent)).toMatchObject({ error_type: 'ALREADY_EXISTS' })
    await upload(place, image(studyUid, 2))
  },
}

async function upload({ sender, namespace }: { sender: Person; namespace: string }, bytes: Uint8Array) {
  const address = `${origin}/api/v3/storage/namespace/${namespace}/image?sid=${sender.sid}`
  const reply = await fetch(address, { method: 'POST', body: new Uint8Array(bytes) })
  expect(reply.status).toBe(202)
  return (await reply.json()) as { outcome: string }
}

describe('what comes after a deletion is a new record of only that', () => {
  it.each(Object.entries(doors))('by %s', async (door, send) => {
    const place = await makePlace()
    const { studyUid, uuid } = await makeDeleted(place)
    await send(place, studyUid)
    const made = await listOne(place, {})
    expect(made.uuid).not.toBe(uuid)
    expect(made).toMatchObject({ image_count: 1, tags: [], star: 0, attachment_count: 0, study_description: '' })
    expect(made.deleted_before).toMatchObject([{ uuid, deleted_by_name: place.person.name }])
    expect(await sopsOf(place, studyUid)).toEqual([door.endsWith('new') ? 4 : 2])
    // nothing that the deleted one holds changed, and who may not delete learns nothing of it
    const deleted = await listOne(place, { 'filter.is_deleted.equals': 1 })
    expect(deleted).toMatchObject({
      uuid,
      image_count: 3,
      attachment_count: 1,
      tags: ['old'],
      star: 1,
      study_description: 'corrected',
      newer_uuid: made.uuid,
    })
    const reader = await organisation.addPerson({ role: 'Viewer', groups: [place.group] })
    expect(await call('study/get', { sid: reader.sid, uuid: made.uuid })).not.toHaveProperty('deleted_before')
    const audit = await query<{ action: string }>(`select action from audit where object_uuid = '${uuid}'`)
    expect(audit.map((one) => one.action)).not.toContain('REVIVE')
  })
})

it('asks again for every image of a deleted study, and takes no attachment for it', async () => {
  const place = await makePlace()
  const { studyUid, address } = await makeDeleted(place)
  const instances = [1, 2, 3].map((number) => {
    const sha256 = createHash('sha256').update(image(studyUid, number)).digest('hex')
    return { study_uid: studyUid, sop_uid: `${studyUid}.1.${number}`, sha256 }
  })
  const check = () => call('study/upload/check', { sid: place.sender.sid, namespace_id: place.namespace, instances })
  expect(await check()).toMatchObject({ verdicts: ['missing', 'missing', 'missing'] })
  await store(place, image(studyUid, 2))
  expect(await check()).toMatchObject({ verdicts: ['missing', 'have', 'missing'] })
  expect((await store(place, image(studyUid, 2))).outcome).toBe('duplicate')
  await call('study/delete', { sid: place.sid, uuid: (await listOne(place)).uuid })
  const form = new FormData()
  form.append('data', new Blob(['more']), 'b.txt')
  expect((await fetch(`${address}/attachment?sid=${place.sid}`, { method: 'POST', body: form })).status).toBe(404)
})

it('restores beside what came since, on record, and keeps what both held', async () => {
  const place = await makePlace()
  const { studyUid, uuid } = await makeDeleted(place)
  await store(place, image(studyUid, 2))
  await store(place, image(studyUid, 4))
  const made = await listOne(place)
  await query(`update study set hold = true, hold_reason = 'Court order 7' where uuid = '${uuid}'`)
  expect(await call('study/revive', { sid: place.sender.sid, uuid })).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(await call('study/revive', { sid: place.sid, uuid })).toEqual({ status: 'OK', uuid: made.uuid })
  const after = await listOne(place)
  // a hold on the deleted record holds the one in which its images are now
  expect(await call('study/delete', { sid: place.sid, uuid: made.uuid })).toMatchObject({ error_subtype: 'hold' })
  expect(await query(`select hold_reason from study where uuid = '${made.uuid}'`)).toEqual([
    { hold_reason: 'Court order 7' },
  ])
  expect(after).toMatchObject({ uuid: made.uuid, image_count: 4, tags: ['old'], star: 1, attachment_count: 1 })
  expect(after.conflict_count).toBe(0)
  expect(after.deleted_before ?? []).toEqual([])
  expect(await sopsOf(place, studyUid)).toEqual([1, 2, 3, 4])
  expect(await list(place, { 'filter.is_deleted.equals': 1 })).toEqual([])
  const audit = await query<{ detail: object }>(
    `select detail from audit where action = 'REVIVE' and object_uuid = '${made.uuid}'`,
  )
  expect(audit).toEqual([{ detail: { restored: uuid, images: 2 } }])
  expect(await call('study/revive', { sid: place.sid, uuid })).toMatchObject({ error_type: 'NOT_FOUND' })
})

it('restores beside no record of another patient, nor where a correction would be lost', async () => {
  const place = await makePlace()
  const { studyUid, uuid } = await makeDeleted(place)
  await store(place, image(studyUid, 4, { patientName: 'Other^One', patientId: 'X9', birthDate: '19991231' }))
  const refused = { error_type: 'CAN_NOT_REVIVE', error_subtype: ['patient_name', 'patientid', 'patient_birth_date'] }
  expect(await call('study/revive', { sid: place.sid, uuid })).toMatchObject(refused)
  expect(await sopsOf(place, studyUid)).toEqual([4])

  const corrected = await makePlace()
  const other = newUid()
  await store(corrected, image(other, 1))
  const { uuid: old } = await listOne(corrected)
  await call('study/set', { sid: corrected.sid, uuid: old, patientid: 'RIGHT-7' })
  await call('study/delete', { sid: corrected.sid, uuid: old })
  await store(corrected, image(other, 2))
  const made = await listOne(corrected)
  expect(made.patientid).toBe('M1')
  expect(await call('study/revive', { sid: corrected.sid, uuid: old })).toMatchObject({
    error_type: 'CAN_NOT_REVIVE',
    error_subtype: ['patientid', 'issuer'],
  })
  // the new record shows the same: now the old images may come beside, and the correction reaches them
  await call('study/set', { sid: corrected.sid, uuid: made.uuid, patientid: 'RIGHT-7' })
  expect(await call('study/revive', { sid: corrected.sid, uuid: old })).toMatchObject({ uuid: made.uuid })
  const reply = await fetch(`${origin}/dicomweb/${corrected.namespace}/studies/${other}/metadata?sid=${corrected.sid}`)
  const described = (await reply.json()) as Record<string, { Value: string[] }>[]
  expect(described.map((one) => one['00100020']?.Value[0])).toEqual(['RIGHT-7', 'RIGHT-7'])
})

it('a word on the patients of one generation holds, whoever the deleted images were of', async () => {
  const place = await makePlace()
  const studyUid = newUid()
  const address = `${origin}/api/v3/storage/study/${place.namespace}/${studyUid}`
  await store(place, image(studyUid, 3, { patientName: 'Third^Person', patientId: 'Z3', birthDate: '20010203' }))
  await call('study/delete', { sid: place.sid, uuid: (await listOne(place)).uuid })
  await store(place, image(studyUid, 1, { patientName: 'First^One', patientId: 'F1', birthDate: '19500101' }))
  await store(place, image(studyUid, 2, { patientName: 'Second^Two', patientId: 'S2', birthDate: '19700707' }))
  const said = await fetch(`${address}/one_patient?sid=${place.sid}`, {
    method: 'POST',
    body: new URLSearchParams({ reason: 'The console was not reset' }),
  })
  expect(said.status).toBe(202)
  await call('study/set', { sid: place.sid, uuid: (await listOne(place)).uuid, patient_name: 'Right^Name' })
  for (const path of ['json', 'attribute', 'phi']) {
    for (const number of [1, 2]) {
      const reply = await fetch(`${address}/image/${studyUid}.1.${number}/version/*/${path}?sid=${place.sid}`)
      expect([path, number, (await reply.text()).includes('Right^Name')]).toEqual([path, number, true])
    }
  }
})

it('keeps every generation of a study that is deleted twice, restores each, and gives later ones new numbers', async () => {
  const place = await makePlace()
  const { studyUid, uuid: first } = await makeDeleted(place)
  await store(place, image(studyUid, 2))
  const second = (await listOne(place)).uuid
  await call('study/delete', { sid: place.sid, uuid: second })
  expect((await list(place, { 'filter.is_deleted.equals': 1 })).map((one) => one.uuid).sort()).toEqual(
    [first, second].sort(),
  )
  // by its UID the last one is meant
  const { namespace } = place
  const triplet = { study_uid: studyUid, storage_namespace: namespace, phi_namespace: namespace }
  expect(await call('study/revive', { sid: place.sid, ...triplet })).toEqual({ status: 'OK' })
  expect((await listOne(place)).uuid).toBe(second)
  expect(await sopsOf(place, studyUid)).toEqual([2])
  await store(place, image(studyUid, 4))
  expect(await sopsOf(place, studyUid)).toEqual([2, 4])
  await call('study/delete', { sid: place.sid, uuid: second })
  await store(place, image(studyUid, 1))
  expect(await sopsOf(place, studyUid)).toEqual([1])
  for (const uuid of [first, second]) await call('study/revive', { sid: place.sid, uuid })
  expect(await sopsOf(place, studyUid)).toEqual([1, 2, 3, 4])
})

it('shows others what was shared with them, and nothing that came afterwards', async () => {
  const place = await makePlace()
  const other = await makePlace()
  const studyUid = newUid()
  for (const number of [1, 2]) await store(place, image(studyUid, number))
  const { uuid } = await listOne(place)
  await query(`insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, arrival, source, created, updated)
    values ('${other.namespace}', gen_random_uuid(), '${studyUid}', '${place.namespace}', '${accountUuid}', 'complete', 'share', now(), now())`)
  await query(`insert into study_source (phi_namespace, study_uuid, storage_namespace)
    select phi_namespace, uuid, storage_namespace from study where phi_namespace = '${other.namespace}'`)
  await call('study/delete', { sid: place.sid, uuid })
  await store(place, image(studyUid, 2))
  await store(place, image(studyUid, 4))
  const reader = { namespace: other.namespace, sid: other.sid }
  expect(await sopsOf(reader, studyUid, place.namespace)).toEqual([1, 2])
  expect(await sopsOf(place, studyUid)).toEqual([2, 4])
  // the images of the deleted record stay as long as somebody shows them
  await purge(services, new Date(Date.now() + 31 * 86_400_000))
  expect(await list(place, { 'filter.is_deleted.equals': 1 })).toEqual([])
  expect(await sopsOf(reader, studyUid, place.namespace)).toEqual([1, 2])
  expect(await sopsOf(place, studyUid)).toEqual([2, 4])
})

it('purges an ended generation and leaves the bytes that the new one holds too', async () => {
  const place = await makePlace()
  const { studyUid } = await makeDeleted(place)
  await store(place, image(studyUid, 2))
  const later = new Date(Date.now() + 31 * 86_400_000)
  const stored = () =>
    query(`select generation, image_count from stored_study where storage_namespace = '${place.namespace}' order by 1`)
  expect(await stored()).toEqual([
    { generation: 1, image_count: 3 },
    { generation: 2, image_count: 1 },
  ])
  await purge(services, later)
  await purge(services, new Date(later.getTime() + 2 * 86_400_000))
  expect(await stored()).toEqual([{ generation: 2, image_count: 1 }])
  expect(await sopsOf(place, studyUid)).toEqual([2])
  const made = await listOne(place)
  expect(made.deleted_before ?? []).toEqual([])
})

it('lets images that arrive during a deletion or a restoration be in one generation, and shows each acknowledged one', async () => {
  const place = await makePlace()
  const studyUid = newUid()
  await store(place, image(studyUid, 1))
  for (let round = 0; round < 6; round += 1) {
    const { uuid } = await listOne(place)
    const numbers = [1, 2, 3, 4]
    const [deleted, ...received] = await Promise.all([
      call('study/delete', { sid: place.sid, uuid }),
      ...numbers.map((number) => store(place, image(studyUid, number))),
    ])
    expect(deleted).toEqual({ status: 'OK' })
    expect(received).toHaveLength(4)
    const [restored] = await Promise.all([
      call('study/revive', { sid: place.sid, uuid }),
      store(place, image(studyUid, 1)),
    ])
    expect(restored).toMatchObject({ status: 'OK' })
    expect(await sopsOf(place, studyUid)).toEqual(numbers)
    expect(await list(place, { 'filter.is_deleted.equals': 1 })).toEqual([])
  }
  const faults = await query(
    `select 1 from stored_study where storage_namespace = '${place.namespace}' and ended_at is null`,
  )
  expect(faults).toHaveLength(1)
})

it('ends the generation of what an earlier version deleted', async () => {
  const { db } = openDatabase({ connectionString: earlier.url })
  await sql`drop schema public cascade`.execute(db)
  await sql`create schema public`.execute(db)
  await migrateTo(db, '0016-folded-logins')
  const [namespace, account] = [randomUUID(), randomUUID()]
  for (const [studyUid, deleted] of [
    ['1.2.1', 'null'],
    ['1.2.2', "'2026-01-02'"],
    ['1.2.3', undefined],
  ]) {
    await sql`insert into stored_study (storage_namespace, study_uid, account_uuid)
      values (${namespace}, ${studyUid}, ${account})`.execute(db)
    if (!deleted) continue
    await sql`insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, deleted_at, created, updated)
      values (${namespace}, gen_random_uuid(), ${studyUid}, ${namespace}, ${account}, ${sql.raw(deleted)}, now(), now())`.execute(
      db,
    )
  }
  await migrateToLatest(db)
  const { rows } =
    await sql`select study_uid, generation, ended_at is not null as has_ended, ended_at < '2026-01-03' as at_deletion
    from stored_study order by study_uid`.execute(db)
  expect(rows).toEqual([
    { study_uid: '1.2.1', generation: 1, has_ended: false, at_deletion: null },
    { study_uid: '1.2.2', generation: 1, has_ended: true, at_deletion: true },
    { study_uid: '1.2.3', generation: 1, has_ended: true, at_deletion: false },
  ])
  await db.destroy()
})
