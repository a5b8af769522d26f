import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Tag } from '@hilum/dicom/tags'
import Fastify from 'fastify'
import { afterAll, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { makeOrganisation, type Person } from '../../../test/make-organisation.ts'
import { startStorage } from '../../../test/storage-fixture.ts'
import { channelRoutes } from './channel-routes.ts'

/** More than the sockets between hold, so that a reader who waits stops the sender. */
const pictureBytes = 40 * 1024 * 1024

const storage = await startStorage()
const organisation = await makeOrganisation(storage.db)
const group = await organisation.addGroup()
const [reader, other] = [
  await organisation.addPerson({ groups: [group] }),
  await organisation.addPerson({ groups: [group] }),
]
const app = Fastify()
await channelRoutes(app, storage.services)
await app.listen({ host: '127.0.0.1', port: 0 })
const lines: WebSocket[] = []
afterAll(async () => {
  for (const line of lines) line.terminate()
  await app.close()
})

interface Heard {
  event: string
  job_id: string
  sent: number
  total: number
}

/** Events of jobs in the group that a person hears from now on. */
async function hearJobs(person: Person): Promise<Heard[]> {
  const line = new WebSocket(`ws://127.0.0.1:${(app.server.address() as AddressInfo).port}/channel/websocket`)
  lines.push(line)
  await once(line, 'open')
  const heard: Heard[] = []
  const isJoined = Promise.withResolvers<void>()
  line.on('message', (data) => {
    const message = JSON.parse(String(data)) as Heard & { status?: string }
    if (message.status === 'OK') isJoined.resolve()
    else heard.push(message)
  })
  line.send(JSON.stringify({ action: 'subscribe', channel: `job.${group.namespaceUuid}`, sid: person.sid }))
  await isJoined.promise
  return heard
}

let made = 0
async function makeStudy(pixelBytes: number): Promise<string> {
  const studyUid = `1.2.826.0.1.3680043.10.77.${++made}`
  const more = [{ tag: Tag.PixelData, vr: 'OB', value: new Uint8Array(pixelBytes) } as const]
  const member = { sid: reader.sid, namespace: group.namespaceUuid, account: '', user: '' }
  const { status } = await uploadImage(storage, member, madeImage({ studyUid, number: 1, more }))
  expect(status).toBe(202)
  return studyUid
}

function open(studyUid: string, jobId: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const { namespaceUuid } = group
  const address = `${storage.base}/study/${namespaceUuid}/${studyUid}/download?bundle=dicom&phi_namespace=${namespaceUuid}&sid=${reader.sid}&job_id=${jobId}`
  return new Promise((resolve, reject) => {
    get(address, { agent: false, headers }, resolve).on('error', reject)
  })
}

async function sizeOf(answer: IncomingMessage): Promise<number> {
  let size = 0
  for await (const chunk of answer) size += (chunk as Buffer).length
  return size
}

const of = (heard: readonly Heard[], jobId: string) => heard.filter((one) => one.job_id === jobId)
const lastOf = (heard: readonly Heard[], jobId: string) => of(heard, jobId).at(-1)
const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000 })

it('who downloads hears how far it is and that it is done, and another person hears nothing', async () => {
  const studyUid = await makeStudy(pictureBytes)
  const [mine, theirs] = [await hearJobs(reader), await hearJobs(other)]
  const answer = await open(studyUid, 'slow')
  const isUnderWay = () =>
    of(mine, 'slow').some(({ event, sent, total }) => event === 'PROGRESS' && sent > 0 && sent < total)
  let size = 0
  for await (const chunk of answer) {
    size += (chunk as Buffer).length
    // reads on slowly until it has heard of the way between beginning and end
    if (!isUnderWay()) await wait(20)
  }
  await until(() => expect(lastOf(mine, 'slow')).toMatchObject({ event: 'DONE', sent: size, total: size }))
  expect(isUnderWay()).toBe(true)
  const sent = of(mine, 'slow').map((one) => one.sent)
  expect(sent).toEqual(sent.toSorted((a, b) => a - b))
  // progress of the other's own download comes after all progress that this one might have had
  storage.services.jobs.tell({
    jobId: 'own',
    userUuid: other.userUuid,
    namespaceUuid: group.namespaceUuid,
    state: 'DONE',
    sent: 1,
    total: 1,
  })
  await until(() => expect(theirs).not.toEqual([]))
  expect(theirs.map(({ job_id }) => job_id)).toEqual(['own'])
})

it('a download that is broken off says so, and that it is done when the client goes on from there', async () => {
  const studyUid = await makeStudy(pictureBytes)
  const mine = await hearJobs(reader)
  const answer = await open(studyUid, 'broken')
  const total = Number(answer.headers['content-length'])
  answer.destroy()
  await until(() => expect(lastOf(mine, 'broken')).toMatchObject({ event: 'BROKEN', total }))
  expect(lastOf(mine, 'broken')?.sent).toBeLessThan(total)
  const rest = await open(studyUid, 'broken', { range: `bytes=${total - 1000}-` })
  expect([rest.statusCode, await sizeOf(rest)]).toEqual([206, 1000])
  await until(() => expect(lastOf(mine, 'broken')).toMatchObject({ event: 'DONE', sent: total, total }))
})

it('who comes after the end hears how it ended', async () => {
  const studyUid = await makeStudy(1000)
  const size = await sizeOf(await open(studyUid, 'early'))
  const mine = await hearJobs(reader)
  await until(() => expect(lastOf(mine, 'early')).toMatchObject({ event: 'DONE', sent: size, total: size }))
})

it('a download that names no job, or one that is no name, comes and is not told of', async () => {
  const studyUid = await makeStudy(1000)
  const mine = await hearJobs(reader)
  for (const jobId of ['', 'a%20b', 'x'.repeat(65), 'a&job_id=b']) {
    expect(await sizeOf(await open(studyUid, jobId))).toBeGreaterThan(1000)
  }
  await sizeOf(await open(studyUid, 'last'))
  await until(() => expect(lastOf(mine, 'last')).toMatchObject({ event: 'DONE' }))
  expect(mine.filter(({ job_id }) => !['slow', 'broken', 'early', 'last'].includes(job_id))).toEqual([])
})
