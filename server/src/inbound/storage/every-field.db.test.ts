import type { AddressInfo } from 'node:net'
import { deflateRawSync } from 'node:zlib'
import { studyDicomFields, type StudyDicomField } from '@hilum/contract/entities/study'
import { studyAttributes } from '@hilum/contract/entities/study-attributes'
import type { DataSet } from '@hilum/dicom/data-set'
import { findFileStart } from '@hilum/dicom/file-start'
import { type DicomJson, dataSetToJson } from '@hilum/dicom/json'
import { inflate } from '@hilum/dicom/node/inflate'
import { readDataSet } from '@hilum/dicom/read'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { findItems, findText } from '@hilum/dicom/values'
import { concatBytes } from '@hilum/dicom/write-part10'
import { afterAll, expect, test } from 'vitest'
import { readZip } from '../../../test/correction-doors.ts'
import { partsOf } from '../../../test/dicomweb-fixture.ts'
import { madeImage } from '../../../test/made-image.ts'
import { readDisc } from '../../../test/read-disc.ts'
import { addMember } from '../../../test/storage-fixture.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { buildApp } from '../http/app.ts'

/*
 * Every field that study/set writes, not name and MRN alone, leaves by every door as it was corrected: in files, discs,
 * their directories, metadata and lists.
 */

const { services, folder } = await openTestServices()
const app = await buildApp(services, { web: { app: folder, proviewer: folder }, viewer: { folder: undefined } })
afterAll(() => app.close())
await app.listen({ host: '127.0.0.1', port: 0 })
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

/** By VR: the value in the images, and the one of the correction. */
const values: Readonly<Record<string, readonly [came: string, corrected: string]>> = {
  PN: ['Älter^Jörg', 'Новый^Ιωάννης'],
  LO: ['Älter', 'Новый Ω'],
  SH: ['ÄLT-1', 'НОВ-Ω'],
  LT: ['Älter Text', 'Новый текст Ω'],
  DA: ['19500203', '19611224'],
  TM: ['080102', '101112'],
  CS: ['F', 'M'],
  AS: ['050Y', '031Y'],
  DS: ['1.5', '71.25'],
}
const fields = studyDicomFields.flatMap((field) => {
  const attribute = studyAttributes[field]
  const [came = '', corrected = ''] = values[attribute?.vr ?? ''] ?? []
  return attribute ? [{ field, ...attribute, came, corrected }] : []
})
type Field = (typeof fields)[number]

const ofList: ReadonlySet<StudyDicomField> = new Set([
  'patient_name',
  'patientid',
  'patient_birth_date',
  'patient_sex',
  'study_date',
  'study_time',
  'accession_number',
  'referring_physician',
  'study_description',
])

