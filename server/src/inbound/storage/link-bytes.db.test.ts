import { newUid } from '@hilum/dicom/uid'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { app, call, query, services } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const organisation = await makeOrganisation(services.db, { settings: { enable_dicom_wrapping: '1' } })
const owner = await organisation.addPerson({ role: 'Administrator' })
const patient = { patient_name: 'DOE^JANE', patientid: '1', patient_birth_date: '19800102', patient_sex: 'F' }

/** An opened request into a group of its own, for which nothing else counts. */
async function open(more: object = {}) {
  const group = await organisation.addGroup()
  const staff = await organisation.addPerson({ role: 'Staff', groups: [group] })
  const { body } = await call('link/add', {
    sid: staff.sid,
    namespace_id: group.namespaceUuid,
    action: 'STUDY_UPLOAD',
    ...more,
  })
  const { body: session } = await call('link/session', { token: String(body.url).split('/link/')[1] ?? '' })
  const study = newUid()
  await call('link/upload/begin', { sid: session.sid, studies: [{ study_uid: study, image_count: 9 }], sender: 'West' })
  return { uuid: String(body.uuid), sid: String(session.sid), staff, study }
}
type Opened = Pick<Awaited<ReturnType<typeof open>>, 'sid' | 'study'>

const allow = (uuid: string, bytes: number) =>
  query(`update link_request set max_bytes = ${bytes} where link_uuid = '${uuid}'`)
const answerOf = async (reply: Response) => ({ status: reply.status, body: await reply.text() })

/** @param chunked leaves the length out */
async function send({ sid, study }: Opened, image: Uint8Array, chunked = false) {
  const bytes = new Uint8Array(image)
  const body = chunked ? new Blob([bytes]).stream() : bytes
  const headers = { authorization: `Bearer ${sid}` }
  const address = `${origin}/api/v3/storage/link/image?study_uid=${study}`
  return answerOf(await fetch(address, { method: 'POST', body, headers, ...(chunked ? { duplex: 'half' } : {}) }))
}

/** Several images in one body. */
async function sendTogether({ sid, study }: Opened, images: readonly Uint8Array[], cut = false) {
  const lead = '\r\n--x\r\nContent-Type: application/dicom\r\n\r\n'
  const parts = images.flatMap((one) => [Buffer.from(lead), Buffer.from(one)])
  const body = Buffer.concat([...parts, Buffer.from(cut ? '' : '\r\n--x--\r\n')])
  const type = 'multipart/related; type="application/dicom"; boundary=x'
  const headers = { authorization: `Bearer ${sid}`, 'content-type': type }
  const address = `${origin}/api/v3/storage/link/image?study_uid=${study}`
  const { status, body: text } = await answerOf(
    await fetch(address, { method: 'POST', body: new Uint8Array(body), headers }),
  )
  const { images: taken = [] } = JSON.parse(text) as { images?: { image_uid: string }[] }
  return { status, text, taken: taken.length }
}

async function wrap({ sid, study }: Opened, content: Uint8Array) {
  const form = new FormData()
  form.append('tags', JSON.stringify({ ...patient, study_date: '20260102' }))
  form.append('file', new Blob([new Uint8Array(content)]), 'picture')
  const headers = { authorization: `Bearer ${sid}`, 'x-file-size': String(content.length) }
  const address = `${origin}/api/v3/storage/link/wrap?study_uid=${study}`
  return answerOf(await fetch(address, { method: 'POST', body: form, headers }))
}

/** Bytes that a study stores, and those that its request counts. */
async function bytesOf(uuid: string, study: string) {
  const [stored] = await query<{ bytes: number; images: number }>(
    `select coalesce(sum(i.length), 0)::float8 as bytes, count(*)::integer as images
     from instance i join stored_study t on t.storage_namespace = i.storage_namespace and t.key = i.study_key
     where t.study_uid = '${study}'`,
  )
  const [counted] = await query<{ bytes: number }>(
    `select stored_bytes::float8 as bytes from link_request where link_uuid = '${uuid}'`,
  )
  return { stored: stored?.bytes, images: stored?.images, counted: counted?.bytes }
}

const image = (study: string, number: number, frames = 1) => madeImage({ studyUid: study, number, frames })
const png = (size: number, tint: number) =>
  sharp({ create: { width: size, height: size, channels: 3, background: { r: tint, g: 9, b: 9 } } })
    .png()
    .toBuffer()

