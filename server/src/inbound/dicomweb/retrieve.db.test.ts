import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type CorpusFile, isCorpusMissing, listCorpus, readCorpusFile } from '@hilum/dicom/node/corpus'
import { blankPreamble } from '@hilum/dicom/splice'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf, inParts, partsOf, startDicomweb } from '../../../test/dicomweb-fixture.ts'
import type { Member } from '../../../test/storage-fixture.ts'

const server = await startDicomweb()
const run = promisify(execFile)
const all = ['study_upload', 'study_view', 'study_download'] as const
const explicit = '1.2.840.10008.1.2.1'
const work = await mkdtemp(join(tmpdir(), 'hilum-wado-'))
afterAll(() => rm(work, { recursive: true }))

let member: Member
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.ask(member, `${member.namespace}/${path}`, { headers, method })
const whole = (syntax?: string) => inParts('application/dicom', syntax)

/** Attributes of a file as DCMTK reads them. */
async function dump(bytes: Uint8Array, ...tags: string[]): Promise<string> {
  const path = join(work, 'one.dcm')
  await writeFile(path, bytes)
  const { stdout } = await run('dcmdump', [...tags.flatMap((tag) => ['+P', tag]), path], { maxBuffer: 1e8 })
  return stdout
}

const syntaxes = listCorpus('transfer-syntaxes/').filter((file) => file.expected === 'accept')

