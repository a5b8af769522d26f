import { newUid } from '@hilum/dicom/uid'
import sharp from 'sharp'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { madePdf } from '../../../test/made-pdf.ts'
import { type Member, startStorage } from '../../../test/storage-fixture.ts'
import { startWorker } from '../worker/start-worker.ts'

const storage = await startStorage()
const worker = await startWorker(storage.services)
afterAll(() => worker.stop())

const all = ['study_upload', 'study_view', 'study_report_view', 'study_report_upload', 'study_report_delete'] as const

async function makeStudy(
  member?: Member,
  studyUid = newUid(),
): Promise<{ member: Member; study: string; studyUid: string }> {
  const owner = member ?? (await storage.addMember(all))
  await uploadImage(storage, owner, madeImage({ studyUid, number: 1, patientName: 'Known^Name' }))
  return { member: owner, study: `${storage.base}/study/${owner.namespace}/${studyUid}`, studyUid }
}

interface Image {
  image_uid: string
  image_version: string
  outcome: string
  attr: { series_uid: string }
}

async function post(address: string, member: Member, content?: Uint8Array, name = 'letter.pdf') {
  const form = new FormData()
  if (content) form.append('data', new Blob([new Uint8Array(content)]), name)
  const reply = await fetch(`${address}${address.includes('?') ? '&' : '?'}sid=${member.sid}`, {
    method: 'POST',
    ...(content ? { body: form } : {}),
  })
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a client does, without a schema
  return { status: reply.status, body: (await reply.json()) as any }
}
const countOf = async (study: string, member: Member) =>
  (await fetch(`${study}/count?sid=${member.sid}`)).json() as Promise<Record<string, number>>
const uidsOf = (images: readonly Image[]) => images.map(({ image_uid, attr }) => [attr.series_uid, image_uid])

const a4 = [595, 842] as const
const pdf = madePdf([a4, [842, 595]])

describe('a PDF as images', () => {
  test('each page becomes an image of 200 pixels an inch, all in one new series', async () => {
    const { member, study } = await makeStudy()
    const { status, body } = await post(`${study}/attachment?synchronous_wrap=1`, member, pdf)
    const images = body.images as Image[]
    expect([status, images.length, new Set(images.map(({ attr }) => attr.series_uid)).size]).toEqual([202, 2, 1])
    expect(await countOf(study, member)).toEqual({ image_count: 3, series_count: 2, attachment_count: 1 })
    for (const [index, { image_uid: uid, image_version: version }] of images.entries()) {
      const address = `${study}/image/${uid}/version/${version}`
      const file = Buffer.from(await (await fetch(`${address}?sid=${member.sid}`)).arrayBuffer())
      const text = file.toString('latin1')
      expect(text).toContain('Known^Name')
      expect(text).toContain('0.127000\\0.127000')
      const picture = sharp(
        Buffer.from(await (await fetch(`${address}/frame/0/diagnostic?sid=${member.sid}`)).arrayBuffer()),
      )
      const { width, height } = await picture.metadata()
      expect([width, height]).toEqual(index === 0 ? [1653, 2339] : [2339, 1653])
      // the square of an inch is one of 200 pixels
      const { data, info } = await picture.greyscale().raw().toBuffer({ resolveWithObject: true })
      const row = (info.height - 300) * info.width * info.channels
      const dark = Array.from({ length: info.width }, (_, x) => Number(data[row + x * info.channels] ?? 255) < 128)
      const wide = dark.filter(Boolean).length
      expect([dark.indexOf(true), wide].map((one) => Math.abs(one - 200) <= 1)).toEqual([true, true])
    }
  })

  test('a page larger than a picture may be is drawn smaller, and says how far its pixels are apart', async () => {
    const { member, study } = await makeStudy()
    const { body } = await post(`${study}/attachment?synchronous_wrap=1`, member, madePdf([[14_400, 14_400]]))
    const [{ image_uid: uid }] = body.images
    const reply = await fetch(`${study}/image/${uid}/version/*?sid=${member.sid}`)
    const text = Buffer.from(await reply.arrayBuffer()).toString('latin1')
    const spacing = Number(/(\d\.\d{6})\\\1/.exec(text)?.[1])
    // 200 inches in at most 30 million pixels
    expect(spacing).toBeGreaterThan(0.9)
    expect(spacing).toBeLessThan(1)
  })

  test('what cannot be drawn stays attached, and why is said', async () => {
    const { member, study } = await makeStudy()
    const cases: [Buffer, string][] = [
      [Buffer.from('%PDF-1.7 and nothing behind it'), 'The PDF cannot be read'],
      [madePdf([]), 'The PDF has no pages'],
      [madePdf(Array.from({ length: 201 }, () => [10, 10] as const)), 'The PDF has more than 200 pages'],
    ]
    for (const [content, words] of cases) {
      const { status, body } = await post(`${study}/attachment?synchronous_wrap=1`, member, content, newUid())
      expect([status, body.wrap_error, body.size]).toEqual([202, words, content.length])
    }
    expect(await countOf(study, member)).toMatchObject({ image_count: 1, attachment_count: 3 })
  })

  test('only pictures and PDF files become images', async () => {
    const { member, study } = await makeStudy()
    const { body } = await post(`${study}/attachment`, member, Buffer.from('words'), 'words.txt')
    const made = await post(`${study}/attachment/${body.id}/version/${body.version}/image`, member)
    expect([made.status, made.body.message]).toEqual([406, 'Only pictures and PDF files become images'])
    const none = '-'.repeat(36)
    expect((await post(`${study}/attachment/${none}/version/${none}/image`, member)).status).toBe(404)
  })
})

