import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { declaredJobs } from './declared-jobs.ts'
import { enqueue } from './enqueue.command.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const [administrator, asker, other] = [
  await organisation.addPerson({ role: 'Administrator', groups: [group] }),
  await organisation.addPerson({ role: 'Uploader', groups: [group] }),
  await organisation.addPerson({ role: 'Clinician', groups: [group] }),
]
const elsewhere = await makeOrganisation(services.db, { name: 'Elsewhere' })
const stranger = await elsewhere.addPerson({ role: 'Administrator' })
const { accountUuid } = organisation

const ask = async () => {
  const studyUuid = randomUUID()
  const payload = { userUuid: asker.userUuid, studyUuid, id: randomUUID(), version: randomUUID(), seriesKey: 'a' }
  const about = { userUuid: asker.userUuid, accountUuid, studyUuid }
  return enqueue(services.db, declaredJobs.wrapAttachment, payload, { about })
}
const listOf = async (sid: string, more: object = {}) => {
  const { body } = await call('job/list', { sid, ...more })
  return (body.work as { uuid: string; state: string; error: string | null; message: string | null }[]) ?? body
}
const fail = (uuid: string) =>
  query(
    `update work set state = 'failed', tries = 3, error = 'REFUSED', message = 'The destination refused' where uuid = '${uuid}'`,
  )

test('why work is stuck is shown to who asked for it and to administrators of the account, and to nobody else', async () => {
  const uuid = await ask()
  await query(
    `update work set tries = 1, error = 'REFUSED', message = 'The destination refused' where uuid = '${uuid}'`,
  )
  const shown = expect.objectContaining({
    uuid,
    job: 'wrap-attachment',
    state: 'waiting',
    tries: 1,
    error: 'REFUSED',
    message: 'The destination refused',
    user_id: asker.userUuid,
    user_name: asker.name,
  })
  expect(await listOf(asker.sid)).toEqual([shown])
  expect(await listOf(administrator.sid, { account_id: accountUuid })).toEqual([shown])
  for (const { sid } of [administrator, other, stranger]) expect(await listOf(sid)).toEqual([])
  expect(await listOf(other.sid, { account_id: accountUuid })).toMatchObject({ error_type: 'NOT_PERMITTED' })
  expect(await listOf(stranger.sid, { account_id: accountUuid })).toMatchObject({ error_type: 'NOT_FOUND' })
  await query('delete from work')
})

test.each([
  ['who asked for it', asker],
  ['an administrator', administrator],
])('work is cancelled and done once more by %s', async (_, person) => {
  const uuid = await ask()
  const cancel = (sid: string) => call('job/cancel', { sid, uuid }).then(({ body }) => body)
  const retry = (sid: string) => call('job/retry', { sid, uuid }).then(({ body }) => body)
  const unknown = await call('job/cancel', { sid: other.sid, uuid: randomUUID() })
  for (const { sid } of [other, stranger]) {
    expect(await cancel(sid)).toEqual(unknown.body)
    expect(await retry(sid)).toEqual(unknown.body)
  }
  // work that waits needs no other try
  expect(await retry(person.sid)).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(await cancel(person.sid)).toEqual({ status: 'OK', state: 'cancelled' })
  expect(await listOf(asker.sid)).toMatchObject([{ uuid, state: 'cancelled', error: 'CANCELLED' }])
  expect(await cancel(person.sid)).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(await retry(person.sid)).toEqual({ status: 'OK' })
  expect(await listOf(asker.sid)).toMatchObject([{ uuid, state: 'waiting', error: null }])
  await fail(uuid)
  expect(await retry(person.sid)).toEqual({ status: 'OK' })
  await query(
    `update work set state = 'running', worker = gen_random_uuid(), lease_until = now() + interval '1 minute'`,
  )
  expect(await cancel(person.sid)).toEqual({ status: 'OK', state: 'running' })
  await query('delete from work')
})

test('what comes by the clock is nobody’s to see or cancel', async () => {
  const [row] = await query<{ uuid: string }>(`insert into work (uuid, job, payload, lane, by_clock)
    values (gen_random_uuid(), 'purge', '{}', 'purge', true) returning uuid`)
  for (const { sid } of [administrator, asker]) {
    const { body } = await call('job/cancel', { sid, uuid: row?.uuid })
    expect(body).toMatchObject({ error_type: 'NOT_FOUND' })
  }
  expect(await listOf(administrator.sid, { account_id: accountUuid })).toEqual([])
})
