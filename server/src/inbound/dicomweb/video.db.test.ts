import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { partsOf, startDicomweb } from '../../../test/dicomweb-fixture.ts'
import { uploadImage } from '../../../test/made-image.ts'
import { madeVideo } from '../../../test/made-video.ts'

const server = await startDicomweb()
/** MPEG-4 AVC/H.264, whole and in its fragmentable form. */
const syntaxes = ['1.2.840.10008.1.2.4.102', '1.2.840.10008.1.2.4.102.1']

test.each(syntaxes)('a video in fragments of %s leaves as one stream, whole and in ranges', async (syntax) => {
  const member = await server.addMember(['study_upload', 'study_view'])
  const studyUid = newUid()
  const fragments = ['first ', '', 'the second, ', 'third', ''].map((text) => Buffer.from(text))
  const stream = Buffer.concat(fragments)
  const { status } = await uploadImage(server, member, madeVideo(studyUid, syntax, fragments))
  expect(status).toBe(202)
  const names = `${studyUid}/series/${studyUid}.1/instances/${studyUid}.1.1`
  const bulk = `${member.namespace}/studies/${names}/bulkdata/7FE00010`
  const byStorage = `${server.base}/study/${member.namespace}/${studyUid}/image/${studyUid}.1.1/version/*/video?sid=${member.sid}`
  const ask = [
    (range?: string) => server.ask(member, bulk, { headers: { accept: 'video/mp4', ...(range ? { range } : {}) } }),
    (range?: string) => fetch(byStorage, { headers: range ? { range } : {} }),
  ]
  for (const get of ask) {
    const whole = await get()
    expect([whole.status, whole.headers.get('content-type'), await whole.text()]).toEqual([
      200,
      'video/mp4',
      String(stream),
    ])
    for (const [from, to] of [
      [0, 0],
      [3, 8],
      [5, 17],
      [6, 6],
      [0, stream.length - 1],
      [stream.length - 1, 99],
    ] as const) {
      const part = await get(`bytes=${from}-${to}`)
      expect([from, to, part.status, await part.text()]).toEqual([from, to, 206, String(stream.subarray(from, to + 1))])
    }
  }
  const asParts = await server.ask(member, bulk, {
    headers: { accept: 'multipart/related; type="application/octet-stream"' },
  })
  const [only, ...more] = await partsOf(asParts)
  expect([String(only?.body), only?.headers['content-type'], more]).toEqual([
    String(stream),
    `application/octet-stream; transfer-syntax=${syntax}`,
    [],
  ])
})

test('a video that is to be played by browsers leaves as it is where they play it, and is refused in words elsewhere', async () => {
  const member = await server.addMember(['study_upload', 'study_view'])
  const mp4 = Buffer.from('\0\0\0\x18ftypisom and the rest')
  for (const [syntax, stream, status] of [
    ['1.2.840.10008.1.2.4.102', mp4, 200],
    ['1.2.840.10008.1.2.4.106', mp4, 200],
    ['1.2.840.10008.1.2.4.102', Buffer.from('G transport stream'), 406],
    ['1.2.840.10008.1.2.4.100', mp4, 406],
    ['1.2.840.10008.1.2.4.107', mp4, 406],
  ] as const) {
    const studyUid = newUid()
    expect((await uploadImage(server, member, madeVideo(studyUid, syntax, [stream]))).status).toBe(202)
    const address = `${server.base}/study/${member.namespace}/${studyUid}/image/${studyUid}.1.1/version/*/video?sid=${member.sid}`
    const reply = await fetch(`${address}&reencode_video=1`)
    const text = await reply.text()
    expect([syntax, reply.status]).toEqual([syntax, status])
    expect(text).toContain(status === 200 ? 'and the rest' : 'no H.264 in MP4')
    expect((await fetch(`${address}&reencode_video=0`)).status).toBe(200)
  }
})

test('a video of a hundred thousand empty fragments is answered, and keeps nobody else waiting', async () => {
  const member = await server.addMember(['study_upload', 'study_view'])
  const studyUid = newUid()
  const fragments = [...Array.from({ length: 100_000 }, () => new Uint8Array(0)), Buffer.from('the end')]
  expect((await uploadImage(server, member, madeVideo(studyUid, syntaxes[0] ?? '', fragments))).status).toBe(202)
  const address = `${server.base}/study/${member.namespace}/${studyUid}/image/${studyUid}.1.1/version/*/video?sid=${member.sid}`
  const answer = fetch(address).then(async (reply) => [reply.status, await reply.text()])
  const other = await fetch(`${server.base}/study/${member.namespace}/${studyUid}/count?sid=${member.sid}`)
  expect(other.status).toBe(200)
  expect(await answer).toEqual([200, 'the end'])
})
