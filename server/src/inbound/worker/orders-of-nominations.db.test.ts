import { Tag } from '@hilum/dicom/tags'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { openGate } from '../../../test/nominated-exam.ts'
import { startScriptedPeer, textIn } from '../../../test/scripted-peer.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { startRunner } from './run-work.ts'
import { jobs } from '../../areas/jobs.ts'
import { findRecordByUuid, type StudyRecord } from '../../access/study-record.sql.ts'
import { pushStudy } from '../../areas/push/push-study.command.ts'
import { listScheduledSteps } from '../../areas/order/worklist.sql.ts'

const app = await startTestApp()
const { services, query } = app
const pacs = await startScriptedPeer('PACS')
const archive = await startScriptedPeer('ARCHIVE')
const openOwnGate = (config = {}) =>
  openGate(app, (accountUuid) => makeDestination(app, accountUuid, { port: pacs.port, title: pacs.title }), config)

/** An order of a nominated exam, with acts of those who may change it. */
async function makeOrdered(config = {}) {
  const gate = await openOwnGate(config)
  const on = await gate.makeNominated()
  await gate.addOrder(on)
  const uuid = on.order?.uuid ?? ''
  const ask = (path: string, sent: object) => gate.ask(path, gate.registrar.sid, sent)
  return {
    gate,
    on,
    uuid,
    ask,
    cancel: (more: object = {}) => ask('order/cancel', { uuid, ...more }),
    confirm: (by = gate.one, more: object = {}) =>
      gate.ask('study/push/confirm', by.sid, { uuid: on.gateSide, ...more }),
  }
}

it('[ENTITY-27] a cancelled order stays on record, and leaves the worklists until that is undone', async () => {
  const { gate, uuid, ask, cancel } = await makeOrdered()
  await ask('order/sps/add', { order_id: uuid, modality: 'CT' })
  const { account_uuid: account_id } = (
    await query<{ account_uuid: string }>(`select account_uuid from imaging_order where uuid = '${uuid}'`)
  )[0] ?? { account_uuid: '' }
  const stateNow = async () => ({
    worklist: (
      await listScheduledSteps(services.db, gate.namespaceUuid, { from: '', until: '' }, { limit: 9, offset: 0 })
    ).length,
    steps: (await ask('order/sps/find', { account_id })).sps.length,
    holding: (await ask('order/list', { account_id, 'filter.is_cancelled.equals': 0 })).orders.length,
    cancelled: (await ask('order/list', { account_id, 'filter.is_cancelled.equals': 1 })).orders.length,
    at: (await ask('order/get', { uuid })).cancelled_at,
  })
  const holds = { worklist: 1, steps: 1, holding: 1, cancelled: 0, at: null }
  expect(await stateNow()).toEqual(holds)
  expect(await cancel()).toMatchObject({ status: 'OK' })
  const gone = { worklist: 0, steps: 0, holding: 0, cancelled: 1, at: expect.any(String) }
  const first = await stateNow()
  expect(first).toEqual(gone)
  // cancelled again, the first moment stands, and nothing more is on record
  expect(await cancel()).toMatchObject({ status: 'OK' })
  expect(await stateNow()).toEqual(first)
  expect(await cancel({ undo: 1 })).toMatchObject({ status: 'OK' })
  expect(await stateNow()).toEqual(holds)
  const { events } = await ask('order/history', { uuid })
  const changes = events.flatMap(({ detail }: { detail: { is_cancelled?: unknown } }) => detail.is_cancelled ?? [])
  expect(changes).toEqual([true, false, false, true])
  expect(await cancel({ undo: 'x' })).toMatchObject({ error_type: 'INVALID_FLAG' })
})

it('[PROCESS-14] no exam is sent under an order that was cancelled', async () => {
  const { uuid, cancel, confirm } = await makeOrdered()
  await cancel()
  expect(await confirm(undefined, { order_id: uuid })).toMatchObject({
    error_type: 'STALE',
    error_subtype: 'order_cancelled',
  })
  await cancel({ undo: 1 })
  expect(await confirm(undefined, { order_id: uuid })).toMatchObject({ status: 'OK' })
})

