import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { makeOrganisation, type Person } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { channelRoutes } from './channel-routes.ts'

const limits = { all: 8, ofPerson: 3, nameless: 4 }
const { services } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const app = Fastify()
await channelRoutes(app, services, limits)
await app.listen({ host: '127.0.0.1', port: 0 })
const lines: WebSocket[] = []
afterAll(async () => {
  for (const line of lines) line.terminate()
  await app.close()
})

async function connect(): Promise<WebSocket> {
  const line = new WebSocket(`ws://127.0.0.1:${(app.server.address() as AddressInfo).port}/channel/websocket`)
  lines.push(line)
  await once(line, 'open')
  return line
}

/** The result of asking to subscribe: the answer, or the code and the reason of the end. */
async function subscribe(line: WebSocket, { sid, namespaceUuid }: Person): Promise<unknown> {
  const ended = closed(line)
  const answered = once(line, 'message').then(([data]) => JSON.parse(String(data)) as unknown)
  line.send(JSON.stringify({ action: 'subscribe', channel: `study.${namespaceUuid}`, sid }))
  return Promise.race([answered, ended])
}

async function closed(line: WebSocket): Promise<[number, string]> {
  const [code, reason] = (await once(line, 'close')) as [number, Buffer]
  return [code, String(reason)]
}

async function endAll(): Promise<void> {
  const open = lines.splice(0).filter((line) => line.readyState === WebSocket.OPEN)
  const ends = open.map(closed)
  for (const line of open) line.close()
  await Promise.all(ends)
}

it('keeps one person to so many lines, and tells the next one why it is closed', async () => {
  const [person, other] = [await organisation.addPerson(), await organisation.addPerson()]
  for (let count = 0; count < limits.ofPerson; count += 1) {
    expect(await subscribe(await connect(), person)).toMatchObject({ status: 'OK' })
  }
  expect(await subscribe(await connect(), person)).toEqual([1008, 'Too many live connections of one person'])
  expect(await subscribe(await connect(), other)).toMatchObject({ status: 'OK' })
  // when one has ended there is room for another
  const [first] = lines
  if (first) {
    const ended = closed(first)
    first.close()
    await ended
  }
  await expect.poll(async () => subscribe(await connect(), person)).toMatchObject({ status: 'OK' })
  await endAll()
})

it('ends the oldest of those who never say who they are, and no other', async () => {
  const person = await organisation.addPerson()
  const known = await connect()
  expect(await subscribe(known, person)).toMatchObject({ status: 'OK' })
  const silent: WebSocket[] = []
  for (let count = 0; count < limits.nameless; count += 1) silent.push(await connect())
  const [oldest] = silent
  const ended = oldest && closed(oldest)
  await connect()
  expect(await ended).toEqual([1013, 'Others wait to connect; subscribe sooner'])
  expect(silent.slice(1).map((line) => line.readyState)).toEqual([1, 1, 1])
  expect(known.readyState).toBe(WebSocket.OPEN)
  await endAll()
})

it('takes no more than so many in all, and says so', async () => {
  const people = [await organisation.addPerson(), await organisation.addPerson(), await organisation.addPerson()]
  for (let count = 0; count < limits.all; count += 1) {
    const person = people[count % people.length] as Person
    await expect.poll(async () => subscribe(await connect(), person)).toMatchObject({ status: 'OK' })
  }
  const tooMany = await connect()
  expect(await closed(tooMany)).toEqual([1013, 'Too many live connections; try again later'])
  await endAll()
})
