import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { calls } from '@hilum/contract/calls/all-calls'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { madeImage } from '../../../test/made-image.ts'
import { goodPassword, type Group, makeOrganisation, type Person } from '../../../test/make-organisation.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { buildApp } from './app.ts'
import { channelFrames, curlExamples, listening } from './curl-examples.ts'
import { describedRoutes } from './described-routes.ts'

const { services, folder } = await openTestServices()
const app = await buildApp(services, { web: { app: folder, proviewer: folder }, viewer: { folder: undefined } })
afterAll(() => app.close())

it('gives each call and each route a place in the document and on the page', async () => {
  const document = (await app.inject({ url: '/api/v3/openapi.json' })).json()
  const page = (await app.inject({ url: '/api/v3/docs' })).body
  for (const call of Object.values(calls)) expect(page).toContain(`id="${call.path}"`)
  for (const { route } of describedRoutes) expect(page).toContain(`id="${route.path}"`)
  for (const { path: url, methods } of describedRoutes.map(({ route }) => route)) {
    const open = url
      .replace(/^\/api\/v3/, '')
      .replace(/:(\w+)/g, '{$1}')
      .replace(/\*$/, '{rest}')
    expect([open, Object.keys(document.paths[open])]).toEqual([
      open,
      expect.arrayContaining(methods.map((one) => one.toLowerCase())),
    ])
  }
  expect(document.paths['/study/set'].post.requestBody.content['application/json'].schema).toMatchObject({
    additionalProperties: false,
    properties: { unread: { type: 'integer', enum: [0, 1] } },
  })
  const inPlace = 'destination_view or destination_edit or destination_search or study_push'
  expect(document.paths['/destination/list'].post['x-needs-in-place']).toBe(inPlace)
  expect(page).toContain(`in the account, or in a place of it <code>${inPlace}</code>`)
  expect(document.paths['/user/event'].post['x-needs-by-case']).toEqual({
    'another person': 'user_view_others_notifications',
  })
  expect(page).toContain('for another person <code>user_view_others_notifications</code>')
  const parametersOf = (path: string) => document.paths[path].get.parameters
  expect(parametersOf('/storage/study/{namespace}/{studyUid}/download')).toContainEqual({
    name: 'bundle',
    in: 'query',
    description: 'dicom (ZIP with DICOMDIR), image (pictures) or iso (disc)',
    schema: { type: 'string', enum: ['dicom', 'image', 'iso'] },
    example: 'dicom',
  })
  expect(parametersOf('/dicomweb/{namespace}/studies')).toContainEqual(
    expect.objectContaining({ name: 'limit', schema: { type: 'integer', minimum: 0 }, example: '100' }),
  )
})

