import { type DicomJson, dataSetToJson } from '@hilum/dicom/json'
import { encodeText } from '@hilum/dicom/encode-text'
import { inflate } from '@hilum/dicom/node/inflate'
import { readDataSet } from '@hilum/dicom/read'
import { walkDataSet } from '@hilum/dicom/data-set'
import { endOfElement, sourceOf } from '@hilum/dicom/elements'
import { Tag } from '@hilum/dicom/tags'
import { findItems, findText } from '@hilum/dicom/values'
import { readDisc } from './read-disc.ts'

/** Names and MRNs in twelve scripts, which no one character set but Unicode holds. */
export const scripts: readonly { script: string; name: string; mrn: string }[] = [
  { script: 'Latin', name: 'Kovač^Đurđa', mrn: '55512-Č' },
  { script: 'Greek', name: 'Παπαδόπουλος^Άννα', mrn: '55512-Ω' },
  { script: 'Cyrillic', name: 'Люкceмбypг^Роза', mrn: '55512-Ж' },
  { script: 'Hebrew', name: 'שרון^דבורה', mrn: '55512-ש' },
  { script: 'Arabic', name: 'قباني^لنزار', mrn: '55512-ق' },
  { script: 'Thai', name: 'นามสกุล^ชื่อ', mrn: '55512-ก' },
  { script: 'Japanese', name: 'Yamada^Tarou=山田^太郎=やまだ^たろう', mrn: '55512-山' },
  { script: 'Korean', name: 'Hong^Gildong=洪^吉洞=홍^길동', mrn: '55512-홍' },
  { script: 'Chinese', name: 'Wang^XiaoDong=王^小东', mrn: '55512-东' },
  { script: 'Devanagari', name: 'शर्मा^अनीता', mrn: '55512-अ' },
  { script: 'Georgian', name: 'ბერიძე^ნინო', mrn: '55512-ბ' },
  { script: 'Vietnamese', name: 'Nguyễn^Thị Hương', mrn: '55512-ễ' },
]

/** A running server, and somebody who is signed in there. */
export type Place = { origin: string; sid: string; namespace: string }

export type CorrectedStudy = {
  studyUid: string
  /** The study's images as they came, by SOP Instance UID. */
  files: ReadonlyMap<string, Uint8Array>
  name: string
  mrn: string
  /** The images name several patients: those not of the corrected one stay as they are, and no files leave. */
  isMixed: boolean
}

/** The result of one door. */
export type Passage = { door: string; verdict: 'right' | 'refused' | 'old'; detail: string }

