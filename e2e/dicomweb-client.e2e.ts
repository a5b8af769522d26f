import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { inflate } from '@hilum/dicom/node/inflate'
import { readHeader } from '@hilum/dicom/read'
import { beforeEach, describe, expect, it } from 'vitest'
import { listStudies, openSession } from './support/call.ts'
import { hashWithoutPreamble, hasCorpus } from './support/corpus.ts'
import { type DicomwebPeer, openDicomwebPeer } from './support/dicomweb-peer.ts'
import { useSystem } from './support/system.ts'

const corpus = resolve(import.meta.dirname, '..', process.env['HILUM_TEST_DICOM'] ?? '../shared/dicom')
const native = open('transfer-syntaxes/1.2.1_explicit-le_CT1.dcm')
/** The same slice, compressed without losses. */
const jpegLs = open('transfer-syntaxes/4.80_jpeg-ls-lossless_CT1.dcm')
const jpeg2000 = open('transfer-syntaxes/4.90_j2k-lossless_CT1.dcm')
const clip = open('studies/us-stress-echo/I_000007.dcm')
const report = open('studies/ct-with-sr-seg-pr-ko-pdf/report_pdf.dcm')
const video = open('studies/video-endoscopy/mpeg2_clip.dcm')
const all = [native, jpegLs, jpeg2000, clip, report, video]

const { server, newPerson } = useSystem()
let peer: DicomwebPeer
let sid: string
let root: string
/** How the peer comes to the server; what it is refused is told on the console of any browser. */
async function openPeer(address: string, token: string): Promise<DicomwebPeer> {
  const { page, forgive } = await newPerson({ bypassCSP: true })
  forgive(/Failed to load resource: the server responded with a status of 4\d\d/)
  await page.goto('/')
  return openDicomwebPeer(page, address, token)
}

let isStored = false
/** All instances, stored by whichever test comes first. */
async function storeAll(): Promise<void> {
  if (!isStored) await peer.store(all.map(({ path }) => path))
  isStored = true
}

beforeEach(async () => {
  if (!hasCorpus) return
  sid = await openSession(server().address, 'clinician')
  const [first] = await listStudies(server().address, sid)
  if (!first) throw new Error('The demo has no study')
  root = `${server().address}/dicomweb/${first.phi_namespace}`
  peer = await openPeer(root, sid)
})

