import type { AddressInfo } from 'node:net'
import { Tag } from '@hilum/dicom/tags'
import { afterAll, expect, test } from 'vitest'
import { readZip } from '../../../test/correction-doors.ts'
import { findOtherDoors, walkImageDoors } from '../../../test/image-doors.ts'
import { makeNameless } from '../../../test/make-nameless.ts'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import type { Candidate, Reader } from '../../../test/shown-images.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, app, call, query } = await startTestApp()
const { accountUuid, makePlace, share, stop, received } = await makeSharing({ services, call })
await app.listen({ host: '127.0.0.1', port: 0 })
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
afterAll(() => app.close())

const secret = 'Zzmark'
const nameless = makeNameless({ services, call, query, accountUuid, received })
const { chosen, send, preview, make, run, giveUp, copies, storeWith } = nameless

test('SHARE-01 a copy without names is shared, and no name reaches any door, list or history of its recipient', async () => {
  const [from, to] = [await makePlace(), await makePlace()]
  const { uuid, studyUid } = await send(from)
  const seen = await preview(from, uuid)
  expect(seen.attributes).toContainEqual(
    expect.objectContaining({ keyword: 'PatientName', before: 'Zzmark^Gerda', after: seen.pseudonym }),
  )
  expect(seen.texts.map(({ text }) => text)).toEqual(['Zzmark liver', 'Axial'])
  expect(seen).toMatchObject({ pixels: [], left_out: [] })
  const made = await make(from, uuid, { texts: ['Axial', 'Zzmark liver'] })
  expect(made).toMatchObject({ status: 'OK' })
  await run(made.uuid)
  const [copy] = await copies(from, uuid)
  expect(copy).toMatchObject({ state: 'made', images: 2, left_out: 0, pseudonym: seen.pseudonym, days: seen.days })
  const copyUid = copy?.copy_study_uid ?? ''
  expect(await share(from.sid, { uuid: copy?.study_id, group_id: to.group.groupUuid })).toEqual(done)

  const theirs = await received(to, copyUid)
  const saysSo = [
    [from.sid, uuid, 0],
    [from.sid, copy?.study_id, 1],
    [to.sid, theirs?.uuid, 1],
  ] as const
  for (const [sid, record, is_deidentified] of saysSo)
    expect((await call('study/get', { sid, uuid: record })).body).toMatchObject({ is_deidentified })
  const replies: unknown[] = [
    (await call('study/get', { sid: to.sid, uuid: theirs?.uuid })).body,
    (await call('study/list', { sid: to.sid, 'filter.phi_namespace.equals': to.group.namespaceUuid })).body,
    (await call('study/audit', { sid: to.sid, uuid: theirs?.uuid })).body,
    (await call('study/share/access', { sid: to.sid, uuid: theirs?.uuid })).body,
  ]
  expect(JSON.stringify(replies)).toContain(seen.pseudonym)
  const place = to.group.namespaceUuid
  const query = `?sid=${to.sid}&phi_namespace=${place}`
  const addresses = ['schema', 'metadata', 'download'].map(
    (door) => `${origin}/study/${place}/${copyUid}/${door}${query}`,
  )
  for (const address of addresses) {
    const reply = await fetch(address)
    if (reply.status === 200) replies.push(Buffer.from(await reply.arrayBuffer()).toString('latin1'))
  }
  let doors = 0
  for await (const shown of walkImageDoors(
    { origin, sid: to.sid, namespace: place, from: [place, from.group.namespaceUuid] },
    copyUid,
    [],
  )) {
    doors += 1
    replies.push(shown)
  }
  expect(doors).toBeGreaterThan(20)
  const told = JSON.stringify(replies)
  expect(told.toLowerCase().split(secret.toLowerCase()).length - 1).toBe(0)
  expect(told).not.toContain(studyUid)
})

