import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isCorpusMissing, listCorpus, readCorpusFile } from '@hilum/dicom/node/corpus'
import { inflate } from '@hilum/dicom/node/inflate'
import { readHeader } from '@hilum/dicom/read'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, describe, expect, test } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { readDisc } from '../../../test/read-disc.ts'
import { type Member, startStorage } from '../../../test/storage-fixture.ts'

const storage = await startStorage()
const run = promisify(execFile)
const work = await mkdtemp(join(tmpdir(), 'hilum-anonymize-'))
afterAll(() => rm(work, { recursive: true }))

const all = ['study_upload', 'study_view', 'study_download'] as const
const name = Tag.PatientName
const id = Tag.PatientID
const explicit = '1.2.840.10008.1.2.1'
/** Everything by which the images of these tests know their patient. */
const listed = `${name}=ANON^ONE,${id}=SUBJ-1,${Tag.PatientBirthDate}=__DELETE__`

/** An image that tells its patient in every place that has been met. */
function tellingImage(studyUid: string, number = 1) {
  const patient = [
    { tag: name, vr: 'PN', value: 'Made^Up' },
    { tag: id, vr: 'LO', value: 'SECRET-7' },
  ]
  const before = [
    { tag: Tag.ModifiedAttributesSequence, vr: 'SQ', value: [[{ tag: name, vr: 'PN', value: 'Made^Before' }]] },
  ]
  const more = [
    { tag: 0x00081120, vr: 'SQ', value: [patient] },
    { tag: 0x00101002, vr: 'SQ', value: [patient] },
    { tag: Tag.OriginalAttributesSequence, vr: 'SQ', value: [before] },
    { tag: 0xfffafffa, vr: 'SQ', value: [patient] },
  ]
  return madeImage({ studyUid, number, patientId: 'SECRET-7', birthDate: '19700203', more })
}

async function upload(member: Member, bytes: Uint8Array) {
  expect((await uploadImage(storage, member, bytes)).status).toBe(202)
}

function addressOf(member: Member, studyUid: string, query: string): string {
  return `${storage.base}/study/${member.namespace}/${studyUid}/download?sid=${member.sid}&phi_namespace=${member.namespace}&${query}`
}

async function download(member: Member, studyUid: string, query: string) {
  const reply = await fetch(addressOf(member, studyUid, query))
  expect([query, reply.status]).toEqual([query, 200])
  return { reply, bytes: Buffer.from(await reply.arrayBuffer()) }
}

async function unpack(bytes: Buffer): Promise<{ folder: string; names: string[] }> {
  const folder = await mkdtemp(join(work, 'zip-'))
  await writeFile(join(folder, 'study.zip'), bytes)
  await run('unzip', ['-q', 'study.zip', '-d', 'out'], { cwd: folder })
  const { stdout } = await run('unzip', ['-Z1', 'study.zip'], { cwd: folder })
  return { folder: join(folder, 'out'), names: stdout.trim().split('\n') }
}

/** Every value of a tag in a file, whatever its level, as DCMTK reads it. */
async function dumped(folder: string, file: string, tag: string): Promise<string[]> {
  const { stdout } = await run('dcmdump', ['+U8', '-Un', '+P', tag, file], { cwd: folder })
  return [...stdout.matchAll(/\[(.*?)\]/g)].map((match) => match[1] ?? '')
}

const secrets = ['Made^Up', 'Made^Before', 'SECRET-7', '19700203', 'Made_Up', 'Right^Name', 'WRONG']
const told = (bytes: Uint8Array) => secrets.filter((secret) => Buffer.from(bytes).includes(secret))