describe.skipIf(!hasCorpus)('dicomweb-client', () => {
  it('stores instances, and again, and what it stored is found at all three levels', async () => {
    const stored = await peer.store(all.map(({ path }) => path))
    isStored = true
    expect(namesIn(stored)).toEqual(all.map(({ sopUid }) => sopUid))
    expect(namesIn(await peer.store([native.path]))).toEqual([native.sopUid])

    const studies = await peer.list('searchForStudies', { queryParams: { StudyInstanceUID: native.studyUid } })
    expect(studies.map((one) => one['0020000D']?.Value)).toEqual([[native.studyUid]])
    expect(studies[0]?.['00201208']?.Value).toEqual([3])
    const byName = await peer.list('searchForStudies', {
      queryParams: { PatientName: 'CompressedSamples*', limit: 10, offset: 0, includefield: '00080005' },
    })
    expect(byName.map((one) => one['0020000D']?.Value?.[0])).toContain(native.studyUid)

    const series = await peer.list('searchForSeries', { studyInstanceUID: native.studyUid })
    expect(series.map((one) => [one['0020000E']?.Value?.[0], one['00080060']?.Value?.[0]])).toEqual([
      [native.seriesUid, 'CT'],
    ])
    const instances = await peer.list('searchForInstances', {
      studyInstanceUID: native.studyUid,
      seriesInstanceUID: native.seriesUid,
    })
    expect(instances.map((one) => one['00080018']?.Value?.[0]).toSorted()).toEqual(
      [native, jpegLs, jpeg2000].map(({ sopUid }) => sopUid).toSorted(),
    )
    const none = await peer.list('searchForStudies', { queryParams: { PatientID: 'NOBODY-HAS-THIS' } })
    expect(none).toEqual([])
  })

  it('reads metadata of study, series and instance, and the long values at the addresses that they name', async () => {
    await storeAll()
    const { studyUid: studyInstanceUID, seriesUid: seriesInstanceUID, sopUid: sopInstanceUID } = native
    const ofInstance = await peer.list('retrieveInstanceMetadata', at(native))
    const [metadata] = [ofInstance].flat()
    expect(metadata?.['00080018']?.Value).toEqual([sopInstanceUID])
    expect(metadata?.['00280010']?.Value).toEqual([512])
    const ofSeries = await peer.list('retrieveSeriesMetadata', { studyInstanceUID, seriesInstanceUID })
    const ofStudy = await peer.list('retrieveStudyMetadata', { studyInstanceUID })
    for (const list of [ofSeries, ofStudy]) expect(list).toContainEqual(metadata)

    const pixels = { BulkDataURI: addressIn(metadata, '7FE00010') }
    expect(await peer.ask('retrieveBulkData', pixels)).toEqual(bytesOf([native.pixels]))
    const [document] = [await peer.list('retrieveInstanceMetadata', at(report))].flat()
    const inline = document?.['00420011'] as { InlineBinary?: string; BulkDataURI?: string } | undefined
    expect(inline?.InlineBinary ?? inline?.BulkDataURI).toBeDefined()
  })

  it('gets whole instances, alone, by series and by study', async () => {
    await storeAll()
    // The client never names a transfer syntax: explicit VR and lossy instances leave byte for byte.
    for (const one of [native, clip, report, video]) {
      const given = await peer.ask('retrieveInstance', at(one))
      expect([one.path, ...hashesIn(given)]).toEqual([one.path, hashWithoutPreamble(one.path)])
    }
    const { studyUid: studyInstanceUID, seriesUid: seriesInstanceUID } = native
    const ofSeries = await peer.ask('retrieveSeries', { studyInstanceUID, seriesInstanceUID })
    const ofStudy = await peer.ask('retrieveStudy', { studyInstanceUID })
    expect(hashesIn(ofStudy)).toEqual(hashesIn(ofSeries))
    expect(hashesIn(ofStudy)).toContain(hashWithoutPreamble(native.path))
    // images compressed without losses have been opened
    const sizes = ofStudy.kind === 'bytes' ? ofStudy.parts.map(({ bytes }) => bytes > native.pixels.length) : []
    expect(sizes).toEqual([true, true, true])
  })

  it('gets frames whose values are those of the original, however they are stored', async () => {
    await storeAll()
    for (const one of [native, jpegLs, jpeg2000]) {
      const frames = await peer.ask('retrieveInstanceFrames', { ...at(one), frameNumbers: [1] })
      expect(frames, one.path).toEqual(bytesOf([native.pixels]))
    }
    const compressed = [
      [jpegLs, 'image/jls'],
      [jpeg2000, 'image/jp2'],
    ] as const
    for (const [one, mediaType] of compressed) {
      const frames = await peer.ask('retrieveInstanceFrames', {
        ...at(one),
        frameNumbers: [1],
        mediaTypes: [{ mediaType }],
      })
      expect(frames, mediaType).toEqual(bytesOf([Buffer.concat(fragmentsOf(one))]))
    }
    const ofClip = await peer.ask('retrieveInstanceFrames', {
      ...at(clip),
      frameNumbers: [1, 3, 10],
      mediaTypes: [{ mediaType: 'image/jpeg', transferSyntaxUID: '1.2.840.10008.1.2.4.50' }],
    })
    const fragments = fragmentsOf(clip)
    expect(ofClip).toEqual(bytesOf([0, 2, 9].map((index) => fragments[index] ?? Buffer.alloc(0))))
    const ofVideo = await peer.ask('retrieveBulkData', {
      BulkDataURI: `${root}/studies/${video.studyUid}/series/${video.seriesUid}/instances/${video.sopUid}/bulkdata/7FE00010`,
    })
    expect(ofVideo).toEqual(bytesOf([Buffer.concat(fragmentsOf(video))]))
  })

  it('gets pictures in the formats that it names', async () => {
    await storeAll()
    const jpeg = await peer.ask('retrieveInstanceRendered', at(native))
    expect(openingsIn(jpeg)).toEqual(['\u00ff\u00d8\u00ff\u00e0'.slice(0, 3)])
    const png = await peer.ask('retrieveInstanceRendered', {
      ...at(native),
      mediaTypes: [{ mediaType: 'image/png' }],
      queryParams: { window: '40,400,linear', viewport: '128,128' },
    })
    expect(openingsIn(png)).toEqual(['\u2030PN'])
    const frame = await peer.ask('retrieveInstanceFramesRendered', {
      ...at(clip),
      frameNumbers: [2],
      mediaTypes: [{ mediaType: 'image/jpeg' }],
    })
    const thumbnail = await peer.ask('retrieveInstanceThumbnail', at(clip))
    for (const picture of [frame, thumbnail]) expect(openingsIn(picture)).toEqual(openingsIn(jpeg))
  })

  it('is told by status what cannot be: nothing there, no such form, nobody signed in, no instance', async () => {
    await storeAll()
    const nowhere = { ...at(native), studyInstanceUID: '1.2.3.4.5' }
    expect(await peer.ask('retrieveStudyMetadata', nowhere)).toMatchObject({ kind: 'failed', status: 404 })
    expect(await peer.ask('retrieveInstance', nowhere)).toMatchObject({ kind: 'failed', status: 404 })
    const beyond = { ...at(native), frameNumbers: [2] }
    expect(await peer.ask('retrieveInstanceFrames', beyond)).toMatchObject({ kind: 'failed', status: 404 })
    const otherForm = { ...at(native), frameNumbers: [1], mediaTypes: [{ mediaType: 'image/jpeg' }] }
    expect(await peer.ask('retrieveInstanceFrames', otherForm)).toMatchObject({ kind: 'failed', status: 406 })
    expect(await peer.ask('retrieveInstanceRendered', at(report))).toMatchObject({ kind: 'failed', status: 406 })
    const wrongDate = { queryParams: { StudyDate: 'yesterday' } }
    expect(await peer.ask('searchForStudies', wrongDate)).toMatchObject({ kind: 'failed', status: 400 })
    expect(await peer.store([import.meta.filename])).toMatchObject({ kind: 'failed', status: 409 })

    const stranger = await openPeer(root, '')
    expect(await stranger.ask('searchForStudies')).toMatchObject({ kind: 'failed', status: 401 })
    const elsewhere = await openPeer(`${server().address}/dicomweb/${randomUUID()}`, sid)
    expect(await elsewhere.ask('searchForStudies')).toMatchObject({ kind: 'failed', status: 404 })
    const viewer = await openPeer(root, await openSession(server().address, 'viewer'))
    const refused = await viewer.store([native.path])
    expect(refused.kind === 'failed' && [403, 404].includes(refused.status)).toBe(true)
  })
})

