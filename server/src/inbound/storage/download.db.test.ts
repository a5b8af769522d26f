import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type CorpusFile, isCorpusMissing, listCorpus, readCorpusFile } from '@hilum/dicom/node/corpus'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { blankPreamble } from '@hilum/dicom/splice'
import { afterAll, describe, expect, test } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { readDisc } from '../../../test/read-disc.ts'
import { type Member, startStorage } from '../../../test/storage-fixture.ts'

const storage = await startStorage()
const run = promisify(execFile)
const work = await mkdtemp(join(tmpdir(), 'hilum-download-'))
afterAll(() => rm(work, { recursive: true }))

async function upload(member: Member, files: readonly CorpusFile[]): Promise<void> {
  for (const file of files) {
    const body = new Uint8Array(readCorpusFile(file.path))
    const reply = await fetch(`${storage.base}/namespace/${member.namespace}/image?sid=${member.sid}`, {
      method: 'POST',
      body,
    })
    expect(reply.status).toBe(202)
  }
}

function addressOf(member: Member, studyUid: string, query = 'bundle=dicom'): string {
  return `${storage.base}/study/${member.namespace}/${studyUid}/download?sid=${member.sid}&phi_namespace=${member.namespace}&${query}`
}

async function unpack(member: Member, studyUid: string, query?: string): Promise<{ folder: string; names: string[] }> {
  const reply = await fetch(addressOf(member, studyUid, query))
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/zip'])
  const folder = await mkdtemp(join(work, 'zip-'))
  const archive = join(folder, 'study.zip')
  const bytes = Buffer.from(await reply.arrayBuffer())
  expect(Number(reply.headers.get('content-length'))).toBe(bytes.length)
  await writeFile(archive, bytes)
  await run('unzip', ['-t', archive])
  await run('unzip', ['-q', archive, '-d', join(folder, 'out')])
  const { stdout } = await run('unzip', ['-Z1', archive])
  return { folder: join(folder, 'out'), names: stdout.trim().split('\n') }
}

const all = ['study_upload', 'study_view', 'study_download'] as const
const studyOf = (folder: string) => listCorpus(folder).slice(0, 12)

