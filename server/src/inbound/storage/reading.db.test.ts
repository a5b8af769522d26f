import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { corpusFolder, isCorpusMissing, readCorpusFile } from '@hilum/dicom/node/corpus'
import { newUid } from '@hilum/dicom/uid'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { type Member, startStorage } from '../../../test/storage-fixture.ts'

const storage = await startStorage()
const run = promisify(execFile)
const work = await mkdtemp(join(tmpdir(), 'hilum-reading-'))
afterAll(() => rm(work, { recursive: true }))

const all = ['study_upload', 'study_view', 'study_download', 'study_edit'] as const

async function store(member: Member, bytes: Uint8Array) {
  const { status, body } = await uploadImage(storage, member, bytes)
  expect(status).toBe(202)
  const study = `${storage.base}/study/${member.namespace}/${body.study_uid}`
  return { study, image: `${study}/image/${body.image_uid}/version/*`, body }
}

const get = (member: Member, address: string, query = '') => fetch(`${address}?sid=${member.sid}${query}`)
// answers are read as a client does, without a schema
// oxlint-disable-next-line typescript/no-explicit-any
const json = async (member: Member, address: string, query = ''): Promise<any> =>
  (await get(member, address, query)).json()

async function edit(member: Member, tag: string, old: string, value: string): Promise<void> {
  const edits = JSON.stringify([{ tag, old, new: value, who: member.user, when: '2026-01-02T03:04:05.000Z' }])
  await storage.query(`
    update study set ${tag} = '${value}', edits = '${edits}', phi_version = phi_version + 1
    where phi_namespace = '${member.namespace}'`)
}

