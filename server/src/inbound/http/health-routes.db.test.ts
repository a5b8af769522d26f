import fastify from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { openTestServices } from '../../../test/test-services.ts'
import { openDatabase } from '../../db/database.ts'
import { healthRoutes } from './health-routes.ts'

const { services } = await openTestServices()
const gone = openDatabase({ connectionString: 'postgresql://nobody@127.0.0.1:1/none' })
const app = fastify()
await app.register(async (scope) => healthRoutes(scope, services))
await app.register(async (scope) => healthRoutes(scope, gone), { prefix: '/without' })
const connections = { fault: () => 'the database system is shutting down', close: async () => undefined }
await app.register(async (scope) => healthRoutes(scope, { ...services, connections }), { prefix: '/stopping' })
afterAll(async () => {
  await app.close()
  await gone.db.destroy()
})

it('tells a probe that the process answers, and whether its database does', async () => {
  const asked = async (url: string) => {
    const { statusCode, headers, body } = await app.inject({ url })
    return [statusCode, body, headers['retry-after'] ?? '']
  }
  expect(await asked('/health/live')).toEqual([200, '{"status":"OK"}', ''])
  expect(await asked('/health/ready')).toEqual([200, '{"status":"OK"}', ''])
  expect(await asked('/without/health/live')).toEqual([200, '{"status":"OK"}', ''])
  expect(await asked('/without/health/ready')).toEqual([503, '{"status":"UNAVAILABLE"}', '5'])
  expect(await asked('/stopping/health/ready')).toEqual([503, '{"status":"UNAVAILABLE"}', '5'])
  expect((await app.inject({ method: 'HEAD', url: '/health/live' })).statusCode).toBe(200)
})
