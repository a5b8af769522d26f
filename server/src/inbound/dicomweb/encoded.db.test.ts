import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type CorpusFile, isCorpusMissing, listCorpus } from '@hilum/dicom/node/corpus'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { addressOf, corpusFile, inParts, partsOf, startDicomweb } from '../../../test/dicomweb-fixture.ts'
import { madeImage } from '../../../test/made-image.ts'
import type { Member } from '../../../test/storage-fixture.ts'
import { asEncoded } from '../../areas/dicomweb/encoded-instance.command.ts'
import { asReceived } from '../../areas/altered/corrected-instance.ts'
import { findRecordByUid } from '../../access/study-record.sql.ts'
import { findImage } from '../../areas/storage/record-images.sql.ts'
import { streamParts } from '../../areas/storage/parts.ts'

const server = await startDicomweb()
const run = promisify(execFile)
const all = ['study_upload', 'study_view', 'study_download'] as const
const explicit = '1.2.840.10008.1.2.1'
const jpegLs = '1.2.840.10008.1.2.4.80'
const jpeg2000 = '1.2.840.10008.1.2.4.90'
const htj2k = '1.2.840.10008.1.2.4.201'
const work = await mkdtemp(join(tmpdir(), 'hilum-encoded-'))
afterAll(() => rm(work, { recursive: true }))

let member: Member
const ask = (
  who: Member,
  path: string,
  accept: string,
  headers: Record<string, string> = {},
  method = 'GET',
  signal: AbortSignal | null = null,
) => server.ask(who, `${who.namespace}/${path}`, { method, headers: { accept, ...headers }, signal })
const single = (syntax: string) => `application/dicom; transfer-syntax=${syntax}`
const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer())
const refusalOf = async (reply: Response) => [reply.status, ((await reply.json()) as { error: string }).error]

/** Frames of 16 × 16 pixels, each flatter than the one before. */
function unlikePixels(frames: number) {
  const value = Uint8Array.from({ length: 256 * frames }, (_, index) => (index * 37) % (250 >> (index >> 8)))
  return { tag: Tag.PixelData, vr: 'OB', value }
}

async function dump(bytes: Uint8Array, ...tags: string[]): Promise<string> {
  const path = freshPath()
  await writeFile(path, bytes)
  return (await run('dcmdump', [...tags.flatMap((tag) => ['+P', tag]), path], { maxBuffer: 1e8 })).stdout
}

let files = 0
/** A name that is not there yet: dcmdump writes over nothing. */
const freshPath = () => join(work, `${(files += 1)}.dcm`)

/** The pixel data of a native file, as DCMTK reads it. */
async function pixelsOf(path: string): Promise<Buffer> {
  await run('dcmdump', ['+W', work, '+P', 'PixelData', path], { maxBuffer: 1e8 })
  return readFile(`${path}.0.raw`)
}

async function nativePixels(bytes: Uint8Array): Promise<Buffer> {
  const path = freshPath()
  await writeFile(path, bytes)
  return pixelsOf(path)
}

/** The pixels that DCMTK makes of a JPEG-LS file, samples of colour side by side. */
async function openedByDcmtk(bytes: Uint8Array): Promise<Buffer> {
  const [encoded, opened] = [freshPath(), freshPath()]
  await writeFile(encoded, bytes)
  await run('dcmdjpls', ['+px', encoded, opened])
  return pixelsOf(opened)
}

/** The pixels that we make of a file ourselves, having stored it in a group of its own. */
async function openedByUs(bytes: Uint8Array, address: string): Promise<Buffer> {
  const own = await server.addMember(all)
  expect((await server.stow(own, [bytes])).status).toBe(200)
  return nativePixels(await bytesOf(await ask(own, address, single(explicit))))
}

