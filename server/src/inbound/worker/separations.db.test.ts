import type { AddressInfo } from 'node:net'
import { readDataSet } from '@hilum/dicom/read'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { findItems, findText } from '@hilum/dicom/values'
import { afterAll, expect, test } from 'vitest'
import { findOtherDoors } from '../../../test/image-doors.ts'
import { type MadeImage, madeImage } from '../../../test/made-image.ts'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import type { Candidate } from '../../../test/shown-images.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { receiveImage } from '../../areas/ingest/receive-image.command.ts'
import { purge } from '../../areas/retention/purge.job.ts'
import { followSeparation } from '../../areas/separation/follow-separation.job.ts'
import { makeSeparationActs } from '../../areas/separation/make-separation.job.ts'

const { services, app, call, query } = await startTestApp()
const { organisation, accountUuid, share, received } = await makeSharing({ services, call })
await app.listen({ host: '127.0.0.1', port: 0 })
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
afterAll(() => app.close())

const anna = { patientName: 'Stays^Anna', patientId: 'A1', birthDate: '19700101', sex: 'F' }
const bert = { patientName: 'Moves^Bert', patientId: 'B1', birthDate: '19551212', sex: 'M' }

async function makePlace(role = 'Administrator') {
  const group = await organisation.addGroup()
  const person = await organisation.addPerson({ role, groups: [group] })
  return { group, person, sid: person.sid }
}
type Place = Awaited<ReturnType<typeof makePlace>>

async function arrive(place: Place, image: MadeImage): Promise<string> {
  const bytes = madeImage(image)
  const chunks = (async function* () {
    yield bytes
  })()
  const namespaceUuid = place.group.namespaceUuid
  const arrival = { namespaceUuid, accountUuid, source: 'upload' as const, quietSeconds: 30 }
  return (await receiveImage(services, arrival, chunks)).outcome
}

/** A study of two patients: series 1 of Anna, 2 of Bert, 3 of both. Bert's came first. */
async function mixedStudy(place: Place) {
  const studyUid = newUid()
  for (const [series, number, who] of [
    [2, 1, bert],
    [2, 2, bert],
    [1, 1, anna],
    [1, 2, anna],
    [3, 1, anna],
    [3, 2, bert],
  ] as const)
    await arrive(place, {
      studyUid,
      series,
      number,
      ...who,
      ...(series === 2 && number === 2 ? referring(studyUid) : {}),
    })
  await settle(studyUid)
  return { studyUid, uuid: (await received(place, studyUid))?.uuid ?? '' }
}

/** References to an image that moves, to one that stays, and to their series. */
const referring = (studyUid: string) => ({
  more: [
    {
      tag: 0x0040a375, // Current Requested Procedure Evidence Sequence
      vr: 'SQ',
      value: [
        [
          {
            tag: 0x00081115, // Referenced Series Sequence
            vr: 'SQ',
            value: [2, 1].map((series) => [
              {
                tag: 0x00081199, // Referenced SOP Sequence
                vr: 'SQ',
                value: [[{ tag: 0x00081155, vr: 'UI', value: `${studyUid}.${series}.1` }]],
              },
              { tag: Tag.SeriesInstanceUID, vr: 'UI', value: `${studyUid}.${series}` },
            ]),
          },
          { tag: Tag.StudyInstanceUID, vr: 'UI', value: studyUid },
        ],
      ],
    },
  ] as MadeImage['more'] & object,
})

async function settle(studyUid: string) {
  await query(`update study set arrival = 'complete', complete_at = null where study_uid = '${studyUid}'`)
}

type Sent = Record<string, unknown>
const ask = async (path: string, sent: Sent) => (await call(path, sent)).body as never as Record<string, never>

async function keyOf(place: Place, uuid: string, name: string): Promise<string> {
  const { patients } = (await ask('study/patients', { sid: place.sid, uuid })) as never as {
    patients: { key: string; patient_name: string }[]
  }
  return patients.find((one) => one.patient_name === name)?.key ?? ''
}

async function begin(place: Place, uuid: string, more: Sent = {}) {
  const move = [{ patient: await keyOf(place, uuid, bert.patientName) }]
  const preview = await ask('study/split/preview', { sid: place.sid, uuid, move })
  const begun = await ask('study/split', { sid: place.sid, uuid, move, digest: preview['digest'], ...more })
  return { preview, begun, separation: begun['uuid'] as never as string }
}
const work = { work: 'test', signal: new AbortController().signal } as never
const run = (separationUuid: string, store = services.store) =>
  makeSeparationActs.run({ ...services, store }, { separationUuid }, work)
