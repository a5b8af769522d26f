import type { AddressInfo } from 'node:net'
import { newUid } from '@hilum/dicom/uid'
import { encodeElements, encodeItem, type WriteElement } from '@hilum/dicom/write-part10'
import { afterAll, expect, it, test } from 'vitest'
import { type DoorTarget, namingDoors, requestOf } from '../../../test/door-samples.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeLink, openLink } from '../../../test/make-link.ts'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { receiveImage } from '../../areas/ingest/receive-image.command.ts'
import { makeSeparationActs } from '../../areas/separation/make-separation.job.ts'

/* Whom images named before somebody corrected them, at every door that a link opens. */

const { services, app, call, query } = await startTestApp()
const { organisation, accountUuid, received } = await makeSharing({ services, call })
await app.listen({ host: '127.0.0.1', port: 0 })
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
afterAll(() => app.close())

const former = { patientName: 'FORMERNAME^PETRA', patientId: 'FMRN4711', birthDate: '19330719' }
const right = { patient_name: 'Right^Rosa', patientid: 'R77', patient_birth_date: '19800102' }
const address = 'Formerstreet 9'
const explicit = { isExplicit: true, isLittleEndian: true }
const item = (...elements: WriteElement[]) => encodeItem(encodeElements(elements, explicit), explicit)
/** Further attributes of a patient, a trial and a visit, which no correction writes. */
const further: WriteElement[] = [
  { tag: 0x00100012, vr: 'PN', value: 'FUSED^NAME' },
  { tag: 0x00100013, vr: 'LT', value: 'FUSED-COMMENT' },
  { tag: 0x00102110, vr: 'LO', value: 'FALLERGY' },
  { tag: 0x00102154, vr: 'SH', value: 'FPHONE' },
  { tag: 0x00102155, vr: 'LT', value: 'FTELECOM' },
  { tag: 0x00102160, vr: 'SH', value: 'FORIGIN' },
  { tag: 0x00102295, vr: 'LO', value: 'FBREED' },
  { tag: 0x00120040, vr: 'LO', value: 'FTRIAL-SUBJECT' },
  { tag: 0x00120041, vr: 'LO', value: 'FTRIAL-ISSUER' },
  { tag: 0x00120042, vr: 'LO', value: 'FTRIAL-READING' },
  { tag: 0x00120043, vr: 'LO', value: 'FTRIAL-OF-READING' },
  { tag: 0x00380010, vr: 'LO', value: 'FADMISSION' },
  { tag: 0x00380011, vr: 'LO', value: 'FADMISSION-ISSUER' },
  { tag: 0x00380014, vr: 'SQ', value: item({ tag: 0x00400032, vr: 'UT', value: 'FADMISSION-BY' }) },
  { tag: 0x00380060, vr: 'LO', value: 'FEPISODE' },
  { tag: 0x00380061, vr: 'LO', value: 'FEPISODE-ISSUER' },
  { tag: 0x00380062, vr: 'LO', value: 'FEPISODE-WORDS' },
  { tag: 0x00380064, vr: 'SQ', value: item({ tag: 0x00400032, vr: 'UT', value: 'FEPISODE-BY' }) },
  { tag: 0x00380500, vr: 'LO', value: 'FSTATE' },
  { tag: 0x00384000, vr: 'LT', value: 'FVISIT-WORDS' },
]
const ofFurther = further.map(({ vr, value }) =>
  vr === 'SQ'
    ? (Buffer.from(value as Uint8Array)
        .toString()
        .match(/F[A-Z-]+/)?.[0] ?? '')
    : String(value),
)
const telling = ['FORMERNAME', former.patientId, former.birthDate, address, ...ofFurther]

const names: WriteElement[] = [
  { tag: 0x00100010, vr: 'PN', value: former.patientName },
  { tag: 0x00100020, vr: 'LO', value: former.patientId },
  { tag: 0x00100030, vr: 'DA', value: former.birthDate },
]
/** Copies of names and numbers where images have them, beside the three that people correct. */
const copies: WriteElement[] = [
  ...further,
  { tag: 0x00101000, vr: 'LO', value: `X1\\${former.patientId}` },
  { tag: 0x00101001, vr: 'PN', value: former.patientName },
  { tag: 0x00101002, vr: 'SQ', value: item(...names) },
  { tag: 0x00101040, vr: 'LO', value: address },
  { tag: 0x00104000, vr: 'LT', value: `${address} ${'x'.repeat(2000)}` },
  { tag: 0x00400275, vr: 'SQ', value: item({ tag: 0x00081110, vr: 'SQ', value: item(...names) }) },
]
/** Original attributes that another system kept. */
const originals: WriteElement = {
  tag: 0x04000561,
  vr: 'SQ',
  value: item({ tag: 0x04000550, vr: 'SQ', value: item(...names) }),
}