/** Asks at every door of the storage API and of DICOMweb for a study, and says of each what left through it. */
export async function* walkDoors(place: Place, study: CorrectedStudy, isThorough: boolean): AsyncGenerator<Passage> {
  const { origin, sid, namespace } = place
  const get = async (address: string, accept = '*/*') => {
    const reply = await fetch(address, { headers: { accept, authorization: `Bearer ${sid}` } })
    const type = reply.headers.get('content-type') ?? ''
    const filename = decodeURIComponent(reply.headers.get('content-disposition') ?? '')
    const { status } = reply
    try {
      return { status, type, filename, bytes: Buffer.from(await reply.arrayBuffer()) }
    } catch {
      // in the middle of many parts there is no other way to say that one cannot be had
      return { status: 599, type, filename, bytes: Buffer.from('the answer was cut') }
    }
  }
  type Got = Awaited<ReturnType<typeof get>>
  const told = namesIn(study)
  const judge = (door: string, { status, bytes, filename }: Got, faultsOf: () => readonly string[]): Passage => {
    if (status >= 400) return { door, verdict: 'refused', detail: `${status} ${bytes.toString().slice(0, 300)}` }
    const [fault] = [...told.faultsOfText('the name of the file', filename), ...faultsOf()]
    return { door, verdict: fault === undefined ? 'right' : 'old', detail: fault ?? '' }
  }
  const web = `${origin}/dicomweb/${namespace}`
  const storage = `${origin}/api/v3/storage`
  const at = `${web}/studies/${study.studyUid}`
  const own = `${storage}/study/${namespace}/${study.studyUid}`
  const jsonFaults = (got: Got) =>
    (JSON.parse(got.bytes.toString()) as DicomJson[]).flatMap((one) => faultsOfJson(study, one))
  const files = (got: Got) => partsOf(got).flatMap((bytes) => faultsOfFile(study, bytes))

  for (const form of ['*', '1.2.840.10008.1.2.1']) {
    const whole = await get(at, `multipart/related; type="application/dicom"; transfer-syntax=${form}`)
    yield judge(`WADO-RS study as ${form}`, whole, () => files(whole))
  }
  const metadata = await get(`${at}/metadata`, 'application/dicom+json')
  yield judge('WADO-RS metadata of the study', metadata, () => jsonFaults(metadata))
  for (const level of ['studies', 'series', 'instances']) {
    const found = await get(
      `${web}/${level}?StudyInstanceUID=${study.studyUid}&includefield=all&includefield=00101001&limit=100`,
      'application/dicom+json',
    )
    yield judge(`QIDO-RS ${level}`, found, () => jsonFaults(found).map((fault) => `${fault} in a list`))
  }
  for (const query of [
    'bundle=dicom',
    'bundle=dicom&flat_directory=1',
    'bundle=dicom&roche_directory=1',
    'bundle=dicom&transfer_syntax=1.2.840.10008.1.2.1',
    'bundle=image&include_wrapped_dicoms=1',
  ]) {
    const zip = await get(`${own}/download?${query}&phi_namespace=${namespace}`)
    yield judge(`download ${query}`, zip, () => faultsOfArchive(study, told, readZip(zip.bytes)))
  }
  const disc = await get(`${own}/download?bundle=iso`)
  yield judge('download bundle=iso', disc, () => faultsOfArchive(study, told, readDisc(disc.bytes)))
  for (const path of ['json', 'json?all_dicom_values=1', 'phi', 'tag']) {
    const json = await get(`${own}/${path}`)
    yield judge(`study ${path}`, json, () => faultsOfReply(study, json.bytes.toString(), path.startsWith('json')))
  }
  const ofStorage = await get(`${storage}/dicomweb/${namespace}/studies/${study.studyUid}/metadata`)
  yield judge('storage metadata of the study', ofStorage, () => jsonFaults(ofStorage))
  const schema = await get(`${own}/schema`)
  yield judge('study schema', schema, () => told.faultsOfText('the schema', schema.bytes.toString()))
  for (const [door, filter] of [
    ['study/get', `study_uid=${study.studyUid}&storage_namespace=${namespace}&phi_namespace=${namespace}`],
    ['study/list', `filter.study_uid.equals=${study.studyUid}&filter.phi_namespace.equals=${namespace}`],
  ] as const) {
    const record = await get(`${origin}/api/v3/${door}?${filter}`)
    yield judge(door, record, () => faultsOfReply(study, record.bytes.toString(), false))
  }
  for (const mrn of told.oldMrns) {
    const found = await get(`${web}/studies?PatientID=${encodeURIComponent(mrn)}&StudyInstanceUID=${study.studyUid}`)
    yield judge('QIDO-RS by the old MRN', found, () => (found.bytes.includes(study.studyUid) ? ['it is found'] : []))
  }
  const listed = [...study.files.keys()]
  const seen = new Set<string>()
  for (const sopUid of listed.slice(0, isThorough ? 3 : 1)) {
    const stored = readDataSet(study.files.get(sopUid) as Uint8Array, { inflate }).dataSet
    const series = `${at}/series/${findText(stored, Tag.SeriesInstanceUID) ?? ''}`
    const instance = `${series}/instances/${sopUid}`
    const syntaxes = ['*', '1.2.840.10008.1.2.1', '1.2.840.10008.1.2.4.80', '1.2.840.10008.1.2.4.201']
    for (const form of isThorough ? syntaxes.slice(0, 2) : syntaxes) {
      const one = await get(instance, `application/dicom; transfer-syntax=${form}`)
      yield judge(`WADO-RS instance as ${form}`, one, () =>
        faultsOfFile(study, one.bytes, form === '*' ? stored : undefined),
      )
    }
    const ofInstance = await get(`${instance}/metadata`, 'application/dicom+json')
    yield judge('WADO-RS metadata of the instance', ofInstance, () => jsonFaults(ofInstance))
    if (!seen.has(series)) {
      seen.add(series)
      const ofSeries = await get(series, 'multipart/related; type="application/dicom"; transfer-syntax=*')
      yield judge('WADO-RS series', ofSeries, () => files(ofSeries))
      const ofSeriesJson = await get(`${series}/metadata`, 'application/dicom+json')
      yield judge('WADO-RS metadata of the series', ofSeriesJson, () => jsonFaults(ofSeriesJson))
    }
    for (const [tag, text] of [
      ['00100010', study.name],
      ['00100020', study.mrn],
    ] as const) {
      const value = await get(`${instance}/bulkdata/${tag}`, 'application/octet-stream')
      yield judge(`bulk data ${tag}`, value, () =>
        study.isMixed || isWritten(value.bytes, text, stored.charset) ? [] : ['another value'],
      )
    }
    const image = `${own}/image/${sopUid}/version/*`
    for (const query of ['', '?transfer_syntax=1.2.840.10008.1.2.1', `?phi_namespace=${namespace}`]) {
      const file = await get(`${image}${query}`)
      yield judge(`payload ${query.replace(namespace, '…')}`, file, () => faultsOfFile(study, file.bytes))
    }
    for (const path of ['json', 'attribute', 'attribute?all_dicom_values=1', 'phi']) {
      const json = await get(`${image}/${path}`)
      yield judge(`image ${path}`, json, () => faultsOfReply(study, json.bytes.toString(), true))
    }
    const own2 = await get(
      `${storage}/dicomweb/${namespace}/studies/${study.studyUid}/series/${findText(stored, Tag.SeriesInstanceUID) ?? ''}/instances/${sopUid}/metadata`,
    )
    yield judge('storage metadata of the instance', own2, () =>
      faultsOfJson(study, JSON.parse(own2.bytes.toString()) as DicomJson),
    )
  }
}

