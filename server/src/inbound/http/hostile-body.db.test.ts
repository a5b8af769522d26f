import { request } from 'node:http'
import { maxSessionlessBodyBytes } from '@hilum/contract/limits'
import { afterAll, expect, it } from 'vitest'
import { goodPassword, makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { takeWebBuild } from '../../web-build.ts'
import { buildApp } from './app.ts'

const { services, call } = await startTestApp()
const app = await buildApp(services, { web: takeWebBuild(services.config.dataFolder), viewer: { folder: undefined } })
const address = await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => app.close())
const organisation = await makeOrganisation(services.db)
const { sid, namespaceUuid } = await organisation.addPerson()
const headers = { 'content-type': 'application/json' }

/** Sends the beginning of a body that never ends, and gives the answer's status. */
function sendBeginning(path: string, beginning: string, more: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const sending = request(`${address}${path}`, { method: 'POST', headers: { ...headers, ...more } }, (reply) => {
      resolve(reply.statusCode ?? 0)
      reply.destroy()
    })
    sending.on('error', reject)
    sending.write(beginning)
  })
}

it('answers an unknown address before it reads a body', async () => {
  for (const path of ['/api/v3/no/such/call', '/nowhere', '/api/v3/docs', '/api/v3/storage/x', '/']) {
    const status = await sendBeginning(path, '[')
    expect([path, status]).toEqual([path, expect.toBeOneOf([403, 404, 405])])
  }
})

it('reads no more than 64 KB for whom it does not know, whatever the body claims', async () => {
  const long = (text: string) => text.padEnd(2 * maxSessionlessBodyBytes, ' ')
  for (const start of ['{"x":1', '{"sid":"not-one"', `{"x":"${sid}"`]) {
    expect(await sendBeginning('/api/v3/study/list', long(start))).toBe(401)
    expect(await sendBeginning('/api/v3/bundle', long(`[${start}`))).toBe(401)
  }
  expect(await sendBeginning('/api/v3/session/login', long('{"login":"a"'))).toBe(413)
  expect(await sendBeginning('/api/v3/study/list', '['.repeat(200))).toBe(400)
})

it('reads on for a live session, named in the header or at the beginning of the body', async () => {
  const padding = 'x'.repeat(10 * maxSessionlessBodyBytes)
  const ask = (body: object, more: object = {}) => call('session/user', {}, { body, headers: { ...headers, ...more } })
  expect((await ask({ sid, padding })).status).toBe(200)
  expect((await ask({ padding }, { authorization: `Bearer ${sid}` })).status).toBe(200)
  expect((await ask({ padding }, { authorization: 'Bearer none' })).status).toBe(401)
  expect((await ask({ padding, sid })).status).toBe(401)
  const form = await app.inject({
    method: 'POST',
    url: '/api/v3/session/user',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `sid=${sid}&padding=${padding}`,
  })
  expect(form.statusCode).toBe(200)
})

it('bounds JSON inside a value as it bounds the body', async () => {
  const deep = '['.repeat(1_000_000)
  for (const [path, sent] of [
    ['study/upload/check', { namespace_id: namespaceUuid, instances: deep }],
    ['study/list', { 'filter.modality.in': deep }],
    ['study/list', { fields: deep }],
    ['session/user', { 'fields._top': deep }],
  ] as const) {
    expect(await call(path, { sid, ...sent })).toMatchObject({ status: 412, body: { error_type: 'INVALID_JSON' } })
  }
})

it('runs one item of a bundle for whom it does not know', async () => {
  const bundle = async (items: object[]) =>
    (await call('bundle', {}, { body: items })).body as { HTTP_STATUS_CODE: string }[]
  const login = { URL: '/session/login', login: 'a', password: 'b' }
  const many = await bundle(Array.from({ length: 1000 }, () => login))
  expect(many.map((one) => one.HTTP_STATUS_CODE)).toEqual(['412', ...Array(999).fill('401')])
  const dead = await bundle([
    { URL: '/session/uuid', sid: 'none' },
    { URL: '/session/uuid', sid: 'none' },
  ])
  expect(dead.map((one) => one.HTTP_STATUS_CODE)).toEqual(['200', '401'])
})

it('runs a bundle whole for a live session, and for one that its first item makes', async () => {
  const { email } = await organisation.addPerson({ password: goodPassword })
  const { body } = await call(
    'bundle',
    {},
    {
      body: [
        { URL: '/session/login', login: email, password: goodPassword },
        { URL: '/session/user', sid: '{{sid}}' },
        { URL: '/session/logout', sid: '{{sid}}' },
      ],
    },
  )
  expect(body.map((one: { HTTP_STATUS_CODE: string }) => one.HTTP_STATUS_CODE)).toEqual(['200', '200', '200'])
  const mixed = await call('bundle', {}, { body: [{ URL: 'session/uuid' }, { URL: 'session/user', sid }] })
  expect(mixed.body[1]).toMatchObject({ HTTP_STATUS_CODE: '200' })
})