describe.skipIf(isCorpusMissing)('retrieving instances [WADO-RS]', () => {
  beforeAll(async () => {
    member = await server.addMember(all)
  })

  test('every transfer syntax leaves as stored, byte for byte, when the client takes any', async () => {
    for (const file of syntaxes) {
      const own = await server.addMember(all)
      await server.upload(own, [file.path])
      const reply = await server.ask(own, `${own.namespace}/${addressOf(file)}`, { headers: { accept: whole('*') } })
      const [part, ...rest] = await partsOf(reply)
      expect([file.path, rest.length, part?.headers['content-type']]).toEqual([
        file.path,
        0,
        `application/dicom; transfer-syntax=${file.transfer_syntax}`,
      ])
      expect(part?.body.equals(blankPreamble(readCorpusFile(file.path)))).toBe(true)
    }
  })

  test('every transfer syntax that can be decoded leaves in Explicit VR Little Endian, and DCMTK reads it whole', async () => {
    const answers: unknown[] = []
    for (const file of syntaxes) {
      const own = await server.addMember(all)
      await server.upload(own, [file.path])
      const reply = await server.ask(own, `${own.namespace}/${addressOf(file)}`, {
        headers: { accept: whole(explicit) },
      })
      if (reply.status === 406) {
        answers.push([file.path, ((await reply.json()) as { error: string }).error])
        continue
      }
      const [part] = await partsOf(reply)
      expect([file.path, part?.headers['content-type'], Number(part?.headers['content-length'])]).toEqual([
        file.path,
        `application/dicom; transfer-syntax=${explicit}`,
        part?.body.length,
      ])
      const text = await dump(part?.body ?? Buffer.alloc(0), '0002,0010', '0008,0018', '0028,0010')
      expect([file.path, text]).toEqual([file.path, expect.stringContaining('=LittleEndianExplicit')])
      expect(text).toContain(`[${file.sop_uid}]`)
    }
    expect(answers).toEqual([])
  })

  test('decoded pixels equal those that DCMTK decodes, in data sets written anew too', async () => {
    for (const name of [
      '1.2_implicit-le_CT1',
      '1.2.2_big-endian_CT1',
      '1.2.1.99_deflated_CT1',
      '4.80_jpeg-ls-lossless_CT1',
      '4.70_jpeg-lossless-sv1_CT1',
      '4.201_htj2k-lossless_CT1',
    ]) {
      const own = await server.addMember(all)
      const file = syntaxes.find((one) => one.path.endsWith(`/${name}.dcm`))
      await server.upload(own, [file?.path ?? ''])
      const reply = await server.ask(own, `${own.namespace}/${addressOf(file as CorpusFile)}`, {
        headers: { accept: `application/dicom; transfer-syntax=${explicit}` },
      })
      const got = Buffer.from(await reply.arrayBuffer())
      const reference = Buffer.from(readCorpusFile('transfer-syntaxes/1.2.1_explicit-le_CT1.dcm'))
      const pixels = 512 * 512 * 2
      const start = (bytes: Buffer) => bytes.lastIndexOf(Buffer.from([0xe0, 0x7f, 0x10, 0x00, 0x4f, 0x57])) + 12
      expect([
        name,
        got
          .subarray(start(got), start(got) + pixels)
          .equals(reference.subarray(start(reference), start(reference) + pixels)),
      ]).toEqual([name, true])
    }
  })

  test('what cannot be decoded is refused in words when nothing else is taken, and else leaves as stored', async () => {
    const [video] = listCorpus('studies/video-endoscopy/') as [CorpusFile]
    await server.upload(member, [video.path])
    const refused = await get(addressOf(video), { accept: whole(explicit) })
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
      406,
      expect.stringContaining('video'),
    ])
    const [part] = await partsOf(await get(addressOf(video)))
    expect(part?.headers['content-type']).toContain(video.transfer_syntax)
  })

  test('colours that were decoded to RGB say so in the instance', async () => {
    const file = syntaxes.find((one) => one.path.includes('4.50_jpeg-baseline_US-multiframe-ybr')) as CorpusFile
    await server.upload(member, [file.path])
    const reply = await get(addressOf(file), { accept: `application/dicom; transfer-syntax=${explicit}` })
    expect(await dump(Buffer.from(await reply.arrayBuffer()), '0028,0004')).toContain('[RGB]')
  })

  test('without a transfer syntax the default holds: decoded what lost nothing, as stored what did', async () => {
    const lossless = syntaxes.find((one) => one.path.includes('4.80_jpeg-ls-lossless_CT1')) as CorpusFile
    const lossy = syntaxes.find((one) => one.path.includes('4.91_j2k-lossy_VL1')) as CorpusFile
    await server.upload(member, [lossless.path, lossy.path])
    const [implicit] = listCorpus('studies/ct-with-sr-seg-pr-ko-pdf/seg') as [CorpusFile]
    await server.upload(member, [implicit.path])
    const [rewritten] = await partsOf(await get(addressOf(implicit)))
    expect(rewritten?.headers['content-type']).toBe(`application/dicom; transfer-syntax=${explicit}`)
    const [one] = await partsOf(await get(addressOf(lossless)))
    expect(one?.headers['content-type']).toBe(`application/dicom; transfer-syntax=${explicit}`)
    const [other] = await partsOf(await get(addressOf(lossy)))
    expect(other?.headers['content-type']).toBe(`application/dicom; transfer-syntax=${lossy.transfer_syntax}`)
  })

  test('a study and a series come in parts that name themselves; DCMTK reads each', async () => {
    const files = listCorpus('studies/ct-with-sr-seg-pr-ko-pdf/').filter(
      (one, _, list) => one.study_uid === list[0]?.study_uid,
    )
    await server.upload(
      member,
      files.map((file) => file.path),
    )
    const study = files[0]?.study_uid ?? ''
    const parts = await partsOf(await get(`studies/${study}`, { accept: whole('*') }))
    expect(parts.map((part) => part.headers['content-location']?.split('/').at(-1)).sort()).toEqual(
      files.map((file) => file.sop_uid).sort(),
    )
    for (const part of parts) expect(await dump(part.body, '0020,000d')).toContain(`[${study}]`)
    const series = await partsOf(await get(`studies/${study}/series/${files[0]?.series_uid}`))
    expect(series.length).toBe(files.filter((file) => file.series_uid === files[0]?.series_uid).length)
    expect((await get(`studies/${study}`, { accept: 'application/dicom' })).status).toBe(406)
  })

  test('a syntax that is neither stored nor Explicit VR Little Endian is refused in words; a later range may still be met', async () => {
    const file = syntaxes.find((one) => one.path.includes('1.2.1_explicit-le_CT1')) as CorpusFile
    await server.upload(member, [file.path])
    const refused = await get(addressOf(file), { accept: whole('1.2.840.10008.1.2.4.91') })
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
      406,
      expect.stringContaining('transfer-syntax=*'),
    ])
    expect((await get(addressOf(file), { accept: 'text/html' })).status).toBe(406)
    const met = await get(addressOf(file), { accept: `${whole('1.2.840.10008.1.2.4.91')}, ${whole('*')};q=0.5` })
    expect(met.status).toBe(200)
    expect(
      (await get(`${addressOf(file)}?accept=${encodeURIComponent(whole('*'))}`, { accept: 'text/html' })).status,
    ).toBe(200)
  })

  test('one instance answers a head, a range and a known tag', async () => {
    const file = syntaxes.find((one) => one.path.includes('1.2.1_explicit-le_CT1')) as CorpusFile
    const bare = { accept: 'application/dicom; transfer-syntax=*' }
    await server.upload(member, [file.path])
    const full = await get(addressOf(file), bare)
    const bytes = Buffer.from(await full.arrayBuffer())
    expect([full.headers.get('content-type'), Number(full.headers.get('content-length'))]).toEqual([
      `application/dicom; transfer-syntax=${explicit}`,
      bytes.length,
    ])
    const head = await get(addressOf(file), bare, 'HEAD')
    expect([head.status, Number(head.headers.get('content-length')), (await head.arrayBuffer()).byteLength]).toEqual([
      200,
      bytes.length,
      0,
    ])
    const range = await get(addressOf(file), { ...bare, range: 'bytes=128-131' })
    expect([range.status, await range.text()]).toEqual([206, 'DICM'])
    expect((await get(addressOf(file), { ...bare, range: `bytes=${bytes.length}-` })).status).toBe(416)
    expect((await get(addressOf(file), { ...bare, 'if-none-match': full.headers.get('etag') ?? '' })).status).toBe(304)
    expect((await get(`studies/${file.study_uid}`, {}, 'HEAD')).headers.get('content-type')).toContain(
      'multipart/related',
    )
  })

  test('a range of a decoded instance is that of the whole', async () => {
    const file = syntaxes.find((one) => one.path.includes('4.50_jpeg-baseline_US-multiframe-ybr')) as CorpusFile
    const bare = { accept: `application/dicom; transfer-syntax=${explicit}` }
    await server.upload(member, [file.path])
    const bytes = Buffer.from(await (await get(addressOf(file), bare)).arrayBuffer())
    expect(bytes.length).toBeGreaterThan(400_000)
    const range = await get(addressOf(file), { ...bare, range: 'bytes=100000-400000' })
    expect(Buffer.from(await range.arrayBuffer()).equals(bytes.subarray(100_000, 400_001))).toBe(true)
  })
})

