import type { AddressInfo } from 'node:net'
import { readDataSet } from '@hilum/dicom/read'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { findItems, findText } from '@hilum/dicom/values'
import { afterAll, expect, test } from 'vitest'
import { findOtherDoors } from '../../../test/image-doors.ts'
import { type MadeImage, madeImage } from '../../../test/made-image.ts'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import type { Expected } from '../../../test/shown-images.ts'
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

const anna = { patientName: 'One^Anna', patientId: 'A1', birthDate: '19700101', sex: 'F' }
const bert = { patientName: 'Other^Bert', patientId: 'B1', birthDate: '19551212', sex: 'M' }

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

const ofExam = (accessionNumber: string, description: string): Partial<MadeImage> => ({
  more: [
    { tag: 0x00080050, vr: 'SH', value: accessionNumber },
    { tag: 0x00081030, vr: 'LO', value: description },
  ],
})

type Exam = { uuid: string; studyUid: string }

/** An exam with these images, as series and number. */
async function makeExam(
  place: Place,
  images: readonly (readonly [number, number])[],
  more: Partial<MadeImage> = {},
): Promise<Exam> {
  const studyUid = newUid()
  for (const [series, number] of images) await arrive(place, { ...anna, studyUid, series, number, ...more })
  await settle(studyUid)
  return { studyUid, uuid: (await received(place, studyUid))?.uuid ?? '' }
}

async function settle(studyUid: string) {
  await query(`update study set arrival = 'complete', complete_at = null where study_uid = '${studyUid}'`)
}

/** An exam that stays, with the accession number of the order, and one that was made beside it by mistake. */
async function twoExams(place: Place) {
  const stays = await makeExam(
    place,
    [
      [1, 1],
      [1, 2],
    ],
    ofExam('ACC-1', 'CT Chest'),
  )
  const moves = await makeExam(
    place,
    [
      [1, 1],
      [2, 1],
      [2, 2],
    ],
    ofExam('', 'Unscheduled'),
  )
  return { stays, moves }
}

type Sent = Record<string, unknown>
const ask = async (path: string, sent: Sent) => (await call(path, sent)).body as never as Record<string, never>

async function begin(place: Place, stays: Exam, moves: Exam, more: Sent = {}) {
  const both = { sid: place.sid, uuid: stays.uuid, secondary_uuid: moves.uuid }
  const preview = await ask('study/merge/preview', both)
  const begun = await ask('study/merge', { ...both, digest: preview['digest'] ?? 'none', ...more })
  return { preview, begun, merge: begun['uuid'] as never as string }
}
const work = { work: 'test', signal: new AbortController().signal } as never
const run = (separationUuid: string) => makeSeparationActs.run(services, { separationUuid }, work)
const follow = (separationUuid: string) => followSeparation(services, { separationUuid }, work)
const undo = (place: Place, { uuid }: Exam, merge: string) =>
  ask('study/split/undo', { sid: place.sid, uuid, separation_id: merge })

async function listed(place: Place, { uuid }: Exam) {
  const { separations } = (await ask('study/split/list', { sid: place.sid, uuid })) as never as {
    separations: { kind: string; state: string; is_source: number; other_uuid: string; undo_obstacles: string[] }[]
  }
  return separations
}

async function merge(place: Place, stays: Exam, moves: Exam, more: Sent = {}): Promise<string> {
  const { merge: uuid } = await begin(place, stays, moves, more)
  await run(uuid)
  return uuid
}

const get = (place: Place, { uuid }: Pick<Exam, 'uuid'>) => ask('study/get', { sid: place.sid, uuid })

/** Asks at every door, which all have to show these images and no others. */
async function expectShown(place: Place, studyUid: string, expected: Expected) {
  const namespace = place.group.namespaceUuid
  const reader = { origin, sid: place.sid, namespace, from: [namespace] }
  const { doors, others } = await findOtherDoors(reader, studyUid, expected)
  expect(others).toEqual([])
  expect(doors).toBeGreaterThan(35)
}

