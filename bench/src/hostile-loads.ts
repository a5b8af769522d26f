import { deflate } from '@hilum/dicom/node/inflate'
import { listCorpus, readCorpusFile } from '@hilum/dicom/node/corpus'
import { Tag } from '@hilum/dicom/tags'
import { DeflatedLittleEndian, ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { newUid } from '@hilum/dicom/uid'
import { writeMeta, writePart10 } from '@hilum/dicom/write-part10'
import { uploadAddress } from './addresses.ts'
import type { HilumServer } from './hilum-server.ts'
import { exchange, inParallel, openConnections } from './http-client.ts'

/** As much of a server as can be handed to another thread. */
export type HarmedServer = Pick<HilumServer, 'address' | 'namespace' | 'sid'>

/** Something that one sender does to make others wait. */
interface HostileLoad {
  name: string
  /** Makes everything that is to be sent. @returns sends all of it once */
  prepare: (hilum: HarmedServer) => () => Promise<void>
}

const megabyte = 1024 * 1024
const sopClass = '1.2.840.10008.5.1.4.1.1.7'
const json = { 'content-type': 'application/json' }

export const hostileLoads: readonly HostileLoad[] = [
  {
    name: 'four bodies of 16 MB of brackets, no session',
    prepare: (hilum) => {
      const body = Buffer.alloc(16 * megabyte, '[')
      return () => sendBodies(hilum, 'study/list', 4, body)
    },
  },
  {
    name: 'four bodies of 4 MB of brackets inside a value',
    prepare: (hilum) => {
      const instances = '['.repeat(3.9 * megabyte)
      const body = Buffer.from(JSON.stringify({ sid: hilum.sid, namespace_id: hilum.namespace, instances }))
      return () => sendBodies(hilum, 'study/upload/check', 4, body)
    },
  },
  {
    name: 'a bundle of 1,000 sign-ins, no session',
    prepare: (hilum) => {
      const items = Array.from({ length: 1000 }, () => ({ URL: 'session/login', login: 'a', password: 'b' }))
      const body = Buffer.from(JSON.stringify(items))
      return () => sendBodies(hilum, 'bundle', 1, body)
    },
  },
  {
    name: 'six deflate bombs by POST',
    prepare: (hilum) => {
      const bombs = Array.from({ length: 6 }, makeBomb)
      return () => sendFiles(hilum, bombs)
    },
  },
  {
    name: 'six deflate bombs by STOW',
    prepare: (hilum) => {
      const body = stowBodyOf(Array.from({ length: 6 }, makeBomb))
      return () => stow(hilum, body)
    },
  },
  {
    name: 'sixteen images with headers of 56 MB by POST',
    prepare: (hilum) => {
      const files = Array.from({ length: 16 }, makeLargeHeader)
      return () => sendFiles(hilum, files, 16)
    },
  },
  {
    name: '100,000 empty STOW parts',
    prepare: (hilum) => {
      const body = Buffer.from(`${'--x\r\n\r\n\r\n'.repeat(100_000)}--x--`)
      return () => stow(hilum, body)
    },
  },
  {
    name: 'the odd files of the test corpus by POST',
    prepare: (hilum) => {
      const files = oddFiles()
      return () => sendFiles(hilum, files)
    },
  },
]

function oddFiles(): Buffer[] {
  const odd = listCorpus().filter(({ path }) => !path.startsWith('studies/') && !path.startsWith('media/'))
  return odd.map(({ path }) => Buffer.from(readCorpusFile(path)))
}

/** A data set of a hundred kilobytes that grows to 100 MB in front of its names. */
function makeBomb(): Buffer {
  const sopUid = newUid()
  const head = writeMeta(sopClass, sopUid, ExplicitLittleEndian).length
  const data = writePart10([
    { tag: Tag.SOPClassUID, vr: 'UI', value: sopClass },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: sopUid },
    { tag: 0x00090010, vr: 'LO', value: 'HILUM BENCH' },
    { tag: 0x00091010, vr: 'OB', value: new Uint8Array(100 * megabyte) },
  ]).subarray(head)
  return Buffer.concat([writeMeta(sopClass, sopUid, DeflatedLittleEndian), deflate(data)])
}

/** An image whose attributes before its pixels are a long list of short items. */
function makeLargeHeader(): Buffer {
  const studyUid = newUid()
  const item = Buffer.from('feff00e00c000000080005015348040041424344', 'hex')
  const references = Buffer.alloc(56 * megabyte - ((56 * megabyte) % item.length), item)
  return Buffer.from(
    writePart10([
      { tag: Tag.SOPClassUID, vr: 'UI', value: sopClass },
      { tag: Tag.SOPInstanceUID, vr: 'UI', value: newUid() },
      { tag: Tag.Modality, vr: 'CS', value: 'OT' },
      { tag: 0x00081140, vr: 'SQ', value: new Uint8Array(references) },
      { tag: Tag.StudyInstanceUID, vr: 'UI', value: studyUid },
      { tag: Tag.SeriesInstanceUID, vr: 'UI', value: newUid() },
    ]),
  )
}

async function sendBodies(hilum: HarmedServer, path: string, count: number, body: Buffer): Promise<void> {
  const agent = openConnections(count)
  const url = `${hilum.address}/api/v3/${path}`
  await inParallel(count, count, async () => {
    await exchange(agent, { method: 'POST', url, headers: json, body: [body] })
  })
  agent.destroy()
}

async function sendFiles(hilum: HarmedServer, files: readonly Buffer[], lanes = 6): Promise<void> {
  const agent = openConnections(lanes)
  await inParallel(files.length, lanes, async (index) => {
    await exchange(agent, { method: 'POST', url: uploadAddress(hilum), body: [files[index] as Buffer] })
  })
  agent.destroy()
}

function stowBodyOf(files: readonly Buffer[]): Buffer {
  const parts = files.flatMap((file) => [
    Buffer.from('--x\r\nContent-Type: application/dicom\r\n\r\n'),
    file,
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...parts, Buffer.from('--x--')])
}

async function stow(hilum: HarmedServer, body: Buffer): Promise<void> {
  const agent = openConnections(1)
  const headers = {
    authorization: `Bearer ${hilum.sid}`,
    'content-type': 'multipart/related; type="application/dicom"; boundary=x',
  }
  await exchange(agent, {
    method: 'POST',
    url: `${hilum.address}/dicomweb/${hilum.namespace}/studies`,
    headers,
    body: [body],
  })
  agent.destroy()
}