/** Faults of a file, alone and behind its pixels; with the stored one, whether anything else in it is another. */
export function faultsOfFile(
  study: CorrectedStudy,
  bytes: Uint8Array,
  stored?: ReturnType<typeof readDataSet>['dataSet'],
): string[] {
  const { dataSet } = readDataSet(bytes, { inflate })
  const inside = dataSet.source.bytes
  const behindPixels = inside.subarray(endOfElement(dataSet.source, dataSet.encoding, dataSet.end))
  const behind = walkDataSet(sourceOf(behindPixels, dataSet.source.encoding), dataSet.encoding, {
    start: 0,
    limit: behindPixels.length,
    isLenient: true,
  })
  if (study.isMixed) return ['a file of several patients left']
  const faults = faultsOfIdentity(
    study,
    findText(dataSet, Tag.PatientName) ?? '',
    findText(dataSet, Tag.PatientID) ?? '',
  )
  if (
    [Tag.PatientName, Tag.PatientID].some(
      (tag) => behind.elements.has(tag) || dataSet.duplicates.some((one) => one.tag === tag),
    )
  )
    faults.push('an identity stands in the file twice')
  if (stored && restOf(dataSetToJson(stored)) !== restOf(dataSetToJson(dataSet)))
    faults.push('something else is another')
  return faults
}

const rewritten = ['00080005', '00100010', '00100020', '00100021', '00100024', '04000561']

/** All that a correction leaves alone. */
function restOf(json: DicomJson): string {
  const rest = Object.entries(json).filter(([tag]) => !rewritten.includes(tag) && !tag.endsWith('0000'))
  return JSON.stringify(rest).replaceAll(/"[0-9A-F]{4}0000":\{[^}]*\},?|"00080005":\{[^}]*\},?/g, '')
}

function faultsOfIdentity({ name, mrn, isMixed }: CorrectedStudy, heldName: string, heldMrn: string): string[] {
  if (isMixed || (heldName === name && heldMrn === mrn)) return []
  return [`the name is ${heldName === name ? 'new' : 'old'} and the MRN ${heldMrn === mrn ? 'new' : 'old'}`]
}

function faultsOfJson(study: CorrectedStudy, json: DicomJson): string[] {
  const groups = json['00100010']?.Value?.[0] as Record<string, string> | undefined
  // of an image that cannot be corrected a list names the UIDs alone
  if (!json['00100010'] && !json['00100020']) return []
  const name = [groups?.['Alphabetic'], groups?.['Ideographic'], groups?.['Phonetic']]
    .map((group) => group ?? '')
    .join('=')
  return faultsOfIdentity(study, name.replace(/=+$/, ''), String(json['00100020']?.Value?.[0] ?? ''))
}

