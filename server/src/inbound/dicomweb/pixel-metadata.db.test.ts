import { deflate, inflate } from '@hilum/dicom/node/inflate'
import { readDataSet } from '@hilum/dicom/read'
import { Tag } from '@hilum/dicom/tags'
import {
  DeflatedLittleEndian,
  ExplicitBigEndian,
  ExplicitLittleEndian,
  ImplicitLittleEndian,
  transferSyntaxOf,
} from '@hilum/dicom/transfer-syntaxes'
import { newUid } from '@hilum/dicom/uid'
import { concatBytes, encodeItem, encodeRaw, type WriteElement, writeMeta } from '@hilum/dicom/write-part10'
import { describe, expect, test } from 'vitest'
import { type Json, startDicomweb } from '../../../test/dicomweb-fixture.ts'
import { madeImage, uploadImage } from '../../../test/made-image.ts'

const server = await startDicomweb()
const member = await server.addMember(['study_upload', 'study_view'])

async function metadataOf(bytes: Uint8Array, studyUid: string): Promise<{ json: Json; all: Json[] }> {
  const { status } = await uploadImage(server, member, bytes)
  expect(status).toBe(202)
  const study = `${member.namespace}/studies/${studyUid}`
  const [json = {}] = await server.list(member, `${study}/series/${studyUid}.1/instances/${studyUid}.1.1/metadata`)
  const lists = await Promise.all(
    [`${study}/metadata`, `${study}/series/${studyUid}.1/metadata`].map((path) => server.list(member, path)),
  )
  return { json, all: [json, ...lists.map(([one = {}]) => one)] }
}

async function bytesAt(address: string | undefined): Promise<Buffer> {
  expect(address?.startsWith(`${server.origin}/dicomweb/`)).toBe(true)
  const reply = await fetch(address ?? '', {
    headers: { authorization: `Bearer ${member.sid}`, accept: 'application/octet-stream' },
  })
  expect([address, reply.status]).toEqual([address, 200])
  return Buffer.from(await reply.arrayBuffer())
}

const behind: WriteElement[] = [
  { tag: 0x7fe10010, vr: 'LO', value: 'HILUM TEST' },
  { tag: 0x7fe11001, vr: 'OB', value: new Uint8Array(2000).fill(9) },
  { tag: 0x7fe11002, vr: 'LO', value: 'behind' },
  { tag: 0xfffcfffc, vr: 'OB', value: new Uint8Array(4) },
]

function encapsulated(studyUid: string): Uint8Array {
  const plain = madeImage({ studyUid, number: 1 })
  const { dataSet, dataSetStart } = readDataSet(plain)
  const little = transferSyntaxOf(ExplicitLittleEndian)
  const head = encodeRaw(Tag.PixelData, 'OB', new Uint8Array(0), little)
  new DataView(head.buffer).setUint32(8, 0xffffffff, true)
  const pixels = plain.subarray(dataSet.end + 12, dataSet.end + 12 + 256)
  return concatBytes([
    writeMeta('1.2.840.10008.5.1.4.1.1.7', `${studyUid}.1.1`, '1.2.840.10008.1.2.1.98'),
    plain.subarray(dataSetStart, dataSet.end),
    head,
    encodeItem(new Uint8Array(0), little),
    encodeItem(pixels, little),
    Uint8Array.of(0xfe, 0xff, 0xdd, 0xe0, 0, 0, 0, 0),
    ...behind.map(({ tag, vr, value }) =>
      encodeRaw(tag, vr, typeof value === 'string' ? Buffer.from(value) : (value as Uint8Array), little),
    ),
  ])
}

function deflated(studyUid: string): Uint8Array {
  const plain = madeImage({ studyUid, number: 1, more: behind })
  const { dataSetStart } = readDataSet(plain, { inflate })
  return concatBytes([
    writeMeta('1.2.840.10008.5.1.4.1.1.7', `${studyUid}.1.1`, DeflatedLittleEndian),
    deflate(plain.subarray(dataSetStart)),
  ])
}

const made = (transferSyntax: string) => (studyUid: string) =>
  madeImage({ studyUid, number: 1, more: behind, transferSyntax })