test('[UPLOAD-06] by every door together a request stores no more than it may, also at once, and counts what it stored', async () => {
  const { uuid, sid, study } = await open()
  const one = image(study, 1).length
  const most = 12 * one
  await allow(uuid, most)
  const pictures = await Promise.all([1, 2, 3].map((tint) => png(20, tint)))
  const acts = [
    ...Array.from({ length: 16 }, (_, at) => () => send({ sid, study }, image(study, at + 1), at % 3 === 0)),
    ...pictures.map((picture) => () => wrap({ sid, study }, picture)),
    () => send({ sid, study }, image(study, 50, 40)),
    () => send({ sid, study }, image(study, 51, 40), true),
    // the same again is stored once, and what is no image not at all
    () => send({ sid, study }, image(study, 1)),
    () => send({ sid, study }, image(newUid(), 1)),
    () => wrap({ sid, study }, Buffer.from('no picture')),
  ]
  const answers = await Promise.all(acts.map((act) => act()))
  const { stored, images, counted } = await bytesOf(uuid, study)
  expect(counted).toBe(stored)
  expect(stored).toBeLessThanOrEqual(most)
  expect(images).toBeGreaterThan(5)
  const refused = answers.filter(({ status }) => status === 413)
  expect(refused.length).toBeGreaterThan(3)
  for (const { body } of refused) expect(body).toMatch(/At most 0 MB are taken here.*left_bytes/)
  // nothing that arrived is lost, and with more room the rest goes in
  await allow(uuid, most * 20)
  for (const act of acts.slice(0, 21)) expect((await act()).status).toBe(202)
  const after = await bytesOf(uuid, study)
  expect(after.counted).toBe(after.stored)
})

test('files in one body are stored and counted each for itself: one that is refused stops no other, the same again counts nothing', async () => {
  const { uuid, sid, study } = await open()
  const opened = { sid, study }
  const [one, two, three] = [1, 2, 3].map((number) => image(study, number)) as [Buffer, Buffer, Buffer]
  const other = image(newUid(), 1)
  expect(await sendTogether(opened, [one, other, Buffer.from('no image'), two])).toMatchObject({
    status: 202,
    taken: 2,
  })
  expect(await bytesOf(uuid, study)).toEqual({
    stored: one.length + two.length,
    images: 2,
    counted: one.length + two.length,
  })
  expect(await sendTogether(opened, [one, three, two])).toMatchObject({ status: 202, taken: 3 })
  const all = one.length + two.length + three.length
  expect(await bytesOf(uuid, study)).toEqual({ stored: all, images: 3, counted: all })
  // what came before a body that breaks off stays, and counts
  await sendTogether(opened, [image(study, 4), image(study, 5)], true)
  const broken = await bytesOf(uuid, study)
  expect([broken.counted, broken.images]).toEqual([broken.stored, 4])
  expect(await sendTogether(opened, [other])).toMatchObject({ taken: 0 })
  expect(await sendTogether(opened, [])).toMatchObject({ status: 400 })
  const many = Array.from({ length: 17 }, (_, at) => image(study, at + 20))
  expect(await sendTogether(opened, many)).toMatchObject({ status: 202, taken: 16 })
  await allow(uuid, ((await bytesOf(uuid, study)).counted ?? 0) + one.length * 2 + 1000)
  const full = await sendTogether(
    opened,
    [40, 41, 42, 43].map((number) => image(study, number)),
  )
  expect(full).toMatchObject({ status: 413, text: expect.stringContaining('left_bytes') })
  const after = await bytesOf(uuid, study)
  expect(after.counted).toBe(after.stored)
})

test('files in one body wait for approval, and join no approved exam, like those that come one by one', async () => {
  const { uuid, sid, study } = await open()
  const must = (waits: boolean) => query(`update link_request set must_approve = ${waits} where link_uuid = '${uuid}'`)
  await must(true)
  expect(await sendTogether({ sid, study }, [image(study, 1), image(study, 2)])).toMatchObject({ taken: 2 })
  const [record] = await query<{ must_approve: boolean }>(`select must_approve from study where study_uid = '${study}'`)
  expect(record).toEqual({ must_approve: true })
  await call('link/upload/end', { sid, study_uid: study })
  await query(`update study set must_approve = false where study_uid = '${study}'`)
  expect(await sendTogether({ sid, study }, [image(study, 3)])).toMatchObject({ status: 409, taken: 0 })
})

test('a picture counts as the image that it becomes', async () => {
  const { uuid, sid, study } = await open()
  const picture = await png(400, 7)
  await allow(uuid, picture.length * 10)
  expect((await wrap({ sid, study }, picture)).status).toBe(413)
  expect(await bytesOf(uuid, study)).toEqual({ stored: 0, images: 0, counted: 0 })
  await allow(uuid, 400 * 400 * 3 + 4000)
  expect((await wrap({ sid, study }, picture)).status).toBe(202)
  expect((await bytesOf(uuid, study)).stored).toBeGreaterThan(400 * 400 * 3)
})