async function storedOf({ studyUid }: Exam) {
  return query<{ sop_uid: string; series_uid: string; version: string; object_key: string; length: number }>(`
    select i.sop_uid, i.series_uid, i.version, b.object_key, b.length::integer as length
    from stored_study t
    join instance i on i.storage_namespace = t.storage_namespace and i.study_key = t.key
    join blob b on b.account_uuid = i.account_uuid and b.sha256 = i.sha256
    where t.study_uid = '${studyUid}' and t.ended_at is null
    order by i.series_uid, i.sop_uid`)
}
async function headerOf({ object_key, length }: { object_key: string; length: number }) {
  const chunks: Uint8Array[] = []
  for await (const chunk of services.store.stream(object_key, 0, length)) chunks.push(chunk)
  return readDataSet(Buffer.concat(chunks)).dataSet
}
const seriesOf = ({ studyUid }: Exam) =>
  query(`select e.series_uid, e.modality, e.series_number, e.description, e.image_count, e.size from series e
    join stored_study t on t.storage_namespace = e.storage_namespace and t.key = e.study_key
    where t.study_uid = '${studyUid}' order by e.series_uid`)

test('all images of one exam go to another, at every door, and the first one says where they are', async () => {
  const place = await makePlace()
  const { stays, moves } = await twoExams(place)
  const { preview, merge: uuid } = await begin(place, stays, moves, { reason: 'Sent under two orders' })
  expect(preview).toMatchObject({
    status: 'OK',
    verdict: 'same',
    moves: { images: 3, series: 2, study_description: 'Unscheduled', obstacles: [] },
    stays: { images: 2, series: 1, accession_number: 'ACC-1', obstacles: [] },
    renamed_images: 0,
    renamed_series: 0,
  })
  // nothing is seen of it before all of it is there
  expect(await get(place, stays)).toMatchObject({ image_count: 2 })
  expect(await listed(place, stays)).toMatchObject([{ kind: 'merge', state: 'making', is_source: 0 }])
  await run(uuid)
  expect(await get(place, stays)).toMatchObject({ image_count: 5, series_count: 3, mixed_patients: 0 })
  expect(await get(place, moves)).toMatchObject({ image_count: 0, merged_into: stays.uuid })
  const [one] = await listed(place, moves)
  expect(one).toMatchObject({ kind: 'merge', state: 'made', is_source: 1, other_uuid: stays.uuid, undo_obstacles: [] })

  const images = await storedOf(stays)
  const candidates = images.map(({ sop_uid, series_uid }) => ({ sop: sop_uid, series: series_uid }))
  const sops = candidates.map(({ sop }) => sop)
  await expectShown(place, stays.studyUid, { candidates, sops })
  await expectShown(place, moves.studyUid, { candidates, sops: [], isOpen: true })

  const history = await query(`select object_uuid, detail from audit
    where object_uuid in ('${stays.uuid}', '${moves.uuid}') and action = 'MERGE' order by id`)
  expect(history).toMatchObject([
    { object_uuid: moves.uuid, detail: { to: stays.uuid, images: 3, reason: 'Sent under two orders' } },
    { object_uuid: stays.uuid, detail: { from: moves.uuid, images: 3 } },
  ])
  await purge(services, new Date(Date.now() + 400 * 86_400_000))
  expect(await query(`select count(*)::integer as n from deleted_instance where separation_uuid = '${uuid}'`)).toEqual([
    { n: 3 },
  ])
})

