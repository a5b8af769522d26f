import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { newUid } from '@hilum/dicom/uid'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { madePdf } from '../../../test/made-pdf.ts'
import { type Member, startStorage } from '../../../test/storage-fixture.ts'

const storage = await startStorage()
const run = promisify(execFile)
const work = await mkdtemp(join(tmpdir(), 'hilum-wrap-'))
afterAll(() => rm(work, { recursive: true }))

const all = ['study_upload', 'study_view', 'study_report_upload', 'study_report_view'] as const
const pdf = Buffer.from('%PDF-1.7\nmade up, of odd length\n%%EOF')
const picture = (format: 'jpeg' | 'png' | 'tiff', channels: 3 | 4 = 3) =>
  sharp({ create: { width: 40, height: 24, channels, background: '#336699' } })
    .toFormat(format)
    .toBuffer()

const uploads = async () => (await readdir(join(storage.folder, 'uploads')).catch(() => [])).length

async function wrap(
  member: Member,
  content: Uint8Array,
  name: string,
  tags?: unknown,
  size: number | null = content.length,
  query = '',
) {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(content)]), name)
  if (tags !== undefined) form.append('tags', typeof tags === 'string' ? tags : JSON.stringify(tags))
  const reply = await fetch(`${storage.base}/namespace/${member.namespace}/wrap?sid=${member.sid}${query}`, {
    method: 'POST',
    body: form,
    headers: size === null ? {} : { 'x-file-size': String(size) },
  })
  // answers are read as a client does, without a schema
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: reply.status, body: (await reply.json()) as any }
}

const imageOf = (member: Member, body: { study_uid: string; image_uid: string }) =>
  `${storage.base}/study/${member.namespace}/${body.study_uid}/image/${body.image_uid}/version/*`

async function dump(member: Member, body: { study_uid: string; image_uid: string }) {
  const reply = await fetch(`${imageOf(member, body)}?sid=${member.sid}`)
  const path = join(work, `${body.image_uid.slice(-20)}.dcm`)
  await writeFile(path, Buffer.from(await reply.arrayBuffer()))
  await run('dcmftest', [path])
  const { stdout } = await run('dcmdump', ['-q', path])
  return { path, text: stdout }
}

