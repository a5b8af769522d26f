import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newUid } from '@hilum/dicom/uid'
import Fastify from 'fastify'
import { afterAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { madePdf } from '../../../test/made-pdf.ts'
import { type Member, startStorage } from '../../../test/storage-fixture.ts'
import { sweepJobsAt } from '../../areas/job/sweep-jobs.job.ts'
import { doAsJob, tellEnd, tellProgress, tellPutOff } from '../../areas/job/track-job.command.ts'
import { wrapAttachmentActs } from '../../areas/attachments/wrap-attachment.job.ts'
import { channelRoutes } from '../channel/channel-routes.ts'
import { buildApp } from '../http/app.ts'
import { startWorker } from '../worker/start-worker.ts'

const storage = await startStorage()
const worker = await startWorker(storage.services)
const app = Fastify()
await channelRoutes(app, storage.services)
await app.listen({ host: '127.0.0.1', port: 0 })
const { folder } = storage
const calls = await buildApp(storage.services, {
  web: { app: folder, proviewer: folder },
  viewer: { folder: undefined },
})
afterAll(async () => {
  await worker.stop()
  await app.close()
  await calls.close()
})

const all = [
  'channel_study',
  'study_upload',
  'study_view',
  'study_delete',
  'study_delete_image',
  'study_report_view',
  'study_report_upload',
  'study_report_delete',
] as const

async function getJob(member: Pick<Member, 'sid'>, id: string) {
  const reply = await calls.inject({ method: 'POST', url: '/api/v3/job/get', payload: { sid: member.sid, id } })
  return { status: reply.statusCode, body: reply.json() }
}
const stateOf = async (member: Member, id: string) => (await getJob(member, id)).body.state ?? 'unknown'

async function send(member: Member, path: string, job: string, init: RequestInit = {}): Promise<Response> {
  const query = `${path.includes('?') ? '&' : '?'}sid=${member.sid}`
  return fetch(`${storage.base}/${path}${query}`, {
    ...init,
    headers: { ...init.headers, 'x-ambrahealth-job-id': job },
  })
}

const formOf = (content: BlobPart, name: string, part = 'data') => {
  const form = new FormData()
  form.append(part, new Blob([content]), name)
  return form
}
const pdf = new Uint8Array(
  madePdf([
    [100, 100],
    [100, 100],
  ]),
)

/** Events of jobs that a member hears from now on. */
async function hearJobs(member: Member) {
  const line = new WebSocket(`ws://127.0.0.1:${(app.server.address() as AddressInfo).port}/channel/websocket`)
  await once(line, 'open')
  const heard: Record<string, unknown>[] = []
  const joined = once(line, 'message')
  line.send(JSON.stringify({ action: 'subscribe', channel: `job.${member.namespace}`, sid: member.sid }))
  await joined
  line.on('message', (data) => heard.push(JSON.parse(String(data))))
  return { heard, close: () => line.terminate() }
}

test('each request that changes something is the job that it names, and ends as it ends', async () => {
  const member = await storage.addMember(all)
  const { heard, close } = await hearJobs(member)
  const studyUid = newUid()
  const study = `study/${member.namespace}/${studyUid}`
  const image = madeImage({ studyUid, number: 1 })
  const upload = (job: string, body: Uint8Array) =>
    send(member, `namespace/${member.namespace}/image`, job, { method: 'POST', body: new Uint8Array(body) })
  const states: Record<string, unknown> = {}
  const note = async (job: string, reply: Response) => {
    states[job] = [reply.status, await stateOf(member, job)]
    return reply
  }
  const { image_uid: imageUid } = await (await note('upload', await upload('upload', image))).json()
  await note('refused', await upload('refused', Buffer.from('no DICOM')))
  const wrapped = formOf(pdf, 'a.pdf', 'file')
  const wrap = { method: 'POST', body: wrapped, headers: { 'x-file-size': String(pdf.length) } }
  await note('wrap', await send(member, `namespace/${member.namespace}/wrap?study_uid=${studyUid}`, 'wrap', wrap))
  const attach = { method: 'POST', body: formOf(pdf, 'b.pdf') }
  const attached = await note('attach', await send(member, `${study}/attachment`, 'attach', attach))
  const { id, version } = await attached.json()
  const attachment = `${study}/attachment/${id}/version/${version}`
  await note('to-image', await send(member, `${attachment}/image`, 'to-image', { method: 'POST' }))
  const words = await send(member, `${study}/attachment`, 'words', { method: 'POST', body: formOf('words', 'w.txt') })
  const { id: wordsId, version: wordsVersion } = await words.json()
  const noImage = `${study}/attachment/${wordsId}/version/${wordsVersion}/image`
  await note('to-no-image', await send(member, noImage, 'to-no-image', { method: 'POST' }))
  await note('detach', await send(member, attachment, 'detach', { method: 'DELETE' }))
  await note('detach-again', await send(member, attachment, 'detach-again', { method: 'DELETE' }))
  await note('delete-image', await send(member, `${study}/image/${imageUid}`, 'delete-image', { method: 'DELETE' }))
  await note('delete-none', await send(member, `${study}/images`, 'delete-none', { method: 'DELETE', body: ',' }))
  await note('delete', await send(member, study, 'delete', { method: 'DELETE' }))
  expect(states).toEqual({
    upload: [202, 'DONE'],
    refused: [412, 'ERROR'],
    wrap: [202, 'DONE'],
    attach: [202, 'DONE'],
    'to-image': [202, 'DONE'],
    'to-no-image': [406, 'ERROR'],
    detach: [202, 'DONE'],
    'detach-again': [404, 'ERROR'],
    'delete-image': [202, 'DONE'],
    'delete-none': [400, 'ERROR'],
    delete: [202, 'DONE'],
  })
  expect((await getJob(member, 'upload')).body).toEqual({
    status: 'OK',
    id: 'upload',
    state: 'DONE',
    namespace_id: member.namespace,
    sent: 1,
    total: 1,
    error: null,
    message: null,
    created: expect.stringMatching(/\+00$/),
    updated: expect.stringMatching(/\+00$/),
  })
  expect((await getJob(member, 'refused')).body).toMatchObject({
    error: 'VALIDATION_ERROR',
    message: expect.any(String),
  })
  const of = (job: string) => heard.filter(({ job_id }) => job_id === job).map(({ event, state }) => [event, state])
  await vi.waitFor(() => expect(of('delete')).toHaveLength(2), { timeout: 30_000 })
  expect([of('upload'), of('refused')]).toEqual([
    [
      ['PROGRESS', 'RUNNING'],
      ['DONE', 'DONE'],
    ],
    [
      ['PROGRESS', 'RUNNING'],
      ['BROKEN', 'ERROR'],
    ],
  ])
  close()
})

test('making images without waiting is told from the queue to its end, page by page', async () => {
  const member = await storage.addMember(all)
  const studyUid = newUid()
  await uploadImage(storage, member, madeImage({ studyUid, number: 1 }))
  const study = `study/${member.namespace}/${studyUid}`
  const { heard, close } = await hearJobs(member)
  const sent = { method: 'POST', body: formOf(pdf, 'letter.pdf') }
  const reply = await send(member, `${study}/attachment?wrap_images=1`, 'pages', sent)
  expect([reply.status, (await reply.json()).images]).toEqual([202, undefined])
  const broken = { method: 'POST', body: formOf('%PDF-1.4 and no more', 'broken.pdf') }
  expect((await send(member, `${study}/attachment?wrap_images=1`, 'broken', broken)).status).toBe(202)
  await vi.waitFor(async () => expect(await stateOf(member, 'pages')).toBe('DONE'), { timeout: 60_000, interval: 100 })
  await vi.waitFor(async () => expect(await stateOf(member, 'broken')).toBe('ERROR'), {
    timeout: 60_000,
    interval: 100,
  })
  expect((await getJob(member, 'pages')).body).toMatchObject({ sent: 2, total: 2 })
  expect((await getJob(member, 'broken')).body).toMatchObject({
    error: 'VALIDATION_ERROR',
    message: 'The PDF cannot be read',
  })
  const ofPages = () => heard.filter(({ job_id }) => job_id === 'pages')
  await vi.waitFor(() => expect(ofPages().at(-1)?.state).toBe('DONE'), { timeout: 60_000 })
  // of its two pages it was told as they were made
  expect(ofPages().map(({ sent, total, state }) => [sent, total, state])).toContainEqual([1, 2, 'RUNNING'])
  const count = await (await fetch(`${storage.base}/${study}/count?sid=${member.sid}`)).json()
  expect(count).toEqual({ image_count: 3, series_count: 2, attachment_count: 2 })
  close()
})

test('work that waits in the queue is told as such, and as ended once however often it is told', async () => {
  const member = await storage.addMember(all)
  const key = { jobId: 'waits', userUuid: member.user, namespaceUuid: member.namespace }
  const [first, second] = [randomUUID(), randomUUID()]
  await tellPutOff(storage.services, key, first)
  await tellPutOff(storage.services, key, second)
  expect(await stateOf(member, 'waits')).toBe('SCHEDULED')
  await tellProgress(storage.services, key, first, { sent: 1, total: 4 })
  expect((await getJob(member, 'waits')).body).toMatchObject({ state: 'RUNNING', sent: 1, total: 4 })
  await tellEnd(storage.services, key, first)
  await tellEnd(storage.services, key, first, new Error('DOE^JANE'))
  expect(await stateOf(member, 'waits')).toBe('RUNNING')
  await tellEnd(storage.services, key, second, new Error('DOE^JANE'))
  const { body } = await getJob(member, 'waits')
  expect(body).toMatchObject({ state: 'ERROR', error: 'STORAGE_EXCEPTION_OCCURRED', message: 'The storage failed' })
  await tellProgress(storage.services, key, second, { sent: 3, total: 4 })
  expect(await stateOf(member, 'waits')).toBe('ERROR')
})

test('what has ended well is told as done to its last part, in whatever order its parts end', async () => {
  const member = await storage.addMember(all)
  const key = (jobId: string) => ({ jobId, userUuid: member.user, namespaceUuid: member.namespace })
  const { services } = storage
  const [unmade, early] = [randomUUID(), randomUUID()]
  // work that nothing is made by, as of a file that is no picture
  await doAsJob(services, key('unmade'), () => tellPutOff(services, key('unmade'), unmade))
  expect((await getJob(member, 'unmade')).body).toMatchObject({ state: 'SCHEDULED', sent: 1, total: 2 })
  await tellEnd(services, key('unmade'), unmade)
  expect((await getJob(member, 'unmade')).body).toMatchObject({ state: 'DONE', sent: 2, total: 2 })
  // work that has ended before the request that put it off
  await doAsJob(services, key('early'), async () => {
    await tellPutOff(services, key('early'), early)
    await tellProgress(services, key('early'), early, { sent: 3, total: 3 })
    await tellEnd(services, key('early'), early)
  })
  expect((await getJob(member, 'early')).body).toMatchObject({ state: 'DONE', sent: 3, total: 3 })
})

test('work left behind does no more than its person may when it runs', async () => {
  const member = await storage.addMember(all)
  const studyUid = newUid()
  await uploadImage(storage, member, madeImage({ studyUid, number: 1 }))
  const study = `study/${member.namespace}/${studyUid}`
  const sent = { method: 'POST', body: formOf(pdf, 'letter.pdf') }
  expect((await send(member, `${study}/attachment`, 'kept', sent)).status).toBe(202)
  const [found] = await storage.query<{ uuid: string; id: string; version: string }>(
    `select s.uuid, a.id, a.version from study s join attachment a on a.study_uuid = s.uuid where s.phi_namespace = '${member.namespace}'`,
  )
  await storage.query(`update role set permissions = array_remove(permissions, 'study_upload')
    where account_uuid = '${member.account}'`)
  const run = wrapAttachmentActs.run(
    storage.services,
    {
      userUuid: member.user,
      studyUuid: found?.uuid ?? '',
      id: found?.id ?? '',
      version: found?.version ?? '',
      seriesKey: 'any',
    },
    { work: randomUUID(), signal: new AbortController().signal },
  )
  await expect(run).rejects.toMatchObject({ code: 'ACCESS_DENIED', isFinal: true })
  const count = await (await fetch(`${storage.base}/${study}/count?sid=${member.sid}&images_only=1`)).json()
  expect(count).toMatchObject({ image_count: 1 })
})

test('requests of one name at the same time are one job, which ends with the last and fails with any', async () => {
  const member = await storage.addMember(all)
  const namespace = `namespace/${member.namespace}/image`
  const image = madeImage({ studyUid: newUid(), number: 1 })
  const slow = httpRequest(`${storage.base}/${namespace}?sid=${member.sid}`, {
    method: 'POST',
    headers: { 'x-ambrahealth-job-id': 'both', 'content-length': image.length },
  })
  slow.write(image.subarray(0, 200))
  await vi.waitFor(async () => expect(await stateOf(member, 'both')).toBe('RUNNING'), { timeout: 30_000 })
  expect((await send(member, namespace, 'both', { method: 'POST', body: 'no DICOM' })).status).toBe(412)
  expect((await getJob(member, 'both')).body).toMatchObject({ state: 'RUNNING', sent: 1, total: 2 })
  slow.end(image.subarray(200))
  await once(slow, 'response')
  await vi.waitFor(async () => expect(await stateOf(member, 'both')).toBe('ERROR'), { timeout: 30_000 })
  // begun anew, it is as its new beginning ends
  const again = await send(member, namespace, 'both', { method: 'POST', body: new Uint8Array(image) })
  expect(again.status).toBe(202)
  expect((await getJob(member, 'both')).body).toMatchObject({ state: 'DONE', sent: 1, total: 1, error: null })
})

test('a job is its person’s alone: of others it is answered as of none', async () => {
  const [member, other] = [await storage.addMember(all), await storage.addMember(all)]
  const image = new Uint8Array(madeImage({ studyUid: newUid(), number: 1 }))
  await send(member, `namespace/${member.namespace}/image`, 'mine', { method: 'POST', body: image })
  const unknown = await getJob(other, 'nobody')
  expect(unknown).toMatchObject({ status: 412, body: { error_type: 'NOT_FOUND' } })
  expect(await getJob(other, 'mine')).toEqual(unknown)
  // nor may somebody write into another's
  await send(other, `namespace/${member.namespace}/image`, 'mine', { method: 'POST', body: image })
  expect(await getJob(other, 'mine')).toEqual(unknown)
  expect(await stateOf(member, 'mine')).toBe('DONE')
})

test.each(['', 'a b', 'x'.repeat(65), '../../etc', "'; drop table job", '<script>', 'ünï'])(
  'a request that names its job %j is done, and names none',
  async (name) => {
    const member = await storage.addMember(all)
    const body = new Uint8Array(madeImage({ studyUid: newUid(), number: 1 }))
    const address = `namespace/${member.namespace}/image?job_id=${encodeURIComponent(name)}`
    const inHeader = /^[\x20-\x7e]*$/.test(name)
      ? await send(member, address, name, { method: 'POST', body })
      : undefined
    expect(inHeader?.status ?? 202).toBe(202)
    const query = `&sid=${member.sid}`
    expect((await fetch(`${storage.base}/${address}${query}`, { method: 'POST', body })).status).toBe(202)
    expect(await storage.query(`select from job where user_uuid = '${member.user}'`)).toEqual([])
    expect((await getJob(member, name || ' ')).body.error_type).toBe('NOT_FOUND')
  },
)

test('jobs are forgotten a day after their end; one of which nothing is heard for hours has failed', async () => {
  const member = await storage.addMember(all)
  const insert = (id: string, running: number, age: string) =>
    storage.query(`insert into job (user_uuid, namespace_uuid, job_id, running, updated)
      values ('${member.user}', '${member.namespace}', '${id}', ${running}, now() - interval '${age}')`)
  await insert('old', 0, '25 hours')
  await insert('fresh', 0, '23 hours')
  await insert('silent', 1, '7 hours')
  await insert('busy', 1, '5 hours')
  await sweepJobsAt(storage.services, new Date())
  const states = await Promise.all(['old', 'fresh', 'silent', 'busy'].map((id) => stateOf(member, id)))
  expect(states).toEqual(['unknown', 'DONE', 'ERROR', 'RUNNING'])
  expect((await getJob(member, 'silent')).body).toMatchObject({ error: 'INTERRUPTED' })
})