describe.skipIf(isCorpusMissing)('downloading a study by bundle, phi_namespace and sid [DOWNLOAD-01] [API-51]', () => {
  test.each([
    'studies/mr-multiseries-stc/',
    'studies/us-stress-echo/',
    'studies/mg-screening/',
    'studies/ct-with-sr-seg-pr-ko-pdf/',
    'charsets/',
  ])('%s comes byte for byte, with a DICOMDIR last that DCMTK reads [API-51]', async (folder) => {
    const member = await storage.addMember(all)
    const files = studyOf(folder).filter(
      (file) => file.expected === 'accept' && file.study_uid === studyOf(folder)[0]?.study_uid,
    )
    await upload(member, files)
    const { folder: out, names } = await unpack(member, files[0]?.study_uid ?? '')
    expect(names.at(-1)).toBe('DICOMDIR')
    const images = names.filter((name) => name !== 'DICOMDIR')
    expect(images.every((name) => /^SER\d{4}\/IMG\d{4}$/.test(name))).toBe(true)
    const got = await Promise.all(images.map(async (name) => (await readFile(join(out, name))).toString('base64')))
    const sent = files.map((file) => Buffer.from(blankPreamble(readCorpusFile(file.path))).toString('base64'))
    expect(got.sort()).toEqual(sent.sort())
    await run('dcmftest', [...images, 'DICOMDIR'], { cwd: out })
    const { stdout } = await run('dcmdump', ['+P', '0004,1500', 'DICOMDIR'], { cwd: out })
    expect(
      stdout
        .match(/\[[^\]]+\]/g)
        ?.map((id) => id.slice(1, -1).replaceAll('\\', '/'))
        .sort(),
    ).toEqual(images.sort())
  })

  test('answers a range, the head, a known tag, and a range outside the file', async () => {
    const member = await storage.addMember(all)
    const files = studyOf('studies/us-stress-echo/')
    await upload(member, files)
    const address = addressOf(member, files[0]?.study_uid ?? '')
    const whole = await fetch(address)
    const bytes = Buffer.from(await whole.arrayBuffer())
    const etag = whole.headers.get('etag') ?? ''
    const head = await fetch(address, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([
      200,
      String(bytes.length),
      etag,
    ])
    const pieces: Buffer[] = []
    for (let start = 0; start < bytes.length; start += 700_001) {
      const reply = await fetch(address, { headers: { range: `bytes=${start}-${start + 700_000}`, 'if-range': etag } })
      expect(reply.status).toBe(206)
      pieces.push(Buffer.from(await reply.arrayBuffer()))
    }
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
    const end = await fetch(address, { headers: { range: 'bytes=-22' } })
    expect(Buffer.from(await end.arrayBuffer()).equals(bytes.subarray(-22))).toBe(true)
    expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(304)
    const outside = await fetch(address, { headers: { range: `bytes=${bytes.length}-` } })
    expect([outside.status, await outside.json()]).toMatchObject([
      416,
      { kind: { readable_status: 'REQUESTED_RANGE_NOT_SATISFIABLE' } },
    ])
  })

  test('blanks a preamble that could run, with the right CRC', async () => {
    const member = await storage.addMember(all)
    const [file] = listCorpus('malformed/preamble-exe.dcm')
    await upload(member, file ? [file] : [])
    const { folder, names } = await unpack(member, file?.study_uid ?? '')
    const bytes = await readFile(join(folder, names[0] ?? ''))
    expect(bytes.subarray(0, 128).every((byte) => byte === 0)).toBe(true)
    expect(bytes.subarray(128).equals(readCorpusFile(file?.path ?? '').subarray(128))).toBe(true)
  })

  test('applies a correction on the way out, and gives the bytes as received when asked', async () => {
    const member = await storage.addMember(all)
    const files = studyOf('studies/ct-with-sr-seg-pr-ko-pdf/')
    const studyUid = files[0]?.study_uid ?? ''
    const own = files.filter((file) => file.study_uid === studyUid)
    await upload(member, own)
    const [record] = await storage.query<{ patientid: string }>(
      `select patientid from study where phi_namespace = '${member.namespace}'`,
    )
    const edits = JSON.stringify([
      {
        tag: 'patientid',
        old: record?.patientid,
        new: 'CORRECTED-1',
        who: member.user,
        when: '2026-01-31 10:00:00.000000+00',
      },
    ])
    await storage.query(
      `update study set patientid = 'CORRECTED-1', edits = '${edits}' where phi_namespace = '${member.namespace}'`,
    )
    const { folder, names } = await unpack(member, studyUid)
    expect(names).not.toContain('ERROR.txt')
    for (const name of names) {
      const { stdout } = await run('dcmdump', ['+P', '0010,0020', name], { cwd: folder })
      expect(stdout).toContain('[CORRECTED-1]')
    }
    await run('dcmftest', names, { cwd: folder })
    const asCame = await unpack(member, studyUid, 'bundle=dicom&as_received=1')
    const { stdout } = await run('dcmdump', ['+P', '0010,0020', asCame.names[0] ?? ''], { cwd: asCame.folder })
    expect(stdout).toContain(`[${record?.patientid}]`)
  })

  test('refuses corrections while the images name two patients, and still gives them as received', async () => {
    const member = await storage.addMember(all)
    const files = listCorpus('malformed/collisions/one-study-two-patients')
    await upload(member, files)
    const edits = JSON.stringify([{ tag: 'patientid', old: 'A-COL-1', new: 'X', who: member.user, when: '' }])
    await storage.query(`update study set edits = '${edits}' where phi_namespace = '${member.namespace}'`)
    const refused = await fetch(addressOf(member, files[0]?.study_uid ?? ''))
    expect([refused.status, await refused.json()]).toMatchObject([409, { kind: { readable_status: 'CONFLICT' } }])
    const { names } = await unpack(member, files[0]?.study_uid ?? '', 'bundle=dicom&as_received=1')
    expect(names).toHaveLength(3)
    const image = addressOf(member, files[0]?.study_uid ?? '').replace(
      '/download',
      `/image/${files[0]?.sop_uid}/version/*`,
    )
    expect((await fetch(image)).status).toBe(409)
    expect((await fetch(`${image}&as_received=1`)).status).toBe(200)
  })

  test('brings images into the syntax asked for, and says which it could not', async () => {
    const member = await storage.addMember(all)
    const explicit = '1.2.840.10008.1.2.1'
    const [clip] = studyOf('studies/us-stress-echo/')
    const [broken] = listCorpus('malformed/jpeg-that-is-not-jpeg.dcm')
    const studyUid = clip?.study_uid ?? ''
    await upload(member, clip ? [clip] : [])
    await upload(member, broken ? [broken] : [])
    const convert = async (uid: string) => {
      const reply = await fetch(addressOf(member, uid, `bundle=dicom&transfer_syntax=${explicit}`))
      expect(reply.status).toBe(200)
      const folder = await mkdtemp(join(work, 'converted-'))
      await writeFile(join(folder, 'study.zip'), Buffer.from(await reply.arrayBuffer()))
      await run('unzip', ['-t', 'study.zip'], { cwd: folder })
      await run('unzip', ['-q', 'study.zip', '-d', 'out'], { cwd: folder })
      const dump = async (tag: string, name: string) =>
        (await run('dcmdump', ['-Un', '+P', tag, name], { cwd: join(folder, 'out') })).stdout.match(/\[([\d.]+)\]/)?.[1]
      await run('dcmftest', ['SER0001/IMG0001', 'DICOMDIR'], { cwd: join(folder, 'out') })
      return {
        syntaxes: [await dump('0002,0010', 'SER0001/IMG0001'), await dump('0004,1512', 'DICOMDIR')],
        errors: await readFile(join(folder, 'out', 'ERROR.txt'), 'utf8').catch(() => ''),
      }
    }
    expect(clip?.transfer_syntax).not.toBe(explicit)
    expect(await convert(studyUid)).toEqual({ syntaxes: [explicit, explicit], errors: '' })
    expect(await convert(broken?.study_uid ?? '')).toEqual({
      syntaxes: [broken?.transfer_syntax, broken?.transfer_syntax],
      errors: expect.stringMatching(/^SER0001\/IMG0001: left in JPEG/),
    })
    for (const query of [
      'bundle=dicom&transfer_syntax=1.2.840.10008.1.2.4.91',
      `bundle=iso&transfer_syntax=${explicit}`,
    ])
      expect([query, (await fetch(addressOf(member, studyUid, query))).status]).toEqual([query, 406])
  })

  test('is on record once for each session, and refused without the permission or to a stranger', async () => {
    const member = await storage.addMember(all)
    const [file] = studyOf('studies/mg-screening/')
    await upload(member, file ? [file] : [])
    const address = addressOf(member, file?.study_uid ?? '')
    await (await fetch(address)).arrayBuffer()
    await (await fetch(address)).arrayBuffer()
    expect(
      await storage.query(`select action, type from audit where action <> 'CREATE' and actor = '${member.user}'`),
    ).toEqual([{ action: 'STUDY_DOWNLOAD', type: 'Study' }])
    const stranger = await storage.addMember(all)
    const refused = [
      await fetch(address.replace(member.sid, stranger.sid)),
      await fetch(address.replace(member.sid, 'nothing')),
      await fetch(addressOf(member, '1.2.3.4')),
      await fetch(addressOf(member, file?.study_uid ?? '', '')),
    ]
    const answers = await Promise.all(
      refused.map(async (reply) => [
        reply.status,
        ((await reply.json()) as { kind: { readable_status: string } }).kind.readable_status,
      ]),
    )
    expect(answers).toEqual([
      [403, 'ACCESS_DENIED'],
      [403, 'ACCESS_DENIED'],
      [404, 'STUDY_NOT_FOUND'],
      [400, 'BAD_REQUEST'],
    ])
  })

  test('[API-50] lists the series, and shows a thumbnail of each image, from the cache the second time', async () => {
    const member = await storage.addMember(all)
    const [file] = studyOf('studies/us-stress-echo/')
    await upload(member, file ? [file] : [])
    const study = `${storage.base}/study/${member.namespace}/${file?.study_uid}`
    const { series } = (await (await fetch(`${study}/schema?sid=${member.sid}`)).json()) as {
      series: { series_uid: string; image_count: number; images: { id: string }[] }[]
    }
    expect(series).toMatchObject([{ series_uid: file?.series_uid, image_count: 1, images: [{ id: file?.sop_uid }] }])
    const address = `${study}/image/${series[0]?.images[0]?.id}/version/*/frame/0/thumbnail?depth=8&sid=${member.sid}`
    const [first, second] = [await fetch(address), await fetch(address)]
    expect([first.status, first.headers.get('content-type'), first.headers.get('x-content-type-options')]).toEqual([
      200,
      'image/jpeg',
      'nosniff',
    ])
    const picture = Buffer.from(await first.arrayBuffer())
    expect(picture.subarray(0, 2).toString('hex')).toBe('ffd8')
    expect(picture.equals(Buffer.from(await second.arrayBuffer()))).toBe(true)
    const tag = first.headers.get('etag') ?? ''
    expect((await fetch(address, { headers: { 'if-none-match': tag } })).status).toBe(304)
    expect((await fetch(address.replace('/frame/0/', '/frame/99999/'))).status).toBe(404)
  })
})

