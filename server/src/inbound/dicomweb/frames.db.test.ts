import { createHash } from 'node:crypto'
import { readdir, readlink } from 'node:fs/promises'
import { get as httpGet } from 'node:http'
import { join } from 'node:path'
import { type CorpusFile, isCorpusMissing, listCorpus, readCorpusFile } from '@hilum/dicom/node/corpus'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { partsOf, startDicomweb } from '../../../test/dicomweb-fixture.ts'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import type { Member } from '../../../test/storage-fixture.ts'

const server = await startDicomweb()
const explicit = '1.2.840.10008.1.2.1'
const octets = 'application/octet-stream'

let member: Member
const get = (path: string, accept?: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.ask(member, `${member.namespace}/${path}`, { method, headers: { ...(accept ? { accept } : {}), ...headers } })
const addressOf = (file: CorpusFile) => `studies/${file.study_uid}/series/${file.series_uid}/instances/${file.sop_uid}`
const parts = (type: string, syntax?: string) =>
  `multipart/related; type="${type}"${syntax ? `; transfer-syntax=${syntax}` : ''}`
const error = async (reply: Response) => ((await reply.json()) as { error: string }).error
const named = (part: string) => listCorpus('').find((file) => file.path.includes(part)) as CorpusFile

/** The files below a folder that this process, and with it the server, holds open. */
async function openFilesUnder(folder: string): Promise<string[]> {
  const links = (await readdir('/proc/self/fd')).map((name) => readlink(`/proc/self/fd/${name}`).catch(() => ''))
  return (await Promise.all(links)).filter((path) => path.startsWith(folder))
}

async function stored(part: string): Promise<CorpusFile> {
  const file = named(part)
  await server.upload(member, [file.path])
  return file
}

describe.skipIf(isCorpusMissing)('retrieving frames [WADO-RS]', () => {
  beforeAll(async () => {
    member = await server.addMember(['study_upload', 'study_view'])
  })

  test.each([
    ['4.50_jpeg-baseline_SC-rgb', 'image/jpeg', 'ffd8'],
    ['4.70_jpeg-lossless-sv1_MR1', 'image/jpeg', 'ffd8'],
    ['4.80_jpeg-ls-lossless_CT1', 'image/jls', 'ffd8'],
    ['4.91_j2k-lossy_VL1', 'image/jp2', 'ff4f'],
    ['4.201_htj2k-lossless_US1', 'image/jphc', 'ff4f'],
    ['1.2.5_rle_US1', 'image/dicom-rle', '0300'],
  ])('%s leaves as %s, as bytes of its own syntax, and decoded', async (name, mediaType, opening) => {
    const file = await stored(name)
    const at = `${addressOf(file)}/frames/1`
    for (const [accept, contentType] of [
      [parts(octets, '*'), `${octets}; transfer-syntax=${file.transfer_syntax}`],
      [parts(octets, file.transfer_syntax), `${octets}; transfer-syntax=${file.transfer_syntax}`],
      [parts(mediaType), `${mediaType}; transfer-syntax=${file.transfer_syntax}`],
      [parts('image/*'), `${mediaType}; transfer-syntax=${file.transfer_syntax}`],
      [parts(mediaType, file.transfer_syntax), `${mediaType}; transfer-syntax=${file.transfer_syntax}`],
    ]) {
      const [part, ...rest] = await partsOf(await get(at, accept))
      expect([accept, rest.length, part?.headers['content-type']]).toEqual([accept, 0, contentType])
      expect(part?.body.toString('hex', 0, 2)).toBe(opening)
    }
    for (const accept of [parts(octets), parts(octets, explicit), '*/*', undefined]) {
      const [part] = await partsOf(await get(at, accept))
      expect([accept, part?.headers['content-type']]).toEqual([accept, `${octets}; transfer-syntax=${explicit}`])
      const samples = part?.body.length ?? 0
      expect(samples % (Number(file.rows) * Number(file.columns))).toBe(0)
    }
    const bare = await get(at, mediaType)
    expect([bare.status, bare.headers.get('content-type')?.startsWith(mediaType)]).toEqual([200, true])
  })

  test('native frames are both stored and decoded; a wrong media type is refused in words', async () => {
    const file = await stored('1.2_implicit-le_CT1')
    const at = `${addressOf(file)}/frames/1`
    const [any] = await partsOf(await get(at, parts(octets, '*')))
    const [plain] = await partsOf(await get(at, parts(octets)))
    expect([any?.headers['content-type'], any?.body.length]).toEqual([
      `${octets}; transfer-syntax=${explicit}`,
      512 * 512 * 2,
    ])
    expect(any?.body.equals(plain?.body ?? Buffer.alloc(0))).toBe(true)
    for (const accept of [
      parts('image/jxl'),
      parts('image/jls', '1.2.840.10008.1.2.4.81'),
      parts(octets, '1.2.840.10008.1.2.4.91'),
      'text/html',
      'image/png',
    ]) {
      const refused = await get(at, accept)
      expect([accept, refused.status, await error(refused)]).toEqual([accept, 406, expect.stringContaining(octets)])
    }
  })

  test('a list of frames comes in its order, frames are counted from 1, and lists have a limit', async () => {
    const file = await stored('4.50_jpeg-baseline_US-multiframe-ybr')
    const at = `${addressOf(file)}/frames`
    const list = await partsOf(await get(`${at}/3,1,2`, parts(octets, '*')))
    const alone = await Promise.all(
      [3, 1, 2].map(async (frame) => (await partsOf(await get(`${at}/${frame}`, parts(octets, '*'))))[0]?.body),
    )
    expect(list.map((part) => part.body.toString('base64'))).toEqual(alone.map((body) => body?.toString('base64')))
    const long = await partsOf(
      await get(`${at}/${Array.from({ length: 300 }, () => '1').join(',')}`, parts(octets, '*')),
    )
    expect(long).toHaveLength(300)
    for (const [frames, status] of [
      ['0', 400],
      ['-1', 400],
      ['1,,2', 400],
      ['one', 400],
      ['1.5', 400],
      ['9'.repeat(300), 400],
      ['999999999', 404],
      [Array.from({ length: 1001 }, () => '1').join(','), 400],
      ['1/nothing', 404],
      ['1/rendered/more', 404],
    ] as const)
      expect([frames.slice(0, 20), (await get(`${at}/${frames}`)).status]).toEqual([frames.slice(0, 20), status])
  })

  test('clients that leave while frames are on their way leave no file open', async () => {
    const file = await stored('studies/us-stress-echo/')
    const address = `${server.origin}/dicomweb/${member.namespace}/${addressOf(file)}/frames/1,1,1,1,1,1,1,1`
    const headers = { authorization: `Bearer ${member.sid}`, accept: parts(octets, '*') }
    const leave = () =>
      new Promise<void>((resolve, reject) => {
        const request = httpGet(address, { headers, agent: false }, (response) => {
          response.on('error', () => undefined)
          request.destroy()
          resolve()
        })
        request.on('error', reject)
      })
    for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: 4 }, leave))
    // such a file is closed by the garbage collection at last, and that ends the process
    await expect.poll(() => openFilesUnder(join(server.folder, 'objects'))).toEqual([])
    expect((await get(`${addressOf(file)}/frames/1`)).status).toBe(200)
  })

  test('an object without pictures says so', async () => {
    const file = await stored('studies/ecg-waveform/')
    for (const what of ['frames/1', 'rendered']) {
      const reply = await get(`${addressOf(file)}/${what}`)
      expect([what, reply.status, (await error(reply)).length > 10]).toEqual([what, 406, true])
    }
  })

  test('what has no picture, or one that cannot be decoded, has a tile with the reason for a thumbnail', async () => {
    const tiles: Buffer[] = []
    for (const part of ['studies/ecg-waveform/', 'malformed/jpeg-that-is-not-jpeg']) {
      const file = await stored(part)
      for (const at of [addressOf(file), `studies/${file.study_uid}/series/${file.series_uid}`]) {
        const reply = await get(`${at}/thumbnail`)
        expect([at, reply.status, reply.headers.get('content-type')]).toEqual([at, 200, 'image/jpeg'])
        tiles.push(Buffer.from(await reply.arrayBuffer()))
      }
    }
    const { width, height } = await sharp(tiles[0]).metadata()
    expect([width, height]).toEqual([256, 256])
    // each says its own reason
    expect([tiles[0]?.equals(tiles[1] as Buffer), tiles[0]?.equals(tiles[2] as Buffer)]).toEqual([true, false])
  })
})

