import { tracingChannel } from 'node:diagnostics_channel'
import type { AddressInfo } from 'node:net'
import type { Route } from '@hilum/contract/route'
import { routes } from '@hilum/contract/routes/all-routes'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { attributesOf, contentOf, pixelsOf, type Version } from '../../../test/held-twice.ts'
import { findOtherDoors } from '../../../test/image-doors.ts'
import { madePdf } from '../../../test/made-pdf.ts'
import { madeVideo } from '../../../test/made-video.ts'
import type { Candidate, Reader } from '../../../test/shown-images.ts'
import { makeSources, type Place } from '../../../test/sources-fixture.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { buildApp } from '../http/app.ts'

/* Records of two and three sources at every declared door that serves what is in a study. */

const { services, folder, query } = await openTestServices()
const app = await buildApp(services, { web: { app: folder, proviewer: folder }, viewer: { folder: undefined } })
await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => app.close())
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
const { makePlace, send, sendFile, share, stop, recordOf } = await makeSources({ services, query })

/** Reading routes that serve nothing of a study, each with what they serve. */
const ofNoStudy: Partial<Record<keyof typeof routes, string>> = {
  capabilities: 'what DICOMweb can do here',
  capabilitiesWithSlash: 'what DICOMweb can do here',
  channel: 'events, which name studies by uuid alone',
  channelWithoutPrefix: 'events, which name studies by uuid alone',
  chunksBegin: 'the uuid of an upload',
  docsPage: 'a page of the product',
  fullViewer: 'files of the product',
  healthLive: 'the state of the process',
  healthReady: 'the state of the process',
  metrics: 'figures of the installation',
  reportZip: 'lists of one person, without images',
  openApi: 'a page of the product',
  securityContact: 'a text of the settings',
  viewerPage: 'files of the product',
}

/** The declared routes that have answered with something. */
const answered = new Set<Route>()
const requests = tracingChannel('fastify.request.handler')
requests.start.subscribe((message) => {
  const { request, reply } = message as { request: FastifyRequest; reply: FastifyReply }
  const { declared } = request.routeOptions.config
  reply.raw.once('finish', () => {
    if (declared && request.method === 'GET' && [200, 206].includes(reply.raw.statusCode)) answered.add(declared)
  })
})

const pdf = { sopClassUid: '1.2.840.10008.5.1.4.1.1.104.1', hasNoPixels: true }
const h264 = '1.2.840.10008.1.2.4.102'
const mp4 = Buffer.from('\0\0\0\x18ftypisom and the rest')

async function attach({ namespace, sid }: Place, studyUid: string, name: string) {
  const body = new FormData()
  body.append('data', new Blob([`of ${name}`]), name)
  const address = `${origin}/api/v3/storage/study/${namespace}/${studyUid}/attachment`
  const reply = await fetch(address, { method: 'POST', body, headers: { authorization: `Bearer ${sid}` } })
  expect(reply.status).toBe(202)
}

/** Images `1` and `2` of a place, a PDF `3` and a video `4`, numbered from `start`. */
async function sendAll(place: Place, studyUid: string, start: number): Promise<Candidate[]> {
  await send(place, studyUid, start + 1)
  await send(place, studyUid, 1, { series: start + 2 })
  const document = { tag: Tag.EncapsulatedDocument, vr: 'OB', value: madePdf([[200, 300]]) } as const
  await send(place, studyUid, start + 3, { ...pdf, more: [document] })
  await sendFile(place, madeVideo(studyUid, h264, [mp4], start + 4))
  const series = `${studyUid}.1`
  return [
    { series, sop: `${series}.${start + 1}` },
    { series: `${studyUid}.${start + 2}`, sop: `${studyUid}.${start + 2}.1` },
    { series, sop: `${series}.${start + 3}`, holds: 'pdf' },
    { series, sop: `${series}.${start + 4}`, holds: 'video' },
  ]
}

async function expectShown(
  reader: Reader,
  studyUid: string,
  candidates: readonly Candidate[],
  shown: readonly Candidate[],
  files: readonly string[],
) {
  const expected = { candidates, sops: shown.map((one) => one.sop), files }
  const { doors, others } = await findOtherDoors(reader, studyUid, expected)
  expect(others).toEqual([])
  expect(doors).toBeGreaterThan(35 + 30 * reader.from.length)
}