const asRight = { patientName: right.patient_name, patientId: right.patientid, birthDate: right.patient_birth_date }
const implicit = { isExplicit: false, isLittleEndian: true }
function implicitItem({ tag }: WriteElement) {
  const inside = encodeItem(encodeElements(names, implicit), implicit)
  const modified: WriteElement = { tag: 0x04000550, vr: 'SQ', value: inside }
  const said = encodeItem(encodeElements([modified], implicit), implicit)
  return encodeItem(encodeElements([{ tag, vr: 'SQ', value: said }], implicit), implicit)
}

async function makePlace() {
  const group = await organisation.addGroup()
  return { group, ...(await organisation.addPerson({ role: 'Administrator', groups: [group] })) }
}
type Place = Awaited<ReturnType<typeof makePlace>>

async function arrive(place: Place, bytes: Uint8Array): Promise<void> {
  const arrival = { namespaceUuid: place.group.namespaceUuid, accountUuid, source: 'upload' as const, quietSeconds: 30 }
  await receiveImage(services, arrival, [bytes] as never)
}

async function makeExam(place: Place, studyUid: string, more: Partial<Parameters<typeof madeImage>[0]> = {}) {
  await arrive(place, madeImage({ studyUid, number: 1, more: copies, ...former, ...more }))
  return settled(place, studyUid)
}

async function settled(place: Place, studyUid: string): Promise<string> {
  await query(`update study set arrival = 'complete', complete_at = null where study_uid = '${studyUid}'`)
  return (await received(place, studyUid))?.uuid ?? ''
}

async function correct(place: Place, uuid: string): Promise<void> {
  expect((await call('study/set', { sid: place.sid, uuid, ...right })).body).toMatchObject(done)
}

const ask = async (path: string, sent: Record<string, unknown>) =>
  (await call(path, sent)).body as never as Record<string, string>
const work = { work: 'test', signal: new AbortController().signal } as never

async function separate(path: 'study/split' | 'study/merge', sent: Record<string, unknown>): Promise<string> {
  const { digest } = await ask(`${path}/preview`, sent)
  const begun = await ask(path, { ...sent, digest })
  expect([path, begun]).toMatchObject([path, done])
  await makeSeparationActs.run(services, { separationUuid: begun['uuid'] ?? '' }, work)
  return begun['uuid'] ?? ''
}

/** Exams whose images named somebody else, each made in its own way. */
const ways: Record<string, (place: Place, studyUid: string) => Promise<string>> = {
  'corrected by a person': async (place, studyUid) => {
    const uuid = await makeExam(place, studyUid)
    await correct(place, uuid)
    return uuid
  },
  'corrected to a name that another character set holds': async (place, studyUid) => {
    const latin: WriteElement = { tag: 0x00080005, vr: 'CS', value: 'ISO_IR 100' }
    const uuid = await makeExam(place, studyUid, { more: [latin, ...copies] })
    const name = { sid: place.sid, uuid, ...right, patientid: 'R78', patient_name: 'Люксембург^Роза' }
    expect((await call('study/set', name)).body).toMatchObject(done)
    return uuid
  },
  'corrected before it came, by another system': async (place, studyUid) => {
    const { patient_name: patientName, patientid: patientId, patient_birth_date: birthDate } = right
    return makeExam(place, studyUid, { patientName, patientId, birthDate, more: [...copies, originals] })
  },
  'corrected by another system that says so inside a sequence': async (place, studyUid) =>
    makeExam(place, studyUid, { ...asRight, more: [...copies, { tag: 0x00081115, vr: 'SQ', value: item(originals) }] }),
  'corrected by another system that says so in a private sequence without a VR': async (place, studyUid) => {
    const creator: WriteElement = { tag: 0x00090010, vr: 'LO', value: 'MAKER' }
    const hidden: WriteElement = { tag: 0x00091001, vr: 'UN', value: implicitItem(originals) }
    return makeExam(place, studyUid, { ...asRight, more: [...copies, creator, hidden] })
  },
  'corrected by another system that says so behind the pixels': async (place, studyUid) => {
    const image = madeImage({ studyUid, number: 1, more: copies, ...asRight })
    await arrive(place, Buffer.concat([image, encodeElements([originals], explicit)]))
    return settled(place, studyUid)
  },
  'corrected by another system that says so inside a sequence behind the pixels': async (place, studyUid) => {
    const image = madeImage({ studyUid, number: 1, more: copies, ...asRight })
    const signatures: WriteElement = { tag: 0xfffafffa, vr: 'SQ', value: item(originals) }
    await arrive(place, Buffer.concat([image, encodeElements([signatures], explicit)]))
    return settled(place, studyUid)
  },
  'corrected before an image came late under a second number': async (place, studyUid) => {
    const uuid = await makeExam(place, studyUid)
    await correct(place, uuid)
    await arrive(place, madeImage({ studyUid, number: 2, more: copies, ...former, patientId: 'FMRN4711-2' }))
    return settled(place, studyUid)
  },
  'corrected before images came late of somebody else, beside another spelling': async (place, studyUid) => {
    const uuid = await makeExam(place, studyUid)
    await arrive(place, madeImage({ studyUid, number: 2, more: copies, ...former, patientName: 'FORMERNAME^P.' }))
    await correct(place, uuid)
    await arrive(place, madeImage({ studyUid, number: 9, patientName: 'Other^Bert', patientId: 'B1', sex: 'M' }))
    return settled(place, studyUid)
  },
  'corrected and merged into another one': async (place, studyUid) => {
    const stays = await makeExam(place, studyUid, {
      patientName: right.patient_name,
      patientId: right.patientid,
      birthDate: right.patient_birth_date,
      more: [],
    })
    const moves = await makeExam(place, newUid())
    await correct(place, moves)
    await separate('study/merge', { sid: place.sid, uuid: stays, secondary_uuid: moves })
    return stays
  },
  'corrected and separated from another one': async (place, studyUid) => {
    await makeExam(place, studyUid)
    await arrive(place, madeImage({ studyUid, number: 9, patientName: 'Other^Bert', patientId: 'B1', sex: 'M' }))
    const mixed = await settled(place, studyUid)
    const { patients } = (await ask('study/patients', { sid: place.sid, uuid: mixed })) as never as {
      patients: { key: string; patient_name: string }[]
    }
    const patient = patients.find((one) => one.patient_name === former.patientName)?.key
    const separation = await separate('study/split', { sid: place.sid, uuid: mixed, move: [{ patient }] })
    const [row] = await query<{ uuid: string }>(
      `select to_study_uuid as uuid from separation where uuid = '${separation}'`,
    )
    await query(`update study set arrival = 'complete', complete_at = null where uuid = '${row?.uuid}'`)
    await correct(place, row?.uuid ?? '')
    return row?.uuid ?? ''
  },
}