describe('its examples', () => {
  let work: string
  let address: string
  let person: Person
  let group: Group
  beforeAll(async () => {
    work = await mkdtemp(path.join(tmpdir(), 'hilum-docs-'))
    await writeFile(path.join(work, 'image.dcm'), madeImage({ studyUid: newUid(), number: 1, patientName: 'DOE^JANE' }))
    address = await app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => rm(work, { recursive: true, force: true }))
  // the steps count studies: each test has a place of its own
  beforeEach(async () => {
    const organisation = await makeOrganisation(services.db)
    group = await organisation.addGroup()
    person = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  })

  async function upload(image: Uint8Array) {
    const url = `${address}/api/v3/storage/namespace/${group.namespaceUuid}/image`
    const headers = { authorization: `Bearer ${person.sid}` }
    expect((await fetch(url, { method: 'POST', headers, body: new Uint8Array(image) })).status).toBe(202)
  }

  it('run one after the other with curl, from signing in to signing out', async () => {
    const marked = curlExamples.map(({ title, shell }) => `echo '== ${title}'\n${shell}\necho`)
    const script = ['set -euo pipefail', ...marked].join('\n')
    const env = {
      PATH: process.env.PATH,
      HILUM: address,
      LOGIN: person.email,
      PASSWORD: goodPassword,
      FILE: 'image.dcm',
    }
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: work, env })
    const told = Object.fromEntries(
      stdout
        .split(/^== /m)
        .filter(Boolean)
        .map((part) => [part.slice(0, part.indexOf('\n')), part]),
    )
    expect(Object.keys(told)).toEqual(curlExamples.map(({ title }) => title))
    expect(told['Sign in']).toContain(person.email)
    expect(told['Choose an inbox']).toContain(group.namespaceUuid)
    expect(told.Find).toMatch(/"studies":\[\{[^}]*"patient_name":"DOE\^JANE"[^}]*"image_count":1/)
    expect(told.Find).toContain('"total":1')
    expect(told['Read and edit']).toContain('"study_description":["","Second look"]')
    expect(told['Several calls at once']).toMatch(/"HTTP_STATUS_CODE":"200".*"HTTP_STATUS_CODE":"200"/s)
    expect(told.DICOMweb).toContain('Second look')
    expect(told['What a refusal looks like']).toContain('412')
    expect(told.Tag).toContain('urgent')
    expect(told['Several files by STOW-RS']?.match(/"00081155"/g)).toHaveLength(2)
    expect((await readFile(path.join(work, 'image.out'))).subarray(128, 132).toString()).toBe('DICM')
    expect((await readFile(path.join(work, 'frame.png'))).subarray(1, 4).toString()).toBe('PNG')
    expect([...(await readFile(path.join(work, 'frame.jpg'))).subarray(0, 2)]).toEqual([0xff, 0xd8])
    expect((await readFile(path.join(work, 'frame.raw'))).length).toBeGreaterThan(0)
    expect((await readFile(path.join(work, 'study.zip'))).subarray(0, 2).toString()).toBe('PK')
    expect([...(await readFile(path.join(work, 'study.jpg'))).subarray(0, 2)]).toEqual([0xff, 0xd8])
    expect(JSON.parse(await readFile(path.join(work, 'refused.json'), 'utf8'))).toMatchObject({
      error_type: 'NOT_FOUND',
    })
  })

  it('listen to the channel from a shell', async () => {
    const channel = spawn('bash', ['-c', `exec ${listening}`], {
      env: {
        PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
        HILUM: address,
        NAMESPACE: group.namespaceUuid,
        SID: person.sid,
      },
    })
    let told = ''
    channel.stdout.on('data', (text) => (told += text))
    try {
      await expect.poll(() => told).toContain(`{"status":"OK","channel":"study.${group.namespaceUuid}"}`)
      await upload(madeImage({ studyUid: newUid(), number: 1, patientName: 'HEARD^EVE' }))
      await expect.poll(() => told).toContain('"event":"STUDY"')
    } finally {
      channel.kill()
    }
  })

  it('subscribe to the channel with the frames that are shown', async () => {
    const fill = (frame: string) => frame.replaceAll('NAMESPACE', group.namespaceUuid).replaceAll('SID', person.sid)
    const socket = new WebSocket(`${address.replace('http', 'ws')}/api/v3/channel/websocket`)
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    const frames: unknown[] = []
    socket.addEventListener('message', ({ data }) => frames.push(JSON.parse(String(data))))
    const uploadOther = () => upload(madeImage({ studyUid: newUid(), number: 1, patientName: 'TOLD^ADA' }))
    const heard = async (count: number) => {
      await vi.waitFor(() => expect(frames.length).toBeGreaterThanOrEqual(count), { timeout: 20_000 })
      return frames.splice(0)
    }
    const joined = JSON.parse(fill(channelFrames.joined))
    socket.send(channelFrames.ping)
    socket.send(fill(channelFrames.subscribe))
    expect(await heard(2)).toEqual([{ status: 'OK' }, joined])
    await uploadOther()
    expect(await heard(1)).toEqual([expect.objectContaining({ channel: joined.channel })])
    socket.send(fill(channelFrames.unsubscribe))
    await vi.waitFor(() => expect(frames).toContainEqual(joined), { timeout: 20_000 })
    frames.length = 0
    // events of the namespace come on another line now, and on this one only the answer to a ping
    const other = new WebSocket(`${address.replace('http', 'ws')}/api/v3/channel/websocket`)
    await new Promise((resolve) => other.addEventListener('open', resolve))
    const told = new Promise<void>((resolve) => {
      other.addEventListener('message', ({ data }) => 'uuid' in JSON.parse(String(data)) && resolve())
    })
    other.send(fill(channelFrames.subscribe))
    await uploadOther()
    await told
    socket.send(channelFrames.ping)
    expect(await heard(1)).toEqual([{ status: 'OK' }])
    other.close()
    socket.close()
  })
})
