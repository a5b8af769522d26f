import { type CorpusFile, isCorpusMissing, listCorpus, readCorpusFile } from '@hilum/dicom/node/corpus'
import { beforeAll, describe, expect, test } from 'vitest'
import { addressOf, inParts, partsOf, startDicomweb } from '../../../test/dicomweb-fixture.ts'
import type { Member } from '../../../test/storage-fixture.ts'

const server = await startDicomweb()
const octets = 'application/octet-stream'

let member: Member
const get = (path: string, accept?: string) =>
  server.ask(member, `${member.namespace}/${path}`, accept ? { headers: { accept } } : {})

describe.skipIf(isCorpusMissing)('bulk data', () => {
  beforeAll(async () => {
    member = await server.addMember(['study_upload', 'study_view'])
  })

  test('every address that metadata names gives bytes, alone and in parts, in ranges too', async () => {
    const wanted = [
      'studies/ecg-waveform/',
      'studies/mr-enhanced-multiframe-spectro',
      '1.2.1.99_deflated_CT1',
      '1.2.2_big-endian_CT1',
      '1.2_implicit-le_CT1',
      'studies/ct-with-sr-seg-pr-ko-pdf',
      'studies/pr-voi-lut',
    ]
    let asked = 0
    for (const file of listCorpus('').filter(
      (one) => one.expected === 'accept' && wanted.some((name) => one.path.includes(name)),
    )) {
      const own = await server.addMember(['study_upload', 'study_view'])
      await server.upload(own, [file.path])
      const metadata = await (await server.ask(own, `${own.namespace}/${addressOf(file)}/metadata`)).text()
      for (const [, address = ''] of metadata.matchAll(
        /"BulkDataURI":"http:\/\/127\.0\.0\.1:\d+\/dicomweb\/([^"]+)"/g,
      )) {
        const alone = await server.ask(own, address, { headers: { accept: `${octets}; transfer-syntax=*` } })
        expect([file.path, address, alone.status]).toEqual([file.path, address, 200])
        const bytes = Buffer.from(await alone.arrayBuffer())
        const [part] = await partsOf(await server.ask(own, address, { headers: { accept: inParts(octets, '*') } }))
        expect([file.path, address, part?.body.equals(bytes), bytes.length > 0]).toEqual([
          file.path,
          address,
          true,
          true,
        ])
        const range = await server.ask(own, address, {
          headers: { accept: `${octets}; transfer-syntax=*`, range: 'bytes=1-2' },
        })
        expect([range.status, Buffer.from(await range.arrayBuffer()).equals(bytes.subarray(1, 3))]).toEqual([206, true])
        asked += 1
      }
    }
    expect(asked).toBeGreaterThan(8)
  })

  test('a document leaves byte for byte, a video as one stream', async () => {
    const pdf = listCorpus('').find((file) => file.sop_class === '1.2.840.10008.5.1.4.1.1.104.1') as CorpusFile
    const video = await server.stored(member, 'studies/video-endoscopy/')
    await server.upload(member, [pdf.path])
    const bytes = Buffer.from(await (await get(`${addressOf(pdf)}/bulkdata/00420011`, octets)).arrayBuffer())
    expect(bytes.toString('latin1', 0, 5)).toBe('%PDF-')
    expect(Buffer.from(readCorpusFile(pdf.path)).includes(bytes)).toBe(true)
    const movie = await get(`${addressOf(video)}/bulkdata/7FE00010`, 'video/*, */*;q=0.1')
    expect([movie.status, movie.headers.get('content-type')?.startsWith('video/')]).toEqual([200, true])
    expect((await movie.arrayBuffer()).byteLength).toBeGreaterThan(1000)
  })

  test('an address that names no value finds nothing', async () => {
    const file = await server.stored(member, '1.2.1_explicit-le_CT1')
    for (const path of [
      '00420011',
      '0042',
      '..%2F..%2Fetc',
      '00081140/99/00080000',
      '00081140/-1/00081150',
      `${'00081140/0/'.repeat(40)}00081150`,
      '00081140/0',
      'ZZZZZZZZ',
    ])
      expect([path.slice(0, 30), (await get(`${addressOf(file)}/bulkdata/${path}`)).status]).toEqual([
        path.slice(0, 30),
        404,
      ])
  })
})
