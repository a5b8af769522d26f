import { randomUUID } from 'node:crypto'
import { type CorpusFile, listCorpus, readCorpusFile } from '@hilum/dicom/node/corpus'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { digestOf, newSid } from '../src/access/sid.ts'
import { type Member, type StorageFixture, startStorage } from './storage-fixture.ts'

/** One match or instance of the JSON model, as a client sees it. */
export type Json = Record<string, { vr: string; Value?: unknown[]; BulkDataURI?: string; InlineBinary?: string }>

/** The first value of an attribute. */
export const valueOf = (json: Json | undefined, tag: string): unknown => json?.[tag]?.Value?.[0]

export interface PartIn {
  headers: Record<string, string>
  body: Buffer
}

export interface DicomwebFixture extends StorageFixture {
  /** `http://127.0.0.1:port` */
  origin: string
  /** A request to `/dicomweb/{path}` as this member. */
  ask: (member: { sid: string }, path: string, init?: RequestInit) => Promise<Response>
  /** A search or metadata answer of status 200. */
  list: (member: { sid: string }, path: string) => Promise<Json[]>
  /** Corpus files into the member's group, by image upload. */
  upload: (member: Member, paths: readonly string[]) => Promise<void>
  /** The first corpus file whose path contains this, uploaded by the member. */
  stored: (member: Member, part: string) => Promise<CorpusFile>
  /** A store request of these bodies. */
  stow: (member: Member, bodies: readonly Uint8Array[], study?: string) => Promise<{ status: number; json: Json }>
  /** A session derived from the member's that sees these studies only. */
  derive: (member: Member, studyUids: readonly string[]) => Promise<{ sid: string }>
}

/** A server with DICOMweb, its own database and store. Call it at the top of a test file. */
export async function startDicomweb(): Promise<DicomwebFixture> {
  const storage = await startStorage()
  const origin = new URL(storage.base).origin
  const ask: DicomwebFixture['ask'] = (member, path, init = {}) =>
    fetch(`${origin}/dicomweb/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${member.sid}`, ...(init.headers as Record<string, string> | undefined) },
    })
  const upload: DicomwebFixture['upload'] = async (member, paths) => {
    for (const path of paths) {
      const reply = await fetch(`${storage.base}/namespace/${member.namespace}/image?sid=${member.sid}`, {
        method: 'POST',
        body: new Uint8Array(readCorpusFile(path)),
      })
      expect([path, reply.status]).toEqual([path, 202])
    }
  }
  return {
    ...storage,
    origin,
    ask,
    upload,
    list: async (member, path) => {
      const reply = await ask(member, path)
      expect([path, reply.status, reply.headers.get('content-type')]).toEqual([path, 200, 'application/dicom+json'])
      return (await reply.json()) as Json[]
    },
    stored: async (member, part) => {
      const file = corpusFile(part)
      await upload(member, [file.path])
      return file
    },
    stow: async (member, bodies, study) => {
      const reply = await ask(member, `${member.namespace}/studies${study ? `/${study}` : ''}`, {
        method: 'POST',
        headers: { 'content-type': 'multipart/related; type="application/dicom"; boundary="a b"' },
        body: new Uint8Array(multipartOf(bodies, 'a b')),
      })
      return { status: reply.status, json: (await reply.json()) as Json }
    },
    derive: async (member, studyUids) => {
      const sid = newSid()
      await sql`
        insert into session (uuid, sid_digest, user_uuid, parent_uuid, studies, idle_minutes, expires_at)
        select ${randomUUID()}, ${digestOf(sid)}, p.user_uuid, p.uuid,
          array(select s.uuid from study s where s.study_uid = any(${studyUids as string[]})), 60, now() + interval '1 hour'
        from session p
        where p.sid_digest = ${digestOf(member.sid)}
      `.execute(storage.db)
      return { sid }
    },
  }
}

/** The first corpus file whose path contains this. */
export const corpusFile = (part: string) => listCorpus('').find(({ path }) => path.includes(part)) as CorpusFile

/** Path of an instance below its namespace. */
export const addressOf = (file: CorpusFile) =>
  `studies/${file.study_uid}/series/${file.series_uid}/instances/${file.sop_uid}`

/** An accepted range of parts of this type, in this transfer syntax where one is named. */
export const inParts = (type: string, syntax?: string) =>
  `multipart/related; type="${type}"${syntax ? `; transfer-syntax=${syntax}` : ''}`

/** A body of parts as a client writes it. */
export function multipartOf(bodies: readonly Uint8Array[], boundary: string, type = 'application/dicom'): Buffer {
  const parts = bodies.flatMap((body) => [
    Buffer.from(`--${boundary}\r\nContent-Type: ${type}\r\n\r\n`),
    body,
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
}

/** The parts of an answer, read the plain way. */
export async function partsOf(reply: Response): Promise<PartIn[]> {
  const type = reply.headers.get('content-type') ?? ''
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1]
  if (!type.startsWith('multipart/related') || !boundary) throw new Error(`Not multipart: ${reply.status} ${type}`)
  const bytes = Buffer.from(await reply.arrayBuffer())
  const parts: PartIn[] = []
  const delimiter = Buffer.from(`--${boundary}`)
  let at = bytes.indexOf(delimiter)
  for (;;) {
    const next = bytes.indexOf(delimiter, at + delimiter.length)
    if (next < 0) return parts
    const part = bytes.subarray(at + delimiter.length + 2, next - 2)
    const end = part.indexOf('\r\n\r\n')
    const headers = Object.fromEntries(
      part
        .toString('latin1', 0, end)
        .split('\r\n')
        .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    parts.push({ headers, body: part.subarray(end + 4) })
    at = next
  }
}