describe('metadata of an instance with attributes behind its pixels', () => {
  test.each([
    ['Explicit VR Little Endian', made(ExplicitLittleEndian), 'OB'],
    ['Implicit VR Little Endian', made(ImplicitLittleEndian), 'OW'],
    ['Explicit VR Big Endian', made(ExplicitBigEndian), 'OB'],
    ['Deflated', deflated, 'OB'],
    ['encapsulated', encapsulated, 'OB'],
  ])('tells all of them, with addresses that lead to them: %s', async (name, make, vr) => {
    const studyUid = newUid()
    const { json, all } = await metadataOf(make(studyUid), studyUid)
    for (const one of all) expect(one).toEqual(json)
    const isImplicit = name.startsWith('Implicit')
    expect(json['7FE00010']).toEqual({ vr, BulkDataURI: expect.stringMatching(/\/bulkdata\/7FE00010$/) })
    expect(json['7FE10010']?.Value).toEqual(['HILUM TEST'])
    expect(json['7FE11001']?.vr).toBe(isImplicit ? 'UN' : 'OB')
    expect(json['7FE11002']).toEqual(
      isImplicit
        ? { vr: 'UN', InlineBinary: Buffer.from('behind').toString('base64') }
        : { vr: 'LO', Value: ['behind'] },
    )
    expect(json.FFFCFFFC).toBeDefined()
    expect(await bytesAt(json['7FE11001']?.BulkDataURI)).toEqual(Buffer.alloc(2000, 9))
    expect(await bytesAt(json['7FE00010']?.BulkDataURI)).toHaveLength(256)

    const image = `${server.base}/study/${member.namespace}/${studyUid}/image/${studyUid}.1.1/version/*`
    const listed = await fetch(`${image}/attribute?phi_namespace=${member.namespace}`, {
      headers: { authorization: `Bearer ${member.sid}` },
    })
    const { tags } = (await listed.json()) as { tags: { group: number; element: number; value: string }[] }
    const behindPixels = tags.filter(({ group }) => group > 0x7fe0).map(({ element, value }) => [element, value])
    expect(behindPixels).toEqual([
      [0x0010, 'HILUM TEST'],
      [0x1001, ''],
      [0x1002, isImplicit ? '' : 'behind'],
      [0xfffc, ''],
    ])
  })
})

describe('metadata of pixel data', () => {
  test.each([
    ['7FE00008', Tag.FloatPixelData, 'OF', 4],
    ['7FE00009', Tag.DoubleFloatPixelData, 'OD', 8],
  ])('of floating point names %s and nothing else', async (hex, tag, vr, size) => {
    const studyUid = newUid()
    const bytes = madeImage({
      studyUid,
      number: 1,
      more: [
        { tag, vr, value: new Uint8Array(256 * size) },
        { tag: Tag.BitsAllocated, vr: 'US', value: size * 8 },
      ],
    })
    const { json } = await metadataOf(withoutWholePixels(bytes), studyUid)
    expect(json['7FE00010']).toBeUndefined()
    expect(json[hex]).toEqual({ vr, BulkDataURI: expect.stringContaining(`/bulkdata/${hex}`) })
    expect(await bytesAt(json[hex]?.BulkDataURI)).toHaveLength(256 * size)
  })

  test('stands behind large attributes too, and has no address when it is empty', async () => {
    const large = { tag: 0x00420011, vr: 'OB', value: new Uint8Array(400_000) }
    const item = [{ tag: 0x00200013, vr: 'IS', value: '1' }]
    const functional = { tag: 0x52009230, vr: 'SQ', value: Array.from({ length: 20_000 }, () => item) }
    for (const more of [[large], [functional]] as WriteElement[][]) {
      const studyUid = newUid()
      const { json } = await metadataOf(madeImage({ studyUid, number: 1, more }), studyUid)
      expect(await bytesAt(json['7FE00010']?.BulkDataURI)).toHaveLength(256)
    }
    const studyUid = newUid()
    const empty = madeImage({ studyUid, number: 1, more: [{ tag: Tag.PixelData, vr: 'OB', value: new Uint8Array(0) }] })
    expect((await metadataOf(empty, studyUid)).json['7FE00010']).toEqual({ vr: 'OB' })
  })
})

/** Without the pixels of whole numbers, which stand last. */
function withoutWholePixels(bytes: Uint8Array): Uint8Array {
  const header = Buffer.from([0xe0, 0x7f, 0x10, 0x00, 0x4f, 0x42])
  return bytes.subarray(0, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).lastIndexOf(header))
}
