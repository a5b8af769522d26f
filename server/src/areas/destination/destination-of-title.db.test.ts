import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { findDestinationOfTitle } from './destination-of-title.ts'

const { services, call, query } = await startTestApp()
const { organisation, accountUuid } = await makeSharing({ services, call })
const group = await organisation.addGroup()

/** A destination under a title at an address. */
async function put(title: string, address: string, more = ''): Promise<string> {
  const { uuid } = await makeDestination({ query }, accountUuid, { title, port: nextPort++ })
  await query(`update destination set address = '${address}' ${more} where uuid = '${uuid}'`)
  return uuid
}
let nextPort = 11_200

async function meant(title: string, askingAddress: string, isForPush = false): Promise<string | undefined> {
  const asked = { title, namespaceUuid: group.namespaceUuid, askingAddress }
  return (await findDestinationOfTitle(services.db, asked, isForPush))?.uuid
}

test('a title of one destination means that one, wherever the peer asks from', async () => {
  const uuid = await put('ALONE', '192.0.2.1')
  expect(await meant('ALONE', '198.51.100.7')).toBe(uuid)
  expect(await meant('NOBODY', '198.51.100.7')).toBeUndefined()
})

test('a title that several destinations share means the one at the address of the peer, by IP or by name', async () => {
  const far = await put('SHARED', '192.0.2.1')
  const near = await put('SHARED', 'localhost')
  expect(await meant('SHARED', '192.0.2.1')).toBe(far)
  expect(await meant('SHARED', '127.0.0.1')).toBe(near)
})

test('a shared title means none where no destination of it, or more than one, is at the address of the peer', async () => {
  await put('TWICE', '192.0.2.1')
  await put('TWICE', '192.0.2.2')
  expect(await meant('TWICE', '198.51.100.7')).toBeUndefined()
  await put('TWICE', '192.0.2.1')
  expect(await meant('TWICE', '192.0.2.1')).toBeUndefined()
})

test('destinations that are not open to the place, deleted or not sent to share no title', async () => {
  const uuid = await put('OPEN', '192.0.2.1')
  await put('OPEN', '192.0.2.2', `, group_uuids = array['${randomUUID()}']::uuid[]`)
  await put('OPEN', '192.0.2.3', ', deleted_at = now()')
  expect(await meant('OPEN', '198.51.100.7')).toBe(uuid)
  await put('OPEN', '192.0.2.4', ', can_push = false')
  expect(await meant('OPEN', '198.51.100.7')).toBeUndefined()
  expect(await meant('OPEN', '198.51.100.7', true)).toBe(uuid)
})
