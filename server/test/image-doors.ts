import type { DicomJson } from '@hilum/dicom/json'
import { readDataSet } from '@hilum/dicom/read'
import { Tag } from '@hilum/dicom/tags'
import { findItems, findText } from '@hilum/dicom/values'
import { readZip } from './correction-doors.ts'
import { partsOf } from './dicomweb-fixture.ts'
import { walkAttachmentDoors } from './attachment-doors.ts'
import { versionsOfFiles, versionsOfJson, versionsOfNumbers, versionsOfPictures, versionsOfText } from './held-twice.ts'
import { walkPictureDoors, walkSingleDoors } from './picture-doors.ts'
import { readDisc } from './read-disc.ts'
import {
  bytesOf,
  type Candidate,
  type Expected,
  type Get,
  isShown,
  json,
  type Reader,
  seriesOf,
  type Shown,
} from './shown-images.ts'

/**
 * Asks at every door that shows images or counts them.
 * @param candidates every image that there is in any source; doors of one image are asked for each
 */
export async function* walkImageDoors(
  reader: Reader,
  studyUid: string,
  candidates: readonly Candidate[],
): AsyncGenerator<Shown> {
  const get = (address: string, accept = '*/*') =>
    fetch(`${reader.origin}${address}`, { headers: { accept, authorization: `Bearer ${reader.sid}` } })
  yield* listed(reader, studyUid)
  const study = `/dicomweb/${reader.namespace}/studies/${studyUid}`
  yield* searched(get, reader.namespace, study, studyUid)
  yield* retrieved(get, study, seriesOf(candidates))
  yield* walkPictureDoors(get, study, candidates)
  for (const namespace of reader.from) {
    yield* ofStorage(get, namespace, reader.namespace, studyUid, candidates)
    yield* ofSeveral(get, namespace, reader, studyUid)
    yield* walkAttachmentDoors(get, namespace, reader.namespace, studyUid)
  }
  yield* walkSingleDoors(get, study, reader, studyUid, candidates)
}

/**
 * Asks at every door, and gives those that show other images than these, other versions of them, or other attached files;
 * `silent` are the doors that give nothing of an image by which its version could be told.
 */
export async function findOtherDoors(
  reader: Reader,
  studyUid: string,
  expected: Expected,
): Promise<{ doors: number; others: Shown[]; silent: string[] }> {
  const others: Shown[] = []
  const silent: string[] = []
  let doors = 0
  for await (const shown of walkImageDoors(reader, studyUid, expected.candidates)) {
    doors += 1
    if (!shown.versions) silent.push(shown.door)
    if (!isShown(shown, expected)) others.push(shown)
  }
  return { doors, others, silent }
}

const first = (one: DicomJson | undefined, tag: string) => one?.[tag]?.Value?.[0]
const sopsOf = (list: readonly DicomJson[] = []) => list.map((one) => String(first(one, '00080018'))).sort()
/** Images as DICOM JSON. */
const described = (list: readonly DicomJson[] = []) => ({ sops: sopsOf(list), versions: versionsOfJson(list) })
/** Images as files. */
const received = (files: readonly Uint8Array[]) => ({
  sops: files.map(sopOf).sort(),
  versions: versionsOfFiles(files),
})
const sopOf = (bytes: Uint8Array) => findText(readDataSet(bytes).dataSet, Tag.SOPInstanceUID) ?? ''