test('moved images take study UID, patient and exam of the exam that stays, and keep UIDs that are free there', async () => {
  const place = await makePlace()
  const { stays, moves } = await twoExams(place)
  await merge(place, stays, moves)
  const images = (await storedOf(stays)).filter((one) => one.sop_uid.startsWith(moves.studyUid))
  expect(images).toHaveLength(3)
  for (const image of images) {
    const header = await headerOf(image)
    expect(findText(header, Tag.StudyInstanceUID)).toBe(stays.studyUid)
    expect(findText(header, Tag.SOPInstanceUID)).toBe(image.sop_uid)
    expect(findText(header, Tag.SeriesInstanceUID)).toBe(image.series_uid)
    expect(findText(header, 0x00080050)).toBe('ACC-1')
    expect(findText(header, 0x00081030)).toBe('CT Chest')
    const originals = findItems(header, 0x04000561) // Original Attributes Sequence
    const [modified] = findItems(originals[0] as never, 0x04000550) // Modified Attributes Sequence
    expect(findText(modified as never, Tag.StudyInstanceUID)).toBe(moves.studyUid)
    expect(findText(modified as never, 0x00081030)).toBe('Unscheduled')
  }
})

test('series and images whose UIDs are taken get new ones, and references follow them', async () => {
  const place = await makePlace()
  const stays = await makeExam(place, [[1, 1]])
  const seriesUid = `${stays.studyUid}.1`
  const sopUid = `${stays.studyUid}.1.1`
  const taken = [
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: seriesUid },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: sopUid },
  ]
  const moves = { studyUid: newUid(), uuid: '' }
  await arrive(place, { ...anna, studyUid: moves.studyUid, series: 1, number: 7, more: taken as never })
  const referring = [
    {
      tag: 0x00081140, // Referenced Image Sequence
      vr: 'SQ',
      value: [[{ tag: 0x00081155, vr: 'UI', value: sopUid }]],
    },
  ]
  await arrive(place, { ...anna, studyUid: moves.studyUid, series: 2, number: 1, more: referring as never })
  await settle(moves.studyUid)
  moves.uuid = (await received(place, moves.studyUid))?.uuid ?? ''
  const { preview, merge: uuid } = await begin(place, stays, moves)
  expect(preview).toMatchObject({ renamed_images: 1, renamed_series: 1 })
  await run(uuid)
  const images = await storedOf(stays)
  expect(images).toHaveLength(3)
  expect(await get(place, stays)).toMatchObject({ image_count: 3, series_count: 3, conflict_count: 0 })
  const renamed = images.find(
    (one) => !one.sop_uid.startsWith(stays.studyUid) && !one.sop_uid.startsWith(moves.studyUid),
  )
  const header = await headerOf(images.find((one) => one.sop_uid === `${moves.studyUid}.2.1`) as never)
  expect(findText(findItems(header, 0x00081140)[0] as never, 0x00081155)).toBe(renamed?.sop_uid)
  // an image that comes again with other content is the same image still
  await arrive(place, { ...anna, studyUid: moves.studyUid, series: 1, number: 8, more: taken as never })
  await follow(uuid)
  expect(await get(place, stays)).toMatchObject({ image_count: 3, conflict_count: 1 })
})

test('images that come late for the exam that was merged away follow, those of another patient do not', async () => {
  const place = await makePlace()
  const { stays, moves } = await twoExams(place)
  const uuid = await merge(place, stays, moves)
  expect(
    await arrive(place, {
      ...anna,
      studyUid: moves.studyUid,
      series: 2,
      number: 1,
      ...ofExam('', 'Unscheduled'),
    }),
  ).toBe('duplicate')
  expect(await arrive(place, { ...anna, studyUid: moves.studyUid, series: 2, number: 3 })).toBe('stored')
  expect(await arrive(place, { ...anna, studyUid: moves.studyUid, series: 5, number: 1 })).toBe('stored')
  expect(await arrive(place, { ...bert, studyUid: moves.studyUid, series: 6, number: 1 })).toBe('stored')
  await follow(uuid)
  await follow(uuid)
  expect(await get(place, stays)).toMatchObject({ image_count: 7, mixed_patients: 0 })
  // the record shows Anna, the image is of Bert
  expect(await get(place, moves)).toMatchObject({ image_count: 1, mixed_patients: 1 })
  await settle(stays.studyUid)
  expect(await undo(place, stays, uuid)).toMatchObject({ uuid: moves.uuid })
  expect(await get(place, moves)).toMatchObject({ image_count: 6, mixed_patients: 1 })
})

