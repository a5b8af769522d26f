import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { afterAll, expect, it, vi } from 'vitest'
import { makeOrganisation, type Person } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { writeEvent } from '../../areas/event/event.sql.ts'
import { channelRoutes } from './channel-routes.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const app = Fastify()
await channelRoutes(app, services)
await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => app.close())

type Said = Record<string, string>

async function connect() {
  const socket = new WebSocket(`ws://127.0.0.1:${(app.server.address() as AddressInfo).port}/channel/websocket`)
  const said: Said[] = []
  socket.addEventListener('message', ({ data }) => said.push(JSON.parse(String(data)) as Said))
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  const send = (...frames: object[]) => {
    for (const frame of frames) socket.send(JSON.stringify(frame))
  }
  const heard = async (count: number) => {
    await vi.waitFor(() => expect(said.length).toBeGreaterThanOrEqual(count), { timeout: 20_000 })
    return said
  }
  return { send, heard, close: () => socket.close() }
}
const subscribe = ({ sid, namespaceUuid }: Person) => ({ action: 'subscribe', channel: `study.${namespaceUuid}`, sid })

it('tells who subscribed what happens, and a stranger nothing', async () => {
  const person = await organisation.addPerson()
  const stranger = await organisation.addPerson()
  const { send, heard, close } = await connect()
  send(subscribe(person), { ...subscribe(person), sid: stranger.sid }, { ...subscribe(person), sid: 'nobody' })
  expect((await heard(3)).map((one) => one.error_type ?? one.status)).toEqual(['OK', 'NOT_PERMITTED', 'NOT_PERMITTED'])
  await writeEvent(services.db, 'study', person.namespaceUuid, person.userUuid)
  services.events.ring()
  expect((await heard(4)).at(-1)).toMatchObject({ event: 'STUDY', namespace_id: person.namespaceUuid })
  close()
})

it('answers frames in their order, however fast they come', async () => {
  const person = await organisation.addPerson()
  const { send, heard, close } = await connect()
  const { channel } = subscribe(person)
  send(subscribe(person), { action: 'unsubscribe', channel }, { action: 'ping' })
  expect(await heard(3)).toEqual([{ status: 'OK', channel }, { status: 'OK', channel }, { status: 'OK' }])
  close()
})

it('keeps to its number of channels when they are all asked for at once', async () => {
  const person = await organisation.addPerson()
  const { send, heard, close } = await connect()
  // the same namespace under five hundred spellings more than are let in
  const letters = [...person.namespaceUuid.matchAll(/[a-f]/g)].map((match) => match.index).slice(0, 10)
  const spellings = Array.from({ length: 1000 }, (_, number) =>
    [...person.namespaceUuid]
      .map((sign, at) => (letters.includes(at) && (number >> letters.indexOf(at)) & 1 ? sign.toUpperCase() : sign))
      .join(''),
  )
  const channels = [...new Set(spellings)].map((spelling) => `study.${spelling}`)
  send(...channels.map((channel) => ({ ...subscribe(person), channel })))
  const refused = (await heard(channels.length)).filter((one) => one.error_type === 'LOCKOUT')
  expect(refused).toHaveLength(Math.max(0, channels.length - 500))
  close()
})

it('ends a subscription with the session or the place, before anything of the time after is told', async () => {
  const [person, other] = [await organisation.addPerson(), await organisation.addPerson()]
  const group = await organisation.addGroup()
  const member = await organisation.addPerson({ groups: [group] })
  const { send, heard, close } = await connect()
  const channel = `study.${group.namespaceUuid}`
  send(subscribe(person), subscribe(other), { action: 'subscribe', channel, sid: member.sid })
  expect((await heard(3)).map((one) => one.status)).toEqual(['OK', 'OK', 'OK'])
  await call('session/logout', { sid: person.sid })
  await query(`delete from group_user where user_uuid = '${member.userUuid}'`)
  await writeEvent(services.db, 'study', person.namespaceUuid, person.userUuid)
  await writeEvent(services.db, 'study', group.namespaceUuid, member.userUuid)
  await writeEvent(services.db, 'study', other.namespaceUuid, other.userUuid)
  services.events.ring()
  const said = (await heard(6)).slice(3)
  expect(said.filter((one) => one.event).map((one) => one.namespace_id)).toEqual([other.namespaceUuid])
  expect(
    said
      .filter((one) => one.error_type)
      .map((one) => one.channel)
      .toSorted(),
  ).toEqual([subscribe(person).channel, channel].toSorted())
  close()
})

it('tells of orders those who may see the orders of the place, and others of studies alone', async () => {
  const group = await organisation.addGroup()
  const registrar = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const viewer = await organisation.addPerson({ role: 'Viewer', groups: [group] })
  const { send, heard, close } = await connect()
  const channel = (kind: string) => `${kind}.${group.namespaceUuid}`
  const join = (kind: string, { sid }: Person) => ({ action: 'subscribe', channel: channel(kind), sid })
  send(join('order', viewer), join('study', viewer), join('order', registrar))
  expect((await heard(3)).map((one) => one.error_type ?? one.status)).toEqual(['NOT_PERMITTED', 'OK', 'OK'])
  const ask = async (path: string, sent: object) => (await call(path, { sid: registrar.sid, ...sent })).body
  const place = { account_id: organisation.accountUuid, namespace_id: group.namespaceUuid }
  const { uuid } = await ask('order/add', { ...place, patientid: 'M-1' })
  await ask('order/sps/add', { order_id: uuid, modality: 'CT' })
  await ask('order/cancel', { uuid })
  await ask('order/delete', { uuid })
  // what comes behind the orders, on the other channel
  await writeEvent(services.db, 'study', group.namespaceUuid, uuid)
  const told = (await heard(8)).slice(3).map(({ event, channel: on, uuid: of }) => [event, on, of])
  const ofOrder = ['ORDER', channel('order'), uuid]
  expect(told).toEqual([ofOrder, ofOrder, ofOrder, ofOrder, ['STUDY', channel('study'), uuid]])
  // an order that goes to another group is told of in both
  const other = await organisation.addGroup()
  const both = await organisation.addPerson({ role: 'Administrator', groups: [group, other] })
  send({ action: 'subscribe', channel: `order.${other.namespaceUuid}`, sid: both.sid })
  await heard(9)
  const moved = (await call('order/add', { sid: both.sid, ...place, patientid: 'M-2' })).body.uuid
  await call('order/set', { sid: both.sid, uuid: moved, namespace_id: other.namespaceUuid })
  const places = (await heard(12)).slice(9).map((one) => one.namespace_id)
  expect(places.toSorted()).toEqual([group.namespaceUuid, group.namespaceUuid, other.namespaceUuid].toSorted())
  close()
})