it('shows images, documents, videos and attached files of two and three sources at every declared door of a study', async () => {
  const [one, two, reader] = [await makePlace(), await makePlace(), await makePlace()]
  const studyUid = newUid().slice(0, 50)
  const own = await sendAll(reader, studyUid, 10)
  const ofOne = await sendAll(one, studyUid, 20)
  const ofTwo = await sendAll(two, studyUid, 30)
  await attach(reader, studyUid, 'first.txt')
  await attach(reader, studyUid, 'second.txt')
  // files of others stay theirs, unless a share says so
  await attach(one, studyUid, 'theirs.txt')
  const files = ['first.txt', 'second.txt']
  const other = newUid().slice(0, 50)
  await send(reader, other, 1)
  const all = [...own, ...ofOne, ...ofTwo]
  const beside = { uuid: await recordOf(reader, other), studyUid: other }
  const asked = (...live: Place[]) => ({
    origin,
    ...reader,
    beside,
    from: [reader, ...live].map((place) => place.namespace),
  })

  await share(one, reader, studyUid)
  await expectShown(asked(one), studyUid, all, [...own, ...ofOne], files)
  const second = await share(two, reader, studyUid)
  await expectShown(asked(one, two), studyUid, all, all, files)
  await stop(second)
  await expectShown(asked(one), studyUid, all, [...own, ...ofOne], files)

  const reading = Object.entries(routes).filter(([, { methods }]) => (methods as readonly string[]).includes('GET'))
  const notWalked = reading.filter(([, route]) => !answered.has(route)).map(([name]) => name)
  expect(notWalked.toSorted()).toEqual(Object.keys(ofNoStudy).toSorted())
})

/** Doors that give no more of images than how many there are, which, or one for all. */
const ofNoImage = [
  /^study\/(list|get)/,
  /^QIDO-RS (studies$|.*\/series)/,
  /^WADO-RS thumbnail of the study$/,
  /^(schema|count|tag|phi) by /,
  /^attachment/,
]

it('shows of an image, a document and a video that several sources hold the version of the first source, at every door that gives bytes, pixels or attributes', async () => {
  const [one, two, reader] = [await makePlace(), await makePlace(), await makePlace()]
  const studyUid = newUid().slice(0, 50)
  const series = (number: number) => `${studyUid}.${number}`
  const candidates: Candidate[] = [
    { series: series(7), sop: `${series(7)}.1` },
    { series: series(8), sop: `${series(8)}.1`, holds: 'pdf' },
    { series: series(9), sop: `${series(9)}.1`, holds: 'video' },
  ]
  const sendHeld = async (place: Place, version: Version) => {
    const more = attributesOf(version)
    await send(place, studyUid, 1, { series: 7, more: [...more, pixelsOf(version)] })
    const value = Buffer.concat([madePdf([[200, 300]]), contentOf(version)])
    const document = { tag: Tag.EncapsulatedDocument, vr: 'OB', value } as const
    await send(place, studyUid, 1, { series: 8, ...pdf, more: [...more, document] })
    const content = Buffer.concat([mp4, contentOf(version)])
    await sendFile(place, madeVideo(studyUid, h264, [content], 1, { series: 9, more }))
  }
  const expectVersion = async (version: Version, ...live: Place[]) => {
    const from = [reader, ...live].map((place) => place.namespace)
    const sops = candidates.map(({ sop }) => sop)
    const versions = Object.fromEntries(sops.map((sop) => [sop, version]))
    const { others, silent } = await findOtherDoors({ origin, ...reader, from }, studyUid, {
      candidates,
      sops,
      versions,
    })
    expect(others).toEqual([])
    expect(silent.filter((door) => !ofNoImage.some((known) => known.test(door)))).toEqual([])
  }

  await sendHeld(one, 'bright')
  await sendHeld(two, 'dark')
  const first = await share(one, reader, studyUid)
  await expectVersion('bright', one)
  await share(two, reader, studyUid)
  await expectVersion('bright', one, two)
  await stop(first)
  await expectVersion('dark', two)
  // an image of one's own is no reason to show another version than before
  await sendHeld(reader, 'bright')
  await expectVersion('dark', two)
})