test('anonymize_tags replaces and leaves out tags in every image, in sequences and in all that is told of them', async () => {
  const member = await storage.addMember(all)
  const studyUid = newUid()
  for (const number of [1, 2]) await upload(member, tellingImage(studyUid, number))
  const plain = await download(member, studyUid, 'bundle=dicom')
  expect(told(plain.bytes)).toEqual(['Made^Up', 'Made^Before', 'SECRET-7', '19700203'])
  const { reply, bytes } = await download(member, studyUid, `bundle=dicom&anonymize_tags=${listed}`)
  expect(told(bytes)).toEqual([])
  expect(reply.headers.get('content-disposition')).toContain('ANON_ONE_20260102.zip')
  expect(Number(reply.headers.get('content-length'))).toBe(bytes.length)
  expect(reply.headers.get('etag')).not.toBe(plain.reply.headers.get('etag'))
  const { folder, names } = await unpack(bytes)
  expect(names).toEqual(['SER0001/IMG0001', 'SER0001/IMG0002', 'DICOMDIR'])
  await run('dcmftest', names, { cwd: folder })
  for (const file of names.slice(0, 2)) {
    expect(await dumped(folder, file, '0010,0010')).toEqual(['ANON^ONE', 'ANON^ONE', 'ANON^ONE'])
    expect(await dumped(folder, file, '0010,0020')).toEqual(['SUBJ-1', 'SUBJ-1', 'SUBJ-1'])
    expect(await dumped(folder, file, '0010,0030')).toEqual([])
    expect(await dumped(folder, file, '0020,000D')).toEqual([studyUid])
  }
  expect(await dumped(folder, 'DICOMDIR', '0010,0010')).toEqual(['ANON^ONE'])
  expect(await dumped(folder, 'DICOMDIR', '0010,0020')).toEqual(['SUBJ-1'])
  const address = addressOf(member, studyUid, `bundle=dicom&anonymize_tags=${listed}`)
  const range = await fetch(address, { headers: { range: 'bytes=1000-1999' } })
  expect([range.status, Buffer.from(await range.arrayBuffer()).equals(bytes.subarray(1000, 2000))]).toEqual([206, true])
})

test('a correction of the record does not bring the old value back', async () => {
  const member = await storage.addMember(all)
  const studyUid = newUid()
  await upload(member, madeImage({ studyUid, number: 1, patientName: 'WRONG' }))
  const who = { who: member.user, when: '2026-01-31 10:00:00.000000+00' }
  const edits = JSON.stringify([
    { tag: 'patient_name', old: 'WRONG', new: 'Right^Name', ...who },
    { tag: 'accession_number', old: '', new: 'ACC-9', ...who },
  ])
  await storage.query(`
    update study set patient_name = 'Right^Name', accession_number = 'ACC-9', edits = '${edits}'
    where phi_namespace = '${member.namespace}'`)
  const query = `bundle=dicom&anonymize_tags=${name}=ANON`
  const corrected = await download(member, studyUid, query)
  expect(told(corrected.bytes)).toEqual([])
  const { folder } = await unpack(corrected.bytes)
  expect(await dumped(folder, 'SER0001/IMG0001', '0010,0010')).toEqual(['ANON'])
  expect(await dumped(folder, 'SER0001/IMG0001', '0008,0050')).toEqual(['ACC-9'])
  const received = await download(member, studyUid, `${query}&as_received=1`)
  expect(told(received.bytes)).toEqual([])
  const asCame = await unpack(received.bytes)
  expect(await dumped(asCame.folder, 'SER0001/IMG0001', '0008,0050')).toEqual([])
})

test('discs, other transfer syntaxes, pictures and posted forms tell no more', async () => {
  const member = await storage.addMember(all)
  const studyUid = newUid()
  await upload(member, tellingImage(studyUid))
  const disc = await download(member, studyUid, `bundle=iso&anonymize_tags=${listed}`)
  expect(told(disc.bytes)).toEqual([])
  expect(disc.reply.headers.get('content-disposition')).toContain('ANON_ONE')
  expect([...readDisc(disc.bytes).keys()].sort()).toEqual(['DICOMDIR', 'SER0001/IMG0001'])
  for (const syntax of [explicit, '1.2.840.10008.1.2.4.80']) {
    const { bytes, reply } = await download(
      member,
      studyUid,
      `bundle=dicom&transfer_syntax=${syntax}&anonymize_tags=${listed}`,
    )
    expect([syntax, told(bytes), reply.headers.get('content-disposition')]).toEqual([
      syntax,
      [],
      expect.stringContaining('ANON_ONE'),
    ])
    const { folder, names } = await unpack(bytes)
    expect(names).toEqual(['SER0001/IMG0001', 'DICOMDIR'])
    await run('dcmftest', names, { cwd: folder })
    expect(await dumped(folder, 'SER0001/IMG0001', '0002,0010')).toEqual([syntax])
    expect(new Set(await dumped(folder, 'SER0001/IMG0001', '0010,0010'))).toEqual(new Set(['ANON^ONE']))
  }
  const pictures = await download(member, studyUid, `bundle=image&anonymize_tags=${listed}`)
  expect(pictures.reply.headers.get('content-disposition')).toContain('ANON_ONE')
  const form = new URLSearchParams([
    ['anonymize_tags', `${name}=ANON^ONE`],
    ['anonymize_tags', `${Tag.PatientBirthDate}=__DELETE__`],
  ])
  const posted = await fetch(addressOf(member, studyUid, `bundle=dicom&anonymize_tags=${id}=SUBJ-1`), {
    method: 'POST',
    body: form,
  })
  expect([posted.status, told(Buffer.from(await posted.arrayBuffer()))]).toEqual([200, []])
})