const follow = (separationUuid: string) => followSeparation(services, { separationUuid }, work)

async function listed(place: Place, uuid: string) {
  const { separations } = (await ask('study/split/list', { sid: place.sid, uuid })) as never as {
    separations: { uuid: string; state: string; other_uuid: string; undo_obstacles: string[]; message: string }[]
  }
  return separations
}

async function split(place: Place, uuid: string, more: Sent = {}) {
  const { separation } = await begin(place, uuid, more)
  await run(separation)
  const [one] = await listed(place, uuid)
  return { separation, made: one?.other_uuid ?? '' }
}

const get = (place: Place, uuid: string) => ask('study/get', { sid: place.sid, uuid })

/** Asks at every door, which all have to show these images and no other of the candidates. */
async function expectShown(place: Place, studyUid: string, candidates: readonly Candidate[], sops: readonly string[]) {
  const namespace = place.group.namespaceUuid
  const reader = { origin, sid: place.sid, namespace, from: [namespace] }
  const { doors, others } = await findOtherDoors(reader, studyUid, { candidates, sops })
  expect(others).toEqual([])
  expect(doors).toBeGreaterThan(35)
}
const candidate = (studyUid: string, series: number, number: number) => ({
  sop: `${studyUid}.${series}.${number}`,
  series: `${studyUid}.${series}`,
})

async function storedOf(uuid: string) {
  return query<{ sop_uid: string; series_uid: string; object_key: string; length: number }>(`
    select i.sop_uid, i.series_uid, b.object_key, b.length::integer as length
    from study s
    join stored_study t on t.storage_namespace = s.phi_namespace and t.study_uid = s.study_uid and t.ended_at is null
    join instance i on i.storage_namespace = t.storage_namespace and i.study_key = t.key
    join blob b on b.account_uuid = i.account_uuid and b.sha256 = i.sha256
    where s.uuid = '${uuid}'
    order by i.instance_number, i.series_uid`)
}
async function headerOf({ object_key, length }: { object_key: string; length: number }) {
  const chunks: Uint8Array[] = []
  for await (const chunk of services.store.stream(object_key, 0, length)) chunks.push(chunk)
  return readDataSet(Buffer.concat(chunks)).dataSet
}

test('images of one patient move to a study of their own, and no door of the first shows them any more', async () => {
  const place = await makePlace()
  const { uuid, studyUid } = await mixedStudy(place)
  expect(await get(place, uuid)).toMatchObject({ mixed_patients: 1, patient_name: bert.patientName })
  const { preview, separation } = await begin(place, uuid, { reason: 'Two people on one disc' })
  expect(preview).toMatchObject({
    status: 'OK',
    moves: { images: 3, series: 2, patient: { patient_name: bert.patientName } },
    stays: { images: 3, series: 2, patient: { patient_name: anna.patientName } },
    verdict: 'different',
    moves_mixed: 0,
    stays_mixed: 0,
    references_lost: 1,
    obstacles: [],
  })
  // nothing is seen of it before all of it is there
  expect(await get(place, uuid)).toMatchObject({ image_count: 6 })
  await run(separation)
  const [one] = await listed(place, uuid)
  expect(one).toMatchObject({ state: 'made', undo_obstacles: [] })
  const first = await get(place, uuid)
  expect(first).toMatchObject({ mixed_patients: 0, image_count: 3, series_count: 2, patient_name: anna.patientName })
  expect(first).toMatchObject({ patientid: anna.patientId })
  const second = await get(place, one?.other_uuid ?? '')
  expect(second).toMatchObject({ mixed_patients: 0, image_count: 3, series_count: 2, patient_name: bert.patientName })

  const old = [1, 2, 3].flatMap((series) => [candidate(studyUid, series, 1), candidate(studyUid, series, 2)])
  const kept = ['1.1', '1.2', '3.1'].map((end) => `${studyUid}.${end}`)
  await expectShown(place, studyUid, old, kept)
  const stored = await storedOf(one?.other_uuid ?? '')
  const made = stored.map(({ sop_uid, series_uid }) => ({ sop: sop_uid, series: series_uid }))
  const newUidOf = (second as never as { study_uid: string }).study_uid
  const anew = made.map(({ sop }) => sop)
  await expectShown(place, newUidOf, made, anew)

  const history = await query(`select action, detail from audit where object_uuid in ('${uuid}', '${one?.other_uuid}')
    and action = 'SPLIT' order by id`)
  expect(history).toMatchObject([
    { detail: { from: uuid, images: 3, reason: 'Two people on one disc' } },
    { detail: { to: one?.other_uuid, images: 3 } },
  ])
  await purge(services, new Date(Date.now() + 400 * 86_400_000))
  // the originals stay as they came, as long as the new study is there
  expect(
    await query(`select count(*)::integer as n from deleted_instance where separation_uuid = '${separation}'`),
  ).toEqual([{ n: 3 }])
})

