import { acceptAssociation } from '@hilum/dicom/dimse/accept-association'
import { createAssociationListener } from '@hilum/dicom/dimse/listener'
import { reply } from '@hilum/dicom/dimse/services'
import { ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { findDestination } from './destination.sql.ts'
import { echoDestination, echoDestinations } from './echo-destinations.job.ts'
import { noteEcho } from './echo.sql.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const { sid } = await organisation.addPerson({ role: 'Administrator' })
const signal = new AbortController().signal

/** A peer that answers C-ECHO. */
async function startPeer(): Promise<number> {
  const listener = createAssociationListener(async ({ association }) => {
    await acceptAssociation(association, { refuse: async () => undefined, choose: () => ImplicitLittleEndian })
    for (let message = await association.receive(); message; message = await association.receive())
      await reply(association, message, { status: 0 })
  })
  listener.server.listen(0, '127.0.0.1')
  await once(listener.server, 'listening')
  afterAll(() => listener.close())
  return (listener.server.address() as AddressInfo).port
}

const echo = (destinationUuid: string) => echoDestination(services, { destinationUuid }, { signal })
async function told(uuid: string) {
  const { body } = await call('destination/get', { sid, uuid })
  return (body as never as { echo: { ok: number; since: string; asked_at: string; message: string } | null }).echo
}
async function silent(): Promise<{ name: string; since: string }[]> {
  const { body } = await call('account/stuck', { sid, account_id: accountUuid })
  return (body['stuck'] as { code: string; name: string; since: string }[]).filter(
    ({ code }) => code === 'DESTINATION_SILENT',
  )
}
const ago = (uuid: string, minutes: number) =>
  query(`update destination set echo_at = echo_at - interval '${minutes} minutes',
    echo_since = echo_since - interval '${minutes} minutes' where uuid = '${uuid}'`)

test('a destination is told as answering or silent, since when and why, also under what is stuck', async () => {
  const port = await startPeer()
  const { uuid } = await makeDestination({ query }, accountUuid, { name: 'ARCHIVE', title: 'ARCHIVE', port })
  expect(await told(uuid)).toBeNull()
  await echo(uuid)
  expect(await told(uuid)).toMatchObject({ ok: 1, message: '' })
  expect(await silent()).toEqual([])
  await ago(uuid, 10)
  const before = await told(uuid)
  await echo(uuid)
  expect((await told(uuid))?.since).toBe(before?.since)

  await query(`update destination set port = 1 where uuid = '${uuid}'`)
  await echo(uuid)
  const fault = await told(uuid)
  expect(fault).toMatchObject({ ok: 0, message: expect.stringMatching(/./) })
  expect(fault?.since).not.toBe(before?.since)
  expect(await silent()).toEqual([expect.objectContaining({ name: 'ARCHIVE', since: fault?.since, count: 1 })])
  const foreign = await makeOrganisation(services.db, { name: 'Elsewhere' })
  const stranger = await foreign.addPerson({ role: 'Administrator' })
  const { body } = await call('account/stuck', { sid: stranger.sid, account_id: foreign.accountUuid })
  expect(body['stuck']).toEqual([])

  // what was found of another address says nothing
  await call('destination/set', { sid, uuid, port: String(port) })
  expect(await told(uuid)).toBeNull()
  expect(await silent()).toEqual([])
})

test('every destination is asked some minutes after it was entered and after each answer, in a lane of its own, not twice at once', async () => {
  await query('update destination set deleted_at = now() where deleted_at is null')
  const one = await makeDestination({ query }, accountUuid, { title: 'ONE' })
  const two = await makeDestination({ query }, accountUuid, { title: 'TWO' })
  const asked = async () => {
    await query(`delete from work where job = 'echo-destination'`)
    await echoDestinations(services)
    await echoDestinations(services)
    const rows = await query<{ lane: string }>(
      `select lane from work where job = 'echo-destination' and state = 'waiting' order by lane`,
    )
    return rows.map(({ lane }) => lane)
  }
  const lanes = (...uuids: string[]) => uuids.map((uuid) => `destination-echo:${uuid}`).toSorted()
  expect(await asked()).toEqual([])
  await query(`update destination set updated = updated - interval '5 minutes'`)
  expect(await asked()).toEqual(lanes(one.uuid, two.uuid))
  await echo(one.uuid)
  expect(await asked()).toEqual(lanes(two.uuid))
  await ago(one.uuid, 5)
  expect(await asked()).toEqual(lanes(one.uuid, two.uuid))
})

test.each(['abort', 'close', 'release'] as const)(
  'a destination that takes the association and ends it (%s) does not answer, neither by the clock nor at a test',
  async (way) => {
    const listener = createAssociationListener(async ({ association }) => {
      await acceptAssociation(association, { refuse: async () => undefined, choose: () => ImplicitLittleEndian })
      await association[way]()
    })
    listener.server.listen(0, '127.0.0.1')
    await once(listener.server, 'listening')
    afterAll(() => listener.close())
    const { port } = listener.server.address() as AddressInfo
    const { uuid } = await makeDestination({ query }, accountUuid, { name: `ENDS BY ${way}`, title: 'ENDS', port })
    await echo(uuid)
    expect(await told(uuid)).toMatchObject({ ok: 0, message: expect.stringMatching(/./) })
    const { body } = await call('destination/test', { sid, uuid })
    expect(JSON.stringify(body)).toContain('"ok":0')
  },
)

test('an answer from before TLS was changed is forgotten', async () => {
  const port = await startPeer()
  const { uuid } = await makeDestination({ query }, accountUuid, { name: 'PLAIN', title: 'PLAIN', port })
  const before = await findDestination(services.db, uuid)
  if (!before) throw new Error('no destination')
  await query(`update destination set uses_tls = true where uuid = '${uuid}'`)
  await noteEcho(services.db, before, { isOk: true, message: '' })
  expect(await told(uuid)).toBeNull()
})