/** Whether bytes are a text in the character set of a file, or in Unicode. */
function isWritten(bytes: Buffer, text: string, charset: string): boolean {
  const written = [encodeText(text, charset, true), Buffer.from(text)]
  return written.some((one) => one && bytes.subarray(0, one.length).equals(one) && bytes.length - one.length <= 1)
}

/** Every name and MRN that a reply in JSON tells: as an attribute of a list, or by its field. */
function faultsOfReply({ name, mrn, isMixed }: CorrectedStudy, text: string, isOfImages: boolean): string[] {
  if (isMixed && isOfImages) return []
  const names: unknown[] = []
  const mrns: unknown[] = []
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const told = value as Record<string, unknown>
    if (told['group'] === 0x10 && told['element'] === 0x10) names.push(told['value'])
    if (told['group'] === 0x10 && told['element'] === 0x20) mrns.push(told['value'])
    if ('patient_name' in told) names.push(told['patient_name'])
    if ('patientid' in told) mrns.push(told['patientid'])
    for (const one of Object.values(told)) look(one)
  }
  look(JSON.parse(text))
  if (names.length === 0 || mrns.length === 0) return ['nothing is told']
  return names.every((one) => one === name) && mrns.every((one) => one === mrn) ? [] : ['an old identity is told']
}

/** Names and MRNs that the images came with and that must be in no text beside them. */
function namesIn({ files, name, mrn, isMixed }: CorrectedStudy) {
  const fold = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
  const held = [...files.values()].map((bytes) => readDataSet(bytes, { inflate }).dataSet)
  const texts = (tag: number) => [...new Set(held.map((one) => (findText(one, tag) ?? '').trim()))]
  const oldMrns = isMixed ? [] : texts(Tag.PatientID).filter((text) => text !== '' && text !== mrn)
  const names = isMixed
    ? []
    : texts(Tag.PatientName).flatMap((text) => text.split('=').map((group) => fold(group).trim()))
  // a short one may be part of any word, and one that the new identity shares tells nothing
  const telling = names.filter((text) => text.length >= 6 && !fold(name).includes(text))
  const faultsOfText = (place: string, text: string) =>
    telling.some((old) => fold(text).includes(old)) ? [`the old name stands in ${place}`] : []
  return { oldMrns, faultsOfText }
}

function faultsOfArchive(
  study: CorrectedStudy,
  told: ReturnType<typeof namesIn>,
  entries: ReadonlyMap<string, Buffer>,
): string[] {
  return [...entries].flatMap(([path, bytes]) => {
    const [fault] = told.faultsOfText('a path of the archive', path)
    if (fault) return [fault]
    if (path === 'DICOMDIR') {
      const records = findItems(readDataSet(bytes).dataSet, Tag.DirectoryRecordSequence)
      const patients = records.filter((record) => findText(record, 0x00041430) === 'PATIENT')
      return patients.flatMap((one) =>
        faultsOfIdentity(study, findText(one, Tag.PatientName) ?? '', findText(one, Tag.PatientID) ?? '').map(
          (fault) => `DICOMDIR: ${fault}`,
        ),
      )
    }
    const isDicom = bytes.subarray(128, 132).toString('latin1') === 'DICM'
    return isDicom ? faultsOfFile(study, bytes).map((fault) => `${path}: ${fault}`) : []
  })
}

/** The bodies of an answer in parts, by their boundary. */
function partsOf({ type, bytes }: { type: string; bytes: Buffer }): Buffer[] {
  const boundary = /boundary="?([^";]+)/.exec(type)?.[1]
  if (!boundary) return [bytes]
  const parts: Buffer[] = []
  const mark = Buffer.from(`--${boundary}`)
  for (let at = bytes.indexOf(mark); at >= 0; ) {
    const next = bytes.indexOf(mark, at + mark.length)
    const head = bytes.indexOf('\r\n\r\n', at)
    if (next < 0) break
    parts.push(bytes.subarray(head + 4, next - 2))
    at = next
  }
  return parts
}

/** The files of an archive in which nothing is compressed, by its central directory. */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  for (let at = zip.readUInt32LE(zip.length - 6); zip.readUInt32LE(at) === 0x02014b50; ) {
    const [length, name, extra, comment] = [
      zip.readUInt32LE(at + 24),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
    ]
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    files.set(zip.toString('utf8', at + 46, at + 46 + name), zip.subarray(start, start + length))
    at += 46 + name + extra + comment
  }
  return files
}