test('all UIDs of what moves are new, and references among moved images follow them; those to others stay', async () => {
  const place = await makePlace()
  const { uuid, studyUid } = await mixedStudy(place)
  const { made } = await split(place, uuid)
  const images = await storedOf(made)
  const headers = await Promise.all(images.map((one) => headerOf(one)))
  for (const [index, header] of headers.entries()) {
    expect(findText(header, Tag.SOPInstanceUID)).toBe(images[index]?.sop_uid)
    for (const tag of [Tag.SOPInstanceUID, Tag.SeriesInstanceUID, Tag.StudyInstanceUID])
      expect(findText(header, tag)?.startsWith(studyUid)).toBe(false)
    expect(findText(header, Tag.PatientName)).toBe(bert.patientName)
  }
  const referring = headers.find((one) => one.elements.has(0x0040a375))
  const [evidence] = findItems(referring as never, 0x0040a375)
  expect(findText(evidence as never, Tag.StudyInstanceUID)).toBe(findText(headers[0] as never, Tag.StudyInstanceUID))
  const [moved, kept] = findItems(evidence as never, 0x00081115)
  const sopOf = (item: unknown) => findText(findItems(item as never, 0x00081199)[0] as never, 0x00081155)
  expect(sopOf(moved)).toBe(images.find((one) => one.sop_uid === sopOf(moved))?.sop_uid)
  expect(findText(moved as never, Tag.SeriesInstanceUID)).toBe(findText(referring as never, Tag.SeriesInstanceUID))
  expect([sopOf(kept), findText(kept as never, Tag.SeriesInstanceUID)]).toEqual([`${studyUid}.1.1`, `${studyUid}.1`])
})

test('what comes late or again follows what moved, and what is of the patient who stayed stays', async () => {
  const place = await makePlace()
  const { uuid, studyUid } = await mixedStudy(place)
  const { separation, made } = await split(place, uuid)
  expect(await arrive(place, { studyUid, series: 2, number: 1, ...bert })).toBe('duplicate')
  expect(await arrive(place, { studyUid, series: 2, number: 3, ...bert })).toBe('stored')
  expect(await arrive(place, { studyUid, series: 4, number: 1, ...bert })).toBe('stored')
  expect(await arrive(place, { studyUid, series: 1, number: 3, ...anna })).toBe('stored')
  // a sender who set the patient right sends an image that moved to the other one
  expect(await arrive(place, { studyUid, series: 2, number: 2, ...anna })).toBe('stored')
  await follow(separation)
  await follow(separation)
  expect(await get(place, uuid)).toMatchObject({ image_count: 5, mixed_patients: 0 })
  expect(await get(place, made)).toMatchObject({ image_count: 5, mixed_patients: 0 })
  const images = await storedOf(made)
  expect(new Set(images.map((one) => one.series_uid)).size).toBe(3)
})

test('images of the other patient follow even after the first exam was deleted and came anew', async () => {
  const place = await makePlace()
  const { uuid, studyUid } = await mixedStudy(place)
  const { separation, made } = await split(place, uuid)
  expect(await ask('study/delete', { sid: place.sid, uuid })).toMatchObject(done)
  await arrive(place, { studyUid, series: 1, number: 1, ...anna })
  await arrive(place, { studyUid, series: 2, number: 9, ...bert })
  await follow(separation)
  const anew = await received(place, studyUid)
  expect(await get(place, anew?.uuid ?? '')).toMatchObject({ image_count: 1, mixed_patients: 0 })
  expect(await get(place, made)).toMatchObject({ image_count: 4 })
})