async function targetOf(place: Place, uuid: string): Promise<DoorTarget[]> {
  const images = await query<{ study: string; series: string; instance: string }>(`
    select s.study_uid as study, i.series_uid as series, i.sop_uid as instance
    from study s
    join stored_study t on t.study_uid = s.study_uid and t.storage_namespace = s.phi_namespace and t.ended_at is null
    join instance i on i.storage_namespace = t.storage_namespace and i.study_key = t.key
    where s.uuid = '${uuid}' order by i.sop_uid`)
  return images.map((one) => ({
    ...one,
    namespace: place.group.namespaceUuid,
    imageVersion: '*',
    attachment: newUid(),
    attachmentVersion: newUid(),
    upload: newUid(),
    report: newUid(),
  }))
}

const bulk = ['00100010', '00100030', '00101001', '00104000', '00101002/0/00100020', '00101002/0/00100030']
const ofSequences = ['04000561/0/04000550/0/00100010', '00400275/0/00081110/0/00100030']
const fields = 'includefield=all&includefield=04000561,00101001,00101002,00101040,00104000,00400275'

/** Queries of one door, the bare address first. */
function asked(url: string, declared: Record<string, unknown>): string[] {
  const has = (name: string) => Object.hasOwn(declared, name)
  const bundles = [
    'dicom',
    'dicom&flat_directory=1',
    'dicom&roche_directory=1',
    'dicom&transfer_syntax=1.2.840.10008.1.2.1',
  ]
  const more = ['dicom&anonymize_tags=00081030', 'image&include_wrapped_dicoms=1', 'iso']
  if (has('bundle')) return [...bundles, ...more].map((one) => `bundle=${one}`)
  return [
    '',
    ...(has('includefield') ? [fields, `includefield=00101002&OtherPatientNames=${former.patientName}`] : []),
    ...(has('all_dicom_values') ? ['all_dicom_values=1'] : []),
    ...(has('extended') ? ['extended=1'] : []),
    ...(has('transfer_syntax')
      ? ['transfer_syntax=1.2.840.10008.1.2.1', 'transfer_syntax=1.2.840.10008.1.2.4.80']
      : []),
    ...(url.endsWith('/studies/:study') ? ['accept=multipart/related;type="application/dicom";transfer-syntax=*'] : []),
  ]
}