test('SHARE-01 the key of a copy names the image of the original behind each image of it, for its recipient and its place alone', async () => {
  const [from, stranger] = [await makePlace(), await makePlace()]
  const { uuid, studyUid } = await send(from)
  const keyFor = async (sid: string, recipient: string) =>
    (await call('study/deidentify/key', { sid, uuid, recipient })).body as {
      status: string
      images?: { series_uid: string; image_uid: string; copy_series_uid: string; copy_image_uid: string }[]
    }
  expect((await keyFor(from.sid, chosen.recipient)).images).toEqual([])
  await run((await make(from, uuid)).uuid)
  const [copy] = await copies(from, uuid)
  const imagesOf = (study: string) =>
    query<{ series: string; sop: string }>(`select i.series_uid as series, i.sop_uid as sop from stored_study t
      join instance i on i.storage_namespace = t.storage_namespace and i.study_key = t.key
      where t.study_uid = '${study}' order by i.instance_number`)
  const { images = [] } = await keyFor(from.sid, ` ${chosen.recipient.toUpperCase()} `)
  const [originals, copied] = [await imagesOf(studyUid), await imagesOf(copy?.copy_study_uid ?? '')]
  expect(new Set([...originals, ...copied].map(({ sop }) => sop)).size).toBe(4)
  const pairs = originals.map(({ series, sop }, at) => ({
    series_uid: series,
    image_uid: sop,
    copy_series_uid: copied[at]?.series,
    copy_image_uid: copied[at]?.sop,
  }))
  const sorted = (rows: { image_uid: string }[]) =>
    rows.toSorted((one, other) => (one.image_uid < other.image_uid ? -1 : 1))
  expect(sorted(images)).toEqual(sorted(pairs))
  expect((await keyFor(from.sid, 'Somebody else')).images).toEqual([])
  expect(await keyFor(stranger.sid, chosen.recipient)).toMatchObject({ status: 'ERROR', error_type: 'NOT_FOUND' })
})

/** A record with two images by a share and two of its own in another series, and its sender. */
async function makeOfTwo() {
  const [from, place] = [await makePlace(), await makePlace()]
  const { studyUid, uuid } = await send(from)
  expect(await share(from.sid, { uuid, group_id: place.group.groupUuid })).toEqual(done)
  await send(place, { series: 2 }, 2, studyUid)
  return { from, place, studyUid, sent: uuid, uuid: (await received(place, studyUid))?.uuid ?? '' }
}

test('a copy without names has the images of both sources at every door, and no name in any file, picture or list', async () => {
  const { from, place, studyUid, uuid } = await makeOfTwo()
  const to = await makePlace()
  const seen = await preview(place, uuid)
  expect(seen.texts.map(({ text }) => text)).toEqual(['Zzmark liver', 'Axial'])
  const { uuid: asked } = await make(place, uuid, { texts: ['Axial'] })
  await run(asked)
  const [copy] = await copies(place, uuid)
  expect(copy).toMatchObject({ state: 'made', images: 4, left_out: 0 })
  const copyUid = copy?.copy_study_uid ?? ''
  expect(await share(place.sid, { uuid: copy?.study_id, group_id: to.group.groupUuid })).toEqual(done)
  const candidates = await query<Candidate>(`select i.sop_uid as sop, i.series_uid as series from stored_study t
    join instance i on i.storage_namespace = t.storage_namespace and i.study_key = t.key where t.study_uid = '${copyUid}'`)
  expect([candidates.length, new Set(candidates.map(({ series }) => series)).size]).toEqual([4, 2])
  const sops = candidates.map(({ sop }) => sop)
  // the copy stays as it is when the sender's images are over for the place that made it
  expect(
    await stop(from.sid, { uuid: (await received(from, studyUid))?.uuid, group_id: place.group.groupUuid }),
  ).toEqual(done)
  expect(await received(place, studyUid)).toMatchObject({ image_count: 2 })
  for (const holder of [place, to]) {
    const namespace = holder.group.namespaceUuid
    const reader = { origin, sid: holder.sid, namespace, from: [...new Set([namespace, place.group.namespaceUuid])] }
    const { doors, others } = await findOtherDoors(reader, copyUid, { candidates, sops })
    expect(others).toEqual([])
    expect(doors).toBeGreaterThan(50)
    const told = await bytesAtDoors(reader, copyUid, candidates)
    expect(told.filter(({ text }) => text.includes(secret.toLowerCase()) || text.includes(studyUid))).toEqual([])
    expect(told.filter(({ text }) => text.includes(seen.pseudonym.toLowerCase())).length).toBeGreaterThan(8)
  }
})

