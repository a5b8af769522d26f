import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { listen } from './listen.ts'

const folder = await mkdtemp(join(tmpdir(), 'hilum-listen-'))
afterAll(() => rm(folder, { recursive: true }))

it('waits for a slow upload over https as long as over http, and outlives a connection that cannot be taken', async () => {
  const app = Fastify({ requestTimeout: 0, connectionTimeout: 600_000 })
  const config = readConfig({ HILUM_DATA: folder, HILUM_PORT: '0', HILUM_HTTPS_PORT: '0' })
  const { secure, close } = await listen(app, config)
  const limits = ({ requestTimeout, headersTimeout, keepAliveTimeout, timeout }: typeof app.server) => ({
    requestTimeout,
    headersTimeout,
    keepAliveTimeout,
    timeout,
  })
  expect(limits(secure as never)).toEqual(limits(app.server))
  expect(secure.requestTimeout).toBe(0)
  expect([app.server, secure].map((server) => server.emit('error', new Error('accept EMFILE')))).toEqual([true, true])
  await close()
  await app.close()
})
