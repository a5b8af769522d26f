import { expect, it } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { openGate } from '../../../test/nominated-exam.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { findDepartures } from '../altered/departure.sql.ts'
import { Departures, mayBeginPush } from './begin-departure.command.ts'

const app = await startTestApp()
const { services } = app
const gate = await openGate(app, (accountUuid) => makeDestination(app, accountUuid, { port: 1, title: 'PACS' }))
const destinationUuid = gate.destination
const [one, another] = [Buffer.from('one patient'), Buffer.from('another patient')]

/** An exam, and the same as it leaves under a patient after the destination was asked at this moment. */
async function makeExam() {
  const { gateSide: uuid, studyUid: study_uid } = await gate.makeNominated()
  const record = { account_uuid: gate.accountUuid, phi_namespace: gate.namespaceUuid, uuid, study_uid }
  const askedNow = async (sentAs: Buffer) => ({
    record,
    destinationUuid,
    sentAs,
    before: await findDepartures(services.db, record, destinationUuid),
  })
  const mayPush = async (sentAs: Buffer) => mayBeginPush(services.db, await askedNow(sentAs))
  return { askedNow, mayPush }
}

it('[PROCESS-14] an exam is under way for as long as its association is open, though no image comes for long', async () => {
  const { askedNow, mayPush } = await makeExam()
  const moving = new Departures(services, { leaseMs: 1_000, putOffMs: 100 })
  const fetching = new Departures(services, { leaseMs: 1_000, putOffMs: 100 })
  for (const door of [moving, fetching]) expect(await door.maySend(await askedNow(one))).toBe(true)
  const untils = () =>
    app.query<{ until: Date }>(`select until from departure_under_way where until > now() order by until`)
  const [first] = await untils()
  await expect
    .poll(async () => (await untils())[0]?.until.getTime() ?? 0)
    .toBeGreaterThan((first?.until.getTime() ?? 0) + 1_000)
  expect(await mayPush(another)).toBe(false)
  expect(await mayPush(one)).toBe(true)
  // two associations of one patient end each by itself
  await moving.end()
  expect(await mayPush(another)).toBe(false)
  await fetching.end()
  expect(await mayPush(another)).toBe(true)
})

it('[PROCESS-14] the departure of a process that died ends by its time, and a process that only slept sends no more of it', async () => {
  const { askedNow, mayPush } = await makeExam()
  const asleep = new Departures(services, { leaseMs: 500, putOffMs: 3_600_000 })
  const departing = await askedNow(one)
  expect(await asleep.maySend(departing)).toBe(true)
  expect(await mayPush(another)).toBe(false)
  await expect.poll(() => mayPush(another), { timeout: 5_000 }).toBe(true)
  const other = new Departures(services)
  expect(await other.maySend(await askedNow(another))).toBe(true)
  expect(await asleep.maySend(departing)).toBe(false)
  await other.end()
  expect(await asleep.maySend(departing)).toBe(false)
  await asleep.end()
  expect(await app.query('select from departure_under_way')).toEqual([])
})

it('[PROCESS-14] an exam that was under way when the destination was asked, or left since, holds a push back though it has ended', async () => {
  const { askedNow, mayPush } = await makeExam()
  const move = async () => {
    const door = new Departures(services)
    expect(await door.maySend(await askedNow(one))).toBe(true)
    return door
  }
  await (await move()).end()
  const beforeIt = await askedNow(another)
  const door = await move()
  const meanwhile = await askedNow(another)
  await door.end()
  expect(await mayBeginPush(services.db, beforeIt)).toBe(false)
  expect(await mayBeginPush(services.db, meanwhile)).toBe(false)
  expect(await mayPush(another)).toBe(true)
})