test.each(['1.2.840.10008.1.2.1', '1.2.840.10008.1.2', '1.2.840.10008.1.2.1.99', '1.2.840.10008.1.2.2'])(
  '[API-14] every field that is corrected leaves corrected by every door, of images in %s',
  async (transferSyntax) => {
    expect(fields.length).toBeGreaterThanOrEqual(27)
    const { sid, namespace } = await addMember(services.db, [
      'study_upload',
      'study_view',
      'study_edit',
      'study_download',
    ])
    const studyUid = newUid()
    const made = madeImage({
      studyUid,
      number: 1,
      transferSyntax,
      more: [
        { tag: Tag.SpecificCharacterSet, vr: 'CS', value: 'ISO_IR 100' },
        ...fields.map(({ tag, vr, came }) => ({
          tag: Number.parseInt(tag, 16),
          vr,
          value: Buffer.from(came, 'latin1'),
        })),
      ],
    })
    const bytes = transferSyntax.endsWith('.99') ? deflated(made) : made
    const authorization = `Bearer ${sid}`
    const upload = await fetch(`${origin}/api/v3/storage/namespace/${namespace}/image`, {
      method: 'POST',
      body: new Uint8Array(bytes),
      headers: { authorization },
    })
    expect([upload.status, await upload.text()]).toEqual([202, expect.anything()])
    const sent = Object.fromEntries(fields.map(({ field, corrected }) => [field, corrected]))
    const key = { study_uid: studyUid, storage_namespace: namespace, phi_namespace: namespace }
    const set = await fetch(`${origin}/api/v3/study/set`, {
      method: 'POST',
      body: new URLSearchParams({ sid, ...key, ...sent }),
    })
    expect(await set.json()).toMatchObject({ status: 'OK' })

    const get = async (path: string, accept = '*/*') => {
      const reply = await fetch(`${origin}${path}`, { headers: { authorization, accept } })
      expect([path, reply.status]).toEqual([path, 200])
      return reply
    }
    const bytesOf = async (path: string) => Buffer.from(await (await get(path)).arrayBuffer())
    const list = async (path: string) => (await (await get(path, 'application/dicom+json')).json()) as DicomJson[]
    const storage = `/api/v3/storage/study/${namespace}/${studyUid}`
    const web = `/dicomweb/${namespace}/studies/${studyUid}`
    const instance = `${web}/series/${studyUid}.1/instances/${studyUid}.1.1`
    const multipart = 'multipart/related; type="application/dicom"; transfer-syntax=*'

    const record = (await (await get(`/api/v3/study/get?${new URLSearchParams(key)}`)).json()) as Record<string, string>
    expect(Object.fromEntries(fields.map(({ field }) => [field, record[field]]))).toEqual(sent)
    const files: (readonly [string, Uint8Array])[] = [
      ['payload', await bytesOf(`${storage}/image/${studyUid}.1.1/version/*`)],
      ['converted', await bytesOf(`${storage}/image/${studyUid}.1.1/version/*?transfer_syntax=1.2.840.10008.1.2.1`)],
      ['JPEG 2000', await bytesOf(`${storage}/image/${studyUid}.1.1/version/*?transfer_syntax=1.2.840.10008.1.2.4.90`)],
      ...(await partsOf(await get(instance, multipart))).map(({ body }) => ['WADO-RS instance', body] as const),
      ...(await partsOf(await get(web, multipart))).map(({ body }) => ['WADO-RS study', body] as const),
    ]
    for (const [door, entries] of [
      ['ZIP', readZip(await bytesOf(`${storage}/download?bundle=dicom`))],
      ['flat ZIP', readZip(await bytesOf(`${storage}/download?bundle=dicom&flat_directory=1`))],
      ['disc', readDisc(await bytesOf(`${storage}/download?bundle=iso`))],
      ['pictures', readZip(await bytesOf(`${storage}/download?bundle=image&include_wrapped_dicoms=1`))],
    ] as const) {
      for (const [path, entry] of entries) {
        expect([door, path]).not.toEqual([door, expect.stringMatching(/[ÄA]lter/i)])
        const isDirectory = path === 'DICOMDIR'
        expect([door, isDirectory ? faultsOfDirectory(entry) : []]).toEqual([door, []])
        if (!isDirectory && entry.subarray(128, 132).toString('latin1') === 'DICM')
          files.push([`${door} ${path}`, entry])
      }
    }
    for (const [door, file] of files) {
      const told = dataSetToJson(readDataSet(file, { inflate }).dataSet)
      expect([door, faultsOf(fields, (tag) => textOf(told[tag]?.Value?.[0]))]).toEqual([door, []])
    }
    const inList = fields.filter(({ field }) => ofList.has(field))
    const lists: readonly (readonly [string, readonly Field[]])[] = [
      [`${web}/metadata`, fields],
      [`${instance}/metadata`, fields],
      [`/api/v3/storage/dicomweb/${namespace}/studies/${studyUid}/metadata`, fields],
      [`/dicomweb/${namespace}/studies?StudyInstanceUID=${studyUid}&includefield=all`, inList],
      [`/dicomweb/${namespace}/studies?StudyInstanceUID=${studyUid}&${asked}`, inList],
      [`${web}/series?${asked}`, []],
      [`${web}/instances?${asked}`, []],
    ]
    for (const [path, expected] of lists) {
      const [told] = await list(path)
      const given = fields.filter((one) => expected.includes(one) || told?.[one.tag]?.Value !== undefined)
      expect([path, faultsOf(given, (tag) => textOf(told?.[tag]?.Value?.[0]))]).toEqual([path, []])
    }
    // found by each corrected value, and by none that came
    for (const { field, tag, corrected, came } of inList) {
      const found = async (value: string) => {
        const query = new URLSearchParams({ StudyInstanceUID: studyUid, [tag]: value })
        return (await list(`/dicomweb/${namespace}/studies?${query}`)).length
      }
      expect([field, await found(corrected), await found(came)]).toEqual([field, 1, 0])
    }
  },
)

function deflated(file: Uint8Array): Uint8Array {
  const { dataSetStart } = findFileStart(file, file.length)
  return concatBytes([file.subarray(0, dataSetStart), deflateRawSync(file.subarray(dataSetStart))])
}

const asked = fields.map(({ tag }) => `includefield=${tag}`).join('&')

const textOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? String((value as Record<string, string>)['Alphabetic']) : String(value)

function faultsOf(all: readonly Field[], valueOf: (tag: string) => string): string[] {
  return all.flatMap(({ field, tag, vr, corrected }) => {
    const told = valueOf(tag).trim()
    const isRight = vr === 'DS' ? Number(told) === Number(corrected) : told === corrected
    return isRight ? [] : [`${field}: ${told}`]
  })
}

/** Faults of patient and study in the directory of a disc. */
function faultsOfDirectory(directory: Uint8Array): string[] {
  const records = findItems(readDataSet(directory).dataSet, Tag.DirectoryRecordSequence)
  const told = (record: DataSet) =>
    fields.flatMap(({ field, tag, corrected }) => {
      const text = findText(record, Number.parseInt(tag, 16))
      return text === undefined || text === '' || text === corrected ? [] : [`${field}: ${text}`]
    })
  return records.flatMap(told)
}
