import { crc32 } from 'node:zlib'
import { pixelElements } from '@hilum/dicom/synthetic/study'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { writePart10 } from '@hilum/dicom/write-part10'
import { expect } from 'vitest'
import { madePdf } from '../../server/test/made-pdf.ts'
import { callWell, listStudies } from './call.ts'
import { makeImage } from './made-disc.ts'
import type { RunningServer } from './start-server.ts'

type Place = { sid: string; namespace: string }
export type Acknowledged = { studyUid: string; sopUid: string; bytes: Uint8Array }

const LANES = 3
const storageOf = ({ address }: RunningServer, path: string) => `${address}/api/v3/storage/${path}`
const bodyOf = (bytes: Uint8Array) => new Uint8Array(bytes)

async function upload(server: RunningServer, { sid, namespace }: Place, bytes: Uint8Array): Promise<number> {
  const address = storageOf(server, `namespace/${namespace}/image?sid=${sid}`)
  const reply = await fetch(address, { method: 'POST', body: bodyOf(bytes) })
  await reply.arrayBuffer()
  return reply.status
}

/** Senders that go on until their server is gone. */
export function startLoad(server: RunningServer, place: Place) {
  const acknowledged: Acknowledged[] = []
  const send = async () => {
    const studyUid = newUid()
    for (;;) {
      const sopUid = newUid()
      const bytes = makeImage({ name: 'LOAD^KILLED', studyUid, sopUid })
      const status = await upload(server, place, bytes).catch(() => undefined)
      if (status === undefined) return
      expect(status).toBe(202)
      acknowledged.push({ studyUid, sopUid, bytes })
    }
  }
  const lanes = Promise.all(Array.from({ length: LANES }, send))
  return {
    countAcknowledged: () => acknowledged.length,
    end: async () => {
      await lanes
      return acknowledged
    },
  }
}

/** An upload in parts, of which the server has one whole and one half. */
export async function beginParts(server: RunningServer, { sid, namespace }: Place) {
  const bytes = makeImage({ name: 'PARTS^KILLED' })
  const parts = [bytes.subarray(0, 1_000), bytes.subarray(1_000, 3_000), bytes.subarray(3_000)]
  const begun = await fetch(storageOf(server, `multipart/initiate?sid=${sid}`))
  const { upload_uuid: uuid } = (await begun.json()) as { upload_uuid: string }
  const send = (to: RunningServer, number: number, body: BodyInit) =>
    fetch(storageOf(to, `multipart/${uuid}?sid=${sid}`), {
      method: 'POST',
      headers: {
        'x-file-name': `0000${number}`,
        'x-ambrahealth-part-checksum': String(crc32(parts[number] as Uint8Array)),
      },
      body,
      duplex: 'half',
    } as RequestInit)
  const whole = (to: RunningServer, number: number) => send(to, number, bodyOf(parts[number] as Uint8Array))
  expect((await whole(server, 0)).status).toBe(202)
  const half = new ReadableStream<Uint8Array>({ start: (body) => body.enqueue(bodyOf(bytes.subarray(1_000, 2_000))) })
  const cut = send(server, 1, half).then(
    ({ status }) => `answered ${status}`,
    () => 'broken off',
  )
  return {
    endAt: async (other: RunningServer) => {
      expect(await cut).toBe('broken off')
      for (const number of [1, 2]) expect((await whole(other, number)).status).toBe(202)
      const query = `complete?namespace=${namespace}&endpoint=image&sid=${sid}`
      const done = await fetch(storageOf(other, `multipart/${uuid}/${query}`), { method: 'POST' })
      expect([done.status, await done.json()]).toEqual([202, expect.objectContaining({ outcome: 'stored' })])
    },
  }
}

/** A study of 24 MB: more than lies in buffers between a server and a reader that waits. */
export async function uploadLarge(server: RunningServer, place: Place): Promise<string> {
  const studyUid = newUid()
  const [rows, columns] = [4096, 6144]
  const bytes = writePart10([
    { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.7' },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: newUid() },
    { tag: Tag.PatientName, vr: 'PN', value: 'LARGE^KILLED' },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: studyUid },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: newUid() },
    ...pixelElements({ rows, columns }, new Uint8Array(rows * columns).fill(7)),
  ])
  expect(await upload(server, place, bytes)).toBe(202)
  return studyUid
}

/** A download whose reader waits after its first bytes. */
export async function beginDownload(server: RunningServer, { sid, namespace }: Place, studyUid: string) {
  const path = `study/${namespace}/${studyUid}/download?bundle=dicom&sid=${sid}`
  const reply = await fetch(storageOf(server, path))
  expect(reply.status).toBe(200)
  const tag = reply.headers.get('etag') ?? ''
  const reader = (reply.body as ReadableStream<Uint8Array>).getReader()
  const held: Uint8Array[] = []
  const take = async () => {
    const { value, done } = await reader.read()
    if (value) held.push(value)
    return !done
  }
  await take()
  return {
    /** The rest comes from another server, from where the first broke off. */
    endAt: async (other: RunningServer) => {
      const readOn = async () => {
        while (await take());
      }
      await expect(readOn()).rejects.toThrow('terminated')
      const start = Buffer.concat(held)
      const headers = { range: `bytes=${start.length}-`, 'if-range': tag }
      const rest = await fetch(storageOf(other, path), { headers })
      expect(rest.status).toBe(206)
      const resumed = Buffer.concat([start, Buffer.from(await rest.arrayBuffer())])
      const whole = Buffer.from(await (await fetch(storageOf(other, path))).arrayBuffer())
      expect([resumed.length, resumed.equals(whole)]).toEqual([whole.length, true])
    },
  }
}

/** Attaches a document whose pages the worker makes images of. Gives its study, which has one image before. */
export async function attachPages(server: RunningServer, place: Place, pages: number): Promise<string> {
  const studyUid = newUid()
  expect(await upload(server, place, makeImage({ name: 'PAGES^KILLED', studyUid }))).toBe(202)
  const form = new FormData()
  const pdf = madePdf(Array.from({ length: pages }, () => [298, 420] as const))
  form.append('data', new Blob([bodyOf(pdf)]), 'pages.pdf')
  const address = `study/${place.namespace}/${studyUid}/attachment?wrap_images=1&sid=${place.sid}`
  const reply = await fetch(storageOf(server, address), { method: 'POST', body: form })
  expect([reply.status, await reply.json()]).toEqual([202, expect.anything()])
  return studyUid
}

export async function countImages({ address }: RunningServer, sid: string, studyUid: string): Promise<number> {
  return (await listStudies(address, sid)).find((one) => one.study_uid === studyUid)?.image_count ?? 0
}

/** Work of attachments that is not done. */
export async function listWrapping({ address }: RunningServer, sid: string) {
  const { work } = await callWell(address, 'job/list', { sid })
  return (work as { job: string; state: string; message: string | null }[])
    .filter(({ job }) => job === 'wrap-attachment')
    .map(({ state, message }) => ({ state, message }))
}
