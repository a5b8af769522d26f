import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { type Member, startStorage } from '../../../test/storage-fixture.ts'

const storage = await startStorage()
const run = promisify(execFile)
const work = await mkdtemp(join(tmpdir(), 'hilum-unwrapped-'))
afterAll(() => rm(work, { recursive: true }))

const pdf = Buffer.from('%PDF-1.7\nmade up, of even length\n%%EOF')
const ctStorage = '1.2.840.10008.5.1.4.1.1.2'
const mpeg4 = '1.2.840.10008.1.2.4.102'
const videoStream = Buffer.from('a video, as far as anybody looks')

async function wrap(member: Member, studyUid: string, content: Uint8Array, name: string): Promise<void> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(content)]), name)
  form.append('tags', JSON.stringify({ StudyInstanceUID: studyUid, patient_name: 'Made^Up', PatientID: 'M1' }))
  const reply = await fetch(`${storage.base}/namespace/${member.namespace}/wrap?sid=${member.sid}`, {
    method: 'POST',
    body: form,
    headers: { 'x-file-size': String(content.length) },
  })
  expect(reply.status).toBe(202)
}

async function pictures(member: Member, studyUid: string, query = '') {
  const study = `${storage.base}/study/${member.namespace}/${studyUid}`
  const reply = await fetch(
    `${study}/download?sid=${member.sid}&phi_namespace=${member.namespace}&bundle=image&flat_directory=1${query}`,
  )
  expect(reply.status).toBe(200)
  const folder = await mkdtemp(join(work, 'zip-'))
  await writeFile(join(folder, 'study.zip'), Buffer.from(await reply.arrayBuffer()))
  await run('unzip', ['-t', 'study.zip'], { cwd: folder })
  await run('unzip', ['-q', 'study.zip', '-d', 'out'], { cwd: folder })
  const { stdout } = await run('unzip', ['-Z1', 'study.zip'], { cwd: folder })
  return { folder: join(folder, 'out'), names: stdout.trim().split('\n').sort() }
}

const endingsOf = (names: readonly string[]) => names.map((name) => name.split('.').at(-1)).sort()

test('pictures come with documents as the files they were, their DICOM files only when they are asked for', async () => {
  const member = await storage.addMember(['study_upload', 'study_view', 'study_download'])
  const studyUid = newUid()
  await uploadImage(storage, member, madeImage({ studyUid, number: 1, sopClassUid: ctStorage }))
  await wrap(member, studyUid, pdf, 'report.pdf')
  const jpeg = await sharp({ create: { width: 40, height: 24, channels: 3, background: '#336699' } })
    .jpeg()
    .toBuffer()
  await wrap(member, studyUid, jpeg, 'photo.jpg')
  const plain = await pictures(member, studyUid)
  expect(endingsOf(plain.names)).toEqual(['jpg', 'jpg', 'pdf'])
  const document = plain.names.find((name) => name.endsWith('.pdf')) ?? ''
  expect((await readFile(join(plain.folder, document))).subarray(0, pdf.length).equals(pdf)).toBe(true)
  const all = await pictures(member, studyUid, `&include_wrapped_dicoms=1&anonymize_tags=${Tag.PatientName}=ANON`)
  expect(endingsOf(all.names)).toEqual(['dcm', 'dcm', 'jpg', 'jpg', 'pdf'])
  const wrapped = all.names.filter((name) => name.endsWith('.dcm'))
  await run('dcmftest', wrapped, { cwd: all.folder })
  for (const name of wrapped) {
    const { stdout } = await run('dcmdump', ['+P', '0010,0010', name], { cwd: all.folder })
    expect(stdout).toContain('[ANON]')
  }
})

test('a video comes as the stream that it is', async () => {
  const member = await storage.addMember(['study_upload', 'study_view', 'study_download'])
  const studyUid = newUid()
  // one fragment behind an empty table of offsets
  const item = (bytes: Buffer) => {
    const header = Buffer.from('feff00e000000000', 'hex')
    header.writeUInt32LE(bytes.length, 4)
    return Buffer.concat([header, bytes])
  }
  const fragments = Buffer.concat([item(Buffer.alloc(0)), item(videoStream)])
  const more = [{ tag: Tag.PixelData, vr: 'OB', value: fragments }]
  const made = Buffer.from(madeImage({ studyUid, number: 1, frames: 50, transferSyntax: mpeg4, more }))
  const head = made.subarray(0, made.length - fragments.length)
  // of undefined length, closed by a delimiter
  head.writeUInt32LE(0xffffffff, head.length - 4)
  const end = Buffer.from('feffdde000000000', 'hex')
  const { status } = await uploadImage(storage, member, Buffer.concat([head, fragments, end]))
  expect(status).toBe(202)
  const { folder, names } = await pictures(member, studyUid)
  expect(names).toEqual(['IMG0001.mp4'])
  expect((await readFile(join(folder, 'IMG0001.mp4'))).equals(videoStream)).toBe(true)
})

test('nothing else changes an archive: no viewer is ever in one', async () => {
  const member = await storage.addMember(['study_upload', 'study_view', 'study_download'])
  const studyUid = newUid()
  await uploadImage(storage, member, madeImage({ studyUid, number: 1 }))
  const tagOf = async (query: string) => {
    const address = `${storage.base}/study/${member.namespace}/${studyUid}/download?sid=${member.sid}&bundle=dicom${query}`
    const reply = await fetch(address, { method: 'HEAD' })
    return [reply.status, reply.headers.get('etag')]
  }
  const plain = await tagOf('')
  for (const query of ['&v3=1', '&exclude_viewer=1', '&stop_on_failure=1', '&include_wrapped_dicoms=1'])
    expect([query, await tagOf(query)]).toEqual([query, plain])
})