describe('wrapping files that are no DICOM', () => {
  const patient = { patient_name: 'Wrapped^Ünal', PatientID: 'W1', '00100030': '1980-02-03', study_date: '2026-01-02' }

  test('pictures and documents of one form become one study, a series for each kind [API-38]', async () => {
    const member = await storage.addMember(all)
    const tags = { ...patient, StudyInstanceUID: newUid() }
    const sent = [
      await wrap(member, await picture('jpeg'), 'one.jpg', tags),
      await wrap(member, await picture('png', 4), 'two.png', tags),
      await wrap(member, await picture('tiff'), 'three.tif', tags),
      await wrap(member, pdf, 'report.pdf', tags),
    ]
    expect(sent.map(({ status }) => status)).toEqual([202, 202, 202, 202])
    const [record] = await storage.query(`
      select s.study_uid, s.patient_name, s.patientid, s.patient_birth_date, t.series_count, t.image_count
      from study s join stored_study t on t.storage_namespace = s.storage_namespace and t.study_uid = s.study_uid
      where s.phi_namespace = '${member.namespace}'`)
    expect(record).toEqual({
      study_uid: tags.StudyInstanceUID,
      patient_name: 'Wrapped^Ünal',
      patientid: 'W1',
      patient_birth_date: '19800203',
      series_count: 2,
      image_count: 4,
    })
    for (const { body } of sent.slice(0, 3)) {
      const { path } = await dump(member, body)
      await run('dcm2pnm', [path, `${path}.pnm`]).catch(() => run('dcmj2pnm', [path, `${path}.pnm`]))
      const thumbnail = await fetch(`${imageOf(member, body)}/frame/0/thumbnail?sid=${member.sid}`)
      const { dominant } = await sharp(Buffer.from(await thumbnail.arrayBuffer())).stats()
      expect(Math.abs(dominant.b - 0x99)).toBeLessThan(20)
      expect(Math.abs(dominant.r - 0x33)).toBeLessThan(20)
    }
    const document = sent[3]?.body
    expect((await dump(member, document)).text).toContain('EncapsulatedPDFStorage')
    const back = await fetch(`${imageOf(member, document)}/pdf?sid=${member.sid}`)
    expect(
      Buffer.from(await back.arrayBuffer())
        .subarray(0, pdf.length)
        .equals(pdf),
    ).toBe(true)
  })

  test('a JPEG goes in as it is, as a photograph where the form says so; sent again it is stored once', async () => {
    const member = await storage.addMember(all)
    const jpeg = await picture('jpeg')
    const tags = { ...patient, StudyInstanceUID: newUid(), Modality: 'XC' }
    const { body } = await wrap(member, jpeg, 'photo.jpg', tags)
    const { text } = await dump(member, body)
    expect(text).toContain('VLPhotographicImageStorage')
    expect(text).toContain('JPEGBaseline')
    const file = await fetch(`${imageOf(member, body)}?sid=${member.sid}`)
    expect(Buffer.from(await file.arrayBuffer()).includes(jpeg)).toBe(true)
    expect((await wrap(member, jpeg, 'photo.jpg', tags)).body.outcome).toBe('duplicate')
  })

  test('a picture that lies on its side is stored upright, a grey one as grey', async () => {
    const member = await storage.addMember(all)
    const turned = await sharp({ create: { width: 40, height: 24, channels: 3, background: 'red' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { text } = await dump(member, (await wrap(member, turned, 'turned.jpg', patient)).body)
    expect(text).toMatch(/US 40 .*Rows/)
    expect(text).toMatch(/US 24 .*Columns/)
    const grey = await sharp(Buffer.from(new Uint16Array(20 * 30).fill(40_000).buffer), {
      raw: { width: 20, height: 30, channels: 1 },
    })
      .toColourspace('b-w')
      .png()
      .toBuffer()
    const shown = await dump(member, (await wrap(member, grey, 'grey.png', patient)).body)
    expect(shown.text).toContain('MONOCHROME2')
  })

  test('what the form leaves out comes from the announced record; other files are attached to it', async () => {
    const member = await storage.addMember(all)
    const studyUid = newUid()
    await uploadImage(storage, member, madeImage({ studyUid, number: 1, patientName: 'Known^Name' }))
    const made = await wrap(member, pdf, 'report.pdf', { StudyInstanceUID: studyUid })
    expect((await dump(member, made.body)).text).toContain('Known^Name')
    const attached = await wrap(member, Buffer.from('a,b\n'), '../table.csv', { StudyInstanceUID: studyUid })
    expect([attached.status, attached.body]).toMatchObject([
      202,
      { filename: 'table.csv', size: 4, phi_namespace: member.namespace },
    ])
    const unknown = await wrap(member, Buffer.from('a,b\n'), 'table.csv', { StudyInstanceUID: newUid() })
    expect(unknown.body.kind.readable_status).toBe('STUDY_NOT_FOUND')
  })

  test('a PDF is kept, and drawn page by page beside it where that is asked for', async () => {
    const member = await storage.addMember(all)
    const letter = Buffer.from(
      madePdf([
        [200, 100],
        [100, 100],
      ]),
    )
    const tags = { ...patient, StudyInstanceUID: newUid() }
    const made = [
      await wrap(member, letter, 'letter.pdf', tags, letter.length, '&render_wrapped_pdf=1'),
      await wrap(member, letter, 'letter.pdf', tags, letter.length, '&render_wrapped_pdf=1'),
    ]
    expect(made.map(({ status, body }) => [status, body.images.length])).toEqual([
      [202, 3],
      [202, 3],
    ])
    const images: { modality: string; rows: number; instance_number: number }[] = await storage.query(`
      select s.modality, i.rows, i.instance_number
      from instance i
      join series s on s.storage_namespace = i.storage_namespace and s.study_key = i.study_key
        and s.series_uid = i.series_uid
      where i.storage_namespace = '${member.namespace}'
      order by s.modality, i.instance_number`)
    expect(images).toEqual([
      expect.objectContaining({ modality: 'DOC' }),
      { modality: 'OT', rows: expect.any(Number), instance_number: 1 },
      { modality: 'OT', rows: expect.any(Number), instance_number: 2 },
    ])
    expect((await dump(member, made[0]?.body.images[1])).text).toContain('Wrapped^')
  })

  test('an attached PDF becomes an image of the study', async () => {
    const member = await storage.addMember(all)
    const studyUid = newUid()
    await uploadImage(storage, member, madeImage({ studyUid, number: 1 }))
    const study = `${storage.base}/study/${member.namespace}/${studyUid}`
    const form = new FormData()
    form.append('data', new Blob([new Uint8Array(madePdf([[200, 200]]))]), 'letter.pdf')
    const attached = await fetch(`${study}/attachment?sid=${member.sid}`, { method: 'POST', body: form })
    const { id, version } = (await attached.json()) as { id: string; version: string }
    const made = await fetch(`${study}/attachment/${id}/version/${version}/image?sid=${member.sid}`, { method: 'POST' })
    expect([made.status, await made.json()]).toMatchObject([202, { study_uid: studyUid, outcome: 'stored' }])
    await storage.query(`
      update role set permissions = array_remove(permissions, 'study_report_view')
      where account_uuid = '${member.account}'`)
    const unseen = await fetch(`${study}/attachment/${id}/version/${version}/image?sid=${member.sid}`, {
      method: 'POST',
    })
    expect(unseen.status).toBe(403)
  })

  test('refusals: no size, another size, no file, damaged pictures, unreadable tags; nothing stays behind', async () => {
    const before = await uploads()
    const member = await storage.addMember(all)
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 }
    const jpeg = await sharp({ create: { width: 200, height: 200, channels: 3, background: 'black', noise } })
      .jpeg()
      .toBuffer()
    const code = async (reply: ReturnType<typeof wrap>) => {
      const { status, body } = await reply
      return [status, body.kind.readable_status]
    }
    expect(await code(wrap(member, pdf, 'a.pdf', patient, null))).toEqual([412, 'VALIDATION_ERROR'])
    expect(await code(wrap(member, pdf, 'a.pdf', patient, 5))).toEqual([412, 'VALIDATION_ERROR'])
    expect(await code(wrap(member, pdf, 'a.pdf', patient, 2 ** 31))).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect(await code(wrap(member, jpeg.subarray(0, 3000), 'a.jpg', patient))).toEqual([412, 'VALIDATION_ERROR'])
    expect(await code(wrap(member, pdf, 'a.pdf', '{"a":'))).toEqual([400, 'JSON_DESERIALIZE_EXCEPTION'])
    expect(await code(wrap(member, pdf, 'a.pdf', { StudyInstanceUID: '../..' }))).toEqual([412, 'VALIDATION_ERROR'])
    for (const [field, value, reason] of [
      ['patientid', 'M\\1', 'backslash'],
      ['PatientName', 'a=b=c=d', 'component groups'],
      ['00080050', 'x'.repeat(17), '16 characters'],
      ['patient_birth_date', '1970-02-30', 'a date'],
      ['study_description', 'two\nlines', 'line break'],
    ] as const) {
      const { status, body } = await wrap(member, pdf, 'a.pdf', { ...patient, [field]: value })
      expect([status, body.message]).toEqual([412, expect.stringContaining(reason)])
      expect(body.message).toContain(field)
    }
    const stranger = await storage.addMember([])
    expect(await code(wrap({ ...stranger, namespace: member.namespace }, pdf, 'a.pdf'))).toEqual([403, 'ACCESS_DENIED'])
    expect(await storage.query(`select from instance where storage_namespace = '${member.namespace}'`)).toEqual([])
    expect(await uploads()).toBe(before)
  })
})

describe('uploading in chunks', () => {
  async function begin(member: Member): Promise<string> {
    const reply = await fetch(`${storage.base}/multipart/initiate?sid=${member.sid}`)
    return ((await reply.json()) as { upload_uuid: string }).upload_uuid
  }
  const sendPart = (member: Member, upload: string, number: number, bytes: Uint8Array, checksum = crc32(bytes)) =>
    fetch(`${storage.base}/multipart/${upload}?sid=${member.sid}`, {
      method: 'POST',
      body: new Uint8Array(bytes),
      headers: {
        'x-file-size': String(bytes.length),
        'x-file-name': String(number).padStart(5, '0'),
        'x-ambrahealth-part-checksum': String(checksum),
      },
    })
  const complete = async (member: Member, upload: string, size: number, query = '', name = 'file') => {
    const address = `${storage.base}/multipart/${upload}/complete?sid=${member.sid}&namespace=${member.namespace}${query}`
    const reply = await fetch(address, {
      method: 'POST',
      headers: { 'x-file-size': String(size), 'x-file-name': name },
    })
    // oxlint-disable-next-line typescript/no-explicit-any
    return { status: reply.status, body: (await reply.json()) as any }
  }

  test('chunks in any order, one of them twice, make the image that was sent [API-41]', async () => {
    const member = await storage.addMember(all)
    const studyUid = newUid()
    const bytes = madeImage({ studyUid, number: 1, frames: 20 })
    const before = await uploads()
    const upload = await begin(member)
    const size = 1000
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    )
    const statuses: number[] = []
    for (const index of [...chunks.keys()].reverse().concat(0)) {
      statuses.push((await sendPart(member, upload, index, chunks[index] as Uint8Array)).status)
    }
    expect(new Set(statuses)).toEqual(new Set([202]))
    const { status, body } = await complete(member, upload, bytes.length, `&endpoint=image&study_uid=${studyUid}`)
    expect([status, body.outcome]).toEqual([202, 'stored'])
    const back = await fetch(`${imageOf(member, body)}?sid=${member.sid}`)
    expect(Buffer.from(await back.arrayBuffer()).equals(bytes)).toBe(true)
    expect(await uploads()).toBe(before)
    expect((await complete(member, upload, bytes.length)).status).toBe(404)
  })

  test('a document in chunks is drawn as well where that is asked for', async () => {
    const member = await storage.addMember(all)
    const upload = await begin(member)
    const letter = Buffer.from(madePdf([[100, 50]]))
    await sendPart(member, upload, 0, letter)
    const { body } = await complete(member, upload, letter.length, '&endpoint=wrap&render_wrapped_pdf=1', 'letter.pdf')
    expect(body.images).toHaveLength(2)
  })

  test('a document in chunks is wrapped', async () => {
    const member = await storage.addMember(all)
    const upload = await begin(member)
    await sendPart(member, upload, 0, pdf.subarray(0, 10))
    await sendPart(member, upload, 1, pdf.subarray(10))
    const tags = encodeURIComponent(JSON.stringify({ patient_name: 'In^Chunks' }))
    const { status, body } = await complete(member, upload, pdf.length, `&endpoint=wrap&tags=${tags}`, 'letter.pdf')
    expect(status).toBe(202)
    expect((await dump(member, body)).text).toContain('In^Chunks')
  })

  test('wrong checksums, names, gaps, sums and strangers are refused in words', async () => {
    const member = await storage.addMember(all)
    const stranger = await storage.addMember(all)
    const upload = await begin(member)
    expect((await sendPart(member, upload, 0, pdf, 1)).status).toBe(412)
    expect((await complete(member, upload, 0)).status).toBe(412)
    expect((await sendPart(member, upload, 1, pdf)).status).toBe(202)
    expect((await complete(member, upload, pdf.length)).body.message).toBe('Chunk 0 is missing')
    expect((await sendPart(member, upload, 0, pdf)).status).toBe(202)
    expect((await complete(member, upload, 5)).status).toBe(412)
    expect((await sendPart(stranger, upload, 2, pdf)).status).toBe(404)
    expect((await sendPart(member, '../../objects', 2, pdf)).status).toBe(404)
    expect((await sendPart(member, upload, 123_456, pdf)).status).toBe(412)
    expect((await fetch(`${storage.base}/multipart/initiate?sid=nobody`)).status).toBe(403)
  })

  test('uploads that are never completed are swept after a day', async () => {
    const member = await storage.addMember(all)
    const old = await begin(member)
    const young = await begin(member)
    const folder = join(storage.folder, 'uploads')
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000)
    await utimes(join(folder, old), twoDaysAgo, twoDaysAgo)
    await storage.services.uploads.sweep(new Date(Date.now() - 86_400_000))
    const left = await readdir(folder)
    expect([left.includes(old), left.includes(young)]).toEqual([false, true])
  })
})
