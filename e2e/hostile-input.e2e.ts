import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { DimseError } from '@hilum/dicom/dimse/dimse-error'
import { requestAssociation } from '@hilum/dicom/dimse/request-association'
import { echo, store, Verification } from '@hilum/dicom/dimse/services'
import { ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { listStudies, openSession } from './support/call.ts'
import {
  hugeCodestreams,
  type MadeFile,
  makeDeflateBomb,
  makeFile,
  makeHugeClaim,
  makeItemBomb,
  makeLengthLie,
  makeNested,
} from './support/hostile-files.ts'
import { announceBody, beginBody } from './support/raw-http.ts'
import { startDemo } from './support/start-demo.ts'
import { findFreePort, type RunningServer } from './support/start-server.ts'

/** One image as these files claim to hold would take eight times as much; a server at rest takes 250. */
const MAX_PEAK_MB = 3_000

let server: RunningServer
let dicomPort = 0
let sid: string
let namespace: string
beforeAll(async () => {
  dicomPort = await findFreePort()
  server = await startDemo({ HILUM_DICOM_PORT: String(dicomPort) })
  sid = await openSession(server.address, 'clinician')
  const [first] = await listStudies(server.address, sid)
  namespace = first?.phi_namespace ?? ''
})
afterAll(() => server?.close())

const sockets: Socket[] = []
/** After every input the server lives, answers others, and has kept its memory within bounds. */
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  const death = server.findDeath()
  if (death) throw new Error(death)
  const { image, echo: echoed } = await serveOthers()
  if (image !== 202 || echoed !== 0) throw new Error(`Others were answered ${image} and ${echoed}`)
  const peak = server.peakMemoryMb() ?? 0
  if (peak > MAX_PEAK_MB) throw new Error(`The server has taken ${peak} MB`)
})

/** Somebody who only wants to send an image, and a scanner that asks whether we are there. */
async function serveOthers(): Promise<{ image: number; echo: number }> {
  const proposals = [{ abstractSyntax: Verification, transferSyntaxes: [ImplicitLittleEndian] }]
  const association = await requestAssociation(peer(), proposals)
  const { status } = await echo(association)
  await association.release()
  return { image: (await upload(makeFile())).status, echo: status }
}

const peer = () => ({ host: '127.0.0.1', port: dicomPort, calledTitle: 'HILUM', callingTitle: 'HOSTILE' })
const imageAddress = () => `${server.address}/api/v3/storage/namespace/${namespace}/image?sid=${sid}`

async function upload({ bytes }: Pick<MadeFile, 'bytes'>, headers: Record<string, string> = {}) {
  const reply = await fetch(imageAddress(), { method: 'POST', headers, body: new Uint8Array(bytes) })
  return { status: reply.status, words: await reply.text() }
}