/** The doors at which something of a former patient is read, of all that are asked. */
async function findTelling(place: Place, uuid: string, sid: string, isMeant = (_url: string) => true) {
  const wrong: string[] = []
  const open = new Set<string>()
  const told = new Map<string, Set<string>>()
  const look = async (door: string, path: string, accept = '*/*') => {
    const reply = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${sid}`, accept } })
    const bytes = Buffer.from(await reply.arrayBuffer())
    const text = `${bytes.toString('latin1')} ${reply.headers.get('content-disposition')}`
    if (reply.status === 200) open.add(door)
    if (reply.status === 500) wrong.push(`${door} fails`)
    const words = telling.filter((word) => text.includes(word))
    if (words.length > 0) wrong.push(`${door} tells ${words.join(', ')}`)
    for (const one of words) told.set(door, (told.get(door) ?? new Set()).add(one))
  }
  for (const target of await targetOf(place, uuid)) {
    for (const door of namingDoors(app).filter(({ method }) => method === 'GET')) {
      if (door.url.includes('/host/') || !isMeant(door.url)) continue
      const { url } = requestOf(door, target)
      const paths = url.endsWith('/bulkdata/7FE00010')
        ? [...bulk, ...ofSequences].map((one) => url.replace('7FE00010', one))
        : [url]
      for (const path of paths)
        for (const with_ of asked(door.url, door.declared?.query ?? {}))
          await look(`${door.url} ${with_}`, `${path}?${with_}`)
    }
  }
  return { wrong: [...new Set(wrong)], open, told }
}

const linkTo = async (place: Place, uuid: string) => {
  const studies = [{ phi_namespace: place.group.namespaceUuid, uuid }]
  const permissions = ['study_view', 'study_download', 'study_report_view'] as const
  const link = { accountUuid, createdBy: place.userUuid, studies, permissions }
  return openLink(services.db, await makeLink(services.db, link))
}

test.each(Object.keys(ways))(
  'an exam that was %s tells a link at no door whom its images named before',
  async (way) => {
    const place = await makePlace()
    const uuid = (await ways[way]?.(place, newUid())) ?? ''
    // whoever is signed in reads the former values at the same doors, so that they are there to be found
    const people = await findTelling(place, uuid, place.sid)
    expect(new Set([...people.told.values()].flatMap((words) => [...words]))).toEqual(new Set(telling))
    const byLink = await findTelling(place, uuid, await linkTo(place, uuid))
    expect(byLink.wrong).toEqual([])
    expect([...people.told.keys()].filter((door) => !byLink.open.has(door))).toEqual([])
    expect(byLink.open.size).toBeGreaterThan(35)
    // the metadata of people were not made those of the link, nor the other way round
    const isOfFiles = (url: string) => /metadata|instances\/:instance$|:version$/.test(url)
    const again = await findTelling(place, uuid, place.sid, isOfFiles)
    expect(again.wrong).toEqual(people.wrong.filter((line) => isOfFiles(line.split(' ')[0] ?? '')))
  },
)

it('gives a link no image as it came, and says so in words', async () => {
  const place = await makePlace()
  const uuid = await makeExam(place, newUid())
  await correct(place, uuid)
  const sid = await linkTo(place, uuid)
  const [target] = await targetOf(place, uuid)
  const doors = namingDoors(app).filter(
    ({ method, url, declared }) =>
      method === 'GET' && Object.hasOwn(declared?.query ?? {}, 'as_received') && !/host|frames/.test(url),
  )
  expect(doors.length).toBeGreaterThan(3)
  for (const door of doors) {
    const path = `${requestOf(door, target as DoorTarget).url}?as_received=1&bundle=dicom`
    const asking = (as: string) => fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${as}` } })
    const refused = await asking(sid)
    expect([door.url, refused.status, await refused.text()]).toEqual([
      door.url,
      403,
      expect.stringContaining('as they were corrected'),
    ])
    expect([door.url, (await asking(place.sid)).status]).toEqual([door.url, 200])
  }
})

it('tells a link that has what people have of an image that it is another', async () => {
  const place = await makePlace()
  const uuid = await makeExam(place, newUid())
  await correct(place, uuid)
  const sid = await linkTo(place, uuid)
  const [target] = await targetOf(place, uuid)
  const tagged = namingDoors(app).filter(
    ({ method, url }) => method === 'GET' && /metadata$|instances\/:instance$|:version$/.test(url) && !/host/.test(url),
  )
  const tags: string[] = []
  for (const door of tagged) {
    const { url } = requestOf(door, target as DoorTarget)
    const asking = (as: string, more = {}) =>
      fetch(`${origin}${url}`, { headers: { authorization: `Bearer ${as}`, accept: 'application/*', ...more } })
    const etag = (await asking(place.sid)).headers.get('etag')
    if (!etag) continue
    tags.push(etag)
    const byLink = await asking(sid, { 'if-none-match': etag })
    expect([door.url, byLink.status, byLink.headers.get('etag') === etag]).toEqual([door.url, 200, false])
  }
  expect(tags.length).toBeGreaterThan(4)
})