test('two exams are not merged once images of another patient came for one of them meanwhile', async () => {
  const place = await makePlace()
  for (const which of ['stays', 'moves'] as const) {
    const exams = await twoExams(place)
    const { merge: uuid } = await begin(place, exams.stays, exams.moves)
    await arrive(place, { ...bert, studyUid: exams[which].studyUid, series: 6, number: 1 })
    await expect(run(uuid)).rejects.toMatchObject({ code: 'NOT_AVAILABLE', isFinal: true })
    expect(await get(place, exams[which])).toMatchObject({ mixed_patients: 1 })
  }
})

test('an image does not take the MRN of one exam beside the issuer of another, nor its own back that was corrected', async () => {
  const place = await makePlace()
  const away = { patientId: 'B9', more: [{ tag: Tag.IssuerOfPatientID, vr: 'LO', value: 'AWAY' }] } as const
  const headersOf = async (exam: Exam) => {
    const headers = await Promise.all((await storedOf(exam)).map(headerOf))
    return headers.map((one) => [findText(one, Tag.PatientID), findText(one, Tag.IssuerOfPatientID) ?? ''])
  }
  for (const [there, expected] of [
    ['A1', ['A1', '']],
    ['', ['A1', expect.not.stringMatching('AWAY')]],
  ] as const) {
    const stays = await makeExam(place, [[1, 1]], { patientId: there })
    const moves = await makeExam(place, [[1, 1]], away as never)
    expect(await ask('study/set', { sid: place.sid, uuid: moves.uuid, patientid: 'A1' })).toMatchObject({
      status: 'OK',
    })
    await merge(place, stays, moves)
    const headers = await headersOf(stays)
    expect(headers).toHaveLength(2)
    expect(headers).toContainEqual(expected)
    expect(headers.flat()).not.toContain('AWAY')
    expect(headers.flat()).not.toContain('B9')
  }
})

test('corrections of the exam that stays reach the images that came to it, and those of the other one leave nothing', async () => {
  const place = await makePlace()
  const stays = await makeExam(place, [[1, 1]], { patientId: 'OUTSIDE-7' })
  const moves = await makeExam(place, [[1, 1]], { patientName: 'Wrong^Name', patientId: 'OUTSIDE-8' })
  expect(await ask('study/set', { sid: place.sid, uuid: stays.uuid, patientid: 'A1' })).toMatchObject({ status: 'OK' })
  await ask('study/set', { sid: place.sid, uuid: moves.uuid, patient_name: anna.patientName, patientid: 'A1' })
  await merge(place, stays, moves)
  expect(await get(place, stays)).toMatchObject({ image_count: 2, mixed_patients: 0, patientid: 'A1' })
  const headers = await Promise.all((await storedOf(stays)).map(headerOf))
  expect(headers.map((one) => [findText(one, Tag.PatientName), findText(one, Tag.PatientID)])).toEqual([
    [anna.patientName, 'OUTSIDE-7'],
    [anna.patientName, 'OUTSIDE-7'],
  ])
})

test.each(['other-patient', 'mixed', 'empty', 'hold', 'frozen', 'receiving', 'awaits-approval'])(
  'two exams are not merged while: %s',
  async (why) => {
    const place = await makePlace()
    const { stays, moves } = await twoExams(place)
    const states: Record<string, string> = {
      mixed: 'mixed_patients = true',
      hold: 'hold = true',
      frozen: 'is_frozen = true',
      receiving: `arrival = 'receiving'`,
      'awaits-approval': 'must_approve = true',
      'other-patient': `patient_name = 'Third^Person', patient_birth_date = '20000101', patientid = 'X'`,
    }
    if (states[why]) await query(`update study set ${states[why]} where uuid = '${moves.uuid}'`)
    if (why === 'empty') {
      const third = await makeExam(place, [[1, 1]])
      await merge(place, third, moves)
    }
    const { preview, begun } = await begin(place, stays, moves)
    expect((preview['moves'] as never as { obstacles: string[] }).obstacles).toContain(why)
    expect(begun).toMatchObject({ error_type: 'NOT_AVAILABLE', error_subtype: why })
    expect(await get(place, stays)).toMatchObject({ image_count: 2 })
  },
)