describe.skipIf(isCorpusMissing)('instances compressed for the client [WADO-RS]', () => {
  beforeAll(async () => {
    member = await server.addMember(all)
  })

  test.each([
    ['1.2_implicit-le_CT1', 'MONOCHROME2', 'MONOCHROME2'],
    ['1.2.2_big-endian_CT1', 'MONOCHROME2', 'MONOCHROME2'],
    ['1.2.5_rle_MR1', 'MONOCHROME2', 'MONOCHROME2'],
    ['1.2.5_rle_US1-rgb', 'RGB', 'YBR_RCT'],
    ['4.90_j2k-lossless_US1-rgb', 'RGB', 'YBR_RCT'],
    ['4.70_jpeg-lossless-sv1_MR1', 'MONOCHROME2', 'MONOCHROME2'],
  ])('%s holds the same pixels in JPEG-LS and in JPEG 2000 of both kinds', async (name, inJpegLs, inWavelets) => {
    const file = await server.stored(member, name)
    const at = addressOf(file)
    const expected = await nativePixels(await bytesOf(await ask(member, at, single(explicit))))
    for (const [syntax, photometric] of [
      [jpegLs, inJpegLs],
      [jpeg2000, inWavelets],
      [htj2k, inWavelets],
    ] as const) {
      const reply = await ask(member, at, single(syntax))
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, single(syntax)])
      const bytes = await bytesOf(reply)
      expect(bytes.length).toBe(Number(reply.headers.get('content-length')))
      const header = await dump(bytes, '0002,0010', '0008,0018', '0028,0004', '0028,0006')
      expect(header).toContain(`[${photometric}]`)
      expect(header).toContain(`[${file.sop_uid}]`)
      const planar = photometric === 'MONOCHROME2' ? [] : ['US 0']
      expect(header.match(/(?<=\(0028,0006\) )US \d/g) ?? []).toEqual(planar)
      const readings = [await openedByUs(bytes, at), ...(syntax === jpegLs ? [await openedByDcmtk(bytes)] : [])]
      expect(readings.map((pixels) => pixels.equals(expected))).toEqual(readings.map(() => true))
      const [part] = await partsOf(await ask(member, at, inParts('application/dicom', syntax)))
      expect([part?.headers['content-type'], part?.body.equals(bytes)]).toEqual([single(syntax), true])
      const range = await ask(member, at, single(syntax), { range: 'bytes=1000-60000' })
      expect([range.status, (await bytesOf(range)).equals(bytes.subarray(1000, 60_001))]).toEqual([206, true])
    }
  })

  test('what is in that syntax already leaves byte for byte', async () => {
    const file = await server.stored(member, '4.80_jpeg-ls-lossless_CT1')
    const asItIs = await bytesOf(await ask(member, addressOf(file), single('*')))
    expect((await bytesOf(await ask(member, addressOf(file), single(jpegLs)))).equals(asItIs)).toBe(true)
  })

  test('what is stored with losses is not compressed anew; the next range of the client counts', async () => {
    const file = await server.stored(member, '4.91_j2k-lossy_CT1')
    const [status, words] = await refusalOf(await ask(member, addressOf(file), single(jpegLs)))
    expect([status, words]).toEqual([406, expect.stringContaining('transfer-syntax=*')])
    const reply = await ask(member, addressOf(file), `${single(htj2k)}, ${single('*')};q=0.5`)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, single(file.transfer_syntax ?? '')])
  })

  test('what cannot be compressed is refused in words, and among others of its study leaves uncompressed', async () => {
    const folder = 'studies/ct-with-sr-seg-pr-ko-pdf/'
    const files = listCorpus(folder)
    await server.upload(
      member,
      files.map((file) => file.path),
    )
    const [image, bits, report] = ['ct_image', 'seg_image', 'sr_document.dcm'].map((name) => corpusFile(folder + name))
    for (const [file, reason] of [
      [bits, '1 bit'],
      [report, 'no picture'],
    ] as const)
      expect(await refusalOf(await ask(member, addressOf(file as CorpusFile), single(jpegLs)))).toEqual([
        406,
        expect.stringContaining(reason),
      ])
    const study = files.filter((file) => file.study_uid === image?.study_uid)
    const answer = await partsOf(await ask(member, `studies/${image?.study_uid}`, inParts('application/dicom', jpegLs)))
    const syntaxes = answer.map((part) => [
      part.headers['content-location']?.split('/').at(-1) === image?.sop_uid,
      part.headers['content-type'],
    ])
    expect(syntaxes).toHaveLength(study.length)
    for (const [isImage, type] of syntaxes) expect(type).toBe(single(isImage ? jpegLs : explicit))
  })

  test('every frame is a fragment of its own, and the offset table says where it begins', async () => {
    const studyUid = newUid()
    const lossy = { tag: 0x00282110, vr: 'CS', value: '01' }
    const made = madeImage({ studyUid, number: 1, frames: 5, more: [lossy, unlikePixels(5)] })
    expect((await server.stow(member, [made])).status).toBe(200)
    const at = `studies/${studyUid}/series/${studyUid}.1/instances/${studyUid}.1.1`
    const bytes = await bytesOf(await ask(member, at, single(jpegLs)))
    const pixels = bytes.subarray(bytes.lastIndexOf(Buffer.from('e07f10004f420000ffffffff', 'hex')) + 12)
    const offsets = Array.from({ length: 5 }, (_, frame) => pixels.readUInt32LE(8 + frame * 4))
    expect([pixels.readUInt32LE(4), offsets[0]]).toEqual([20, 0])
    for (const offset of offsets) {
      const item = pixels.subarray(28 + offset)
      expect(item.toString('hex', 0, 4)).toBe('feff00e0')
      expect(item.readUInt32LE(4) % 2).toBe(0)
      expect(item.toString('hex', 8, 10)).toBe('ffd8')
    }
    const expected = await nativePixels(made)
    expect((await openedByDcmtk(bytes)).equals(expected)).toBe(true)
    expect((await openedByUs(bytes, at)).equals(expected)).toBe(true)
    expect(await dump(bytes, '0028,2110')).toContain('[01]')
    const head = await ask(member, at, single(jpegLs), {}, 'HEAD')
    expect([head.status, Number(head.headers.get('content-length'))]).toEqual([200, bytes.length])

    // frames that were not kept are encoded a second time when they are sent
    const record = await findRecordByUid(server.db, member.namespace, studyUid)
    const instance = record && (await findImage(server.db, record, `${studyUid}.1.1`))
    if (!instance) throw new Error('The instance was not stored.')
    const received = asReceived(server.services.store, instance)
    const again = await asEncoded(server.services, instance, received, 'jpegLs', { maxMemoryBytes: 0 })
    const chunks: Uint8Array[] = []
    for await (const chunk of streamParts(again.parts, 0, again.length)) chunks.push(chunk)
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true)
  })
})

test('a client that has left has no further frames compressed for it', async () => {
  const own = await server.addMember(all)
  const studyUid = newUid()
  const made = madeImage({ studyUid, number: 1, frames: 20 })
  expect((await server.stow(own, [made])).status).toBe(200)
  const at = `studies/${studyUid}/series/${studyUid}.1/instances/${studyUid}.1.1`
  const { render } = server.services
  const encode = render.transcode
  const client = new AbortController()
  const frames: number[] = []
  const second = Promise.withResolvers<void>()
  // The second frame waits until the server knows that the client has left.
  const watched = vi.spyOn(render, 'transcode').mockImplementation(async (request, options) => {
    frames.push(request.frame)
    if (request.frame !== 1) return encode(request, options)
    client.abort()
    await new Promise((resolve) => options?.signal?.addEventListener('abort', resolve, { once: true }))
    return encode(request, options).finally(second.resolve)
  })
  const answer = ask(own, at, single(jpegLs), {}, 'GET', client.signal)
  await expect(answer).rejects.toThrow('aborted')
  await second.promise
  await server.list(own, `${own.namespace}/studies`)
  watched.mockRestore()
  expect(frames).toEqual([0, 1])
})
