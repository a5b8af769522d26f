import { crc32 } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import type { Door } from '../src/inbound/http/app.ts'
import { madeImage } from './made-image.ts'

/** Values for the names in the addresses of doors. */
export interface DoorTarget {
  namespace: string
  study: string
  series: string
  instance: string
  imageVersion: string
  attachment: string
  attachmentVersion: string
  upload: string
  /** A report as a file; nobody's where none was made. */
  report: string
}

/** A request as it is sent. */
export interface DoorRequest {
  method: string
  url: string
  query?: Record<string, string>
  headers?: Record<string, string>
  payload?: string | Uint8Array<ArrayBuffer>
}

/** Addresses that name no row: pages, files, and what is not there. The calls have walks of their own. */
const nameless = [
  /^\/(api\/v3|api\/v3\/storage|host\/:engine\/api\/v3\/storage|viewer|proviewer)\/\*$/,
  /^\/(api\/v3\/)?channel\/websocket$/,
  /^\/(api\/v3\/(docs|openapi\.json)|health\/\w+|\.well-known\/security\.txt)?$/,
  /multipart\/initiate$/,
  /^\/api\/v3\/report\/zip$/,
]

/** The doors whose addresses name rows. */
export function namingDoors(app: FastifyInstance): readonly Door[] {
  return app.doors.filter(({ url }) => !nameless.some((one) => one.test(url)))
}

/**
 * A good request at a door for this target.
 * @throws Error for a name in the address that has no sample here
 */
export function requestOf({ method, url }: Door, target: DoorTarget): DoorRequest {
  const path = url
    .replace(/\*$/, () => wildcardOf(url))
    .replace(/:(\w+)/g, (_, name: string) => valueOf(name, url, target))
  return { method, url: path, ...bodyOf(method, url, target) }
}

function valueOf(name: string, url: string, target: DoorTarget): string {
  const values: Record<string, string> = {
    namespace: target.namespace,
    study: target.study,
    studyUid: target.study,
    series: target.series,
    seriesUid: target.series,
    instance: target.instance,
    imageUid: target.instance,
    version: url.includes('/attachment/') ? target.attachmentVersion : target.imageVersion,
    id: target.attachment,
    upload: target.upload,
    frame: '0',
    filename: 'report.txt',
    ending: 'txt',
    engine: 'engine',
  }
  const value = values[name]
  if (value === undefined) throw new Error(`Give :${name} of ${url} a sample, so that the walk can name a foreign one`)
  return value
}

function wildcardOf(url: string): string {
  if (url.endsWith('/frames/*')) return '1'
  if (url.endsWith('/bulkdata/*')) return '7FE00010'
  throw new Error(`Give the end of ${url} a sample`)
}

type Extra = Pick<DoorRequest, 'payload' | 'headers' | 'query'>

const reason = { headers: { 'content-type': 'application/json' }, payload: JSON.stringify({ reason: 'Walked' }) }
const chunk = new TextEncoder().encode('walked')

function bodyOf(method: string, url: string, target: DoorTarget): Extra {
  if (method === 'POST') {
    if (url.endsWith('/image') && url.includes('/namespace/:namespace')) return { payload: image(target) }
    if (url.endsWith('/attachment')) return form('data')
    if (url.endsWith('/wrap')) return { ...withFileSize(form('file')), query: { study_uid: target.study } }
    if (url.endsWith('/complete')) return { query: { namespace: target.namespace } }
    if (url.endsWith('/multipart/:upload')) {
      return {
        payload: chunk,
        headers: { 'x-ambrahealth-part-checksum': String(crc32(chunk)), 'x-file-name': '00000' },
      }
    }
    if (/\/studies(\/:study)?$/.test(url))
      return { payload: image(target), headers: { 'content-type': 'application/dicom' } }
    if (url.endsWith('/measurements'))
      return { payload: report(target), headers: { 'content-type': 'application/dicom' } }
    if (url.endsWith('/download')) {
      return { payload: 'bundle=dicom', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    }
  }
  if (url.endsWith('/report/zip')) return { query: { report_id: target.report } }
  if (url.endsWith('/download')) return { query: { bundle: 'dicom' } }
  if (url.endsWith('/hold') || url.endsWith('/one_patient')) return reason
  if (url.endsWith('/images')) return { payload: target.instance, headers: { 'content-type': 'text/plain' } }
  return {}
}

function image(target: DoorTarget): Uint8Array<ArrayBuffer> {
  return new Uint8Array(madeImage({ studyUid: target.study, number: 9 }))
}

function report(target: DoorTarget): Uint8Array<ArrayBuffer> {
  const sopClassUid = '1.2.840.10008.5.1.4.1.1.88.34'
  return new Uint8Array(madeImage({ studyUid: target.study, number: 8, series: 8, sopClassUid }))
}

function form(part: string): Extra {
  const lines = [
    '--walk',
    `Content-Disposition: form-data; name="${part}"; filename="walked.txt"`,
    'Content-Type: text/plain',
    '',
    new TextDecoder().decode(chunk),
    '--walk--',
    '',
  ]
  return { payload: lines.join('\r\n'), headers: { 'content-type': 'multipart/form-data; boundary=walk' } }
}

function withFileSize(extra: Extra): Extra {
  return { ...extra, headers: { ...extra.headers, 'x-file-size': String(chunk.length) } }
}
