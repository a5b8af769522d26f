import { readDataSet } from '@hilum/dicom/read'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { findItems, findText } from '@hilum/dicom/values'
import { afterAll, expect, test } from 'vitest'
import { type MadeImage, madeImage } from '../../../test/made-image.ts'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { receiveImage } from '../../areas/ingest/receive-image.command.ts'
import { followSeparation } from '../../areas/separation/follow-separation.job.ts'
import { makeSeparationActs } from '../../areas/separation/make-separation.job.ts'

/* Some series and images of an exam go to another exam, the others stay: `study/merge` with series_uids and image_uids. */

const { services, app, call, query } = await startTestApp()
const { organisation, accountUuid, share, received } = await makeSharing({ services, call })
afterAll(() => app.close())

const referencedSeries = 0x00081115
const anna = { patientName: 'One^Anna', patientId: 'A1', birthDate: '19700101', sex: 'F' }
const bert = { patientName: 'Other^Bert', patientId: 'B1', birthDate: '19551212', sex: 'M' }

async function makePlace() {
  const group = await organisation.addGroup()
  const person = await organisation.addPerson({ role: 'Administrator', groups: [group] })
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

const settle = (studyUid: string) =>
  query(`update study set arrival = 'complete', complete_at = null where study_uid = '${studyUid}'`)

/** An exam of one image, and one of three series with two images each. */
async function twoExams(place: Place) {
  const stays = await makeExam(place, [[9, 1]])
  const moves = await makeExam(
    place,
    [1, 2, 3].flatMap((series) => [[series, 1] as const, [series, 2] as const]),
  )
  return { stays, moves }
}

type Sent = Record<string, unknown>
const ask = async (path: string, sent: Sent) => (await call(path, sent)).body as never as Record<string, never>

async function begin(place: Place, { stays, moves }: { stays: Exam; moves: Exam }, choice: Sent) {
  const both = { sid: place.sid, uuid: stays.uuid, secondary_uuid: moves.uuid, ...choice }
  const preview = await ask('study/merge/preview', both)
  const begun = await ask('study/merge', { ...both, digest: preview['digest'] ?? 'none' })
  return { preview, begun, merge: begun['uuid'] as never as string }
}
const work = { work: 'test', signal: new AbortController().signal } as never
const run = (separationUuid: string) => makeSeparationActs.run(services, { separationUuid }, work)
const follow = (separationUuid: string) => followSeparation(services, { separationUuid }, work)
const undo = (place: Place, { uuid }: Exam, merge: string) =>
  ask('study/split/undo', { sid: place.sid, uuid, separation_id: merge })

async function merge(place: Place, exams: { stays: Exam; moves: Exam }, choice: Sent): Promise<string> {
  const { merge: uuid } = await begin(place, exams, choice)
  await run(uuid)
  return uuid
}

const get = (place: Place, { uuid }: Pick<Exam, 'uuid'>) => ask('study/get', { sid: place.sid, uuid })
const seriesOf = ({ studyUid }: Exam, ...numbers: number[]) => numbers.map((number) => `${studyUid}.${number}`)

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
const describedSeries = ({ studyUid }: Exam) =>
  query(`select e.series_uid, e.modality, e.series_number, e.description, e.image_count, e.size from series e
    join stored_study t on t.storage_namespace = e.storage_namespace and t.key = e.study_key
    where t.study_uid = '${studyUid}' order by e.series_uid`)

test('a series that was chosen goes to the other exam, all others stay, and both histories say so', async () => {
  const place = await makePlace()
  const exams = await twoExams(place)
  const { stays, moves } = exams
  const { preview, merge: uuid } = await begin(place, exams, { series_uids: seriesOf(moves, 2) })
  expect(preview).toMatchObject({
    status: 'OK',
    verdict: 'same',
    moves: { images: 2, series: 1, obstacles: [] },
    stays: { images: 1, series: 1 },
    rest_images: 4,
    rest_series: 2,
    parted_series: 0,
    renamed_images: 0,
    renamed_series: 0,
  })
  await run(uuid)
  const there = await storedOf(stays)
  expect(there.map((one) => [one.series_uid, one.sop_uid])).toEqual(
    [
      [`${stays.studyUid}.9`, `${stays.studyUid}.9.1`],
      [`${moves.studyUid}.2`, `${moves.studyUid}.2.1`],
      [`${moves.studyUid}.2`, `${moves.studyUid}.2.2`],
    ].toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  )
  for (const image of there) expect(findText(await headerOf(image), Tag.StudyInstanceUID)).toBe(stays.studyUid)
  expect((await storedOf(moves)).map((one) => one.series_uid)).toEqual([
    ...seriesOf(moves, 1, 1),
    ...seriesOf(moves, 3, 3),
  ])
  expect(await get(place, stays)).toMatchObject({ image_count: 3, series_count: 2, mixed_patients: 0 })
  const left = await get(place, moves)
  expect(left).toMatchObject({ image_count: 4, series_count: 2, mixed_patients: 0 })
  // the exam has images still: nothing says that they are elsewhere
  expect(left).not.toHaveProperty('merged_into')
  const history = await query(`select object_uuid, detail from audit
    where object_uuid in ('${stays.uuid}', '${moves.uuid}') and action = 'MERGE' order by id`)
  expect(history).toMatchObject([
    { object_uuid: moves.uuid, detail: { to: stays.uuid, images: 2 } },
    { object_uuid: stays.uuid, detail: { from: moves.uuid, images: 2 } },
  ])
})

test('an exam whose other images were deleted later says of none of them that they were moved', async () => {
  const place = await makePlace()
  const exams = await twoExams(place)
  const { moves } = exams
  await merge(place, exams, { series_uids: seriesOf(moves, 1, 2) })
  const reply = await app.inject({
    method: 'DELETE',
    url: `/api/v3/storage/study/${place.group.namespaceUuid}/${moves.studyUid}/images?sid=${place.sid}&phi_namespace=${place.group.namespaceUuid}`,
    payload: `image_uids=${moves.studyUid}.3.1,${moves.studyUid}.3.2`,
    headers: { 'content-type': 'text/plain' },
  })
  expect(reply.statusCode).toBeLessThan(300)
  const left = await get(place, moves)
  expect(left).toMatchObject({ image_count: 0 })
  expect(left).not.toHaveProperty('merged_into')
})

test('single images keep their SOP Instance UIDs and get a series of their own, since none is of two studies', async () => {
  const place = await makePlace()
  const exams = await twoExams(place)
  const { stays, moves } = exams
  const image = `${moves.studyUid}.1.2`
  const { preview, merge: uuid } = await begin(place, exams, { image_uids: [image], series_uids: seriesOf(moves, 3) })
  expect(preview).toMatchObject({
    moves: { images: 3, series: 2 },
    rest_images: 3,
    rest_series: 2,
    parted_series: 1,
  })
  await run(uuid)
  const came = (await storedOf(stays)).filter((one) => one.sop_uid.startsWith(moves.studyUid))
  const alone = came.find((one) => one.sop_uid === image)
  expect(came).toHaveLength(3)
  expect(alone?.series_uid).not.toBe(`${moves.studyUid}.1`)
  expect(findText(await headerOf(alone as never), Tag.SeriesInstanceUID)).toBe(alone?.series_uid)
  expect(await get(place, moves)).toMatchObject({ image_count: 3, series_count: 2 })
  expect(await get(place, stays)).toMatchObject({ image_count: 4, series_count: 3 })
})

test('a reference to a series without its images leads there still, where some of them stay', async () => {
  const place = await makePlace()
  const stays = await makeExam(place, [[9, 1]])
  const studyUid = newUid()
  const series = [{ tag: Tag.SeriesInstanceUID, vr: 'UI', value: `${studyUid}.1` }]
  const referring = [{ tag: referencedSeries, vr: 'SQ', value: [series] }] as never
  for (const number of [1, 2]) await arrive(place, { ...anna, studyUid, series: 1, number })
  await arrive(place, { ...anna, studyUid, series: 2, number: 1, more: referring })
  await settle(studyUid)
  const moves = { studyUid, uuid: (await received(place, studyUid))?.uuid ?? '' }
  await merge(place, { stays, moves }, { image_uids: [`${studyUid}.1.1`, `${studyUid}.2.1`] })
  const moved = (await storedOf(stays)).find((one) => one.sop_uid === `${studyUid}.2.1`)
  const [reference] = findItems(await headerOf(moved as never), referencedSeries)
  expect(findText(reference as never, Tag.SeriesInstanceUID)).toBe(`${studyUid}.1`)
})

test('late images of a series that moved as a whole follow, and images that moved before; all others stay', async () => {
  const place = await makePlace()
  const exams = await twoExams(place)
  const { stays, moves } = exams
  const choice = { series_uids: seriesOf(moves, 2), image_uids: [`${moves.studyUid}.1.2`] }
  const { merge: uuid } = await begin(place, exams, choice)
  // the one while it is being made, with other content than before, and the other afterwards
  const again = {
    ...anna,
    studyUid: moves.studyUid,
    more: [{ tag: 0x00204000, vr: 'LT', value: 'Sent again' }],
  } as const
  await arrive(place, { ...again, series: 1, number: 2 } as never)
  await arrive(place, { ...anna, studyUid: moves.studyUid, series: 1, number: 3 })
  await run(uuid)
  expect(await get(place, stays)).toMatchObject({ image_count: 4, conflict_count: 1 })
  expect(await get(place, moves)).toMatchObject({ image_count: 4 })
  await arrive(place, { ...anna, studyUid: moves.studyUid, series: 2, number: 3 })
  await arrive(place, { ...anna, studyUid: moves.studyUid, series: 1, number: 4 })
  await arrive(place, { ...anna, studyUid: moves.studyUid, series: 5, number: 1 })
  await arrive(place, { ...bert, studyUid: moves.studyUid, series: 2, number: 4 })
  await follow(uuid)
  expect(await get(place, stays)).toMatchObject({ image_count: 5, mixed_patients: 0 })
  expect(await get(place, moves)).toMatchObject({ image_count: 7, mixed_patients: 1 })
})

const sentAgain = [{ tag: 0x00204000, vr: 'LT', value: 'Sent again' }] as never

test('late images follow the part that they belong to, also once the rest of the exam went to another one', async () => {
  const place = await makePlace()
  const exams = await twoExams(place)
  const { stays: first, moves } = exams
  const second = await makeExam(place, [[9, 1]])
  const part = await merge(place, exams, { series_uids: seriesOf(moves, 2), image_uids: [`${moves.studyUid}.1.1`] })
  const rest = await merge(place, { stays: second, moves }, {})
  expect(await get(place, first)).toMatchObject({ image_count: 4, conflict_count: 0 })
  expect(await get(place, second)).toMatchObject({ image_count: 4, conflict_count: 0 })
  // a new image of a series that moved as a whole, and another version of an image that moved alone
  await arrive(place, { ...anna, studyUid: moves.studyUid, series: 2, number: 3 })
  await arrive(place, { ...anna, studyUid: moves.studyUid, series: 1, number: 1, more: sentAgain })
  // all others go where the rest went
  await arrive(place, { ...anna, studyUid: moves.studyUid, series: 1, number: 3 })
  await arrive(place, { ...anna, studyUid: moves.studyUid, series: 3, number: 1, more: sentAgain })
  await follow(part)
  await follow(rest)
  expect(await get(place, first)).toMatchObject({ image_count: 5, conflict_count: 1 })
  expect(await get(place, second)).toMatchObject({ image_count: 5, conflict_count: 1 })
  expect(await get(place, moves)).toMatchObject({ image_count: 0 })
})

test('an image that moved alone is followed by its other versions, although its series moved as a whole later', async () => {
  const place = await makePlace()
  const exams = await twoExams(place)
  const { stays: first, moves } = exams
  const second = await makeExam(place, [[9, 1]])
  const alone = await merge(place, exams, { image_uids: [`${moves.studyUid}.1.1`] })
  await merge(place, { stays: second, moves }, { series_uids: seriesOf(moves, 1) })
  await arrive(place, { ...anna, studyUid: moves.studyUid, series: 1, number: 1, more: sentAgain })
  await follow(alone)
  expect(await get(place, first)).toMatchObject({ image_count: 2, conflict_count: 1 })
  expect(await get(place, second)).toMatchObject({ image_count: 2, conflict_count: 0 })
})

test('images that stand in the other exam already get new UIDs, and nothing there is lost', async () => {
  const place = await makePlace()
  const stays = await makeExam(place, [
    [1, 1],
    [1, 2],
  ])
  const same = (number: number): Partial<MadeImage> => ({
    more: [
      { tag: Tag.SeriesInstanceUID, vr: 'UI', value: `${stays.studyUid}.1` },
      { tag: Tag.SOPInstanceUID, vr: 'UI', value: `${stays.studyUid}.1.${number}` },
    ] as never,
  })
  const studyUid = newUid()
  await arrive(place, { ...anna, studyUid, series: 1, number: 1, ...same(1) })
  await arrive(place, { ...anna, studyUid, series: 2, number: 1 })
  await settle(studyUid)
  const moves = { studyUid, uuid: (await received(place, studyUid))?.uuid ?? '' }
  const choice = { series_uids: [`${stays.studyUid}.1`] }
  const { preview, merge: uuid } = await begin(place, { stays, moves }, choice)
  expect(preview).toMatchObject({ renamed_images: 1, renamed_series: 1, rest_images: 1 })
  const free = await ask('study/merge/preview', {
    sid: place.sid,
    uuid: stays.uuid,
    secondary_uuid: moves.uuid,
    series_uids: seriesOf(moves, 2),
  })
  expect(free).toMatchObject({ renamed_images: 0, renamed_series: 0, rest_images: 1 })
  await run(uuid)
  const images = await storedOf(stays)
  expect(images).toHaveLength(3)
  expect(new Set(images.map((one) => one.sop_uid)).size).toBe(3)
  expect(await get(place, stays)).toMatchObject({ image_count: 3, series_count: 2, conflict_count: 0 })
})

test('undoing brings every image back as it came, and the part that moved first is not mixed up with a later one', async () => {
  const place = await makePlace()
  const exams = await twoExams(place)
  const { stays, moves } = exams
  const before = [
    await storedOf(stays),
    await storedOf(moves),
    await describedSeries(stays),
    await describedSeries(moves),
  ]
  const first = await merge(place, exams, { image_uids: [`${moves.studyUid}.1.1`] })
  const second = await merge(place, exams, { series_uids: seriesOf(moves, 1, 3) })
  expect(await get(place, moves)).toMatchObject({ image_count: 2 })
  expect(await get(place, stays)).toMatchObject({ image_count: 5 })
  expect(await undo(place, stays, second)).toMatchObject({ uuid: moves.uuid })
  expect(await get(place, moves)).toMatchObject({ image_count: 5 })
  expect(await undo(place, moves, first)).toMatchObject({ uuid: moves.uuid })
  expect(await storedOf(stays)).toEqual(before[0])
  expect(await storedOf(moves)).toEqual(before[1])
  expect(await describedSeries(stays)).toEqual(before[2])
  expect(await describedSeries(moves)).toEqual(before[3])
})

const obstaclesOf = async (place: Place, { uuid }: Exam, separation: string) => {
  const reply = await ask('study/split/list', { sid: place.sid, uuid })
  const list = reply['separations'] as never as { uuid: string; undo_obstacles: string[] }[]
  return list.find((one) => one.uuid === separation)?.undo_obstacles
}

test.each([
  ['alone', (moves: Exam) => ({ series_uids: seriesOf(moves, 1) })],
  ['with all other images of the exam', () => ({})],
])(
  'images are not put back while the rest of their series, which went later %s, has its UID elsewhere',
  async (_, choice) => {
    const place = await makePlace()
    const exams = await twoExams(place)
    const { stays, moves } = exams
    const first = await merge(place, exams, { image_uids: [`${moves.studyUid}.1.1`] })
    const third = await merge(place, exams, { series_uids: seriesOf(moves, 3) })
    const second = await merge(place, exams, choice(moves))
    expect(await obstaclesOf(place, moves, first)).toEqual(['series-went'])
    expect(await undo(place, stays, first)).toMatchObject({ error_type: 'NOT_AVAILABLE', error_subtype: 'series-went' })
    // neither a part of other series nor the later one itself is in the way
    expect(await obstaclesOf(place, moves, third)).toEqual([])
    expect(await undo(place, stays, second)).toMatchObject({ uuid: moves.uuid })
    expect(await undo(place, stays, first)).toMatchObject({ uuid: moves.uuid })
    expect(await get(place, moves)).toMatchObject({ image_count: 4, series_count: 2 })
  },
)

test('images that a split took out are not put back either while the rest of their series is elsewhere', async () => {
  const place = await makePlace()
  const exams = await twoExams(place)
  const { moves } = exams
  const choice = { sid: place.sid, uuid: moves.uuid, move: '[]', image_uids: [`${moves.studyUid}.1.1`] }
  const preview = await ask('study/split/preview', choice)
  const { uuid: split } = await ask('study/split', { ...choice, digest: preview['digest'] })
  await run(split as never)
  const rest = await merge(place, exams, { series_uids: seriesOf(moves, 1) })
  expect(await undo(place, moves, split as never)).toMatchObject({ error_subtype: 'series-went' })
  expect(await undo(place, moves, rest)).toMatchObject({ uuid: moves.uuid })
  expect(await undo(place, moves, split as never)).toMatchObject({ uuid: moves.uuid })
  expect(await get(place, moves)).toMatchObject({ image_count: 6 })
})

const exam = (modality: string, description: string, accession: string) => ({
  more: [
    { tag: Tag.Modality, vr: 'CS', value: modality },
    { tag: Tag.StudyDescription, vr: 'LO', value: description },
    { tag: Tag.AccessionNumber, vr: 'SH', value: accession },
  ] as never,
})

/** An exam whose first series is of another order, and that was shared: what its records show is what that series says. */
async function misfiledFirst(place: Place) {
  const studyUid = newUid()
  await arrive(place, { ...anna, studyUid, series: 1, number: 1, ...exam('CT', 'CT THORAX', 'ACC-B') })
  await arrive(place, { ...anna, studyUid, series: 2, number: 1, ...exam('MR', 'MR KNEE', 'ACC-A') })
  await arrive(place, { ...anna, studyUid, series: 3, number: 1, ...exam('SR', 'REPORT', 'ACC-C') })
  await settle(studyUid)
  const moves = { studyUid, uuid: (await received(place, studyUid))?.uuid ?? '' }
  return { stays: await makeExam(place, [[9, 1]]), moves }
}
const thorax = { modality: 'CT', study_description: 'CT THORAX', accession_number: 'ACC-B' }
const knee = { modality: 'MR', study_description: 'MR KNEE', accession_number: 'ACC-A' }

test('a record shows the exam of the images that stay, where it showed that of the first one, and again after Undo', async () => {
  const [place, reader] = [await makePlace(), await makePlace()]
  const exams = await misfiledFirst(place)
  const { stays, moves } = exams
  expect(await share(place.sid, { uuid: moves.uuid, user_id: reader.person.userUuid })).toEqual(done)
  const theirs = await received(reader, moves.studyUid)
  expect(await get(place, moves)).toMatchObject(thorax)
  const { preview, merge: uuid } = await begin(place, exams, { series_uids: seriesOf(moves, 1) })
  const changes = [
    { field: 'accession_number', before: 'ACC-B', after: 'ACC-A' },
    { field: 'study_description', before: 'CT THORAX', after: 'MR KNEE' },
    { field: 'modality', before: 'CT', after: 'MR' },
  ]
  expect(preview['rest_shows']).toEqual(changes)
  await run(uuid)
  expect(await get(place, moves)).toMatchObject({ ...knee, patient_name: anna.patientName, patientid: anna.patientId })
  expect(await get(reader, theirs as never)).toMatchObject(knee)
  expect(await obstaclesOf(place, moves, uuid)).toEqual([])
  expect(await undo(place, stays, uuid)).toMatchObject({ uuid: moves.uuid })
  expect(await get(place, moves)).toMatchObject(thorax)
  expect(await get(reader, theirs as never)).toMatchObject(thorax)
})

test('what was corrected stays as it is, before the images leave and before they come back', async () => {
  const place = await makePlace()
  const exams = await misfiledFirst(place)
  const { stays, moves } = exams
  const correct = (sent: Sent) => ask('study/set', { sid: place.sid, uuid: moves.uuid, ...sent })
  await correct({ study_description: 'Knee, left' })
  const both = { sid: place.sid, uuid: stays.uuid, secondary_uuid: moves.uuid }
  const other = await ask('study/merge/preview', { ...both, series_uids: seriesOf(moves, 2) })
  expect(other['rest_shows']).toEqual([])
  const { preview, merge: uuid } = await begin(place, exams, { series_uids: seriesOf(moves, 1) })
  expect(preview['rest_shows']).toMatchObject([{ field: 'accession_number' }, { field: 'modality' }])
  await run(uuid)
  expect(await get(place, moves)).toMatchObject({ ...knee, study_description: 'Knee, left' })
  await correct({ accession_number: 'ACC-D' })
  expect(await undo(place, stays, uuid)).toMatchObject({ uuid: moves.uuid })
  const now = { modality: 'CT', study_description: 'Knee, left', accession_number: 'ACC-D' }
  expect(await get(place, moves)).toMatchObject(now)
})

const report = { modality: 'SR', study_description: 'REPORT', accession_number: 'ACC-C' }

test.each([
  ['the earlier one first', [0, 1], [thorax, thorax]],
  ['the later one first', [1, 0], [knee, thorax]],
])(
  'two parts that left one after the other are put back, %s, and the exam of the first image shows',
  async (_, order, shown) => {
    const [place, reader] = [await makePlace(), await makePlace()]
    const exams = await misfiledFirst(place)
    const { stays, moves } = exams
    expect(await share(place.sid, { uuid: moves.uuid, user_id: reader.person.userUuid })).toEqual(done)
    const theirs = (await received(reader, moves.studyUid)) as never
    const merges = [
      await merge(place, exams, { series_uids: seriesOf(moves, 1) }),
      await merge(place, exams, { series_uids: seriesOf(moves, 2) }),
    ]
    expect(await get(place, moves)).toMatchObject(report)
    expect(await get(reader, theirs)).toMatchObject(report)
    for (const [step, which] of order.entries()) {
      expect(await undo(place, stays, merges[which] ?? '')).toMatchObject({ uuid: moves.uuid })
      expect(await get(place, moves)).toMatchObject(shown[step] ?? {})
      expect(await get(reader, theirs)).toMatchObject(shown[step] ?? {})
    }
  },
)

test('a part that left again while a later one is away still shows the exam of the first image once both are back', async () => {
  const place = await makePlace()
  const exams = await misfiledFirst(place)
  const { stays, moves } = exams
  const first = await merge(place, exams, { series_uids: seriesOf(moves, 1) })
  const second = await merge(place, exams, { series_uids: seriesOf(moves, 2) })
  await undo(place, stays, first)
  const again = await merge(place, exams, { series_uids: seriesOf(moves, 1) })
  expect(await get(place, moves)).toMatchObject(report)
  await undo(place, stays, second)
  expect(await get(place, moves)).toMatchObject(knee)
  expect(await undo(place, stays, again)).toMatchObject({ uuid: moves.uuid })
  expect(await get(place, moves)).toMatchObject(thorax)
})

test('a correction between two parts stays, in whichever order they come back', async () => {
  const place = await makePlace()
  const exams = await misfiledFirst(place)
  const { stays, moves } = exams
  const first = await merge(place, exams, { series_uids: seriesOf(moves, 1) })
  await ask('study/set', { sid: place.sid, uuid: moves.uuid, accession_number: 'ACC-D' })
  const second = await merge(place, exams, { series_uids: seriesOf(moves, 2) })
  for (const uuid of [first, second]) expect(await undo(place, stays, uuid)).toMatchObject({ uuid: moves.uuid })
  expect(await get(place, moves)).toMatchObject({ ...thorax, accession_number: 'ACC-D' })
})

test('of a record that has the exam by a share, a merge keeps what changed of the exam, and nothing of the patient', async () => {
  const [place, reader] = [await makePlace(), await makePlace()]
  const exams = await misfiledFirst(place)
  const { moves } = exams
  expect(await share(place.sid, { uuid: moves.uuid, user_id: reader.person.userUuid })).toEqual(done)
  const theirs = await received(reader, moves.studyUid)
  const set = await ask('study/set', { sid: reader.sid, uuid: theirs?.uuid, patientid: 'THEIRS-7' })
  expect(set).toMatchObject({ status: 'OK' })
  const uuid = await merge(place, exams, { series_uids: seriesOf(moves, 1) })
  const [row] = await query<{ before: { uuid: string }[] }>(`select before from separation where uuid = '${uuid}'`)
  const kept = row?.before.find((one) => one.uuid === theirs?.uuid)
  expect(kept).toMatchObject({ values: thorax, taken: knee })
  expect(JSON.stringify(kept)).not.toMatch(/THEIRS-7|One|A1|19700101|edits/u)
})

test('a record that holds the first image itself, besides by a share, shows what it showed', async () => {
  const [place, reader] = [await makePlace(), await makePlace()]
  const exams = await misfiledFirst(place)
  const { stays, moves } = exams
  expect(await share(place.sid, { uuid: moves.uuid, group_id: reader.group.groupUuid })).toEqual(done)
  await arrive(reader, { ...anna, studyUid: moves.studyUid, series: 1, number: 1, ...exam('CT', 'CT THORAX', 'ACC-B') })
  await settle(moves.studyUid)
  const theirs = (await received(reader, moves.studyUid)) as never
  expect(await get(reader, theirs)).toMatchObject({ ...thorax, image_count: 3 })
  const uuid = await merge(place, exams, { series_uids: seriesOf(moves, 1) })
  expect(await get(place, moves)).toMatchObject(knee)
  expect(await get(reader, theirs)).toMatchObject(thorax)
  expect(await undo(place, stays, uuid)).toMatchObject({ uuid: moves.uuid })
  expect(await get(reader, theirs)).toMatchObject(thorax)
})

test('an exam whose first image stays shows what it showed', async () => {
  const place = await makePlace()
  const exams = await misfiledFirst(place)
  await merge(place, exams, { series_uids: seriesOf(exams.moves, 2) })
  expect(await get(place, exams.moves)).toMatchObject(thorax)
})

test('everybody who has either exam by a share sees what left and what came, and is told', async () => {
  const [place, first, second] = [await makePlace(), await makePlace(), await makePlace()]
  const exams = await twoExams(place)
  const { stays, moves } = exams
  expect(await share(place.sid, { uuid: moves.uuid, user_id: first.person.userUuid })).toEqual(done)
  expect(await share(place.sid, { uuid: stays.uuid, user_id: second.person.userUuid })).toEqual(done)
  const mails = async ({ person }: Place) =>
    (await query<{ n: number }>(`select count(*)::integer as n from mail where recipient = '${person.email}'`))[0]?.n ??
    0
  const before = [await mails(first), await mails(second)]
  await merge(place, exams, { series_uids: seriesOf(moves, 1) })
  expect(await get(first, (await received(first, moves.studyUid)) as never)).toMatchObject({ image_count: 4 })
  expect(await get(second, (await received(second, stays.studyUid)) as never)).toMatchObject({ image_count: 3 })
  expect([await mails(first), await mails(second)]).toEqual(before.map((n) => n + 1))
  const theirs = await received(first, moves.studyUid)
  const history = await query<{ detail: object }>(
    `select detail from audit where object_uuid = '${theirs?.uuid}' and action = 'MERGE'`,
  )
  expect(history.map((one) => one.detail)).toEqual([{ images: 2 }])
})

test.each([
  ['a series of no exam', { series_uids: ['1.2.3'] }, 'series_uids'],
  ['an image of no exam', { image_uids: ['1.2.3'] }, 'image_uids'],
  ['an empty choice', { series_uids: [], image_uids: [] }, 'series_uids'],
])('%s is refused by name, and nothing moves', async (_, choice, field) => {
  const place = await makePlace()
  const exams = await twoExams(place)
  const { preview, begun } = await begin(place, exams, choice)
  expect(preview).toMatchObject({ error_type: 'INVALID_FIELD', error_subtype: field })
  expect(begun).toMatchObject({ error_type: 'INVALID_FIELD', error_subtype: field })
  // of the other exam: neither series nor images of it can be chosen
  const theirs = await begin(place, exams, { series_uids: seriesOf(exams.stays, 9) })
  expect(theirs.begun).toMatchObject({ error_type: 'INVALID_FIELD', error_subtype: 'series_uids' })
})

test('a series of another patient is refused as a whole exam of theirs is, also when they become one meanwhile', async () => {
  const place = await makePlace()
  const stays = await makeExam(place, [[1, 1]])
  const moves = await makeExam(
    place,
    [
      [1, 1],
      [2, 1],
    ],
    bert,
  )
  const { preview, begun } = await begin(place, { stays, moves }, { series_uids: seriesOf(moves, 2) })
  expect(preview).toMatchObject({ verdict: 'different', moves: { obstacles: ['other-patient'] } })
  expect(begun).toMatchObject({ error_type: 'NOT_AVAILABLE', error_subtype: 'other-patient' })
  const exams = await twoExams(place)
  const { merge: uuid } = await begin(place, exams, { series_uids: seriesOf(exams.moves, 2) })
  await query(`update study set patient_name = 'Third^Person', patient_birth_date = '20000101', patientid = 'X'
    where uuid = '${exams.stays.uuid}'`)
  await expect(run(uuid)).rejects.toMatchObject({ code: 'NOT_AVAILABLE', isFinal: true })
  expect(await get(place, exams.moves)).toMatchObject({ image_count: 6 })
})

test('a hold on the exam that the series leaves keeps both, and so does another choice than the one that was looked at', async () => {
  const place = await makePlace()
  const exams = await twoExams(place)
  const { stays, moves } = exams
  await query(`update study set hold = true where uuid = '${moves.uuid}'`)
  const held = await begin(place, exams, { series_uids: seriesOf(moves, 2) })
  expect(held.begun).toMatchObject({ error_type: 'NOT_AVAILABLE', error_subtype: 'hold' })
  await query(`update study set hold = false where uuid = '${moves.uuid}'`)
  const both = { sid: place.sid, uuid: stays.uuid, secondary_uuid: moves.uuid }
  const { digest } = await ask('study/merge/preview', { ...both, series_uids: seriesOf(moves, 2) })
  const other = await ask('study/merge', { ...both, series_uids: seriesOf(moves, 3), digest })
  expect(other).toMatchObject({ error_type: 'STALE' })
  expect(await ask('study/merge', { ...both, digest })).toMatchObject({ error_type: 'STALE' })
})

test('an exam that gave a part away takes images of a third one still, and every image chosen is the whole exam', async () => {
  const place = await makePlace()
  const exams = await twoExams(place)
  await merge(place, exams, { series_uids: seriesOf(exams.moves, 2) })
  const third = await makeExam(place, [[1, 1]])
  const given = { stays: exams.moves, moves: third }
  const { preview, merge: uuid } = await begin(place, given, { series_uids: seriesOf(third, 1) })
  expect(preview).toMatchObject({ stays: { obstacles: [] }, rest_images: 0 })
  await run(uuid)
  expect(await get(place, third)).toMatchObject({ image_count: 0, merged_into: exams.moves.uuid })
  // but not from where its own images went: that would be a circle
  const back = await begin(place, { stays: exams.moves, moves: exams.stays }, { series_uids: seriesOf(exams.stays, 9) })
  expect(back.begun).toMatchObject({ error_type: 'NOT_AVAILABLE', error_subtype: 'went-on' })
})