test('the page is told how much may be sent and is left, and the requester how much came; more is allowed later', async () => {
  const { uuid, sid, study, staff } = await open({ max_megabytes: 3 })
  await send({ sid, study }, image(study, 1))
  const { counted = 0 } = await bytesOf(uuid, study)
  const megabytes = (count: number) => count * 1024 * 1024
  expect((await call('link/request', { sid })).body).toMatchObject({
    max_bytes: megabytes(3),
    left_bytes: megabytes(3) - counted,
  })
  const got = async () => (await call('link/get', { sid: staff.sid, uuid })).body
  expect(await got()).toMatchObject({ max_bytes: megabytes(3), stored_bytes: counted })
  expect((await call('link/set', { sid: staff.sid, uuid, max_megabytes: 6 })).body.status).toBe('OK')
  expect(await got()).toMatchObject({ max_bytes: megabytes(6) })
  for (const max of [0, -1, 99_999_999])
    expect((await call('link/set', { sid: staff.sid, uuid, max_megabytes: max })).body.error_type).toBe('INVALID_FIELD')
})

test("requests take the organisation's size unless they are given their own", async () => {
  const set = (value: string) =>
    call('account/set', { sid: owner.sid, uuid: organisation.accountUuid, setting_upload_megabytes: value })
  expect((await set('0')).body.error_type).toBe('INVALID_SETTING_VALUE')
  expect((await set('5')).body.status).toBe('OK')
  expect((await call('link/request', { sid: (await open()).sid })).body.max_bytes).toBe(5 * 1024 * 1024)
  await set('')
  expect((await call('link/request', { sid: (await open()).sid })).body.max_bytes).toBe(20 * 1024 ** 3)
})

test('the pages of one share code store together what the code may store in a day', async () => {
  const group = await organisation.addGroup()
  const settings = { takes_uploads: 1, max_megabytes: 1 }
  const sent = { uuid: group.groupUuid, share_code: 'BYTES1', share_settings: JSON.stringify(settings) }
  expect((await call('group/set', { sid: owner.sid, ...sent })).body.status).toBe('OK')
  const enter = async () => {
    const sid = String((await call('namespace/share_code/open', { share_code: 'bytes1' })).body.sid)
    const study = newUid()
    await call('link/upload/begin', { sid, studies: [{ study_uid: study, image_count: 1 }], sender: 'West' })
    return { sid, study }
  }
  const [first, second] = [await enter(), await enter()]
  const frames = 2500 // of 256 bytes each
  expect((await send(first, image(first.study, 1, frames))).status).toBe(202)
  expect((await send(second, image(second.study, 1, frames))).status).toBe(413)
  expect((await call('link/request', { sid: second.sid })).body.left_bytes).toBeLessThan(600_000)
  await query(
    `update link set created = now() - interval '25 hours' where uuid in (select link_uuid from link_request where by_share_code and stored_bytes > 0)`,
  )
  expect((await send(second, image(second.study, 1, frames))).status).toBe(202)
})

/** A TIFF file of so many pages of 64 by 64 grey pixels, each of its own shade. */
function tiff(pages: number): Uint8Array {
  const [size, tags] = [64 * 64, 8]
  const page = 2 + tags * 12 + 4 + size
  const bytes = Buffer.alloc(8 + pages * page)
  bytes.write('II*\0', 'latin1')
  bytes.writeUInt32LE(8, 4)
  for (let at = 0; at < pages; at++) {
    const start = 8 + at * page
    const pixels = start + 2 + tags * 12 + 4
    const values = [
      [256, 64], // width
      [257, 64], // length
      [258, 8], // bits of a sample
      [259, 1], // uncompressed
      [262, 1], // black is zero
      [273, pixels],
      [278, 64], // rows of a strip
      [279, size],
    ] as const
    bytes.writeUInt16LE(tags, start)
    for (const [index, [tag, value]] of values.entries()) {
      const entry = start + 2 + index * 12
      bytes.writeUInt16LE(tag, entry)
      bytes.writeUInt16LE(4, entry + 2)
      bytes.writeUInt32LE(1, entry + 4)
      bytes.writeUInt32LE(value, entry + 8)
    }
    bytes.writeUInt32LE(at + 1 < pages ? start + page : 0, start + 2 + tags * 12)
    bytes.fill(at % 256, pixels, pixels + size)
  }
  return bytes
}

test('a file of many pages stores those before the bound, and none after its request ended', async () => {
  const bounded = await open()
  await allow(bounded.uuid, 30_000)
  expect((await wrap(bounded, tiff(20))).status).toBe(413)
  const { images = 0, stored, counted } = await bytesOf(bounded.uuid, bounded.study)
  expect(images).toBeGreaterThan(2)
  expect(images).toBeLessThan(8)
  expect(counted).toBe(stored)

  const { uuid, sid, study, staff } = await open()
  const pages = 150
  const sent = wrap({ sid, study }, tiff(pages)).catch(() => undefined)
  const made = async () => (await bytesOf(uuid, study)).images ?? 0
  await expect.poll(made, { interval: 5, timeout: 20_000 }).toBeGreaterThan(0)
  await call('link/delete', { sid: staff.sid, uuid })
  await sent
  let before = -1
  await expect
    .poll(
      async () => {
        const now = await made()
        const isStill = now === before
        before = now
        return isStill
      },
      { interval: 700, timeout: 20_000 },
    )
    .toBe(true)
  expect(before).toBeLessThan(pages)
})
