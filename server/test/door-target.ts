import { randomUUID } from 'node:crypto'
import type { DoorRequest, DoorTarget } from './door-samples.ts'
import { madeImage } from './made-image.ts'

/** An answer as a client reads it. */
export interface DoorAnswer {
  statusCode: number
  headers: Record<string, string>
  body: string
}

/** Sends a request, with more parameters behind its own. */
export async function askDoor(
  origin: string,
  { method, url, payload, headers, query = {} }: DoorRequest,
  sid: string | undefined,
  more: readonly (readonly [string, string])[] = [],
): Promise<DoorAnswer> {
  const parameters = new URLSearchParams([...Object.entries(query), ...more] as [string, string][])
  const reply = await fetch(`${origin}${url}?${parameters}`, {
    method,
    headers: { ...headers, ...(sid ? { authorization: `Bearer ${sid}` } : {}) },
    ...(payload === undefined ? {} : { body: payload }),
  })
  return { statusCode: reply.status, headers: Object.fromEntries(reply.headers), body: await reply.text() }
}

/** A study with an image and an attachment, and an upload in chunks that has begun. */
export async function makeDoorTarget(
  origin: string,
  sid: string,
  namespace: string,
  study: string,
): Promise<DoorTarget> {
  const base = '/api/v3/storage'
  const sent = await read(origin, sid, {
    method: 'POST',
    url: `${base}/namespace/${namespace}/image`,
    payload: new Uint8Array(madeImage({ studyUid: study, number: 1 })),
  })
  const attached = await read(origin, sid, {
    method: 'POST',
    url: `${base}/study/${namespace}/${study}/attachment`,
    payload: '--a\r\nContent-Disposition: form-data; name="data"; filename="r.txt"\r\n\r\nreport\r\n--a--\r\n',
    headers: { 'content-type': 'multipart/form-data; boundary=a' },
  })
  const upload = await read(origin, sid, { method: 'GET', url: `${base}/multipart/initiate` })
  return {
    namespace,
    study,
    series: `${study}.1`,
    instance: `${study}.1.1`,
    imageVersion: sent.image_version ?? '',
    attachment: attached.id ?? '',
    attachmentVersion: attached.version ?? '',
    upload: upload.upload_uuid ?? '',
    report: randomUUID(),
  }
}

async function read(origin: string, sid: string, request: DoorRequest): Promise<Record<string, string>> {
  const { statusCode, body } = await askDoor(origin, request, sid)
  if (statusCode >= 300) throw new Error(`${request.url} answered ${statusCode} ${body}`)
  return JSON.parse(body)
}
