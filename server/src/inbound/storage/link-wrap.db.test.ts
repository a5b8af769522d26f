import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { app, call, query, services } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const organisation = await makeOrganisation(services.db, { settings: { enable_dicom_wrapping: '1' } })
const owner = await organisation.addPerson({ role: 'Administrator' })
const [group, dicomOnly] = [await organisation.addGroup(), await organisation.addGroup()]
const staff = await organisation.addPerson({ role: 'Staff', groups: [group, dicomOnly] })
const expected = { patient_name: 'DOE^JANE', patient_birth_date: '19800102', patientid: '4711' }
const patient = { ...expected, patient_sex: 'F', study_date: '20260102' }
const pdf = Buffer.from('%PDF-1.7\nmade up, of odd length\n%%EOF')
let photo: Buffer
beforeAll(async () => {
  photo = await sharp({ create: { width: 40, height: 24, channels: 3, background: '#336699' } })
    .jpeg()
    .toBuffer()
})

/** A request to a group, opened. */
async function open(to = group, more: object = {}) {
  const sent = { namespace_id: to.namespaceUuid, action: 'STUDY_UPLOAD', email: 'clinic@outside.example', ...more }
  const { body } = await call('link/add', { sid: staff.sid, ...sent })
  const { body: session } = await call('link/session', { token: String(body.url).split('/link/')[1] ?? '' })
  return { uuid: String(body.uuid), sid: String(session.sid) }
}
const begin = (sid: string, study: string, count = 1) =>
  call('link/upload/begin', { sid, studies: [{ study_uid: study, image_count: count }], sender: 'Clinic West' })

interface Wrapped {
  content: Uint8Array
  name: string
  tags: unknown
  size: number | null
  part: string
}

async function wrap(sid: string | undefined, study: string, given: Partial<Wrapped> = {}) {
  const { content = photo, name = 'photo.jpg', tags = patient, size, part = 'file' } = given
  const form = new FormData()
  if (tags !== undefined) form.append('tags', typeof tags === 'string' ? tags : JSON.stringify(tags))
  form.append(part, new Blob([new Uint8Array(content)]), name)
  const length = size === undefined ? content.length : size
  const reply = await fetch(`${origin}/api/v3/storage/link/wrap?study_uid=${study}`, {
    method: 'POST',
    body: form,
    headers: {
      ...(length === null ? {} : { 'x-file-size': String(length) }),
      ...(sid ? { authorization: `Bearer ${sid}` } : {}),
    },
  })
  // answers are read as a client does, without a schema
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: reply.status, body: (await reply.json()) as any }
}
const storedOf = (study: string) =>
  query<{ images: number }>(
    `select count(*)::integer as images from instance i join stored_study t on t.storage_namespace = i.storage_namespace and t.key = i.study_key where t.study_uid = '${study}'`,
  ).then(([row]) => row?.images)

test('[UPLOAD-06][REQUEST-01] photos and documents sent by a request become one study of its place, told as sent and compared with the expected patient', async () => {
  const request = await open(group, { ...expected, notify: 'told@hospital.example' })
  const study = newUid()
  const { body: asked } = await call('link/request', { sid: request.sid })
  expect(asked).toMatchObject({ takes_files: 1, uid_root: expect.any(String) })
  await begin(request.sid, study, 2)
  const made = [await wrap(request.sid, study), await wrap(request.sid, study, { content: pdf, name: 'letter.pdf' })]
  for (const { status, body } of made) {
    expect(status).toBe(202)
    expect(body).toEqual({
      study_uid: study,
      images: [{ image_uid: expect.any(String), sha256: expect.stringMatching(/^[0-9a-f]{64}$/), outcome: 'stored' }],
    })
  }
  const images = made.map(({ body }) => ({
    study_uid: study,
    sop_uid: body.images[0].image_uid,
    sha256: body.images[0].sha256,
  }))
  const other = { study_uid: study, sop_uid: newUid(), sha256: '0'.repeat(64) }
  const { body: checked } = await call('link/upload/check', { sid: request.sid, images: [...images, other] })
  expect(checked.verdicts).toEqual(['have', 'have', 'missing'])
  expect((await call('link/upload/end', { sid: request.sid, study_uid: study })).body.status).toBe('OK')
  const { body: link } = await call('link/get', { sid: staff.sid, uuid: request.uuid })
  expect(link).toMatchObject({
    sender: 'Clinic West',
    arrivals: [{ image_count: 2, expected_count: 2, ended_at: expect.any(String), verdict: 'same' }],
  })
  const [record] = await query(`select phi_namespace, created_by, arrival from study where study_uid = '${study}'`)
  expect(record).toEqual({ phi_namespace: group.namespaceUuid, created_by: request.uuid, arrival: 'complete' })
  expect(await query(`select subject from mail where recipient = 'told@hospital.example'`)).toHaveLength(2)
  // the same file again is the same image
  expect((await wrap(request.sid, study)).body).toEqual(made[0]?.body)
  expect(await storedOf(study)).toBe(2)
})

test('a photo of somebody else is marked at the request', async () => {
  const [request, study] = [await open(group, expected), newUid()]
  await begin(request.sid, study)
  await wrap(request.sid, study, { tags: { ...patient, patient_name: 'ROE^RICHARD', patient_sex: 'M' } })
  const { body } = await call('link/get', { sid: staff.sid, uuid: request.uuid })
  expect(body.arrivals).toMatchObject([
    { verdict: 'different', differences: expect.arrayContaining(['name-different']) },
  ])
})