/** Answers of the doors that give headers of images, whole, in small letters; archives unpacked. */
async function bytesAtDoors(reader: Reader, studyUid: string, candidates: readonly Candidate[]) {
  const web = `/dicomweb/${reader.namespace}/studies/${studyUid}`
  const study = `/api/v3/storage/study/${reader.namespace}/${studyUid}`
  const addresses = [
    web,
    `${web}/metadata`,
    `${web}/series?includefield=all`,
    `${web}/instances?includefield=all`,
    ...['dicom', 'dicom&roche_directory=1', 'iso', 'image'].map((bundle) => `${study}/download?bundle=${bundle}`),
    ...['json', 'tag', 'phi', 'schema?extended=1'].map((path) => `${study}/${path}`),
    ...candidates.flatMap(({ sop }) => ['', '/json', '/phi'].map((path) => `${study}/image/${sop}/version/*${path}`)),
  ]
  return Promise.all(
    addresses.map(async (address) => {
      const headers = { authorization: `Bearer ${reader.sid}` }
      const reply = await fetch(`${origin}${address}`, { headers })
      expect([address, reply.status]).toEqual([address, 200])
      const bytes = Buffer.from(await reply.arrayBuffer())
      const parts = address.includes('bundle=') && !address.endsWith('iso') ? [...readZip(bytes)].flat() : [bytes]
      return {
        address,
        text: parts
          .map((part) => part.toString('latin1'))
          .join(' ')
          .toLowerCase(),
      }
    }),
  )
}

test('no copy without names is made of images whose share ended since somebody looked, or while they are written', async () => {
  const one = await makeOfTwo()
  const before = await make(one.place, one.uuid)
  expect(await stop(one.from.sid, { uuid: one.sent, group_id: one.place.group.groupUuid })).toEqual(done)
  await expect(run(before.uuid)).rejects.toMatchObject({ code: 'STALE' })

  const two = await makeOfTwo()
  const made = await make(two.place, two.uuid)
  const store = storeWith(() => stop(two.from.sid, { uuid: two.sent, group_id: two.place.group.groupUuid }))
  await expect(run(made.uuid, store)).rejects.toMatchObject({ code: 'STALE' })
  expect((await copies(two.place, two.uuid))[0]).toMatchObject({ state: 'making', study_id: '' })
})

test('one recipient has the same UIDs, pseudonym and dates for a patient, another recipient others', async () => {
  const place = await makePlace()
  const [first, second] = [await send(place), await send(place)]
  const [a, b, other] = [
    await preview(place, first.uuid),
    await preview(place, second.uuid, { recipient: ' trial  a ' }),
    await preview(place, first.uuid, { recipient: 'Trial B' }),
  ]
  expect([b.pseudonym, b.days]).toEqual([a.pseudonym, a.days])
  expect(other.pseudonym).not.toBe(a.pseudonym)
  expect((await preview(place, first.uuid, { dates: 'REMOVED' })).days).toBe(0)
  // the same choices give the copy that is there, others are refused
  const made = await make(place, first.uuid)
  await run(made.uuid)
  expect((await make(place, first.uuid)).uuid).toBe(made.uuid)
  expect(await make(place, first.uuid, { dates: 'REMOVED' })).toMatchObject({ error_type: 'ALREADY_EXISTS' })
  expect(await make(place, first.uuid, { texts: ['Axial'] })).toMatchObject({ error_type: 'ALREADY_EXISTS' })
  await run((await make(place, first.uuid, { recipient: 'Trial B' })).uuid)
  const uids = (await copies(place, first.uuid)).map(({ copy_study_uid }) => copy_study_uid)
  expect(new Set(uids).size).toBe(2)
})

test('pictures that may hold text leave only when somebody has looked, documents never', async () => {
  const place = await makePlace()
  const us = await send(place, {
    sopClassUid: '1.2.840.10008.5.1.4.1.1.6.1',
    more: [{ tag: Tag.Modality, vr: 'CS', value: 'US' }],
  })
  expect((await preview(place, us.uuid)).pixels).toHaveLength(1)
  const unseen = await make(place, us.uuid)
  await expect(run(unseen.uuid)).rejects.toMatchObject({ code: 'NOT_READY' })
  expect((await copies(place, us.uuid))[0]).toMatchObject({ study_id: '' })
  const other = { recipient: 'Trial C', pixels_seen: 1 }
  await run((await make(place, us.uuid, other)).uuid)
  expect((await copies(place, us.uuid))[0]).toMatchObject({ state: 'made', images: 2 })

  const kinds = { '66.4': 'segmentation', '481.3': 'radiotherapy', '11.1': 'presentation', '88.59': 'key-object' }
  for (const [suffix, reason] of Object.entries(kinds)) {
    const one = await send(place, { sopClassUid: `1.2.840.10008.5.1.4.1.1.${suffix}` })
    expect((await preview(place, one.uuid)).left_out).toEqual([{ reason, count: 2 }])
  }
  const report = await send(place, { sopClassUid: '1.2.840.10008.5.1.4.1.1.88.11' })
  expect((await preview(place, report.uuid)).left_out).toEqual([{ reason: 'report', count: 2 }])
  await expect(run((await make(place, report.uuid)).uuid)).rejects.toMatchObject({ code: 'NOT_READY' })
})

