import type { FastifyInstance } from 'fastify'
import { afterAll } from 'vitest'
import { buildApp } from '../src/inbound/http/app.ts'
import type { Services } from '../src/services.ts'
import { openTestServices } from './test-services.ts'

export interface CallReply {
  status: number
  // the tests read replies as a client does, without a schema
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
  cookie: string | undefined
}
export interface TestApp {
  services: Services
  /** The routes themselves, for requests other than calls. */
  app: FastifyInstance
  /** Address of the database. */
  url: string
  /** Calls by POST and JSON, as the web app does. */
  call: (path: string, sent?: Record<string, unknown>, options?: CallOptions) => Promise<CallReply>
  query: <Row>(statement: string) => Promise<Row[]>
}
export interface CallOptions {
  method?: 'GET' | 'POST'
  /** Body to send instead of the fields, e.g. of a bundle. */
  body?: unknown
  headers?: Record<string, string>
  address?: string
}

/** The HTTP side of one server process, with its own database. Call it at the top of a test file. */
export async function startTestApp(environment: NodeJS.ProcessEnv = {}): Promise<TestApp> {
  const { services, folder, url, query } = await openTestServices(environment)
  const app = await openApp(services, folder)
  return { services, url, query, app, call: callsOf(app) }
}

/** The calls of a server process that a test file has started. Call it at the top of the file. */
export async function openCalls(services: Services, folder: string): Promise<TestApp['call']> {
  return callsOf(await openApp(services, folder))
}

async function openApp(services: Services, folder: string): Promise<FastifyInstance> {
  const app = await buildApp(services, { web: { app: folder, proviewer: folder }, viewer: { folder: undefined } })
  afterAll(() => app.close())
  return app
}

function callsOf(app: FastifyInstance): TestApp['call'] {
  return async (path, sent = {}, { method = 'POST', body, headers = {}, address = '127.0.0.1' } = {}) => {
    const reply = await app.inject({
      method,
      url: `/api/v3/${path}`,
      remoteAddress: address,
      headers,
      ...(method === 'GET' ? { query: sent as Record<string, string> } : { payload: (body ?? sent) as object }),
    })
    const setCookie = reply.headers['set-cookie']
    return {
      status: reply.statusCode,
      body: reply.json(),
      cookie: Array.isArray(setCookie) ? setCookie[0] : setCookie,
    }
  }
}