describe.skipIf(isCorpusMissing)('who may retrieve', () => {
  test('whoever may look and not download gets pictures and single images, and no study or series as files', async () => {
    const own = await server.addMember(all)
    const file = listCorpus('studies/dx-small/')[0] as CorpusFile
    await server.upload(own, [file.path])
    await server.query(
      `update role set permissions = '{study_view}' where account_uuid = '${own.account}' returning uuid`,
    )
    const at = addressOf(file)
    const [study, series] = [`studies/${file.study_uid}`, `studies/${file.study_uid}/series/${file.series_uid}`]
    const status = async (path: string) => (await server.ask(own, `${own.namespace}/${path}`)).status
    expect(await Promise.all([study, series].map(status))).toEqual([403, 403])
    expect(await Promise.all([at, `${series}/metadata`, `${at}/frames/1`].map(status))).toEqual([200, 200, 200])
    expect(await status('studies/1.2.3')).toBe(404)
  })

  test('nothing without a session, nothing through a foreign namespace, nothing that is not there', async () => {
    const own = await server.addMember(all)
    const other = await server.addMember(all)
    const file = listCorpus('studies/dx-small/')[0] as CorpusFile
    await server.upload(own, [file.path])
    const at = addressOf(file)
    const [study, series] = [`studies/${file.study_uid}`, `studies/${file.study_uid}/series/${file.series_uid}`]
    for (const path of [
      study,
      series,
      at,
      `${study}/metadata`,
      `${series}/metadata`,
      `${at}/metadata`,
      `${at}/frames/1`,
      `${at}/rendered`,
      `${at}/thumbnail`,
      `${study}/thumbnail`,
      `${series}/thumbnail`,
      `${at}/bulkdata/7FE00010`,
    ]) {
      expect([path, (await server.ask({ sid: 'x' }, `${own.namespace}/${path}`)).status]).toEqual([path, 401])
      for (const namespace of [own.namespace, other.namespace, 'all'])
        expect([path, (await server.ask(other, `${namespace}/${path}`)).status]).toEqual([path, 404])
      for (const wrong of [
        path.replace(file.study_uid ?? '', '1.2.3'),
        path.replace(file.series_uid ?? '', '9.9'),
        path.replace(file.sop_uid ?? '', '1.1'),
      ].filter((one) => one !== path))
        expect([wrong, (await server.ask(own, `${own.namespace}/${wrong}`)).status]).toEqual([wrong, 404])
      expect([path, (await server.ask(own, `all/${path}`)).status]).toEqual([path, 200])
    }
    // refusals are on record too, apart from the images that were seen
    const seenBy = (user: string) =>
      server.query(
        `select distinct action, type from audit where actor = '${user}' and action not in ('CREATE', 'ACCESS_REFUSED')
        order by action desc`,
      )
    const seen = ['STUDY_VIEW', 'STUDY_DOWNLOAD'].map((action) => ({ action, type: 'Study' }))
    expect(await seenBy(own.user)).toEqual(seen)
    expect(await seenBy(other.user)).toEqual([])
  })

  test('an address that climbs, or names what no database holds, finds nothing', async () => {
    const own = await server.addMember(all)
    for (const path of [
      'studies/..%2F..%2Fetc%2Fpasswd',
      'studies/%00',
      'studies/1.2%27%20or%201=1--',
      `studies/${'1'.repeat(390)}`,
      'studies/1/series/../../../etc/passwd/instances/1/bulkdata/..%2F..%2Fx',
    ])
      expect([path, (await server.ask(own, `${own.namespace}/${path}`)).status]).toEqual([path, 404])
  })
})