test('nothing is made of a study that has changed since somebody looked, or that names several patients', async () => {
  const place = await makePlace()
  const { uuid, studyUid } = await send(place)
  const stale = await call('study/deidentify/add', { sid: place.sid, uuid, ...chosen, digest: 'of another' })
  expect(stale.body).toMatchObject({ error_type: 'STALE' })
  await query(`update study set mixed_patients = true where study_uid = '${studyUid}'`)
  expect(await preview(place, uuid)).toMatchObject({ error_type: 'NOT_READY' })
  const long = await preview(place, uuid, { recipient: 'x'.repeat(201) })
  expect(long).toMatchObject({ error_type: 'INVALID_FIELD' })
})

test('nothing is made of a study that names several patients by the time its last image is written', async () => {
  const place = await makePlace()
  const { uuid, studyUid } = await send(place)
  const made = await make(place, uuid)
  const store = storeWith(() => query(`update study set mixed_patients = true where study_uid = '${studyUid}'`))
  await expect(run(made.uuid, store)).rejects.toMatchObject({ code: 'NOT_READY' })
  expect((await copies(place, uuid))[0]).toMatchObject({ state: 'making', study_id: '' })
})

test('a copy that fails half made leaves no exam behind, and can be made anew with other choices', async () => {
  const place = await makePlace()
  const { uuid, studyUid } = await send(place)
  const made = await make(place, uuid)
  const store = storeWith(() => query(`update study set mixed_patients = true where study_uid = '${studyUid}'`))
  await expect(run(made.uuid, store)).rejects.toMatchObject({ code: 'NOT_READY' })
  const live = () =>
    query<{ uuid: string }>(`select s.uuid from study s join nameless_copy c on c.copy_study_uid = s.study_uid
      where c.uuid = '${made.uuid}' and s.phi_namespace = c.phi_namespace and s.deleted_at is null`)
  expect(await live()).toHaveLength(1)
  await giveUp(made.uuid)
  expect(await live()).toEqual([])
  expect(await copies(place, uuid)).toMatchObject([{ state: 'failed' }])
  await query(`update study set mixed_patients = false where study_uid = '${studyUid}'`)
  const again = await make(place, uuid, { dates: 'REMOVED' })
  expect(again).toMatchObject({ status: 'OK' })
  await run(again.uuid)
  expect((await copies(place, uuid))[0]).toMatchObject({ state: 'made', images: 2 })
  const [copy] = await live()
  expect((await call('study/conflicts', { sid: place.sid, uuid: copy?.uuid })).body).toMatchObject({ status: 'OK' })
  expect(await query(`select 1 from study where uuid = '${copy?.uuid}' and study_date <> ''`)).toEqual([])
})

test('the history of an exam says who had a copy without names made, for whom, and what was vouched for', async () => {
  const place = await makePlace()
  const { uuid } = await send(place)
  const made = await make(place, uuid, { texts: ['Axial'], pixels_seen: 1 })
  const rows = await query<{ actor_kind: string; actor: string | null; detail: object }>(
    `select actor_kind, actor, detail from audit where object_uuid = '${uuid}' and action = 'STUDY_ANONYMIZE'`,
  )
  const [asked] = await query<{ user_uuid: string }>(`select user_uuid from nameless_copy where uuid = '${made.uuid}'`)
  expect(rows).toEqual([
    {
      actor_kind: 'user',
      actor: asked?.user_uuid,
      detail: { recipient: 'Trial A', dates: 'MOVED', pixels_seen: true, texts: 1, request: made.uuid },
    },
  ])
})

test('[SHARE-01] taking an exam back everywhere reaches its copies without names, here and where they went', async () => {
  const [from, to] = [await makePlace(), await makePlace()]
  const { uuid } = await send(from)
  const made = await make(from, uuid)
  await run(made.uuid)
  const [copy] = await copies(from, uuid)
  const copyUid = copy?.copy_study_uid ?? ''
  expect(await share(from.sid, { uuid: copy?.study_id, group_id: to.group.groupUuid })).toEqual(done)
  expect(await received(to, copyUid)).toBeDefined()
  const retracted = await call('study/retract', { sid: from.sid, uuid, reason: 'Consent withdrawn' })
  expect(retracted.body).toMatchObject({ status: 'OK', copies: 1, places: 1 })
  expect([await received(from, copyUid), await received(to, copyUid)]).toEqual([undefined, undefined])
})