describe('static_ids', () => {
  test('the same file again is the same attachment and the same images', async () => {
    const { member, study } = await makeStudy()
    const send = (name: string) => post(`${study}/attachment?synchronous_wrap=1&static_ids=1`, member, pdf, name)
    const first = await send('one.pdf')
    // the patient of the record changed meanwhile
    await storage.query(`update study set patient_name = 'Other^Name' where phi_namespace = '${member.namespace}'`)
    const again = await send('another.pdf')
    const { id, version } = first.body
    expect([again.status, again.body.id, again.body.version]).toEqual([202, id, version])
    const turned = await post(`${study}/attachment/${id}/version/${version}/image?static_ids=1`, member)
    expect(uidsOf(again.body.images)).toEqual(uidsOf(first.body.images))
    expect(uidsOf(turned.body.images)).toEqual(uidsOf(first.body.images))
    expect(turned.body.images.map((one: Image) => one.outcome)).toEqual(['duplicate', 'duplicate'])
    expect(await countOf(study, member)).toEqual({ image_count: 3, series_count: 2, attachment_count: 1 })
  })

  test('a deleted attachment that is sent again is back under its id', async () => {
    const { member, study } = await makeStudy()
    const send = () => post(`${study}/attachment?static_ids=1`, member, pdf)
    const { id, version } = (await send()).body
    await fetch(`${study}/attachment/${id}/version/${version}?sid=${member.sid}`, { method: 'DELETE' })
    expect((await send()).body).toMatchObject({ id, version })
    expect(await countOf(study, member)).toMatchObject({ attachment_count: 1 })
  })

  test('elsewhere the same file has other ids, so that they tell nothing of others', async () => {
    const here = await makeStudy()
    const places = [here, await makeStudy(here.member), await makeStudy(undefined, here.studyUid)]
    const made = await Promise.all(
      places.map(({ study, member }) => post(`${study}/attachment?synchronous_wrap=1&static_ids=1`, member, pdf)),
    )
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(3)
    expect(new Set(made.flatMap(({ body }) => uidsOf(body.images).flat())).size).toBe(9)
    expect(made.map(({ body }) => body.images[0].outcome)).toEqual(['stored', 'stored', 'stored'])
  })

  test('without it each making gives new images, in a series of its own', async () => {
    const { member, study } = await makeStudy()
    const { body } = await post(`${study}/attachment`, member, pdf)
    const address = `${study}/attachment/${body.id}/version/${body.version}/image`
    const [first, second] = [await post(address, member), await post(address, member)]
    expect(new Set([...uidsOf(first.body.images), ...uidsOf(second.body.images)].flat()).size).toBe(6)
    expect(await countOf(study, member)).toMatchObject({ image_count: 5, series_count: 3 })
  })
})

test('auto_wrap_images makes images of what is attached: of the group, else of its organisation', async () => {
  const set = (scope: string, uuid: string, value: string) =>
    storage.query(
      `insert into setting (scope, scope_uuid, key, value) values ('${scope}', '${uuid}', 'auto_wrap_images', '${value}')`,
    )
  const [on, off, shy] = [await makeStudy(), await makeStudy(), await makeStudy()]
  for (const { member } of [on, off, shy]) await set('account', member.account, '1')
  await set('namespace', off.member.namespace, '0')
  await storage.query(`update role set permissions = array_remove(permissions, 'study_upload')
    where account_uuid = '${shy.member.account}'`)
  for (const { study, member } of [off, shy, on]) {
    expect((await post(`${study}/attachment`, member, pdf)).status).toBe(202)
  }
  const images = async ({ study, member }: typeof on) => (await countOf(study, member)).image_count
  await vi.waitFor(async () => expect(await images(on)).toBe(3), { timeout: 60_000, interval: 100 })
  // nothing waits that could come later
  const waiting = () => storage.query(`select uuid from work where not by_clock`)
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), { timeout: 60_000, interval: 100 })
  expect([await images(off), await images(shy)]).toEqual([1, 1])
})