describe.skipIf(isCorpusMissing)('pictures', () => {
  beforeAll(async () => {
    member = await server.addMember(['study_upload', 'study_view'])
  })
  const openings = { 'image/jpeg': 'ffd8ff', 'image/png': '89504e', 'image/webp': '524946' }

  test('are drawn in the type asked for, with window, quality and viewport', async () => {
    const file = await stored('1.2.1_explicit-le_CT1')
    const at = `${addressOf(file)}/rendered`
    const hash = async (query: string, accept = 'image/jpeg') => {
      const reply = await get(`${at}${query}`, accept)
      const bytes = Buffer.from(await reply.arrayBuffer())
      expect([query, reply.status, reply.headers.get('content-type'), bytes.toString('hex', 0, 3)]).toEqual([
        query,
        200,
        accept,
        openings[accept as keyof typeof openings],
      ])
      return `${bytes.length}-${createHash('sha256').update(bytes).digest('hex')}`
    }
    const pictures = [
      await hash(''),
      await hash('', 'image/png'),
      await hash('', 'image/webp'),
      await hash('?window=40,80,linear'),
      await hash('?window=40,80,sigmoid'),
      await hash('?quality=10'),
      await hash('?viewport=100,100'),
    ]
    expect(new Set(pictures).size).toBe(pictures.length)
    const frame = await get(`${addressOf(file)}/frames/1/rendered`, 'image/jpeg')
    expect([frame.status, frame.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    const tag = frame.headers.get('etag') ?? ''
    expect((await get(`${addressOf(file)}/frames/1/rendered`, 'image/jpeg', { 'if-none-match': tag })).status).toBe(304)
    for (const query of [
      'window=40',
      'window=40,0',
      'window=a,b',
      'window=1,2,cubic',
      'quality=0',
      'quality=101',
      'viewport=0,5',
      'viewport=99999,1',
      'viewport=1,1,0,0,1,1',
    ])
      expect([query, (await get(`${at}?${query}`)).status]).toEqual([query, 400])
    expect((await get(at, 'image/gif')).status).toBe(406)
    expect((await get(`${at}?annotation=patient`)).headers.get('warning')).toContain('annotation')
  })

  test('several frames come as parts', async () => {
    const file = await stored('4.50_jpeg-baseline_US-multiframe-ybr')
    const drawn = await partsOf(await get(`${addressOf(file)}/frames/1,2/rendered`, parts('image/png')))
    expect(drawn.map((part) => [part.headers['content-type'], part.body.toString('hex', 0, 3)])).toEqual([
      ['image/png', '89504e'],
      ['image/png', '89504e'],
    ])
  })

  test('a series and a study are drawn whole, but for what has no picture', async () => {
    const own = await server.addMember(['study_upload', 'study_view'])
    const studyUid = newUid()
    const noPixels = { frames: 1, more: [{ tag: Tag.PixelData, vr: 'OB', value: new Uint8Array(2) }] }
    for (const image of [
      madeImage({ studyUid, number: 1, frames: 2 }),
      madeImage({ studyUid, number: 2 }),
      madeImage({ studyUid, number: 1, series: 2, ...noPixels }),
    ])
      await uploadImage(server, own, image)
    const drawn = (path: string, accept?: string) =>
      server.ask(own, `${own.namespace}/studies/${studyUid}${path}`, {
        headers: { accept: accept ?? parts('image/png') },
      })
    for (const path of ['/rendered', `/series/${studyUid}.1/rendered`]) {
      const pictures = await partsOf(await drawn(path))
      expect([path, pictures.map((part) => part.body.toString('hex', 0, 3))]).toEqual([path, Array(3).fill('89504e')])
    }
    expect((await drawn(`/series/${studyUid}.2/rendered`)).status).toBe(406)
    expect((await drawn('/series/1.2.3/rendered')).status).toBe(404)
    expect((await drawn('/rendered', 'image/gif')).status).toBe(406)
    expect((await drawn('/rendered?window=1')).status).toBe(400)
  })

  test('there is a thumbnail of every level', async () => {
    const file = await stored('studies/xa-cath/')
    const series = `studies/${file.study_uid}/series/${file.series_uid}`
    for (const at of [`studies/${file.study_uid}`, series, addressOf(file), `${addressOf(file)}/frames/2`]) {
      const reply = await get(`${at}/thumbnail`)
      const bytes = Buffer.from(await reply.arrayBuffer())
      expect([at, reply.status, bytes.toString('hex', 0, 2)]).toEqual([at, 200, 'ffd8'])
    }
    expect((await get(`${series}/thumbnail`, 'image/png')).status).toBe(406)
  })
})

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
      for (const [, address = ''] of metadata.matchAll(/"BulkDataURI":"\/dicomweb\/([^"]+)"/g)) {
        const alone = await server.ask(own, address, { headers: { accept: `${octets}; transfer-syntax=*` } })
        expect([file.path, address, alone.status]).toEqual([file.path, address, 200])
        const bytes = Buffer.from(await alone.arrayBuffer())
        const [part] = await partsOf(await server.ask(own, address, { headers: { accept: parts(octets, '*') } }))
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
    const video = await stored('studies/video-endoscopy/')
    await server.upload(member, [pdf.path])
    const bytes = Buffer.from(await (await get(`${addressOf(pdf)}/bulkdata/00420011`, octets)).arrayBuffer())
    expect(bytes.toString('latin1', 0, 5)).toBe('%PDF-')
    expect(Buffer.from(readCorpusFile(pdf.path)).includes(bytes)).toBe(true)
    const movie = await get(`${addressOf(video)}/bulkdata/7FE00010`, 'video/*, */*;q=0.1')
    expect([movie.status, movie.headers.get('content-type')?.startsWith('video/')]).toEqual([200, true])
    expect((await movie.arrayBuffer()).byteLength).toBeGreaterThan(1000)
  })

  test('an address that names no value finds nothing', async () => {
    const file = await stored('1.2.1_explicit-le_CT1')
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