it('[PROCESS-14] a second person confirms no match with an order that was cancelled; the first matches anew without it', async () => {
  const { gate, uuid, cancel, confirm } = await makeOrdered({ risk_line: 'ALL' })
  expect(await confirm(gate.one, { order_id: uuid })).toMatchObject({ error_type: 'SECOND_PERSON' })
  await cancel()
  expect(await confirm(gate.other)).toMatchObject({ error_type: 'STALE', error_subtype: 'order_cancelled' })
  expect(await confirm(gate.one)).toMatchObject({ error_type: 'SECOND_PERSON' })
  expect(await confirm(gate.other)).toMatchObject({ status: 'OK' })
})

describe('a push that waits', () => {
  /** The push of an exam that was sent under its order, when it is over; the runner works from then on. */
  async function endOf({ on }: Awaited<ReturnType<typeof makeOrdered>>) {
    const runner = await startRunner(services, jobs, { pollMs: 20 })
    onTestFinished(() => runner.stop())
    return async () =>
      (
        await query<{ status: string; message: string }>(
          `select status, message from push where study_uuid = '${on.gateSide}'`,
        )
      )[0]
  }
  type Made = Awaited<ReturnType<typeof makeOrdered>>

  const stops: [string, (made: Made) => Promise<{ status: string }>, RegExp][] = [
    ['its order is cancelled', ({ cancel }: Made) => cancel(), /order that the exam was to leave under was cancelled/],
    [
      'its order is deleted',
      ({ ask, uuid }: Made) => ask('order/delete', { uuid }),
      /order that the exam was to leave under was cancelled/,
    ],
    [
      'a message changes the accession number of its order',
      async ({ gate, on }: Made) => {
        const answer = await gate.acts['a message changes the order'].steps[0]?.(on, {})
        return { status: answer === 'taken' ? 'OK' : 'refused' }
      },
      /has another accession number now/,
    ],
    [
      'a person changes the accession number of its order',
      ({ ask, uuid }: Made) => ask('order/set', { uuid, accession_number: 'C-2' }),
      /has another accession number now/,
    ],
    [
      'its order comes under another patient',
      ({ ask, uuid }: Made) => ask('order/set', { uuid, patientid: 'H-9' }),
      /name different patients now/,
    ],
    [
      'the number of its order goes to another authority by a merge',
      async ({ gate, on }: Made) => {
        await gate.ask('account/set', gate.registrar.sid, { uuid: gate.accountUuid, issuer: 'OWN' })
        await query(`update study set issuer = 'OWN' where uuid = '${on.gateSide}'`)
        await query(`update imaging_order set issuer = 'OWN' where patientid = '${on.mrn}'`)
        const numberAt = (issuer: string) => ({ patientid: on.mrn, issuer })
        const merge = { kind: 'merge', patient: numberAt('SOUTH'), prior: numberAt('OWN') } as const
        return { status: (await gate.sendMessage(merge)) === 'taken' ? 'OK' : 'refused' }
      },
      /of different assigning authorities/,
    ],
    [
      'the exam is corrected to another patient',
      ({ gate, on }: Made) => gate.ask('study/set', gate.one.sid, { study_id: on.gateSide, patientid: 'H-9' }),
      /name different patients now/,
    ],
    [
      'its accession number becomes that of an order for somebody else',
      async ({ gate, on, ask }: Made) => {
        const number = `B-${on.mrn}`.slice(0, 16)
        const place = { account_id: gate.accountUuid, namespace_id: gate.namespaceUuid }
        await ask('order/add', { ...place, patientid: 'H-9', accession_number: number })
        return gate.ask('study/set', gate.one.sid, { study_id: on.gateSide, accession_number: number })
      },
      /is that of an order for another patient/,
    ],
  ]
  const arrivedAt = (peer: typeof pacs, { on }: Made) =>
    peer.stored.filter((file) => textIn(file, Tag.StudyInstanceUID) === on.studyUid)

  it.each(stops)('[PROCESS-14] to another destination ends in words as well where %s', async (_when, act, words) => {
    const made = await makeOrdered()
    const { gate, on } = made
    const { uuid: second } = await makeDestination(app, gate.accountUuid, { port: archive.port, title: archive.title })
    expect(await made.confirm(undefined, { order_id: made.uuid })).toMatchObject({ status: 'OK' })
    expect(await act(made)).toMatchObject({ status: 'OK' })
    const pushes = async () =>
      query(`select destination_uuid, status, message from push where study_uuid = '${on.gateSide}' order by created`)
    const toSecond = { uuid: on.gateSide, destination_id: second }
    const ended = { status: 'F', message: expect.stringMatching(words) }
    await endOf(made)
    const more = made.gate.ask('study/push', gate.one.sid, toSecond)
    expect(await more).toMatchObject({ status: 'OK' })
    await expect.poll(pushes, { timeout: 20_000 }).toMatchObject([ended, { ...ended, destination_uuid: second }])
    // nor by a rule, which acts for nobody
    await query(`delete from push where destination_uuid = '${second}'`)
    const record = (await findRecordByUuid(services.db, on.gateSide)) as StudyRecord // that of the exam above
    const byRule = await services.db.transaction().execute((tx) => pushStudy(tx, undefined, record, second))
    expect(byRule).toMatchObject({ kind: 'queued' })
    await expect.poll(pushes, { timeout: 20_000 }).toMatchObject([ended, { ...ended, destination_uuid: second }])
    expect([arrivedAt(pacs, made), arrivedAt(archive, made)]).toEqual([[], []])
  })

  it.each(stops)('[PROCESS-14] ends in words where %s', async (_when, act, words) => {
    const made = await makeOrdered()
    const arrived = () => arrivedAt(pacs, made)
    expect(await made.confirm(undefined, { order_id: made.uuid })).toMatchObject({ status: 'OK' })
    expect(await act(made)).toMatchObject({ status: 'OK' })
    const pushed = await endOf(made)
    await expect.poll(pushed, { timeout: 20_000 }).toMatchObject({ status: 'F', message: expect.stringMatching(words) })
    expect(arrived()).toHaveLength(0)
    // matched anew without the order and under a number of its own, it goes
    const own = { patientid: `${made.on.mrn}-C`, accession_number: '' }
    await made.gate.ask('study/set', made.gate.other.sid, { study_id: made.on.gateSide, ...own })
    expect(await made.confirm(made.gate.other)).toMatchObject({ status: 'OK' })
    await expect.poll(pushed, { timeout: 20_000 }).toMatchObject({ status: 'S' })
    expect(arrived()).toHaveLength(1)
  })

  it.each([
    ['its order is cancelled', ({ cancel }: Made) => cancel(), /was cancelled/],
    [
      'the exam is corrected to another patient',
      ({ gate, on }: Made) => gate.ask('study/set', gate.one.sid, { study_id: on.gateSide, patientid: 'H-9' }),
      /name different patients now/,
    ],
  ])('[PROCESS-14] ends in words where %s while the destination is asked for it', async (_when, act, words) => {
    const made = await makeOrdered()
    const done: unknown[] = []
    // at the first of the questions
    pacs.script.beforeFound = async () => {
      delete pacs.script.beforeFound
      done.push(await act(made))
    }
    onTestFinished(() => void delete pacs.script.beforeFound)
    expect(await made.confirm(undefined, { order_id: made.uuid })).toMatchObject({ status: 'OK' })
    const pushed = await endOf(made)
    await expect.poll(pushed, { timeout: 20_000 }).toMatchObject({ status: 'F', message: expect.stringMatching(words) })
    expect(done).toMatchObject([{ status: 'OK' }])
    expect(pacs.stored.filter((file) => textIn(file, Tag.StudyInstanceUID) === made.on.studyUid)).toHaveLength(0)
  })

  it.each([
    ['a further image comes', 2, {}],
    ['another image comes under the name of its own', 1, { frames: 2 }],
  ])('[PROCESS-14] that one person confirmed ends in words where %s', async (_when, number, more) => {
    const made = await makeOrdered()
    const { gate, on } = made
    expect(await made.confirm()).toMatchObject({ status: 'OK' })
    expect(await gate.addImage(on, number, more)).toBe('OK')
    const pushed = await endOf(made)
    const message = expect.stringMatching(/^Images came or went after the exam had been confirmed/)
    await expect.poll(pushed, { timeout: 20_000 }).toMatchObject({ status: 'F', message })
    expect(arrivedAt(pacs, made)).toEqual([])
    // whoever sends it again has seen them
    const again = { uuid: on.gateSide, destination_id: gate.destination }
    expect(await gate.ask('study/push', gate.one.sid, again)).toMatchObject({ status: 'OK' })
    await expect.poll(pushed, { timeout: 20_000 }).toMatchObject({ status: 'S' })
  })

  it('[PROCESS-14] without an order ends in words where the exam is corrected while the destination is asked for it', async () => {
    const made = await makeOrdered()
    const correct = () =>
      made.gate.ask('study/set', made.gate.one.sid, { study_id: made.on.gateSide, patientid: 'H-9' })
    pacs.script.beforeFound = async () => {
      delete pacs.script.beforeFound
      await correct()
    }
    onTestFinished(() => void delete pacs.script.beforeFound)
    expect(await made.confirm()).toMatchObject({ status: 'OK' })
    const pushed = await endOf(made)
    const message = expect.stringMatching(/while it waited to be sent/)
    await expect.poll(pushed, { timeout: 20_000 }).toMatchObject({ status: 'F', message })
    expect(pacs.stored.filter((file) => textIn(file, Tag.StudyInstanceUID) === made.on.studyUid)).toHaveLength(0)
  })
})