test('all frames come as pictures, and what has none is named with the reason', async () => {
  const member = await storage.addMember(all)
  const studyUid = newUid()
  await uploadImage(storage, member, madeImage({ studyUid, number: 1, frames: 2 }))
  await uploadImage(storage, member, madeImage({ studyUid, number: 2, series: 2 }))
  const noPixels = { tag: Tag.BitsAllocated, vr: 'US', value: 13 }
  await uploadImage(storage, member, madeImage({ studyUid, number: 3, series: 2, more: [noPixels] }))
  const reply = await fetch(addressOf(member, studyUid, 'bundle=image'))
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/zip'])
  const folder = await mkdtemp(join(work, 'pictures-'))
  await writeFile(join(folder, 'p.zip'), Buffer.from(await reply.arrayBuffer()))
  await run('unzip', ['-q', 'p.zip'], { cwd: folder })
  const { stdout } = await run('unzip', ['-Z1', 'p.zip'], { cwd: folder })
  expect(stdout.trim().split('\n')).toEqual([
    'SER0001/IMG0001_00000.jpg',
    'SER0001/IMG0001_00001.jpg',
    'SER0002/IMG0001.jpg',
    'ERROR.txt',
  ])
  expect((await readFile(join(folder, 'SER0002/IMG0001.jpg'))).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
  expect(await readFile(join(folder, 'ERROR.txt'), 'utf8')).toContain('SER0002/IMG0002')
})

test('a disc image holds the same files as the ZIP, and comes in ranges', async () => {
  const member = await storage.addMember(all)
  const studyUid = newUid()
  for (const series of [1, 2]) {
    for (const number of [1, 2, 3]) await uploadImage(storage, member, madeImage({ studyUid, number, series }))
  }
  const address = addressOf(member, studyUid, 'bundle=iso')
  const reply = await fetch(address)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/x-iso9660-image'])
  const disc = Buffer.from(await reply.arrayBuffer())
  expect(disc.length % 2048).toBe(0)
  const { folder, names } = await unpack(member, studyUid)
  const onDisc = readDisc(disc)
  expect([...onDisc.keys()].sort()).toEqual([...names].sort())
  for (const name of names) expect(onDisc.get(name)?.equals(await readFile(join(folder, name)))).toBe(true)
  const range = await fetch(address, { headers: { range: 'bytes=32768-32775' } })
  expect([range.status, Buffer.from(await range.arrayBuffer()).toString('latin1')]).toEqual([
    206,
    '\u0001CD001\u0001\0',
  ])
})
