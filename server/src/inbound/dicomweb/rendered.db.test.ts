import { createHash } from 'node:crypto'
import { isCorpusMissing } from '@hilum/dicom/node/corpus'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { addressOf, inParts, partsOf, startDicomweb } from '../../../test/dicomweb-fixture.ts'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import type { Member } from '../../../test/storage-fixture.ts'

const server = await startDicomweb()

let member: Member
const get = (path: string, accept?: string, headers: Record<string, string> = {}) =>
  server.ask(member, `${member.namespace}/${path}`, { headers: { ...(accept ? { accept } : {}), ...headers } })

describe.skipIf(isCorpusMissing)('pictures', () => {
  beforeAll(async () => {
    member = await server.addMember(['study_upload', 'study_view'])
  })
  const openings = { 'image/jpeg': 'ffd8ff', 'image/png': '89504e', 'image/webp': '524946' }

  test('are drawn in the type asked for, with window, quality and viewport', async () => {
    const file = await server.stored(member, '1.2.1_explicit-le_CT1')
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
    const file = await server.stored(member, '4.50_jpeg-baseline_US-multiframe-ybr')
    const drawn = await partsOf(await get(`${addressOf(file)}/frames/1,2/rendered`, inParts('image/png')))
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
        headers: { accept: accept ?? inParts('image/png') },
      })
    for (const path of ['/rendered', `/series/${studyUid}.1/rendered`]) {
      const pictures = await partsOf(await drawn(path))
      expect([path, pictures.map((part) => part.body.toString('hex', 0, 3))]).toEqual([path, Array(3).fill('89504e')])
    }
    expect((await drawn(`/series/${studyUid}.2/rendered`)).status).toBe(406)
    expect((await drawn('/series/1.2.3/rendered')).status).toBe(404)
    expect((await drawn('/rendered', 'image/gif')).status).toBe(406)
    expect((await drawn('/rendered?window=1')).status).toBe(400)
    expect((await drawn('/rendered?annotation=patient')).headers.get('warning')).toContain('annotation')
  })

  test('there is a thumbnail of every level', async () => {
    const file = await server.stored(member, 'studies/xa-cath/')
    const series = `studies/${file.study_uid}/series/${file.series_uid}`
    for (const at of [`studies/${file.study_uid}`, series, addressOf(file), `${addressOf(file)}/frames/2`]) {
      const reply = await get(`${at}/thumbnail`)
      const bytes = Buffer.from(await reply.arrayBuffer())
      expect([at, reply.status, bytes.toString('hex', 0, 2)]).toEqual([at, 200, 'ffd8'])
    }
    expect((await get(`${series}/thumbnail`, 'image/png')).status).toBe(406)
  })

  test('what has no picture, or one that cannot be decoded, has a tile with the reason for a thumbnail', async () => {
    const tiles: Buffer[] = []
    for (const part of ['studies/ecg-waveform/', 'malformed/jpeg-that-is-not-jpeg']) {
      const file = await server.stored(member, part)
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