it('[PROCESS-14] no exam is sent with the accession number of an order for another patient', async () => {
  const { gate, on, uuid, ask, confirm } = await makeOrdered()
  const number = `A-${on.mrn}`.slice(0, 16)
  const { account_uuid: account_id } = (
    await query<{ account_uuid: string }>(`select account_uuid from imaging_order where uuid = '${uuid}'`)
  )[0] ?? { account_uuid: '' }
  const other = await ask('order/add', {
    account_id,
    namespace_id: gate.namespaceUuid,
    patientid: 'H-9',
    accession_number: number,
  })
  await gate.ask('study/set', gate.one.sid, { study_id: on.gateSide, accession_number: number })
  const refused = { error_type: 'STALE', error_subtype: 'accession_number' }
  expect(await confirm()).toMatchObject(refused)
  expect(await confirm(gate.one, { order_id: uuid })).toMatchObject(refused)
  // one of several orders under that number is for the patient
  await ask('order/set', { uuid, accession_number: number })
  expect(await confirm(gate.one, { order_id: uuid })).toMatchObject({ status: 'OK' })
  expect(other.status).toBe('OK')
})

it('[PROCESS-12][PROCESS-14] no exam is sent under an order that reads otherwise than it was seen', async () => {
  const { on, uuid, ask, confirm } = await makeOrdered()
  const fields = ['patient_name', 'patient_birth_date', 'patient_sex', 'patientid', 'issuer', 'accession_number']
  const read = async () => {
    const order = await ask('order/get', { uuid })
    return Object.fromEntries(fields.map((field) => [field, order[field]]))
  }
  const order_seen = await read()
  const changes = { accession_number: `C-${on.mrn}`.slice(0, 16), patient_sex: 'F', patient_birth_date: '19700101' }
  for (const [field, value] of Object.entries(changes)) {
    await ask('order/set', { uuid, [field]: value })
    const refused = { error_type: 'STALE', error_subtype: 'order_changed' }
    expect(await confirm(undefined, { order_id: uuid, order_seen })).toMatchObject(refused)
    await ask('order/set', { uuid, [field]: order_seen[field] })
  }
  await ask('order/set', { uuid, accession_number: changes.accession_number })
  expect(await confirm(undefined, { order_id: uuid, order_seen: 'no JSON' })).toMatchObject({
    error_type: 'INVALID_JSON',
  })
  expect(await confirm(undefined, { order_id: uuid, order_seen: await read() })).toMatchObject({ status: 'OK' })
})

