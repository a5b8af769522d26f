import { readdir, readFile, stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { gzipSync, inflateRawSync } from 'node:zlib'
import dicomParser from 'dicom-parser'
import { toDicomJson } from './dicom-json-peer.ts'

type Instance = { path: string; transferSyntax: string; json: ReturnType<typeof toDicomJson> }
export type DicomWebPeer = {
  studyUids: string[]
  answer: (url: URL, request: IncomingMessage, response: ServerResponse) => Promise<void>
}

type Studies = Map<string, Map<string, Map<string, Instance>>>

const STUDY_TAGS = [
  '00080005',
  '00080020',
  '00080030',
  '00080050',
  '00081030',
  '00100010',
  '00100020',
  '00100030',
  '00100040',
  '0020000D',
]
const SERIES_TAGS = ['00080060', '0008103E', '00200011', '0020000D', '0020000E']
const BIG_ENDIAN = '1.2.840.10008.1.2.2'

/** A DICOMweb server as small as the two viewers need, over files of a test corpus: a peer for tests, nothing else. */
export async function createDicomWebPeer(places: string[]): Promise<DicomWebPeer> {
  const studies: Studies = new Map()
  for (const place of places) await indexPlace(place, studies)
  return {
    studyUids: [...studies.keys()],
    answer: (url, request, response) => answer(studies, url, request, response),
  }
}

/** @param place a file, or a folder with everything below it */
async function indexPlace(place: string, studies: Studies): Promise<void> {
  const isFolder = (await stat(place)).isDirectory()
  const entries = isFolder ? await readdir(place, { recursive: true, withFileTypes: true }) : []
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  for (const path of isFolder ? paths : [place]) await indexFile(path, studies)
}

async function indexFile(path: string, studies: Studies): Promise<void> {
  const dataSet = parse(await readFile(path))
  const transferSyntax = dataSet.string('x00020010') ?? '1.2.840.10008.1.2'
  const json = toDicomJson(dataSet, transferSyntax !== BIG_ENDIAN)
  json['00083002'] = { vr: 'UI', Value: [transferSyntax] }
  // Zero spacing blackens the drawing on the graphics card; a server leaves it out of what a viewer gets.
  if (json['00280030']?.Value?.some((value) => !(Number(value) > 0))) delete json['00280030']
  const study = getOrMake(studies, uidOf(json, '0020000D'), () => new Map())
  const series = getOrMake(study, uidOf(json, '0020000E'), () => new Map<string, Instance>())
  series.set(uidOf(json, '00080018'), { path, transferSyntax, json })
}

function parse(bytes: Buffer): dicomParser.DataSet {
  return dicomParser.parseDicom(bytes, {
    inflater: (whole: Uint8Array, at: number) => {
      const rest = inflateRawSync(whole.subarray(at))
      return Buffer.concat([whole.subarray(0, at), rest])
    },
  })
}

async function answer(studies: Studies, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, studyUid, , seriesUid, what, sopUid, , frame] = url.pathname
    .split('/')
    .filter((part) => part !== '')
    .slice(2)
  const send = (objects: unknown[]) => sendJson(request, response, objects)
  if (studyUid === undefined) {
    const asked = url.searchParams.get('StudyInstanceUID')
    const found = [...studies].filter(([uid]) => asked === null || asked.split(',').includes(uid))
    return send(found.map(([, series]) => presentStudy(series)))
  }
  const study = studies.get(studyUid)
  if (study === undefined) return sendNotFound(response)
  if (seriesUid === undefined) return send([...study.values()].map(presentSeries))
  const series = study.get(seriesUid)
  if (series === undefined) return sendNotFound(response)
  if (what === 'metadata' || sopUid === undefined) return send([...series.values()].map(({ json }) => json))
  const instance = series.get(sopUid)
  if (instance === undefined) return sendNotFound(response)
  if (frame === undefined) return sendPart(response, 'application/dicom', await readFile(instance.path))
  const pixels = await readFrame(instance, Number(frame))
  sendPart(response, `application/octet-stream; transfer-syntax=${pixels.transferSyntax}`, pixels.bytes)
}

