import { isCorpusMissing } from '@hilum/dicom/node/corpus'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { beforeAll, describe, expect, test } from 'vitest'
import { addressOf, inParts, partsOf, startDicomweb } from '../../../test/dicomweb-fixture.ts'
import { madeImage } from '../../../test/made-image.ts'
import type { Member } from '../../../test/storage-fixture.ts'

const server = await startDicomweb()
const jpegLs = '1.2.840.10008.1.2.4.80'
const jpeg2000 = '1.2.840.10008.1.2.4.90'
const htj2k = '1.2.840.10008.1.2.4.201'
const octets = 'application/octet-stream'

let member: Member
const ask = (who: Member, path: string, accept: string) =>
  server.ask(who, `${who.namespace}/${path}`, { headers: { accept } })
const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer())
const refusalOf = async (reply: Response) => [reply.status, ((await reply.json()) as { error: string }).error]

describe.skipIf(isCorpusMissing)('frames compressed for the client [WADO-RS]', () => {
  beforeAll(async () => {
    member = await server.addMember(['study_upload', 'study_view'])
  })

  test.each([
    ['image/jls', jpegLs, 'ffd8'],
    ['image/jp2', jpeg2000, 'ff4f'],
    ['image/jphc', htj2k, 'ff4f'],
  ])('come as %s by media type, by syntax, and as bytes of that syntax', async (mediaType, syntax, opening) => {
    const file = await server.stored(member, '1.2.5_rle_MR1')
    const at = `${addressOf(file)}/frames/1`
    const bodies = new Set<string>()
    for (const [accept, contentType] of [
      [inParts(mediaType), mediaType],
      [inParts(mediaType, '*'), mediaType],
      [inParts(mediaType, syntax), mediaType],
      [inParts('image/*', syntax), mediaType],
      [inParts(octets, syntax), octets],
      [`${inParts('image/jxl')}, ${inParts(mediaType)};q=0.5`, mediaType],
    ] as const) {
      const [part, ...rest] = await partsOf(await ask(member, at, accept))
      expect([accept, rest.length, part?.headers['content-type']]).toEqual([
        accept,
        0,
        `${contentType}; transfer-syntax=${syntax}`,
      ])
      expect(part?.body.toString('hex', 0, 2)).toBe(opening)
      bodies.add(part?.body.toString('base64') ?? '')
    }
    const bare = await ask(member, at, mediaType)
    expect([bare.status, bare.headers.get('content-type')]).toEqual([200, `${mediaType}; transfer-syntax=${syntax}`])
    bodies.add((await bytesOf(bare)).toString('base64'))
    expect(bodies.size).toBe(1)
  })

  test('a list of frames comes in its order', async () => {
    const studyUid = newUid()
    // each flatter than the one before
    const value = Uint8Array.from({ length: 256 * 3 }, (_, index) => (index * 37) % (250 >> (index >> 8)))
    const pixels = { tag: Tag.PixelData, vr: 'OB', value }
    const made = madeImage({ studyUid, number: 1, frames: 3, more: [pixels] })
    expect((await server.stow(member, [made])).status).toBe(200)
    const at = `studies/${studyUid}/series/${studyUid}.1/instances/${studyUid}.1.1/frames`
    const one = await Promise.all(
      [3, 1].map(async (frame) => bytesOf(await ask(member, `${at}/${frame}`, 'image/jls'))),
    )
    const list = await partsOf(await ask(member, `${at}/3,1`, inParts('image/jls')))
    expect(list.map((part, index) => part.body.equals(one[index] ?? Buffer.alloc(0)))).toEqual([true, true])
  })

  test('are refused in words where that cannot be', async () => {
    const lossy = await server.stored(member, '4.91_j2k-lossy_CT1')
    const grey = await server.stored(member, '1.2_implicit-le_CT1')
    const bits = await server.stored(member, '8.1_deflated-image-frame_SEG')
    for (const [file, accept, reason] of [
      [lossy, inParts('image/jls'), 'image/jp2'],
      [lossy, inParts(octets, htj2k), 'image/jp2'],
      [grey, inParts('image/jphc', '1.2.840.10008.1.2.4.202'), 'image/jphc'],
      [grey, inParts('image/jls', '1.2.840.10008.1.2.4.81'), 'image/jls'],
      [bits, inParts('image/jls'), '1 bit'],
    ] as const) {
      expect([accept, ...(await refusalOf(await ask(member, `${addressOf(file)}/frames/1`, accept)))]).toEqual([
        accept,
        406,
        expect.stringContaining(reason),
      ])
    }
  })

  test.each(['image/jp2', 'image/jphc'])('signed pixels of 8 bits are no %s, and say so', async (mediaType) => {
    const studyUid = newUid()
    const signed = { tag: Tag.PixelRepresentation, vr: 'US', value: 1 }
    expect((await server.stow(member, [madeImage({ studyUid, number: 1, more: [signed] })])).status).toBe(200)
    const at = `studies/${studyUid}/series/${studyUid}.1/instances/${studyUid}.1.1/frames/1`
    expect(await refusalOf(await ask(member, at, mediaType))).toEqual([406, expect.stringContaining('8 bits')])
    expect((await ask(member, at, 'image/jls')).status).toBe(200)
  })
})