it('[PROCESS-14] an exam that reached one destination is matched anew for another one alone, where its push failed', async () => {
  const made = await makeOrdered()
  const { gate, on } = made
  const { uuid: second } = await makeDestination(app, gate.accountUuid, { port: archive.port, title: archive.title })
  const runner = await startRunner(services, jobs, { pollMs: 20 })
  onTestFinished(() => runner.stop())
  const statuses = () => query(`select status from push where study_uuid = '${on.gateSide}' order by created`)
  const choose = (to: string) =>
    gate.ask('study/set', gate.one.sid, {
      study_id: on.gateSide,
      [`customfield-${gate.fields['push_destination']}`]: to,
    })
  expect(await made.confirm(undefined, { order_id: made.uuid })).toMatchObject({ status: 'OK' })
  await expect.poll(statuses, { timeout: 20_000 }).toEqual([{ status: 'S' }])
  await choose(second)
  expect(await made.confirm()).toMatchObject({ error_type: 'PENDING' })
  await made.cancel()
  await gate.ask('study/push', gate.one.sid, { uuid: on.gateSide, destination_id: second })
  await expect.poll(statuses, { timeout: 20_000 }).toEqual([{ status: 'S' }, { status: 'F' }])
  await choose(gate.destination)
  expect(await made.confirm()).toMatchObject({ error_type: 'PENDING' })
  await choose(second)
  expect(await made.confirm()).toMatchObject({ status: 'OK' })
  await expect.poll(statuses, { timeout: 20_000 }).toEqual([{ status: 'S' }, { status: 'S' }])
})