describe('what a study says of itself', () => {
  test('comes with the corrections of its record, by name and by tag', async () => {
    const member = await storage.addMember(all)
    const { study, image } = await store(member, madeImage({ studyUid: newUid(), number: 1 }))
    await edit(member, 'patient_name', 'Made^Up', 'Right^Name')
    expect(await json(member, `${study}/phi`)).toMatchObject({
      patient_name: 'Right^Name',
      patientid: 'M1',
      phi_namespace: member.namespace,
      phi_version: 2,
    })
    expect((await json(member, `${study}/tag`)).tags).toContainEqual({
      group: 0x10,
      element: 0x10,
      vr: 'PN',
      vl: 10,
      name: 'PatientName',
      value: 'Right^Name',
    })
    expect(await json(member, `${image}/phi`)).toMatchObject({ patient_name: 'Right^Name', patient_sex: 'F' })
    const images = await json(member, `${study}/json`)
    expect(images).toHaveLength(1)
    expect(images[0].tags).toContainEqual(expect.objectContaining({ name: 'PatientName', value: 'Right^Name' }))
  })

  test('an image gives just the groups and tags that were asked for', async () => {
    const member = await storage.addMember(all)
    const { image } = await store(member, madeImage({ studyUid: newUid(), number: 1 }))
    const namesOf = async (query: string) =>
      (await json(member, `${image}/attribute`, query)).tags.map((tag: { name: string }) => tag.name)
    expect(await namesOf('&include_tags=00100020,Modality')).toEqual(['Modality', 'PatientID'])
    for (const groups of ['0010', '0x10', '16'])
      expect(await namesOf(`&groups=${groups}`)).toEqual(['PatientName', 'PatientID', 'PatientBirthDate', 'PatientSex'])
    expect((await namesOf('')).length).toBeGreaterThan(15)
    expect((await get(member, `${image}/attribute`, '&include_tags=nonsense')).status).toBe(400)
  })

  test('what lists all attributes takes the same choice', async () => {
    const member = await storage.addMember(all)
    const { study, image } = await store(member, madeImage({ studyUid: newUid(), number: 1 }))
    const names = (tags: { name: string }[]) => tags.map((tag) => tag.name)
    const one = await json(member, `${image}/json`, '&include_tags=00100020')
    expect(names(one.tags)).toEqual(['PatientID'])
    const [first] = await json(member, `${study}/json`, '&groups=0010&include_tags=00080060')
    expect(names(first.tags)).toEqual(['Modality', 'PatientName', 'PatientID', 'PatientBirthDate', 'PatientSex'])
    expect((await get(member, `${study}/json`, '&groups=nonsense')).status).toBe(400)
  })

  test('of several values the first is listed, all of them when all are asked for', async () => {
    const member = await storage.addMember(all)
    const more = [
      { tag: 0x00080008, vr: 'CS', value: 'DERIVED\\SECONDARY\\OTHER' },
      { tag: 0x00089459, vr: 'FL', value: [1.5, 2] },
      { tag: 0x00101000, vr: 'LO', value: '' },
      { tag: 0x00181164, vr: 'DS', value: '0.5\\0.25' },
      { tag: 0x00204000, vr: 'LT', value: 'one \\ text' },
    ]
    const { study, image } = await store(member, madeImage({ studyUid: newUid(), number: 1, more }))
    await edit(member, 'patient_name', 'Made^Up', 'Right^Name')
    const wanted = '&include_tags=00080008,00089459,PatientName,00101000,00181164,00204000'
    const first = ['DERIVED', '1.5', 'Right^Name', '', '0.5', 'one \\ text']
    const every = ['DERIVED\\SECONDARY\\OTHER', '1.5\\2', 'Right^Name', '', '0.5\\0.25', 'one \\ text']
    const valuesOf = (tags: { value: string }[]) => tags.map((tag) => tag.value)
    for (const [query, values] of [
      [wanted, first],
      [`${wanted}&all_dicom_values=0`, first],
      [`${wanted}&all_dicom_values=1`, every],
    ] as const) {
      expect([query, valuesOf((await json(member, `${image}/json`, query)).tags)]).toEqual([query, values])
      expect([query, valuesOf((await json(member, `${study}/json`, query))[0].tags)]).toEqual([query, values])
    }
    expect(valuesOf((await json(member, `${image}/attribute`, wanted)).tags)).toEqual(every)
  })

  test('flags may be written as words', async () => {
    const member = await storage.addMember(all)
    const { study } = await store(member, madeImage({ studyUid: newUid(), number: 1 }))
    expect(await json(member, `${study}/schema`, '&extended=true&attachments_only=true')).toMatchObject({
      phi_version: 1,
      series: [],
    })
  })

  test('a whole study is listed image by image, or one series of it', async () => {
    const member = await storage.addMember(all)
    const studyUid = newUid()
    const { study } = await store(member, madeImage({ studyUid, number: 1 }))
    await store(member, madeImage({ studyUid, number: 2, series: 2 }))
    expect((await json(member, `${study}/json`)).map((one: { series_uid: string }) => one.series_uid)).toEqual([
      `${studyUid}.1`,
      `${studyUid}.2`,
    ])
    expect(await json(member, `${study}/json`, `&series_uid=${studyUid}.2`)).toHaveLength(1)
    expect((await get(member, `${study}/json`, '&series_uid=1.2.3')).status).toBe(404)
  })

  test('DICOM JSON comes as a list, and as one object for one image', async () => {
    const member = await storage.addMember(all)
    const studyUid = newUid()
    await store(member, madeImage({ studyUid, number: 1 }))
    await edit(member, 'patientid', 'M1', 'M2')
    const at = `${storage.base}/dicomweb/${member.namespace}/studies/${studyUid}`
    for (const address of [`${at}/metadata`, `${at}/series/${studyUid}.1/metadata`]) {
      const [one, ...others] = await json(member, address)
      expect([one['00100020'].Value, others]).toEqual([['M2'], []])
    }
    const one = await json(member, `${at}/series/${studyUid}.1/instances/${studyUid}.1.1/metadata`)
    expect(one['00100020'].Value).toEqual(['M2'])
    const missing = await get(member, `${at}/series/${studyUid}.1/instances/1.2/metadata`)
    expect([missing.status, (await missing.json()).kind]).toEqual([
      404,
      { code: 14, readable_status: 'IMAGE_NOT_FOUND' },
    ])
  })

  test('a study is reached under the main host as well', async () => {
    const member = await storage.addMember(all)
    const { study } = await store(member, madeImage({ studyUid: newUid(), number: 1 }))
    const address = study.replace('/api/v3/storage', '/host/engine.example.org:8471/api/v3/storage')
    expect((await get(member, `${address}/schema`)).status).toBe(200)
    expect((await fetch(`${address}/schema?sid=nobody`)).status).toBe(403)
  })
})