test('images do not go round in circles: an exam that was merged away takes none', async () => {
  const place = await makePlace()
  const { stays, moves } = await twoExams(place)
  await merge(place, stays, moves)
  const { preview, begun } = await begin(place, moves, stays)
  expect(preview).toMatchObject({ stays: { obstacles: expect.arrayContaining(['went-on']) } })
  expect(begun).toMatchObject({ error_type: 'NOT_AVAILABLE' })
})

test('an exam merged with itself, one of another place and a stale look are refused', async () => {
  const [place, elsewhere] = [await makePlace(), await makePlace()]
  const { stays, moves } = await twoExams(place)
  const other = await makeExam(elsewhere, [[1, 1]])
  expect((await begin(place, stays, stays)).begun).toMatchObject({ error_type: 'INVALID_FIELD' })
  expect((await begin(place, stays, other)).begun).toMatchObject({ error_type: 'NOT_FOUND' })
  expect((await begin(place, stays, moves, { digest: 'before' })).begun).toMatchObject({ error_type: 'STALE' })
  const reader = await organisation.addPerson({ groups: [place.group] })
  expect((await begin({ ...place, sid: reader.sid }, stays, moves)).begun).toMatchObject({
    error_type: 'NOT_PERMITTED',
  })
  expect((await begin(place, stays, moves)).begun).toMatchObject(done)
  expect((await begin(place, stays, moves)).begun).toMatchObject({ error_type: 'RUNNING' })
})

test('everybody who has either exam by a share sees what left and what came, and is told', async () => {
  const [place, first, second] = [await makePlace(), await makePlace(), await makePlace()]
  const { stays, moves } = await twoExams(place)
  expect(await share(place.sid, { uuid: moves.uuid, user_id: first.person.userUuid })).toEqual(done)
  expect(await share(place.sid, { uuid: stays.uuid, user_id: second.person.userUuid })).toEqual(done)
  const mails = async ({ person }: Place) =>
    (await query<{ n: number }>(`select count(*)::integer as n from mail where recipient = '${person.email}'`))[0]?.n ??
    0
  const before = [await mails(first), await mails(second)]
  const { preview, merge: uuid } = await begin(place, stays, moves)
  expect(preview).toMatchObject({ moves: { reach: { places: 1 } }, stays: { reach: { places: 1 } } })
  await run(uuid)
  const theirs = await received(first, moves.studyUid)
  // where the images went is none of their business
  expect(await get(first, theirs as never)).toMatchObject({ image_count: 0, merged_into: '' })
  expect(await get(second, (await received(second, stays.studyUid)) as never)).toMatchObject({ image_count: 5 })
  expect([await mails(first), await mails(second)]).toEqual(before.map((n) => n + 1))
  const history = await query<{ detail: object }>(
    `select detail from audit where object_uuid = '${theirs?.uuid}' and action = 'MERGE'`,
  )
  expect(history.map((one) => one.detail)).toEqual([{ images: 3 }])
})