async function stow({ bytes }: Pick<MadeFile, 'bytes'>, headers: Record<string, string> = {}) {
  const reply = await fetch(`${server.address}/dicomweb/${namespace}/studies`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sid}`, 'content-type': 'application/dicom', ...headers },
    body: new Uint8Array(bytes),
  })
  return { status: reply.status, words: await reply.text() }
}

/** The status of C-STORE in hex, or how the association ended. */
async function send(file: MadeFile): Promise<string> {
  const { sopClass, sopUid: sopInstance, transferSyntax } = file
  async function* data() {
    yield file.bytes.subarray(file.dataSetAt)
  }
  try {
    const association = await requestAssociation(peer(), [
      { abstractSyntax: sopClass, transferSyntaxes: [transferSyntax] },
    ])
    const [context] = association.contexts.values()
    if (!context) return 'not taken'
    const { status } = await store(association, context, { sopClass, sopInstance, data: data() })
    await association.release()
    return status.toString(16)
  } catch (error) {
    if (error instanceof DimseError) return error.message
    throw error
  }
}

async function isListed({ studyUid }: MadeFile): Promise<boolean> {
  const listed = await listStudies(server.address, sid)
  return listed.some((study) => study.study_uid === studyUid && study.image_count > 0)
}

describe('a file that cannot be true is refused by every way in, in words, and not listed', () => {
  const files: [string, () => MadeFile][] = [
    ['sequences nested 10,000 deep', () => makeNested(10_000)],
    ['sequences nested 300,000 deep', () => makeNested(300_000)],
    ['a deflated value of 100 MB', () => makeDeflateBomb(100 * 1024 * 1024)],
    ['eleven million deflated empty items', () => makeItemBomb(11_000_000)],
    ['pixel data of 2 GB of which 1 KB is there', () => makeLengthLie(2 ** 31)],
    ['pixel data that end a byte beyond the file', () => makeLengthLie(1_002)],
  ]
  it.each(files)('%s', async (_name, make) => {
    const file = make()
    const uploaded = await upload(file)
    expect([uploaded.status, uploaded.words]).toEqual([412, expect.stringContaining('"message"')])
    const stowed = await stow(file)
    expect([stowed.status, stowed.words]).toEqual([409, expect.stringContaining('"00000902"')])
    expect(await send(file)).toBe('c000')
    expect(await isListed(file)).toBe(false)
  })
})

it('seven million deflated empty items are kept, and what they hold is not spelt out', async () => {
  const file = makeItemBomb(7_000_000)
  expect(file.bytes.length).toBeLessThan(100_000)
  expect((await upload(file)).status).toBe(202)
  const { studyUid, seriesUid, sopUid } = file
  const paths = [
    `/dicomweb/${namespace}/studies/${studyUid}/series/${seriesUid}/instances/${sopUid}/metadata`,
    `/dicomweb/${namespace}/studies/${studyUid}/metadata`,
    `/api/v3/storage/study/${namespace}/${studyUid}/image/${sopUid}/version/*/json`,
    `/api/v3/storage/study/${namespace}/${studyUid}/image/${sopUid}/version/*/attribute`,
  ]
  for (const path of paths) {
    const reply = await fetch(`${server.address}${path}?sid=${sid}`)
    const { byteLength } = await reply.arrayBuffer()
    expect([path, reply.status, byteLength]).toEqual([path, 200, expect.toSatisfy((size: number) => size < 10_000)])
  }
})

describe('65,535 times 65,535 pixels', () => {
  const claims: [string, () => MadeFile][] = [
    ['native', () => makeHugeClaim('1.2.840.10008.1.2.1')],
    ...Object.entries(hugeCodestreams).map(([syntax, codestream]): [string, () => MadeFile] => [
      syntax,
      () => makeHugeClaim(syntax, codestream),
    ]),
  ]
  it.each(claims)(
    'claimed by %s are kept as they are and never drawn, by whatever way they are asked for',
    async (_name, make) => {
      const file = make()
      expect((await upload(file)).status).toBe(202)
      expect((await stow(file)).status).toBe(200)
      expect(await send(file)).toBe('0')
      const { studyUid, seriesUid, sopUid } = file
      const image = `/api/v3/storage/study/${namespace}/${studyUid}/image/${sopUid}/version/*`
      const instance = `/dicomweb/${namespace}/studies/${studyUid}/series/${seriesUid}/instances/${sopUid}`
      const pictures = [
        `${image}/frame/0`,
        `${image}/frame/0/thumbnail`,
        `${image}/frame/0/diagnostic`,
        `${image}/frame/0/tiff`,
        `${instance}/rendered`,
        `${instance}/frames/1`,
        `${instance}/frames/1/rendered`,
      ]
      for (const path of pictures) {
        const reply = await fetch(`${server.address}${path}?sid=${sid}`)
        expect([path, reply.status]).toEqual([path, 406])
        expect((await reply.text()).length).toBeGreaterThan(20)
      }
      // a tile with the reason
      const tile = await fetch(`${server.address}${instance}/thumbnail?sid=${sid}`)
      expect([tile.status, tile.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
      await tile.arrayBuffer()
      for (const path of [`${image}/json`, `${instance}/metadata`, image]) {
        const reply = await fetch(`${server.address}${path}?sid=${sid}`)
        await reply.arrayBuffer()
        expect([path, reply.status]).toEqual([path, 200])
      }
    },
  )
})

describe('a body', () => {
  it('that is compressed to a thousandth is not opened, whatever it is sent to', async () => {
    const bomb = { bytes: gzipSync(Buffer.alloc(200 * 1024 * 1024)) }
    const gzip = { 'content-encoding': 'gzip' }
    const called = await fetch(`${server.address}/api/v3/session/user`, {
      method: 'POST',
      headers: { ...gzip, 'content-type': 'application/json' },
      body: new Uint8Array(bomb.bytes),
    })
    const statuses = [called.status, (await upload(bomb, gzip)).status, (await stow(bomb, gzip)).status]
    await called.text()
    expect(statuses.map((status) => status >= 400 && status < 500)).toEqual([true, true, true])
  })

  it('that is an archive is no image, and nothing in it is looked at', async () => {
    // one entry, DEFLATE, of 4 GB by its own word
    const head = Buffer.from('504b0304140000000800000000000000000000000000ffffffff0100000061', 'hex')
    const zip = { bytes: Buffer.concat([head, deflateRawSync(Buffer.alloc(50 * 1024 * 1024))]) }
    expect(await upload(zip)).toMatchObject({ status: 412, words: expect.stringContaining('DICOM') })
    expect(await stow(zip)).toMatchObject({ status: 409 })
    const form = new FormData()
    form.append('file', new Blob([zip.bytes]), 'everything.zip')
    const wrapped = await fetch(`${server.address}/api/v3/storage/namespace/${namespace}/wrap?sid=${sid}`, {
      method: 'POST',
      headers: { 'x-file-size': String(zip.bytes.length) },
      body: form,
    })
    // no picture and no document: it could only be attached to a study, and names none
    expect([wrapped.status, await wrapped.text()]).toEqual([404, expect.stringContaining('STUDY_NOT_FOUND')])
  })

  it('announced with more than may come is refused before it comes, and one that never comes holds up nobody', async () => {
    const places = [
      `/api/v3/storage/namespace/${namespace}/image?sid=${sid}`,
      `/dicomweb/${namespace}/studies?sid=${sid}`,
      '/api/v3/study/list',
    ]
    for (const path of places) {
      expect([path, await announceBody(server.address, path, 9 * 1024 ** 3)]).toEqual([
        path,
        expect.toSatisfy(isRefusal),
      ])
    }
    // 4 GB are a large file: they are waited for, and take nothing until they come
    const silent = places.slice(0, 2).flatMap((path) => Array.from({ length: 20 }, () => begin(path, 4 * 1024 ** 3)))
    await Promise.all(silent)
    expect(await serveOthers()).toEqual({ image: 202, echo: 0 })
  })

  it('that ends before its length lists nothing', async () => {
    const file = makeFile([{ tag: 0x00204000, vr: 'LT', value: 'x'.repeat(5_000) }])
    const socket = await begin(`/api/v3/storage/namespace/${namespace}/image?sid=${sid}`, file.bytes.length)
    socket.end(file.bytes.subarray(0, file.bytes.length - 1_000))
    if (!socket.closed) await once(socket, 'close')
    expect(await isListed(file)).toBe(false)
    expect((await upload(file)).status).toBe(202)
    expect(await isListed(file)).toBe(true)
  })

  it('that comes byte by byte, from many senders at once, holds up nobody else', async () => {
    const { bytes } = makeFile()
    const slow = await Promise.all(
      Array.from({ length: 60 }, () => begin(`/api/v3/storage/namespace/${namespace}/image?sid=${sid}`, bytes.length)),
    )
    for (let at = 0; at < 20; at += 1) {
      for (const socket of slow) socket.write(bytes.subarray(at, at + 1))
      expect((await upload(makeFile())).status).toBe(202)
    }
  })
})

describe('[DIMSE] the listener', () => {
  it('answers others among associations that never ask, PDUs that lie and noise', async () => {
    const beginnings = [
      Buffer.alloc(0),
      Buffer.from('01', 'hex'),
      Buffer.from('0100ffffffff0001', 'hex'),
      Buffer.from('010000000010', 'hex'),
      Buffer.from('04000000000400000000', 'hex'),
      Buffer.from('05000000000400000000', 'hex'),
      Buffer.from('ff000000ffff', 'hex'),
      Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n'),
    ]
    for (let wave = 0; wave < 12; wave += 1) {
      for (const beginning of [...beginnings, randomBytes(500)]) {
        const socket = connect({ host: '127.0.0.1', port: dicomPort })
        sockets.push(socket)
        socket.on('error', () => undefined).resume()
        await once(socket, 'connect')
        socket.write(beginning)
      }
      expect(await serveOthers()).toEqual({ image: 202, echo: 0 })
    }
  })
})

function isRefusal(status: unknown): boolean {
  return typeof status === 'number' && status >= 400 && status < 500
}

async function begin(path: string, length: number): Promise<Socket> {
  const socket = await beginBody(server.address, path, length)
  sockets.push(socket)
  return socket
}