test('everybody who has the exam by a share sees the images no more, and is told', async () => {
  const [place, other] = [await makePlace(), await makePlace()]
  const { uuid, studyUid } = await mixedStudy(place)
  expect(await share(place.sid, { uuid, user_id: other.person.userUuid, mixed_patients: 1 })).toEqual(done)
  expect((await begin(place, uuid)).preview).toMatchObject({ reach: { places: 1 } })
  const [{ uuid: separation } = { uuid: '' }] = await listed(place, uuid)
  const before = await query(`select count(*)::integer as n from mail where recipient = '${other.person.email}'`)
  await run(separation)
  const theirs = await received(other, studyUid)
  expect(await get(other, theirs?.uuid ?? '')).toMatchObject({
    image_count: 3,
    mixed_patients: 0,
    patient_name: anna.patientName,
  })
  const { rows } = {
    rows: await query(`select count(*)::integer as n from mail where recipient = '${other.person.email}'`),
  }
  expect((rows[0] as { n: number }).n).toBe((before[0] as { n: number }).n + 1)
  const history = await query<{ detail: object }>(
    `select detail from audit where object_uuid = '${theirs?.uuid}' and action = 'SPLIT'`,
  )
  // neither the other patient nor the exam is named
  expect(history.map((one) => one.detail)).toEqual([{ images: 3 }])
})

test('a person confirms the patient: what differs from the images is an edit of the new record', async () => {
  const place = await makePlace()
  const { uuid } = await mixedStudy(place)
  const { made } = await split(place, uuid, { patientid: 'OURS-7', patient_birth_date: '19551213' })
  expect(await get(place, made)).toMatchObject({
    patientid: 'OURS-7',
    patient_birth_date: '19551213',
    patient_name: bert.patientName,
  })
  const [{ edits } = { edits: [] }] = await query<{ edits: object[] }>(`select edits from study where uuid = '${made}'`)
  expect(edits).toContainEqual(expect.objectContaining({ tag: 'patientid', old: bert.patientId, new: 'OURS-7' }))
  const { separation } = await begin(place, (await mixedStudy(place)).uuid, { patient_birth_date: 'soon' })
  expect(separation).toBeUndefined()
})

test('an MRN that somebody else holds takes a reason', async () => {
  const place = await makePlace()
  const { uuid: held } = await mixedStudy(place)
  await split(place, held, { patientid: 'HELD-1' })
  const { uuid } = await mixedStudy(place)
  await query(
    `update study set patient_name = 'Third^Person', patient_birth_date = '20000101' where patientid = 'HELD-1'`,
  )
  expect((await begin(place, uuid, { patientid: 'HELD-1' })).begun).toMatchObject({ error_type: 'MRN_HELD' })
  expect((await begin(place, uuid, { patientid: 'HELD-1', mrn_reason: 'One person' })).begun).toMatchObject(done)
})

test('undoing puts every image back as it came, and ends the record that was made', async () => {
  const place = await makePlace()
  const { uuid, studyUid } = await mixedStudy(place)
  const before = await storedOf(uuid)
  const series = `select e.series_uid, e.modality, e.series_number, e.description, e.image_count, e.size from series e
    join stored_study t on t.storage_namespace = e.storage_namespace and t.key = e.study_key
    where t.study_uid = '${studyUid}' order by series_uid`
  const seriesBefore = await query(series)
  const { separation, made } = await split(place, uuid)
  const newUidOf = (await get(place, made))['study_uid']
  await arrive(place, { studyUid, series: 2, number: 7, ...bert })
  // the work that stores it there may run at this moment
  expect(await ask('study/split/undo', { sid: place.sid, uuid: made, separation_id: separation })).toMatchObject({
    error_type: 'NOT_AVAILABLE',
    error_subtype: 'images-follow',
  })
  await follow(separation)
  await query(`update study set arrival = 'complete', complete_at = null where uuid = '${made}'`)
  await query(`insert into webhook (uuid, account_uuid, name, event, url, method, parameters, sealed_secret)
    select gen_random_uuid(), account_uuid, 'Registry', 'STUDY_DELETE', 'https://127.0.0.1:9/', 'POST', '{}', ''
    from study where uuid = '${made}'`)
  expect(await ask('study/split/undo', { sid: place.sid, uuid: made, separation_id: separation })).toMatchObject({
    uuid,
  })
  expect((await storedOf(uuid)).filter((one) => !one.sop_uid.endsWith('.2.7'))).toEqual(before)
  expect(await get(place, uuid)).toMatchObject({ image_count: 7, mixed_patients: 1, patient_name: bert.patientName })
  expect(await get(place, made)).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(await query(`select event from webhook_delivery where study_uuid = '${made}'`)).toEqual([
    { event: 'STUDY_DELETE' },
  ])
  expect(await received(place, newUidOf as never)).toBeUndefined()
  const late = (await query<{ series_uid: string; image_count: number; size: string }>(series)).map((one) =>
    one.series_uid.endsWith('.2') ? { ...one, image_count: 2, size: seriesBefore[1]?.['size' as never] } : one,
  )
  expect(late).toEqual(seriesBefore)
  expect(await listed(place, uuid)).toMatchObject([{ state: 'undone' }])
  // what arrives now stays with the others
  await arrive(place, { studyUid, series: 2, number: 8, ...bert })
  expect(await get(place, uuid)).toMatchObject({ image_count: 8 })
  expect(await ask('study/split/undo', { sid: place.sid, uuid, separation_id: separation })).toMatchObject({
    error_type: 'NOT_AVAILABLE',
  })
})