async function* listed({ origin, sid, namespace }: Reader, studyUid: string): AsyncGenerator<Shown> {
  const call = async (path: string, sent: object) => {
    const reply = await fetch(`${origin}/api/v3/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sid, ...sent }),
    })
    return (await reply.json()) as Row & { studies?: Row[] }
  }
  type Row = { uuid: string; image_count: number; series_count: number; size: number }
  const of = { 'filter.phi_namespace.equals': namespace, 'filter.study_uid.equals': studyUid }
  const [row] = (await call('study/list', of)).studies ?? []
  if (!row) return
  yield { door: 'study/list', images: row.image_count, series: row.series_count }
  const got = await call('study/get', { uuid: row.uuid })
  yield { door: 'study/get', images: got.image_count, series: got.series_count }
  const filtered = await call('study/list', {
    ...of,
    'filter.image_count.equals': row.image_count,
    'filter.series_count.equals': row.series_count,
    'filter.size.equals': row.size,
  })
  yield { door: 'study/list filtered by its counts', images: filtered.studies?.[0]?.image_count ?? -1 }
}

async function* searched(get: Get, namespace: string, study: string, studyUid: string): AsyncGenerator<Shown> {
  const find = async (path: string) =>
    (await json<DicomJson[]>(await get(`${path}${path.includes('?') ? '&' : '?'}limit=1000`))) ?? []
  const [match] = await find(`/dicomweb/${namespace}/studies?StudyInstanceUID=${studyUid}`)
  yield {
    door: 'QIDO-RS studies',
    images: Number(first(match, '00201208') ?? 0),
    series: Number(first(match, '00201206') ?? 0),
  }
  const sum = (list: readonly DicomJson[]) => list.reduce((all, one) => all + Number(first(one, '00201209')), 0)
  for (const path of [`${study}/series`, `/dicomweb/${namespace}/series?StudyInstanceUID=${studyUid}`]) {
    const list = await find(path)
    yield { door: `QIDO-RS ${path}`, images: sum(list), series: list.length }
  }
  for (const path of [
    `${study}/instances`,
    `/dicomweb/${namespace}/instances?StudyInstanceUID=${studyUid}`,
    `${study}/instances?includefield=00080050`,
  ])
    yield { door: `QIDO-RS ${path}`, ...described(await find(path)) }
  const paged: DicomJson[] = []
  for (let offset = 0; ; offset += 1) {
    const page = (await json<DicomJson[]>(await get(`${study}/instances?limit=1&offset=${offset}`))) ?? []
    paged.push(...page)
    if (page.length === 0) break
  }
  yield { door: 'QIDO-RS instances, page by page', ...described(paged) }
  const inSeries: DicomJson[] = []
  for (const one of await find(`${study}/series`))
    inSeries.push(...(await find(`${study}/series/${first(one, '0020000E')}/instances`)))
  yield { door: 'QIDO-RS instances of each series', ...described(inSeries) }
}

async function* retrieved(get: Get, study: string, series: readonly string[]): AsyncGenerator<Shown> {
  const files = async (address: string) => {
    const reply = await get(address, 'multipart/related; type="application/dicom"; transfer-syntax=*')
    return reply.status === 200 ? (await partsOf(reply)).map(({ body }) => body) : []
  }
  yield { door: 'WADO-RS study', ...received(await files(study)) }
  yield { door: 'WADO-RS metadata', ...described(await json(await get(`${study}/metadata`))) }
  const bySeries: Uint8Array[] = []
  const metadata: DicomJson[] = []
  for (const uid of series) {
    bySeries.push(...(await files(`${study}/series/${uid}`)))
    metadata.push(...((await json<DicomJson[]>(await get(`${study}/series/${uid}/metadata`))) ?? []))
  }
  yield { door: 'WADO-RS series by series', ...received(bySeries) }
  yield { door: 'WADO-RS metadata series by series', ...described(metadata) }
}

type Schema = { series: { series_uid: string; image_count: number; images: { id: string; version: string }[] }[] }

async function* ofStorage(
  get: Get,
  namespace: string,
  phi: string,
  studyUid: string,
  candidates: readonly Candidate[],
): AsyncGenerator<Shown> {
  const study = `/api/v3/storage/study/${namespace}/${studyUid}`
  const own = (path: string) => `${study}/${path}${path.includes('?') ? '&' : '?'}phi_namespace=${phi}`
  const schema = await json<Schema>(await get(own('schema')))
  const series = schema?.series ?? []
  yield {
    door: `schema by ${namespace}`,
    sops: series.flatMap((one) => one.images.map(({ id }) => id)).sort(),
    series: series.length,
    images: series.reduce((sum, one) => sum + one.image_count, 0),
  }
  const ofSchema: Buffer[] = []
  for (const { id, version } of series.flatMap((one) => one.images)) {
    const file = await get(own(`image/${id}/version/${version}`))
    if (file.status === 200) ofSchema.push(await bytesOf(file))
  }
  yield { door: `images by the versions of the schema by ${namespace}`, ...received(ofSchema) }
  const count = await json<{ image_count: number; series_count: number }>(await get(own('count')))
  yield { door: `count by ${namespace}`, images: count?.image_count ?? 0, series: count?.series_count ?? 0 }
  const told = await json<unknown[]>(await get(own('json')))
  yield {
    door: `json by ${namespace}`,
    images: told?.length ?? 0,
    versions: versionsOfText(JSON.stringify(told ?? [])),
  }
  const place = `/api/v3/storage/dicomweb/${namespace}/studies/${studyUid}`
  const metadata = await get(`${place}/metadata?phi_namespace=${phi}`)
  yield { door: `storage metadata by ${namespace}`, ...described(await json(metadata)) }
  const bySeries: DicomJson[] = []
  for (const uid of seriesOf(candidates)) {
    const ofSeries = await get(`${place}/series/${uid}/metadata?phi_namespace=${phi}`)
    bySeries.push(...((await json<DicomJson[]>(ofSeries)) ?? []))
  }
  yield { door: `storage metadata series by series by ${namespace}`, ...described(bySeries) }
  for (const path of ['tag', 'phi']) {
    const ofRecord = await get(own(path))
    yield { door: `${path} by ${namespace}`, isOpen: (await ofRecord.text()).length > 2 && ofRecord.status === 200 }
  }
  for (const query of ['', '&flat_directory=1', '&roche_directory=1', '&transfer_syntax=1.2.840.10008.1.2.1'])
    yield* ofArchive(`download${query} by ${namespace}`, await get(own(`download?bundle=dicom${query}`)), readZip)
  yield* ofArchive(`disc by ${namespace}`, await get(own('download?bundle=iso')), readDisc)
  const pictures = await get(own('download?bundle=image'))
  const saved = pictures.status === 200 ? [...readZip(await bytesOf(pictures))] : []
  const inside = saved.map(async ([name, bytes]) =>
    /\.(jpe?g|png)$/.test(name) ? versionsOfPictures([bytes]) : versionsOfText(bytes),
  )
  yield { door: `pictures by ${namespace}`, images: saved.length, versions: (await Promise.all(inside)).flat() }
}

/** Several studies in one archive, this one named by the address and by its uuid. */
async function* ofSeveral(
  get: Get,
  namespace: string,
  { namespace: phi, beside, ...reader }: Reader,
  studyUid: string,
): AsyncGenerator<Shown> {
  if (!beside) return
  const found = await get(
    `/api/v3/study/list?sid=${reader.sid}&filter.study_uid.equals=${studyUid}&filter.phi_namespace.equals=${phi}`,
  )
  const uuid = (await json<{ studies: { uuid: string }[] }>(found))?.studies[0]?.uuid ?? ''
  const more = (and: string) => `download?bundle=dicom&phi_namespace=${phi}&and_studies=${and}`
  for (const [door, address] of [
    ['first', `/api/v3/storage/study/${namespace}/${studyUid}/${more(beside.uuid)}`],
    ['second', `/api/v3/storage/study/${phi}/${beside.studyUid}/${more(uuid)}`],
  ] as const) {
    const shown = ofArchive(`${door} of several by ${namespace}`, await get(address), readZip)
    for await (const { sops = [], ...one } of shown)
      yield { ...one, sops: sops.filter((sop) => sop.startsWith(`${studyUid}.`)) }
  }
}

async function* ofArchive(
  door: string,
  reply: Response,
  read: (bytes: Buffer) => Map<string, Buffer>,
): AsyncGenerator<Shown> {
  const entries = reply.status === 200 ? read(await bytesOf(reply)) : new Map<string, Buffer>()
  // a text says of an image why it was left as it is
  const files = [...entries].filter(([name]) => !/^DICOMDIR$|\.txt$/i.test(name)).map(([, bytes]) => bytes)
  yield { door, ...received(files) }
  const directory = entries.get('DICOMDIR')
  if (!directory) return
  const records = findItems(readDataSet(directory).dataSet, Tag.DirectoryRecordSequence)
  const named = records.map((record) => findText(record, 0x00041511) ?? '').filter((sop) => sop !== '')
  const numbered = records.map((record) => findText(record, Tag.InstanceNumber) ?? '')
  yield { door: `DICOMDIR of ${door}`, sops: named.sort(), versions: versionsOfNumbers(numbered) }
}