function presentStudy(series: Map<string, Map<string, Instance>>) {
  const instances = [...series.values()].flatMap((inside) => [...inside.values()])
  const modalities = new Set(instances.map(({ json }) => json['00080060']?.Value?.[0]))
  return {
    ...pick(instances[0]?.json ?? {}, STUDY_TAGS),
    '00080061': { vr: 'CS', Value: [...modalities] },
    '00201206': { vr: 'IS', Value: [series.size] },
    '00201208': { vr: 'IS', Value: [instances.length] },
  }
}

function presentSeries(series: Map<string, Instance>) {
  return {
    ...pick(series.values().next().value?.json ?? {}, SERIES_TAGS),
    '00201209': { vr: 'IS', Value: [series.size] },
  }
}

/** Raw pixels go out in little endian; encoded ones as they are stored. */
async function readFrame(instance: Instance, frame: number): Promise<{ bytes: Buffer; transferSyntax: string }> {
  const dataSet = parse(await readFile(instance.path))
  const pixels = dataSet.elements['x7fe00010']
  if (pixels === undefined) throw new Error('an object without pixels was asked for a frame')
  const frames = Number(dataSet.string('x00280008') ?? 1)
  if (pixels.encapsulatedPixelData)
    return {
      bytes: Buffer.from(readEncapsulated(dataSet, pixels, frame, frames)),
      transferSyntax: instance.transferSyntax,
    }
  const size = pixels.length / frames
  const start = pixels.dataOffset + Math.trunc((frame - 1) * size)
  const bytes = Buffer.from(dataSet.byteArray.subarray(start, start + Math.trunc(size)))
  if (instance.transferSyntax === BIG_ENDIAN && dataSet.uint16('x00280100') === 16) bytes.swap16()
  return { bytes, transferSyntax: '1.2.840.10008.1.2.1' }
}

function readEncapsulated(
  dataSet: dicomParser.DataSet,
  pixels: dicomParser.Element,
  frame: number,
  frames: number,
): Uint8Array {
  const fragments = pixels.fragments?.length ?? 0
  if (frames === 1) return dicomParser.readEncapsulatedPixelDataFromFragments(dataSet, pixels, 0, fragments)
  if (fragments === frames) return dicomParser.readEncapsulatedPixelDataFromFragments(dataSet, pixels, frame - 1)
  return dicomParser.readEncapsulatedImageFrame(dataSet, pixels, frame - 1)
}

function sendJson(request: IncomingMessage, response: ServerResponse, objects: unknown[]): void {
  const packs = String(request.headers['accept-encoding']).includes('gzip')
  response.writeHead(200, {
    'content-type': 'application/dicom+json',
    ...(packs ? { 'content-encoding': 'gzip' } : {}),
  })
  const bytes = Buffer.from(JSON.stringify(objects))
  response.end(packs ? gzipSync(bytes, { level: 4 }) : bytes)
}

function sendPart(response: ServerResponse, type: string, bytes: Buffer): void {
  const boundary = 'hilum-test-part'
  response.writeHead(200, { 'content-type': `multipart/related; type="${type.split(';')[0]}"; boundary=${boundary}` })
  response.write(`--${boundary}\r\nContent-Type: ${type}\r\n\r\n`)
  response.write(bytes)
  response.end(`\r\n--${boundary}--\r\n`)
}

function sendNotFound(response: ServerResponse): void {
  response.writeHead(404)
  response.end()
}

function pick<Value>(object: Record<string, Value>, tags: string[]): Record<string, Value> {
  return Object.fromEntries(Object.entries(object).filter(([tag]) => tags.includes(tag)))
}

function uidOf(json: Instance['json'], tag: string): string {
  return String(json[tag]?.Value?.[0] ?? '')
}

function getOrMake<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