describe('frames for other programs', () => {
  test('a diagnostic frame is a 16-bit PNG, an 8-bit one a JPEG', async () => {
    const member = await storage.addMember(all)
    const { image } = await store(member, madeImage({ studyUid: newUid(), number: 1 }))
    const deep = await get(member, `${image}/frame/0/diagnostic`)
    expect(deep.headers.get('content-type')).toBe('image/png')
    expect(await sharp(Buffer.from(await deep.arrayBuffer())).metadata()).toMatchObject({
      format: 'png',
      depth: 'ushort',
      width: 16,
    })
    const shallow = await get(member, `${image}/frame/0/diagnostic`, '&depth=8')
    expect(await sharp(Buffer.from(await shallow.arrayBuffer())).metadata()).toMatchObject({
      format: 'jpeg',
      height: 16,
    })
    const tiff = await get(member, `${image}/frame/0/tiff`)
    expect(await sharp(Buffer.from(await tiff.arrayBuffer())).metadata()).toMatchObject({ format: 'tiff', width: 16 })
    expect((await get(member, `${image}/frame/1/diagnostic`)).status).toBe(404)
  })

  test('a picture fits into the width and height that are asked for; 0 asks for none', async () => {
    const member = await storage.addMember(all)
    const { image } = await store(member, madeImage({ studyUid: newUid(), number: 1 }))
    for (const path of ['frame/0', 'frame/0/diagnostic', 'frame/0/tiff']) {
      const edgeOf = async (size: string) => {
        const reply = await get(member, `${image}/${path}`, `&size=${size}`)
        expect([path, size, reply.status]).toEqual([path, size, 200])
        return (await sharp(Buffer.from(await reply.arrayBuffer())).metadata()).width
      }
      expect([path, await edgeOf('8x4'), await edgeOf('8'), await edgeOf('0')]).toEqual([path, 4, 8, 16])
      expect((await get(member, `${image}/${path}`, '&size=8x0')).status).toBe(400)
    }
  })

  test('all frames come as a tar that tar opens', async () => {
    const member = await storage.addMember(all)
    const { image } = await store(member, madeImage({ studyUid: newUid(), number: 1, frames: 3 }))
    const reply = await get(member, `${image}/frame/all/diagnostic`)
    const folder = await mkdtemp(join(work, 'tar-'))
    await writeFile(join(folder, 'frames.tar'), Buffer.from(await reply.arrayBuffer()))
    await run('tar', ['-xf', 'frames.tar'], { cwd: folder })
    const names = (await readdir(folder)).filter((name) => name.endsWith('.png')).sort()
    expect(names).toHaveLength(3)
    expect(await sharp(join(folder, names[2] ?? '')).metadata()).toMatchObject({ depth: 'ushort', width: 16 })
  })

  test('the cache of a study can be emptied, and pictures come again', async () => {
    const member = await storage.addMember(all)
    const { study, image } = await store(member, madeImage({ studyUid: newUid(), number: 1 }))
    const thumbnail = async () => Buffer.from(await (await get(member, `${image}/frame/0/thumbnail`)).arrayBuffer())
    const first = await thumbnail()
    const place = join(storage.folder, 'cache', 'thumbnails', member.account)
    const count = async () => (await readdir(place, { recursive: true })).filter((name) => name.includes('-0-')).length
    expect(await count()).toBe(1)
    expect((await fetch(`${study}/cache?sid=${member.sid}`, { method: 'DELETE' })).status).toBe(202)
    expect(await count()).toBe(0)
    expect((await thumbnail()).equals(first)).toBe(true)
  })
})

