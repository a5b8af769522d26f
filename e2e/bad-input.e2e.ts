import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { call, callWell, type ListedStudy, listStudies, openSession } from './support/call.ts'
import { useSystem } from './support/system.ts'

const { server } = useSystem()
let origin: string
let sid: string
let viewerSid: string
let foreign: ListedStudy
beforeAll(async () => {
  origin = server().address
  sid = await openSession(origin, 'clinician')
  viewerSid = await openSession(origin, 'viewer')
  const everything = await listStudies(origin, await openSession(origin, 'administrator'))
  const outpatients = everything.find((study) => study.phi_namespace_name === 'Outpatient Imaging')
  if (!outpatients) throw new Error('The demo has no study in Outpatient Imaging')
  foreign = outpatients
})

async function send(path: string, init: RequestInit = {}) {
  const reply = await fetch(`${origin}${path}`, init)
  const text = await reply.text()
  return { status: reply.status, text, allow: reply.headers.get('allow') }
}

/** Sends a body to its end before it reads a word of the answer, as simple clients do. */
async function sendThenRead(path: string, sizeBytes: number): Promise<string> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  const head = ['content-type: application/json', `content-length: ${sizeBytes}`]
  socket.write(`POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\n${head.join('\r\n')}\r\n\r\n`)
  const chunk = Buffer.alloc(64 * 1024, 'x')
  for (let sent = 0; sent < sizeBytes; sent += chunk.length) {
    if (!socket.write(chunk.subarray(0, sizeBytes - sent))) await once(socket, 'drain')
  }
  const [answer] = await once(socket, 'data')
  socket.destroy()
  return String(answer)
}

const json = (body: string) => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body })

describe('a call', () => {
  it.each(['study/list', 'session/user', 'group/list', 'setting/get/all'])(
    '%s without a session, or with a wrong one, is 401',
    async (path) => {
      expect(await call(origin, path)).toMatchObject({ status: 401, body: { status: 'ERROR' } })
      expect(await call(origin, path, { sid: randomUUID() })).toMatchObject({ status: 401 })
      expect(await call(origin, path, { sid: `${sid}x` })).toMatchObject({ status: 401 })
      expect(await call(origin, path, { sid: "' or 1=1 --" })).toMatchObject({ status: 401 })
    },
  )

  it('for a foreign namespace or study answers as for one that does not exist', async () => {
    const known = { uuid: foreign.uuid }
    const unknown = { uuid: randomUUID() }
    for (const path of ['study/get', 'study/sync', 'study/lock']) {
      const [one, other] = [
        await call(origin, path, { sid: viewerSid, ...known }),
        await call(origin, path, { sid: viewerSid, ...unknown }),
      ]
      expect(one.status, path).toBe(412)
      expect(one).toEqual(other)
    }
    const check = (namespace_id: string) =>
      call(origin, 'study/upload/check', {
        sid: viewerSid,
        namespace_id,
        instances: [{ study_uid: '1.2', sop_uid: '1.3' }],
      })
    expect((await check(foreign.phi_namespace)).status).toBe(412)
    expect(await check(foreign.phi_namespace)).toEqual(await check(randomUUID()))
    const { studies } = await callWell(origin, 'study/list', {
      sid: viewerSid,
      'filter.phi_namespace.equals': foreign.phi_namespace,
    })
    expect(studies).toEqual([])
  })

  it('by a method that it does not take is 405, and says which it takes', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      expect(await send('/api/v3/study/list', { method })).toMatchObject({ status: 405, allow: 'GET, POST' })
    }
    expect(await send(`/api/v3/session/login?login=a&password=b`)).toMatchObject({ status: 405, allow: 'POST' })
    expect(await send('/api/v3/bundle')).toMatchObject({ status: 405, allow: 'POST' })
  })

  it('that does not exist says so', async () => {
    expect(await call(origin, 'study/frobnicate', { sid })).toMatchObject({
      status: 404,
      body: { status: 'ERROR', error_type: 'NOT_FOUND' },
    })
    expect(await call(origin, '__proto__', { sid })).toMatchObject({ status: 404 })
  })

  it('with a broken, a foreign or a huge body is refused in words, and the server goes on', async () => {
    expect((await send('/api/v3/study/list', json('{"sid": "'))).status).toBe(400)
    expect((await send('/api/v3/bundle', json('{"not": "a list"}'))).status).toBe(400)
    for (const body of ['[1]', '"text"', '1', 'true']) {
      expect(await send('/api/v3/study/list', json(body)), body).toMatchObject({ status: 400 })
      expect(await send(`/api/v3/study/list?sid=${sid}`, json(body)), body).toMatchObject({ status: 400 })
    }
    const answers = [
      await send('/api/v3/study/list', json('[1, 2]')),
      await send('/api/v3/study/list', json('null')),
      await send('/api/v3/study/list', {
        method: 'POST',
        headers: { 'content-type': 'application/xml' },
        body: '<a/>',
      }),
    ]
    for (const { status, text } of answers) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
      expect(JSON.parse(text)).toMatchObject({ status: 'ERROR' })
    }
    expect(await sendThenRead('/api/v3/study/list', 17 * 1024 * 1024)).toMatch(/^HTTP\/1\.1 413 [^]*"status":"ERROR"/)
    expect((await listStudies(origin, sid)).length).toBeGreaterThan(0)
  })

  it('names the fields that are missing', async () => {
    expect(await call(origin, 'session/login', { login: 'somebody' })).toMatchObject({
      status: 412,
      body: { error_type: 'MISSING_FIELDS', error_subtype: expect.anything() },
    })
    expect(await call(origin, 'study/upload/check', { sid })).toMatchObject({
      status: 412,
      body: { error_type: 'MISSING_FIELDS' },
    })
  })

  it('with a filter or an order that the list does not know says which', async () => {
    expect(await call(origin, 'study/list', { sid, 'filter.nonsense.equals': 'x' })).toMatchObject({ status: 412 })
    expect(await call(origin, 'study/list', { sid, 'filter.patient_name.nonsense': 'x' })).toMatchObject({
      status: 412,
    })
    expect(await call(origin, 'study/list', { sid, sort_by: 'nonsense-asc' })).toMatchObject({ status: 412 })
  })
})