test('a value that the character set of the file cannot hold brings all its texts into Unicode', async () => {
  const member = await storage.addMember(all)
  const studyUid = newUid()
  const more = [
    { tag: Tag.SpecificCharacterSet, vr: 'CS', value: 'ISO_IR 100' },
    { tag: Tag.InstitutionName, vr: 'LO', value: Buffer.from('Köln', 'latin1') },
    { tag: Tag.PatientName, vr: 'PN', value: Buffer.from('Müller', 'latin1') },
  ]
  await upload(member, madeImage({ studyUid, number: 1, more }))
  const query = `bundle=dicom&anonymize_tags=${name}=${encodeURIComponent('Yamada^Tarou=山田^太郎')}`
  const { folder, names } = await unpack((await download(member, studyUid, query)).bytes)
  await run('dcmftest', names, { cwd: folder })
  const of = (tag: string) => dumped(folder, 'SER0001/IMG0001', tag)
  expect([await of('0008,0005'), await of('0010,0010'), await of('0008,0080')]).toEqual([
    ['ISO_IR 192'],
    ['Yamada^Tarou=山田^太郎'],
    ['Köln'],
  ])
})

test.each([
  ['', 'list'],
  ['1048592', 'list'],
  ['00100010=X', 'decimal'],
  ['0x100010=X', 'decimal'],
  ['1048592=A,', 'list'],
  ['4294967296=A', 'decimal'],
  [`${name}=A,${name}=B`, '(0010,0010) stands in the list twice'],
  [`${Tag.StudyInstanceUID}=1.2`, '(0020,000D)'],
  [`${Tag.SOPInstanceUID}=__DELETE__`, '(0008,0018)'],
  [`${Tag.TransferSyntaxUID}=1.2`, '(0002,0010)'],
  [`${Tag.Rows}=1`, '(0028,0010)'],
  [`${Tag.PixelData}=__DELETE__`, '(7FE0,0010)'],
  [`${Tag.SpecificCharacterSet}=ISO_IR 100`, '(0008,0005)'],
  [`${0x00091001}=x`, 'private'],
  [`${id}=${'x'.repeat(65)}`, 'LO'],
  [`${Tag.PatientBirthDate}=19701332`, 'DA'],
  [`${0x00081120}=x`, 'SQ'],
])('the list "%s" is refused in words, whatever the bundle', async (list, words) => {
  const member = await storage.addMember(all)
  const studyUid = newUid()
  await upload(member, madeImage({ studyUid, number: 1 }))
  for (const bundle of ['dicom', 'iso', 'image', `dicom&transfer_syntax=${explicit}`]) {
    const reply = await fetch(
      addressOf(member, studyUid, `bundle=${bundle}&anonymize_tags=${encodeURIComponent(list)}`),
    )
    const { kind, message } = (await reply.json()) as { kind: unknown; message: string }
    expect([bundle, reply.status, kind]).toEqual([
      bundle,
      412,
      { code: 41, readable_status: 'ANONYMIZE_TAGS_FORMAT_ERROR' },
    ])
    expect(message).toContain(words)
    expect(message).not.toContain('xxx')
  }
})