test.each([
  [
    'edited',
    async (place: Place, made: string) =>
      ask('study/set', { sid: place.sid, uuid: made, study_description: 'Corrected' }),
  ],
  ['deleted', async (place: Place, made: string) => ask('study/delete', { sid: place.sid, uuid: made })],
  [
    'images-came',
    async (place: Place, made: string) => {
      const studyUid = (await get(place, made))['study_uid'] as never as string
      await arrive(place, { studyUid, series: 9, number: 9, ...bert })
    },
  ],
  [
    'shared',
    async (place: Place, made: string) =>
      share(place.sid, { uuid: made, user_id: (await makePlace()).person.userUuid }),
  ],
  ['hold', async (_: Place, made: string) => query(`update study set hold = true where uuid = '${made}'`)],
])('a separation is not undone once the new exam was %s', async (why, happen) => {
  const place = await makePlace()
  const { uuid } = await mixedStudy(place)
  const { separation, made } = await split(place, uuid)
  await happen(place, made)
  const [one] = await listed(place, uuid)
  expect(one?.undo_obstacles).toContain(why)
  const refused = await ask('study/split/undo', { sid: place.sid, uuid, separation_id: separation })
  expect(refused).toMatchObject({ error_type: 'NOT_AVAILABLE' })
  expect(await get(place, uuid)).toMatchObject({ image_count: 3 })
})

test.each([
  ['hold', `update study set hold = true where uuid = `],
  ['frozen', `update study set is_frozen = true where uuid = `],
  ['awaits-approval', `update study set must_approve = true where uuid = `],
  ['receiving', `update study set arrival = 'receiving' where uuid = `],
])('nothing moves while the exam is: %s', async (why, sql) => {
  const place = await makePlace()
  const { uuid } = await mixedStudy(place)
  await query(`${sql}'${uuid}'`)
  const { preview, begun } = await begin(place, uuid)
  expect(preview).toMatchObject({ obstacles: [why] })
  expect(begun).toMatchObject({ error_type: 'NOT_AVAILABLE', error_subtype: why })
})

test('a hold that is set while images are stored anew keeps all of them where they are', async () => {
  const place = await makePlace()
  const { uuid } = await mixedStudy(place)
  const { separation } = await begin(place, uuid)
  await query(`update study set hold = true where uuid = '${uuid}'`)
  await expect(run(separation)).rejects.toMatchObject({ code: 'NOT_AVAILABLE', isFinal: true })
  await services.db.transaction().execute(async (tx) => {
    await makeSeparationActs.giveUp?.(
      tx,
      { separationUuid: separation },
      {} as never,
      { error: 'X', message: 'A hold' } as never,
    )
  })
  expect(await listed(place, uuid)).toMatchObject([{ state: 'failed', message: 'A hold', other_uuid: '' }])
  expect(await get(place, uuid)).toMatchObject({ image_count: 6, mixed_patients: 1 })
})

test('two people at once: one separation runs, the other is told', async () => {
  const place = await makePlace()
  const { uuid } = await mixedStudy(place)
  const { preview } = { preview: await begin(place, uuid) }
  const again = await begin(place, uuid)
  expect(preview.begun).toMatchObject(done)
  expect(again.begun).toMatchObject({ error_type: 'RUNNING' })
})