type Original = ReturnType<typeof open>

/** A file of the corpus with its names and the value of its pixel data. */
function open(place: string) {
  const path = resolve(corpus, place)
  const bytes = hasCorpus ? readFileSync(path) : Buffer.alloc(0)
  if (!hasCorpus) return { path, bytes, studyUid: '', seriesUid: '', sopUid: '', valueAt: 0, pixels: bytes }
  const read = readHeader(bytes, { inflate, untilPixelData: true })
  if (read.kind !== 'header') throw new Error(`${place} cannot be read`)
  const { header } = read
  const { studyUid, seriesUid, sopInstanceUid: sopUid } = header
  // all of them are in explicit VR
  const valueAt = (header.pixelOffset ?? 0) + 12
  const pixels = bytes.subarray(valueAt, valueAt + bytes.readUInt32LE(valueAt - 4))
  return { path, bytes, studyUid, seriesUid, sopUid, valueAt, pixels }
}

function at({ studyUid, seriesUid, sopUid }: Original) {
  return { studyInstanceUID: studyUid, seriesInstanceUID: seriesUid, sopInstanceUID: sopUid }
}

/** The fragments of encapsulated pixels, without the table of offsets in front. */
function fragmentsOf({ bytes, valueAt }: Original): Buffer[] {
  const items: Buffer[] = []
  for (let position = valueAt; bytes.readUInt32LE(position) === 0xe000fffe; ) {
    const length = bytes.readUInt32LE(position + 4)
    items.push(bytes.subarray(position + 8, position + 8 + length))
    position += 8 + length
  }
  return items.slice(1)
}

function bytesOf(parts: readonly Uint8Array[]) {
  const described = parts.map((part) => ({
    bytes: part.length,
    sha256: createHash('sha256').update(part).digest('hex'),
    opening: new TextDecoder('latin1').decode(part.subarray(0, 4)),
  }))
  return { kind: 'bytes', parts: described }
}

function hashesIn(answer: Awaited<ReturnType<DicomwebPeer['ask']>>): string[] {
  if (answer.kind !== 'bytes') throw new Error(JSON.stringify(answer))
  return answer.parts.map(({ sha256 }) => sha256)
}

function openingsIn(answer: Awaited<ReturnType<DicomwebPeer['ask']>>): string[] {
  if (answer.kind !== 'bytes') throw new Error(JSON.stringify(answer))
  return answer.parts.map(({ opening }) => opening.slice(0, 3))
}

/** The SOP Instance UIDs that an answer to storing says are kept. */
function namesIn(answer: Awaited<ReturnType<DicomwebPeer['ask']>>): unknown[] {
  if (answer.kind !== 'json') throw new Error(JSON.stringify(answer))
  const { '00081199': kept } = answer.value as { '00081199'?: { Value: { '00081155': { Value: unknown[] } }[] } }
  return (kept?.Value ?? []).map((one) => one['00081155'].Value[0])
}

function addressIn(metadata: object | undefined, tag: string): string {
  const { BulkDataURI } = (metadata as Record<string, { BulkDataURI?: string }> | undefined)?.[tag] ?? {}
  if (!BulkDataURI) throw new Error(`The metadata names no address for ${tag}`)
  return BulkDataURI
}