describe('[PROCESS-14] the assigning authority of an order', () => {
  /** An exam whose number a person wrote, so that it is the organisation's own, and an order that names `issuer`. */
  async function makeIssued(issuer: string) {
    const made = await makeOrdered()
    const { gate, on, uuid } = made
    const name = (names: object) => gate.ask('account/set', gate.registrar.sid, { uuid: gate.accountUuid, ...names })
    expect(await name({ issuer: 'OWN' })).toMatchObject({ status: 'OK' })
    const mrn = `H-${on.mrn}`
    await gate.ask('study/set', gate.one.sid, { study_id: on.gateSide, patientid: mrn })
    await query(`update imaging_order set patientid = '${mrn}', issuer = '${issuer}' where uuid = '${uuid}'`)
    return { ...made, name, mrn }
  }
  const refused = { error_type: 'STALE', error_subtype: 'issuer' }

  it('stops the same digits of another authority, and says so', async () => {
    const { uuid, confirm } = await makeIssued('SOUTH')
    expect(await confirm(undefined, { order_id: uuid })).toMatchObject(refused)
    expect(await confirm()).toMatchObject({ status: 'OK' })
  })

  it('may be the own one in other words, as the organisation says', async () => {
    const { uuid, confirm, name } = await makeIssued('HIS North')
    expect(await confirm(undefined, { order_id: uuid })).toMatchObject(refused)
    expect(await name({ setting_other_issuers: 'KIS, his north ' })).toMatchObject({ status: 'OK' })
    expect(await confirm(undefined, { order_id: uuid })).toMatchObject({ status: 'OK' })
  })

  it('stops an exam with the accession number of an order whose number another authority gave', async () => {
    const { gate, on, uuid, mrn, confirm } = await makeIssued('SOUTH')
    const number = `A-${mrn}`.slice(0, 16)
    await query(`update imaging_order set accession_number = '${number}' where uuid = '${uuid}'`)
    await gate.ask('study/set', gate.one.sid, { study_id: on.gateSide, accession_number: number })
    expect(await confirm()).toMatchObject(refused)
    await query(`update imaging_order set issuer = '' where uuid = '${uuid}'`)
    expect(await confirm()).toMatchObject({ status: 'OK' })
  })
})