describe.skipIf(isCorpusMissing)('what lies inside a file', () => {
  test('a PDF leaves as the PDF it is, and an image says that it is none', async () => {
    const member = await storage.addMember(all)
    const { image } = await store(member, readCorpusFile('studies/ct-with-sr-seg-pr-ko-pdf/report_pdf.dcm'))
    const reply = await get(member, `${image}/pdf`)
    expect(reply.headers.get('content-type')).toBe('application/pdf')
    expect(reply.headers.get('content-security-policy')).toContain('sandbox')
    expect((await reply.text()).startsWith('%PDF-')).toBe(true)
    const other = await store(member, madeImage({ studyUid: newUid(), number: 1 }))
    for (const [what, code] of [
      ['pdf', 39],
      ['video', 38],
    ] as const) {
      const refused = await get(member, `${other.image}/${what}`)
      expect([refused.status, (await refused.json()).kind.code]).toEqual([415, code])
    }
  })

  test('a large PDF is found behind a short header', async () => {
    const member = await storage.addMember(all)
    const document = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(3_000_000, 'x')])
    const bytes = madeImage({
      studyUid: newUid(),
      number: 1,
      sopClassUid: '1.2.840.10008.5.1.4.1.1.104.1',
      more: [{ tag: 0x00420011, vr: 'OB', value: document }],
    })
    const { image } = await store(member, bytes)
    const got = Buffer.from(await (await get(member, `${image}/pdf`)).arrayBuffer())
    expect(got.subarray(0, document.length).equals(document)).toBe(true)
  })

  test('a video leaves as the stream it is', async () => {
    const member = await storage.addMember(all)
    const { image } = await store(member, readCorpusFile('studies/video-endoscopy/mpeg2_clip.dcm'))
    const reply = await get(member, `${image}/video`)
    expect(reply.headers.get('content-type')).toBe('video/mpeg')
    const bytes = Buffer.from(await reply.arrayBuffer())
    expect(bytes.length).toBeGreaterThan(1_000_000)
    expect(bytes.subarray(0, 4)).toEqual(Buffer.from([0, 0, 1, 0xba]))
  })

  test('pictures of an image whose pixels cannot be decoded are refused with the reason', async () => {
    const member = await storage.addMember(all)
    const report = (await readdir(join(corpusFolder, 'studies'))).find((name) => name.startsWith('ecg-waveform'))
    const [file] = await readdir(join(corpusFolder, 'studies', report ?? ''))
    const { image } = await store(member, readCorpusFile(`studies/${report}/${file}`))
    for (const what of ['thumbnail', 'diagnostic', 'tiff']) {
      const refused = await get(member, `${image}/frame/0/${what}`)
      const { kind, message, exception_data } = await refused.json()
      expect([what, refused.status, kind.readable_status]).toEqual([what, 406, 'NOT_ACCEPTABLE'])
      expect([message.length > 10, exception_data.reason]).toEqual([true, expect.stringMatching(/^\w+$/)])
    }
  })

  test('a compressed image is given uncompressed where that is asked for, as DCMTK decodes it', async () => {
    const member = await storage.addMember(all)
    const file = (await readdir(join(corpusFolder, 'transfer-syntaxes'))).find((name) => /rle/i.test(name))
    const bytes = readCorpusFile(`transfer-syntaxes/${file}`)
    const { image } = await store(member, bytes)
    const native = '1.2.840.10008.1.2.1'
    const reply = await get(member, image, `&transfer_syntax=${native}`)
    expect(reply.status).toBe(200)
    await writeFile(join(work, 'ours.dcm'), Buffer.from(await reply.arrayBuffer()))
    await writeFile(join(work, 'rle.dcm'), bytes)
    await run('dcmdrle', [join(work, 'rle.dcm'), join(work, 'theirs.dcm')])
    const raw = async (name: string) => {
      await run('dcmdump', ['+W', work, '+P', 'PixelData', join(work, `${name}.dcm`)])
      return readFile(join(work, `${name}.dcm.0.raw`))
    }
    expect((await raw('ours')).equals(await raw('theirs'))).toBe(true)
    const jpegLs = await get(member, image, '&transfer_syntax=1.2.840.10008.1.2.4.80')
    expect(jpegLs.status).toBe(200)
    await writeFile(join(work, 'jls.dcm'), Buffer.from(await jpegLs.arrayBuffer()))
    await run('dcmdjpls', [join(work, 'jls.dcm'), join(work, 'opened.dcm')])
    expect((await raw('opened')).equals(await raw('theirs'))).toBe(true)
    for (const wavelets of ['1.2.840.10008.1.2.4.90', '1.2.840.10008.1.2.4.201']) {
      const encoded = await get(member, image, `&transfer_syntax=${wavelets}`)
      const other = await storage.addMember(all)
      const again = await store(other, Buffer.from(await encoded.arrayBuffer()))
      const back = await get(other, again.image, `&transfer_syntax=${native}`)
      await writeFile(join(work, `${wavelets}.dcm`), Buffer.from(await back.arrayBuffer()))
      expect((await raw(wavelets)).equals(await raw('theirs'))).toBe(true)
    }
    const refused = await get(member, image, '&transfer_syntax=1.2.840.10008.1.2.4.91')
    expect([refused.status, (await refused.json()).kind.readable_status]).toEqual([406, 'NOT_ACCEPTABLE'])
  })
})

test('a file has the corrections of the record through which it is seen, named or not; as received it has not', async () => {
  const member = await storage.addMember(all)
  const bytes = madeImage({ studyUid: newUid(), number: 1 })
  const { image } = await store(member, bytes)
  await edit(member, 'patient_name', 'Made^Up', 'Right^Name')
  const query = `&phi_namespace=${member.namespace}`
  for (const address of ['', query]) {
    const corrected = Buffer.from(await (await get(member, image, address)).arrayBuffer())
    expect([corrected.includes('Right^Name'), corrected.equals(bytes)]).toEqual([true, false])
  }
  for (const address of ['&as_received=1', `${query}&as_received=1`]) {
    expect(Buffer.from(await (await get(member, image, address)).arrayBuffer()).equals(bytes)).toBe(true)
  }
})