test('another person at the exam, and images that changed, refuse it', async () => {
  const place = await makePlace()
  const other = await organisation.addPerson({ role: 'Administrator', groups: [place.group] })
  const { uuid, studyUid } = await mixedStudy(place)
  expect(await ask('study/lock', { sid: other.sid, uuid })).toMatchObject(done)
  expect((await begin(place, uuid)).begun).toMatchObject({ error_type: 'LOCKED' })
  await ask('study/unlock', { sid: other.sid, uuid })
  const move = [{ patient: await keyOf(place, uuid, bert.patientName) }]
  const { digest } = await ask('study/split/preview', { sid: place.sid, uuid, move })
  await arrive(place, { studyUid, series: 2, number: 5, ...bert })
  await settle(studyUid)
  expect(await ask('study/split', { sid: place.sid, uuid, move, digest })).toMatchObject({ error_type: 'STALE' })
  const nothing = await ask('study/split/preview', { sid: place.sid, uuid, move: [{ patient: 'nobody' }] })
  expect(nothing).toMatchObject({ error_type: 'INVALID_FIELD' })
  const elsewhere = { namespace_id: (await makePlace()).group.namespaceUuid }
  expect((await begin(place, uuid, elsewhere)).begun).toMatchObject({ error_type: 'NOT_AVAILABLE' })
})

test('single images and one series of a patient move alone', async () => {
  const place = await makePlace()
  const { uuid, studyUid } = await mixedStudy(place)
  const move = [{ patient: await keyOf(place, uuid, bert.patientName), series_uid: `${studyUid}.3` }]
  const chosen = { sid: place.sid, uuid, move, image_uids: [`${studyUid}.1.1`] }
  const preview = await ask('study/split/preview', chosen)
  expect(preview).toMatchObject({ moves: { images: 2, series: 2 }, moves_mixed: 1, stays_mixed: 1 })
  const strange = await ask('study/split/preview', { ...chosen, image_uids: [`${studyUid}.1.1`, '1.2.3'] })
  expect(strange).toMatchObject({ error_type: 'INVALID_FIELD', error_subtype: 'image_uids' })
})

test('a run that breaks off loses nothing, and the next one ends it; late images of the other patient go along', async () => {
  const place = await makePlace()
  const { uuid, studyUid } = await mixedStudy(place)
  const { separation } = await begin(place, uuid)
  let reads = 0
  const breaking = new Proxy(services.store, {
    get(store, name) {
      const part: unknown = Reflect.get(store, name)
      if (name !== 'begin') return typeof part === 'function' ? part.bind(store) : part
      return (...given: Parameters<typeof store.begin>) => {
        reads += 1
        if (reads > 1) throw new Error('The process ended')
        return store.begin(...given)
      }
    },
  })
  await expect(run(separation, breaking)).rejects.toThrow('The process ended')
  expect(await get(place, uuid)).toMatchObject({ image_count: 6 })
  await arrive(place, { studyUid, series: 5, number: 1, ...bert })
  await arrive(place, { studyUid, series: 6, number: 1, ...anna })
  await run(separation)
  await run(separation)
  const [one] = await listed(place, uuid)
  expect(await get(place, uuid)).toMatchObject({ image_count: 4, mixed_patients: 0 })
  expect(await get(place, one?.other_uuid ?? '')).toMatchObject({ image_count: 4, mixed_patients: 0 })
})

test('erasing the patient of the new exam takes the originals along', async () => {
  const place = await makePlace()
  const { uuid } = await mixedStudy(place)
  const { separation, made } = await split(place, uuid)
  await ask('study/delete', { sid: place.sid, uuid: made })
  await query(`update study set deleted_at = now() - interval '60 days' where uuid = '${made}'`)
  await query(
    `update deleted_instance set deleted_at = now() - interval '60 days' where separation_uuid = '${separation}'`,
  )
  await purge(services, new Date())
  expect(
    await query(`select count(*)::integer as n from deleted_instance where separation_uuid = '${separation}'`),
  ).toEqual([{ n: 0 }])
})

test('a role without the right, and a role that does not see patients, cannot', async () => {
  const place = await makePlace()
  const { uuid } = await mixedStudy(place)
  const viewer = await organisation.addPerson({ role: 'Viewer', groups: [place.group] })
  for (const path of ['study/split/preview', 'study/split', 'study/split/list'])
    expect(await ask(path, { sid: viewer.sid, uuid, digest: 'x' })).toMatchObject({ error_type: 'NOT_PERMITTED' })
})
