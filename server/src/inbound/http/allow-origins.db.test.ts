import { expect, test } from 'vitest'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const named = 'https://viewer.hospital.example'
const other = 'https://elsewhere.example'
const closed = await startTestApp()
const open = await startTestApp({ HILUM_CORS_ORIGINS: `${named}, http://localhost:3000` })
const toAll = await startTestApp({ HILUM_CORS_ORIGINS: '*' })

type App = typeof closed
const paths = ['/api/v3/session/user', '/api/v3/storage/study/x/1/schema', '/dicomweb/all/studies', '/api/v3/bundle']

async function ask({ app }: App, url: string, origin: string | undefined, method: 'GET' | 'OPTIONS' = 'GET') {
  const preflight = {
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization,x-file-name',
  }
  const headers = { ...(origin ? { origin } : {}), ...(method === 'OPTIONS' ? preflight : {}) }
  const reply = await app.inject({ method, url, headers })
  const said = Object.entries(reply.headers).filter(([name]) => name.startsWith('access-control-'))
  return { status: reply.statusCode, said: Object.fromEntries(said), vary: reply.headers.vary }
}

test.each(paths)('%s answers no page of another origin without the setting', async (path) => {
  for (const method of ['GET', 'OPTIONS'] as const) {
    expect((await ask(closed, path, named, method)).said).toEqual({})
    expect((await ask(open, path, other, method)).said).toEqual({})
    expect((await ask(open, path, undefined, method)).said).toEqual({})
    expect((await ask(open, path, 'null', method)).said).toEqual({})
  }
})

test.each(paths)('%s answers a named origin, and its preflight', async (path) => {
  const { said, vary } = await ask(open, path, named)
  expect(said).toMatchObject({ 'access-control-allow-origin': named, 'access-control-allow-credentials': 'true' })
  expect(vary).toBe('origin')
  const preflight = await ask(open, path, named, 'OPTIONS')
  expect(preflight).toMatchObject({
    status: 204,
    said: {
      'access-control-allow-origin': named,
      'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
      'access-control-allow-headers': 'authorization,x-file-name',
    },
  })
})

test.each(paths)('%s answers all origins without credentials when all are let in', async (path) => {
  const { said } = await ask(toAll, path, other)
  expect(said).toMatchObject({ 'access-control-allow-origin': '*' })
  expect(said).not.toHaveProperty('access-control-allow-credentials')
})

test('pages and their files are for no other origin', async () => {
  for (const path of ['/', '/viewer/index.html', '/health/live'])
    expect((await ask(open, path, named)).said).toEqual({})
})

test('a reply that is sent as a stream says so, too', async () => {
  const organisation = await makeOrganisation(open.services.db)
  const group = await organisation.addGroup()
  const { sid } = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const base = `${await open.app.listen({ host: '127.0.0.1', port: 0 })}/api/v3/storage`
  const headers = { authorization: `Bearer ${sid}`, origin: named }
  const body = new Uint8Array(madeImage({ studyUid: '2.25.4712', number: 1 }))
  await fetch(`${base}/namespace/${group.namespaceUuid}/image`, { method: 'POST', body, headers })
  const reply = await fetch(`${base}/study/${group.namespaceUuid}/2.25.4712/download?bundle=dicom`, { headers })
  await reply.arrayBuffer()
  expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, named])
  expect(reply.headers.get('cache-control')).toBe('no-store')
})
