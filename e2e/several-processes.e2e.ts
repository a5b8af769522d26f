import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, callWell, listStudies, openSession } from './support/call.ts'
import {
  attachPages,
  beginDownload,
  beginParts,
  countImages,
  listWrapping,
  startLoad,
  uploadLarge,
} from './support/killed-work.ts'
import { makeImage } from './support/made-disc.ts'
import { hasToolkit } from './support/peers.ts'
import { startDemo } from './support/start-demo.ts'
import { findFreePort, type RunningServer, startBeside } from './support/start-server.ts'

/** So many that drawing them takes longer than to see that it has begun. */
const PAGES = 40
const folder = mkdtempSync(join(tmpdir(), 'hilum-processes-'))
const run = promisify(execFile)
const servers: RunningServer[] = []
/** Two that serve the web, and one for each other role alone, over one database and one store. */
let first: RunningServer
let second: RunningServer
let receiver: RunningServer
let orders: RunningServer
let worker: RunningServer
let dicomPort = 0
let hl7Port = 0
beforeAll(async () => {
  dicomPort = await findFreePort()
  hl7Port = await findFreePort()
  first = await startDemo({ HILUM_ROLES: 'web' })
  servers.push(first)
  second = await startBeside(first, { HILUM_ROLES: 'web' })
  servers.push(second)
  receiver = await startBeside(first, { HILUM_ROLES: 'dicom', HILUM_DICOM_PORT: String(dicomPort) })
  servers.push(receiver)
  orders = await startBeside(first, { HILUM_ROLES: 'hl7', HILUM_HL7_PORT: String(hl7Port) })
  servers.push(orders)
  worker = await startBeside(first, { HILUM_ROLES: 'worker' })
  servers.push(worker)
})
afterAll(async () => {
  for (const server of servers.toReversed()) await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A channel of one namespace at one process: what it hears, and whether the server has closed it. */
async function openChannel({ address }: RunningServer, sid: string, namespace: string) {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/api/v3/channel/websocket`)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  const frames: Record<string, unknown>[] = []
  socket.addEventListener('message', ({ data }) => frames.push(JSON.parse(String(data)) as Record<string, unknown>))
  socket.send(JSON.stringify({ action: 'subscribe', channel: `study.${namespace}`, sid }))
  await expect.poll(() => frames).toContainEqual({ status: 'OK', channel: `study.${namespace}` })
  return { socket, frames }
}

/** Sends one message of HL7 v2 by MLLP, and gives the answer. */
async function sendMessage(port: number, segments: readonly string[]): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port })
  socket.write(`\v${segments.join('\r')}\r\x1c\r`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return answer.toString()
}

async function findNamespace({ address }: RunningServer, sid: string, name: string): Promise<string> {
  const { namespaces } = await callWell(address, 'user/namespace/list', { sid })
  const found = (namespaces as { uuid: string; name: string }[]).find((one) => one.name === name)
  if (!found) throw new Error(`There is no namespace ${name}`)
  return found.uuid
}

describe('several processes over one database and one store', () => {
  it('each does what its roles name, and answers probes', async () => {
    for (const { address } of servers) expect((await fetch(`${address}/health/ready`)).status).toBe(200)
    const pages = await Promise.all(servers.map(async ({ address }) => (await fetch(`${address}/`)).status))
    expect(pages).toEqual([200, 200, 404, 404, 404])
    const calls = await Promise.all(
      servers.map(async ({ address }) => (await fetch(`${address}/api/v3/session/user`)).status),
    )
    expect(calls).toEqual([401, 401, 404, 404, 404])
    const listening = (words: RegExp) => servers.filter((server) => words.test(server.log()))
    expect(listening(/DICOM senders reach it/)).toEqual([receiver])
    expect(listening(/Orders by HL7 reach it/)).toEqual([orders])
    const roles = servers.map((server) => /is ready at \S+, as (.*)/.exec(server.log())?.[1])
    expect(roles).toEqual(['web', 'web', 'dicom', 'hl7', 'worker'])
  })

  it('a session opened at one serves at the other, and ends at both, with its channels', async () => {
    const sid = await openSession(first.address, 'clinician')
    const namespace = await findNamespace(second, sid, 'Emergency Department')
    const { socket, frames } = await openChannel(second, sid, namespace)
    await callWell(first.address, 'session/logout', { sid })
    await expect.poll(async () => (await call(second.address, 'session/user', { sid })).status).toBe(401)
    const refusal = { status: 'ERROR', error_type: 'NOT_PERMITTED', channel: `study.${namespace}` }
    await expect.poll(() => frames).toContainEqual(refusal)
    socket.close()
  })

  it.skipIf(!hasToolkit)(
    'what a sender sends to one is told by the others at once, and completed by the worker',
    async () => {
      const sid = await openSession(first.address, 'clinician')
      const namespace = await findNamespace(first, sid, 'Emergency Department')
      const channels = await Promise.all([first, second].map((server) => openChannel(server, sid, namespace)))
      const studyUid = newUid()
      const file = join(folder, 'sent.dcm')
      writeFileSync(file, makeImage({ name: 'SEVERAL^PROCESSES', studyUid }))
      await run('storescu', ['-aec', 'HILUM', '127.0.0.1', String(dicomPort), file])
      for (const { frames } of channels)
        await expect.poll(() => frames.filter((frame) => 'uuid' in frame).length).toBeGreaterThan(0)
      for (const { address } of [first, second])
        expect((await listStudies(address, sid)).map((study) => study.study_uid)).toContain(studyUid)
      // neither of the two that were asked completes studies
      await expect
        .poll(async () => (await listStudies(second.address, sid)).find((one) => one.study_uid === studyUid)?.arrival, {
          timeout: 120_000,
          interval: 1_000,
        })
        .toBe('complete')
      for (const { socket } of channels) socket.close()
    },
  )

  it('an order that comes to the process for HL7 alone is listed by those of the web at once', async () => {
    const sid = await openSession(first.address, 'administrator')
    const answer = await sendMessage(hl7Port, [
      'MSH|^~\\&|RIS|NORTH|HILUM||20260301||ORM^O01|M1|P|2.5.1',
      'PID|1||P-77^^^NORTH^MR||SEVERAL^PROCESSES||19700102|F',
      'ORC|NW|N-77',
      `OBR|1|N-77||X^Head${'|'.repeat(14)}A-77|RP1|S1||||CT${'|'.repeat(12)}20260302`,
    ])
    expect(answer).toContain('MSA|AA|M1')
    const { accounts } = (await callWell(second.address, 'account/list', { sid })) as { accounts: { uuid: string }[] }
    const list = { sid, account_id: accounts[0]?.uuid, 'filter.order_number.equals': 'N-77' }
    const listed = await Promise.all([first, second].map(({ address }) => callWell(address, 'order/list', list)))
    for (const { orders: found } of listed)
      expect(found).toMatchObject([{ accession_number: 'A-77', patientid: 'P-77' }])
  })

  it('takes the parts of one upload in at either', async () => {
    const sid = await openSession(first.address, 'uploader')
    const namespace = await findNamespace(first, sid, 'Emergency Department')
    const studyUid = newUid()
    const bytes = makeImage({ name: 'PARTS^SPREAD', studyUid })
    const at = ({ address }: RunningServer, path: string) => `${address}/api/v3/storage/multipart/${path}`
    const begun = (await (await fetch(at(first, `initiate?sid=${sid}`))).json()) as { upload_uuid: string }
    const parts = [bytes.subarray(0, 1_000), bytes.subarray(1_000, 3_000), bytes.subarray(3_000)]
    for (const [number, part] of parts.entries()) {
      const headers = { 'x-file-name': `0000${number}`, 'x-ambrahealth-part-checksum': String(crc32(part)) }
      const server = number === 1 ? second : first
      const kept = await fetch(at(server, `${begun.upload_uuid}?sid=${sid}`), {
        method: 'POST',
        headers,
        body: new Uint8Array(part),
      })
      expect(kept.status).toBe(202)
    }
    const query = `complete?namespace=${namespace}&endpoint=image&sid=${sid}`
    const whole = await fetch(at(second, `${begun.upload_uuid}/${query}`), { method: 'POST' })
    expect([whole.status, await whole.json()]).toEqual([202, expect.objectContaining({ outcome: 'stored' })])
  })

  it('one that is killed takes nothing with it: the other serves on, and it starts again beside it', async () => {
    const sid = await openSession(second.address, 'clinician')
    const listed = async ({ address }: RunningServer) => (await listStudies(address, sid)).map(({ uuid }) => uuid)
    const before = await listed(second)
    await second.kill()
    expect(await listed(first)).toEqual(before)
    await second.start()
    expect(await listed(second)).toEqual(before)
  })

  it('what killed processes acknowledged is there through another, which ends what they had begun', async () => {
    const sid = await openSession(first.address, 'staff')
    const place = { sid, namespace: await findNamespace(first, sid, 'Emergency Department') }
    const large = await uploadLarge(first, place)
    const load = startLoad(second, place)
    const parts = await beginParts(second, place)
    await expect.poll(load.countAcknowledged, { timeout: 60_000 }).toBeGreaterThan(20)
    const download = await beginDownload(second, place, large)
    const drawn = await attachPages(first, place, PAGES)
    const pagesDrawn = async () => (await countImages(first, sid, drawn)) - 1
    await expect.poll(pagesDrawn, { timeout: 60_000 }).toBeGreaterThan(1)
    await Promise.all([second.kill(), worker.kill()])
    expect(await pagesDrawn()).toBeLessThan(PAGES)
    servers.push(await startBeside(first, { HILUM_ROLES: 'worker' }))

    for (const { studyUid, sopUid, bytes } of await load.end()) {
      const image = `study/${place.namespace}/${studyUid}/image/${sopUid}/version/*?sid=${sid}`
      const reply = await fetch(`${first.address}/api/v3/storage/${image}`)
      expect([sopUid, reply.status, Buffer.from(await reply.arrayBuffer()).equals(bytes)]).toEqual([sopUid, 200, true])
    }
    await parts.endAt(first)
    await download.endAt(first)
    // the killed worker's hold on its work runs out first
    await expect.poll(() => listWrapping(first, sid), { timeout: 150_000, interval: 1_000 }).toEqual([])
    expect(await pagesDrawn()).toBe(PAGES)
  })
})