test('a photo takes no name, number or date from a study that was there before', async () => {
  const study = newUid()
  const accession = { tag: Tag.AccessionNumber, vr: 'SH', value: 'OF-SOMEBODY' }
  await fetch(`${origin}/api/v3/storage/namespace/${group.namespaceUuid}/image?sid=${staff.sid}`, {
    method: 'POST',
    body: new Uint8Array(madeImage({ studyUid: study, number: 1, more: [accession] })),
  })
  const request = await open()
  await begin(request.sid, study)
  const { body } = await wrap(request.sid, study)
  const image = `study/${group.namespaceUuid}/${study}/image/${body.images[0].image_uid}/version/*`
  const stored = await fetch(`${origin}/api/v3/storage/${image}?sid=${staff.sid}`)
  expect(Buffer.from(await stored.arrayBuffer()).includes('OF-SOMEBODY')).toBe(false)
})

const dicom = () => madeImage({ studyUid: newUid(), number: 1 })
test.each<[string, () => Partial<Wrapped>, number]>([
  ['longer than any file may be', () => ({ size: 2 ** 31 }), 413],
  ['of another length than was said', () => ({ size: 7 }), 412],
  ['without a length', () => ({ size: null }), 412],
  ['without a file', () => ({ part: 'data' }), 404],
  ['an empty file', () => ({ content: new Uint8Array() }), 412],
  ['a text with the name of a photo', () => ({ content: Buffer.from('MZ not a photo') }), 406],
  ['a page of HTML', () => ({ content: Buffer.from('<script>alert(1)</script>'), name: 'a.html' }), 406],
  ['a DICOM file', () => ({ content: dicom(), name: 'a.dcm' }), 406],
  ['a photo that ends early', () => ({ content: photo.subarray(0, 60) }), 412],
  ['tags that are no JSON', () => ({ tags: '{' }), 400],
  ['tags that name nobody', () => ({ tags: { study_date: '20260102' } }), 412],
  ['a birth date that is no day', () => ({ tags: { ...patient, patient_birth_date: '19801340' } }), 412],
])('%s is refused by a request, and nothing of it stays', async (_what, given, status) => {
  const [request, study] = [await open(), newUid()]
  await begin(request.sid, study)
  const reply = await wrap(request.sid, study, given())
  expect(reply.status).toBe(status)
  expect(reply.body.message).toEqual(expect.any(String))
  expect(await storedOf(study)).toBe(0)
})

test.each([
  ['../../etc/passwd.pdf', /^passwd$/],
  ['"><img src=x onerror=alert(1)>.pdf', /^(%22)?_img src=x onerror=alert\(1\)_$/],
  [`${'n'.repeat(300)}.pdf`, /^n{64}$/],
  ['a\\b\u202Efdp.exe', /^bfdp\.exe$/],
])('a file named %j goes in under a name that does no harm', async (name, title) => {
  const [request, study] = [await open(), newUid()]
  await begin(request.sid, study)
  expect((await wrap(request.sid, study, { content: pdf, name })).status).toBe(202)
  expect(await storedOf(study)).toBe(1)
  const named = `${origin}/dicomweb/${group.namespaceUuid}/studies/${study}/metadata`
  const reply = await fetch(named, {
    headers: { authorization: `Bearer ${staff.sid}`, accept: 'application/dicom+json' },
  })
  const images = (await reply.json()) as { '00420010'?: { Value?: string[] } }[]
  expect(images.map((one) => one['00420010']?.Value?.[0])).toEqual([expect.stringMatching(title)])
})

test('[PERM-01] only an opened request wraps, into the studies that it announced, while it is open and its place takes files', async () => {
  const [request, study] = [await open(), newUid()]
  expect((await wrap(request.sid, study)).status).toBe(400)
  await begin(request.sid, study)
  for (const other of [undefined, 'made-up', staff.sid, owner.sid]) expect((await wrap(other, study)).status).toBe(403)
  expect((await wrap((await open()).sid, study)).status).toBe(400)

  const set = (flag: number) =>
    call('group/set', {
      sid: owner.sid,
      uuid: group.groupUuid,
      share_settings: JSON.stringify({ enable_dicom_wrapping: flag }),
    })
  expect((await set(0)).body.status).toBe('OK')
  expect((await wrap(request.sid, study)).status).toBe(403)
  expect((await call('link/request', { sid: request.sid })).body.takes_files).toBe(0)
  await set(1)
  expect((await wrap(request.sid, study)).status).toBe(202)

  await query(`update link set expires_at = now() - interval '1 second' where uuid = '${request.uuid}'`)
  expect((await wrap(request.sid, study, { content: pdf })).status).toBe(403)
  const cancelled = await open()
  await begin(cancelled.sid, study)
  await call('link/delete', { sid: staff.sid, uuid: cancelled.uuid })
  expect((await wrap(cancelled.sid, study, { content: pdf })).status).toBe(403)
  expect(await storedOf(study)).toBe(1)
})

test('whoever knows a share code sends photos where its settings take them, and what comes waits for approval', async () => {
  const place = dicomOnly
  const open = async (settings: object) => {
    const sent = { uuid: place.groupUuid, share_code: 'PHOTOS1', share_settings: JSON.stringify(settings) }
    expect((await call('group/set', { sid: owner.sid, ...sent })).body.status).toBe('OK')
    return String((await call('namespace/share_code/open', { share_code: 'photos1' })).body.sid)
  }
  const study = newUid()
  const shut = await open({ takes_uploads: 1, enable_dicom_wrapping: 0 })
  await begin(shut, study)
  expect((await wrap(shut, study)).status).toBe(403)
  const sid = await open({ takes_uploads: 1, enable_dicom_wrapping: 1 })
  await begin(sid, study)
  expect((await wrap(sid, study)).status).toBe(202)
  expect(await query(`select must_approve from study where study_uid = '${study}'`)).toEqual([{ must_approve: true }])
})