test('an image that cannot be written anew is left out and named with the reason', async () => {
  const member = await storage.addMember(all)
  const studyUid = newUid()
  await upload(member, madeImage({ studyUid, number: 1 }))
  const emptyItems = Buffer.alloc(8 * 700_000)
  for (let at = 0; at < emptyItems.length; at += 8) emptyItems.writeUInt32LE(0xe000fffe, at)
  await upload(member, madeImage({ studyUid, number: 2, more: [{ tag: 0x00081120, vr: 'SQ', value: emptyItems }] }))
  for (const more of ['', `&transfer_syntax=${explicit}`]) {
    const query = `bundle=dicom&anonymize_tags=${listed}${more}`
    const { folder, names } = await unpack((await download(member, studyUid, query)).bytes)
    expect([more, names]).toEqual([more, ['SER0001/IMG0001', 'ERROR.txt', 'DICOMDIR']])
    expect(await readFile(join(folder, 'ERROR.txt'), 'utf8')).toMatch(/^SER0001\/IMG0002: left out, .*too many/)
    expect(await dumped(folder, 'DICOMDIR', '0004,1500')).toEqual(['SER0001\\IMG0001'])
  }
})

test('what was replaced is on record by its tags, not by its values', async () => {
  const member = await storage.addMember(all)
  const studyUid = newUid()
  await upload(member, madeImage({ studyUid, number: 1 }))
  for (const query of ['', `&anonymize_tags=${listed}`, `&anonymize_tags=${name}=OTHER`, `&anonymize_tags=${listed}`])
    await download(member, studyUid, `bundle=dicom${query}`)
  const rows = await storage.query<{ detail: unknown }>(
    `select detail from audit where action = 'STUDY_DOWNLOAD' and actor = '${member.user}' order by id`,
  )
  expect(rows.map((row) => row.detail)).toEqual([
    {},
    { anonymize_tags: ['00100010', '00100020', '00100030'] },
    { anonymize_tags: ['00100010'] },
  ])
})

describe.skipIf(isCorpusMissing)('real images', () => {
  test.each([
    'charsets/',
    'studies/mr-multiseries-stc/',
    'studies/us-stress-echo/',
    'studies/ct-with-sr-seg-pr-ko-pdf/',
  ])('of %s keep their pixels and are sound files, with the new name alone', async (folder) => {
    const files = listCorpus(folder).filter((file) => file.expected === 'accept')
    for (const [studyUid, own] of Map.groupBy(files.slice(0, 12), (file) => file.study_uid ?? '')) {
      const member = await storage.addMember(all)
      for (const file of own) await upload(member, readCorpusFile(file.path))
      const list = encodeURIComponent(`${name}=ANON^ÉÜ,${id}=SUBJ-1`)
      const { bytes } = await download(member, studyUid, `bundle=dicom&as_received=1&anonymize_tags=${list}`)
      const { folder: out, names } = await unpack(bytes)
      const images = names.filter((one) => one !== 'DICOMDIR')
      expect([studyUid, images.length, names.includes('ERROR.txt')]).toEqual([studyUid, own.length, false])
      await run('dcmftest', names, { cwd: out })
      const stored = new Map(own.map((file) => pixelsOf(readCorpusFile(file.path))))
      for (const one of images) {
        const [uid, pixels] = pixelsOf(await readFile(join(out, one)))
        const whole = stored.get(uid) ?? Buffer.alloc(0)
        // padding and signatures behind the pixels stay behind
        const isUnchanged = pixels.equals(whole.subarray(0, pixels.length))
        expect([uid, pixels.length > 0, isUnchanged]).toEqual([uid, whole.length > 0, true])
      }
      for (const one of images) {
        const tellsName = await dumped(out, one, '0010,0010')
        expect([studyUid, new Set(tellsName)]).toEqual([studyUid, new Set(['ANON^ÉÜ'])])
      }
    }
  })
})

/** An instance and its pixel data with all that follows. */
function pixelsOf(file: Uint8Array): [sopUid: string, pixels: Buffer] {
  const read = readHeader(file, { untilPixelData: true, inflate })
  if (read.kind !== 'header') throw new Error('A whole file needs no more bytes')
  const { pixelOffset = file.length, sopInstanceUid } = read.header
  return [sopInstanceUid, Buffer.from(file.subarray(pixelOffset))]
}