describe('the storage', () => {
  const place = () => `/api/v3/storage/namespace/${foreign.phi_namespace}/image`
  const image = { method: 'POST', headers: { 'content-type': 'application/dicom' }, body: 'this is no DICOM' }

  it('takes nothing from nobody, nor into a foreign namespace', async () => {
    expect((await send(place(), image)).status).toBe(403)
    // the wire's answer to a wrong sid, on which its clients sign in again
    const wrong = await send(`${place()}?sid=${randomUUID()}`, image)
    expect([wrong.status, JSON.parse(wrong.text).kind]).toEqual([403, { code: 7, readable_status: 'ACCESS_DENIED' }])
    expect((await send(`${place()}?sid=${viewerSid}`, image)).status).toBeGreaterThanOrEqual(403)
    const unknown = `/api/v3/storage/namespace/${randomUUID()}/image?sid=${viewerSid}`
    expect((await send(unknown, image)).status).toBe((await send(`${place()}?sid=${viewerSid}`, image)).status)
  })

  it('refuses what is no DICOM with a reason, and lists nothing of it', async () => {
    const before = await listStudies(origin, sid)
    const { status, text } = await send(`${place()}?sid=${sid}`, image)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(JSON.parse(text).message).toMatch(/DICOM/)
    const empty = await send(`${place()}?sid=${sid}`, { method: 'POST' })
    expect(JSON.parse(empty.text).message).toMatch(/empty/i)
    expect(await listStudies(origin, sid)).toEqual(before)
  })

  it('gives no file, frame or thumbnail of a foreign study, and none out of its folder', async () => {
    const study = `/api/v3/storage/study/${foreign.storage_namespace}/${foreign.study_uid}`
    for (const path of [
      `${study}/schema`,
      `${study}/download?bundle=dicom`,
      `/dicomweb/studies/${foreign.study_uid}`,
    ]) {
      const refused = await send(`${path}${path.includes('?') ? '&' : '?'}sid=${viewerSid}`)
      expect(refused.status, path).toBeGreaterThanOrEqual(400)
      expect(refused.status, path).toBeLessThan(500)
      expect((await send(path)).status, path).toBeGreaterThanOrEqual(401)
    }
    for (const path of [
      '/assets/..%2f..%2fpackage.json',
      '/..%2f..%2f..%2fetc%2fpasswd',
      '/viewer/..%2f..%2f..%2fetc%2fpasswd',
    ]) {
      const { text } = await send(path)
      expect(text).not.toMatch(/root:|"workspaces"/)
    }
  })

  it('keeps patients and sessions out of the log', async () => {
    await call(origin, 'study/list', { sid, 'filter.patient_name.like': 'ZZSECRETNAME' })
    await send(`/api/v3/study/list?sid=${sid}&filter.patient_name.like=ZZSECRETNAME`)
    expect(server().log()).not.toMatch(/ZZSECRETNAME/)
    expect(server().log()).not.toContain(sid)
  })
})