test('undoing puts every image back as it came, and both exams are as they were', async () => {
  const place = await makePlace()
  const { stays, moves } = await twoExams(place)
  const before = [await storedOf(stays), await storedOf(moves), await seriesOf(stays), await seriesOf(moves)]
  const uuid = await merge(place, stays, moves)
  await arrive(place, { ...anna, studyUid: moves.studyUid, series: 2, number: 9 })
  // the work that stores it there may run at this moment
  expect(await undo(place, stays, uuid)).toMatchObject({ error_type: 'NOT_AVAILABLE', error_subtype: 'images-follow' })
  await follow(uuid)
  await settle(stays.studyUid)
  expect(await undo(place, stays, uuid)).toMatchObject({ uuid: moves.uuid })
  expect((await storedOf(moves)).filter((one) => !one.sop_uid.endsWith('.2.9'))).toEqual(before[1])
  expect(await storedOf(stays)).toEqual(before[0])
  expect(await seriesOf(stays)).toEqual(before[2])
  expect(await seriesOf(moves)).toHaveLength(2)
  expect(await get(place, moves)).toMatchObject({ image_count: 4, series_count: 2, mixed_patients: 0 })
  expect(await get(place, stays)).toMatchObject({ image_count: 2, series_count: 1 })
  expect(await listed(place, moves)).toMatchObject([{ state: 'undone' }])
  // what arrives now stays where it came
  await arrive(place, { ...anna, studyUid: moves.studyUid, series: 2, number: 10 })
  expect(await get(place, moves)).toMatchObject({ image_count: 5 })
  expect(await undo(place, moves, uuid)).toMatchObject({ error_type: 'NOT_AVAILABLE' })
})

test.each([
  [
    'edited',
    (place: Place, stays: Exam) => ask('study/set', { sid: place.sid, uuid: stays.uuid, study_description: 'Else' }),
  ],
  ['deleted', (place: Place, stays: Exam) => ask('study/delete', { sid: place.sid, uuid: stays.uuid })],
  [
    'images-went',
    async (place: Place, stays: Exam) => {
      const third = await makeExam(place, [[1, 1]])
      await merge(place, third, stays)
    },
  ],
  [
    'shared',
    async (place: Place, stays: Exam) =>
      share(place.sid, { uuid: stays.uuid, user_id: (await makePlace()).person.userUuid }),
  ],
  ['hold', (_: Place, stays: Exam) => query(`update study set hold = true where uuid = '${stays.uuid}'`)],
])('a merge is not undone once the exam that has the images was %s', async (why, happen) => {
  const place = await makePlace()
  const { stays, moves } = await twoExams(place)
  const uuid = await merge(place, stays, moves)
  await happen(place, stays)
  const [one] = await listed(place, moves)
  expect(one?.undo_obstacles).toContain(why)
  expect(await undo(place, moves, uuid)).toMatchObject({ error_type: 'NOT_AVAILABLE' })
})

test('a hold that is set while images are stored anew keeps both exams as they are', async () => {
  const place = await makePlace()
  const { stays, moves } = await twoExams(place)
  const { merge: uuid } = await begin(place, stays, moves)
  await query(`update study set hold = true where uuid = '${stays.uuid}'`)
  await expect(run(uuid)).rejects.toMatchObject({ code: 'NOT_AVAILABLE', isFinal: true })
  expect(await get(place, moves)).toMatchObject({ image_count: 3 })
  expect(await get(place, stays)).toMatchObject({ image_count: 2 })
})

test('work that broke off and runs again stores nothing twice, and takes images along that came meanwhile', async () => {
  const place = await makePlace()
  const { stays, moves } = await twoExams(place)
  const { merge: uuid } = await begin(place, stays, moves)
  await query(`update study set is_frozen = true where uuid = '${stays.uuid}'`)
  await expect(run(uuid)).rejects.toMatchObject({ code: 'NOT_AVAILABLE' })
  await query(`update study set is_frozen = false where uuid = '${stays.uuid}'`)
  await query(`update separated_image set new_version = null where separation_uuid = '${uuid}'`)
  await arrive(place, { ...anna, studyUid: moves.studyUid, series: 3, number: 1 })
  await run(uuid)
  expect(await get(place, stays)).toMatchObject({ image_count: 6, conflict_count: 0 })
  expect(await get(place, moves)).toMatchObject({ image_count: 0 })
  const [{ n } = { n: -1 }] = await query<{ n: number }>(`select count(*)::integer as n from stored_study t
    where t.storage_namespace = '${place.group.namespaceUuid}' and not exists (
      select from study s where s.study_uid = t.study_uid)`)
  expect(n).toBe(0)
})
