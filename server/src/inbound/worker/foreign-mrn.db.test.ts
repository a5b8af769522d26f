import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { InboxConfig } from '@hilum/contract/inbox-config'
import { Tag } from '@hilum/dicom/tags'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { madeImage } from '../../../test/made-image.ts'
import { openGate } from '../../../test/nominated-exam.ts'
import { startScriptedPeer, textIn } from '../../../test/scripted-peer.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { jobs } from '../../areas/jobs.ts'
import { doAction } from '../../areas/route/do-action.command.ts'
import { startRunner } from './run-work.ts'

/*
 * An exam whose MRN another assigning authority gave, at every door by which exams leave to a destination: an archive that
 * files by the digits alone would file it under whoever has them here.
 */

const app = await startTestApp()
const { services, query } = app
const pacs = await startScriptedPeer('PACS')

const southern = { tag: Tag.IssuerOfPatientID, vr: 'LO', value: 'SOUTH' } as const

/** A nominated exam whose images name this authority, and an order of the organisation for the same digits. */
async function makeExam(issuer: string, config: Partial<InboxConfig> = {}) {
  const makePacs = (accountUuid: string) => makeDestination(app, accountUuid, { port: pacs.port, title: pacs.title })
  const gate = await openGate(app, makePacs, config)
  await query(`update account set issuer = 'OWN' where uuid = '${gate.accountUuid}'`)
  const on = await gate.makeNominated(1, issuer === '' ? {} : { more: [{ ...southern, value: issuer }] })
  await gate.addOrder(on)
  const said = (reply: { status: string; error_type?: string }) => reply.error_type ?? reply.status
  const order = on.order?.uuid ?? ''
  const ask = async (path: string, sent: object) => said(await gate.ask(path, gate.registrar.sid, sent))
  const confirm = (more: object = {}) => ask('study/push/confirm', { uuid: on.gateSide, ...more })
  const set = (sent: object) => gate.ask('study/set', gate.registrar.sid, { study_id: on.gateSide, ...sent })
  /** Approved first, which nobody may but by sending. */
  const push = async (uuid = on.gateSide, more: object = {}) => {
    await query(`update study set must_approve = false where uuid = '${uuid}'`)
    return ask('study/push', { uuid, destination_id: gate.destination, ...more })
  }
  const arrived = () => pacs.stored.filter((file) => textIn(file, Tag.StudyInstanceUID) === on.studyUid)
  const numberNow = async () =>
    (
      await query<{ number: string }>(
        `select patientid || ' ' || issuer as number from study where uuid = '${on.gateSide}'`,
      )
    )[0]?.number
  return { gate, on, order, ask, confirm, set, push, arrived, numberNow }
}
const makeForeign = () => makeExam('SOUTH')
type Made = Awaited<ReturnType<typeof makeExam>>

async function endOfPush(uuid: string) {
  const runner = await startRunner(services, jobs, { pollMs: 20 })
  onTestFinished(() => runner.stop())
  const pushed = async () =>
    (
      await query<{ status: string; message: string }>(`select status, message from push where study_uuid = '${uuid}'`)
    )[0]
  await expect.poll(async () => (await pushed())?.status, { timeout: 20_000 }).toMatch(/^[SF]$/)
  return pushed()
}

async function pushByRule({ gate, on }: Made): Promise<string | undefined> {
  const rule = {
    account_uuid: gate.accountUuid,
    saved_by: gate.registrar.userUuid,
    uuid: randomUUID(),
    name: 'To the PACS',
  }
  const acting = {
    rule,
    run: { uuid: randomUUID(), chain: [] },
    study: { uuid: on.gateSide, phi_namespace: gate.namespaceUuid },
  }
  await query(`update study set must_approve = false where uuid = '${on.gateSide}'`)
  const { result, reason } = await doAction(services, acting as never, { destination: gate.destination })
  return reason ?? result
}

it('sends to destinations by these ways alone, each of which asks whose the MRN is', () => {
  const top = path.join(import.meta.dirname, '../..')
  const sends = /import \{[^}]*\bsend(?:Instances|Over)\b[^}]*\} from '[^']*send-instances\.ts'/
  const files = globSync('**/*.ts', { cwd: top }).filter((file) => !file.endsWith('.test.ts'))
  expect(files.filter((file) => sends.test(readFileSync(path.join(top, file), 'utf8'))).toSorted()).toEqual([
    // an image that was made for a test
    'areas/destination/probe-destination.command.ts',
    'areas/push/push-study.job.ts',
    'inbound/dimse/serve-retrieval.ts',
  ])
})

describe('[PROCESS-14] an exam under a number of another authority', () => {
  const doors: [string, (made: Made) => Promise<string | undefined>][] = [
    ['study/push in a gatekeeper group', ({ push }) => push()],
    ['study/push in the group of its sender', ({ push, on }) => push(on.source)],
    ['study/push/confirm without an order', ({ confirm }) => confirm()],
    ['study/push/confirm by an order without an authority', ({ confirm, order }) => confirm({ order_id: order })],
    [
      'study/push/confirm by an order of its own authority',
      async ({ confirm, order }) => {
        await query(`update imaging_order set issuer = 'SOUTH' where uuid = '${order}'`)
        return confirm({ order_id: order })
      },
    ],
    ['a routing rule', pushByRule],
    [
      'its digits written otherwise',
      async ({ set, on, push }) => {
        await set({ patientid: on.mrn.toLowerCase() })
        await set({ patientid: ` ${on.mrn.replace('-', '\u2010')} ` })
        return push()
      },
    ],
    [
      'another number and its own again',
      async ({ set, on, push }) => {
        await set({ patientid: 'H-7' })
        await set({ patientid: on.mrn.toLowerCase() })
        return push()
      },
    ],
    [
      'a number that the edit says to be of another authority',
      async ({ set, push }) => {
        await set({ patientid: 'H-8', issuer: 'WEST' })
        return push()
      },
    ],
  ]

  it.each(doors)('leaves by no door: %s', async (_door, act) => {
    const made = await makeForeign()
    expect(await act(made)).toBe('FOREIGN_MRN')
    expect(await query(`select from push where study_uuid in ('${made.on.gateSide}', '${made.on.source}')`)).toEqual([])
  })

  it('takes no word of the first of two people', async () => {
    const made = await makeExam('SOUTH', { risk_line: 'ALL' })
    expect(await made.confirm()).toBe('FOREIGN_MRN')
    await made.set({ issuer: '' })
    expect(await made.confirm()).toBe('SECOND_PERSON')
  })

  it.each([
    ['the exam', ({ set }: Made) => set({ issuer: 'SOUTH' })],
    [
      'the name of the organisation’s authority',
      ({ gate }: Made) => query(`update account set issuer = 'ANEW' where uuid = '${gate.accountUuid}'`),
    ],
  ])('ends in words where %s changes while the push waits', async (_what, change) => {
    const made = await makeExam('OWN')
    expect(await made.push()).toBe('OK')
    await change(made)
    const words = expect.stringMatching(/given by another authority, (SOUTH|OWN), .* page Organisation/)
    expect(await endOfPush(made.on.gateSide)).toEqual({ status: 'F', message: words })
    expect(made.arrived()).toHaveLength(0)
  })

  it.each(['the destination took it before', 'its late image alone names another authority'])(
    'does not follow as late images where %s',
    async (how) => {
      const made = await makeExam(how.startsWith('the') ? 'SOUTH' : '')
      const { gate, on } = made
      const take = (isTaken: boolean) =>
        query(`update destination set push_foreign = ${isTaken} where uuid = '${gate.destination}'`)
      await take(true)
      expect(await made.push()).toBe('OK')
      expect(await endOfPush(on.gateSide)).toMatchObject({ status: 'S' })
      await take(false)
      expect(await gate.addImage(on, 3, { more: [southern] })).toBe('OK')
      expect(await made.push(on.gateSide, { late_images: 1 })).toBe('FOREIGN_MRN')
      expect(await made.push()).toBe('FOREIGN_MRN')
      expect(await pushByRule(made)).toBe('FOREIGN_MRN')
      expect(made.arrived()).toHaveLength(1)
    },
  )

  it('is retried in vain, and leaves once the destination takes such', async () => {
    const made = await makeExam('')
    expect(await made.push()).toBe('OK')
    await made.gate.addImage(made.on, 3, { more: [southern] })
    expect(await endOfPush(made.on.gateSide)).toMatchObject({ status: 'F' })
    expect(made.arrived()).toHaveLength(0)
    expect(await made.push()).toBe('FOREIGN_MRN')
    await query(`update destination set push_foreign = true where uuid = '${made.gate.destination}'`)
    expect(await made.push()).toBe('OK')
  })

  it.each([
    ['another MRN is written', ({ set }: Made) => set({ patientid: 'H-9' }), 'H-9 OWN', 'OWN'],
    ['somebody says that the digits are the organisation’s', ({ set }: Made) => set({ issuer: '' }), 'OWN', 'OWN'],
    ['somebody names the organisation for the digits', ({ set }: Made) => set({ issuer: 'own ' }), 'OWN', 'OWN'],
    [
      'the organisation names that authority its own',
      ({ gate }: Made) =>
        gate.ask('account/set', gate.registrar.sid, { uuid: gate.accountUuid, setting_other_issuers: 'KIS, south' }),
      'SOUTH',
      'SOUTH',
    ],
    [
      'the destination takes such',
      ({ gate }: Made) => gate.ask('destination/set', gate.registrar.sid, { uuid: gate.destination, push_foreign: 1 }),
      'SOUTH',
      'SOUTH',
    ],
    [
      'the organisation has no name for its own authority',
      ({ gate }: Made) => query(`update account set issuer = '' where uuid = '${gate.accountUuid}'`),
      'SOUTH',
      'SOUTH',
    ],
  ])('leaves once %s', async (_how, act, number, issuer) => {
    const made = await makeForeign()
    await act(made)
    expect(await made.numberNow()).toMatch(new RegExp(`${number}$`))
    expect(await made.confirm()).toBe('OK')
    expect(await endOfPush(made.on.gateSide)).toMatchObject({ status: 'S' })
    const [image] = made.arrived()
    const left = image && [Tag.PatientID, Tag.IssuerOfPatientID].map((tag) => textIn(image, tag) ?? '')
    expect(left).toEqual([(await made.numberNow())?.split(' ')[0], issuer])
  })

  it('leaves under no order of the organisation by its digits, also to a destination that takes such', async () => {
    const { gate, confirm, order, set, on } = await makeForeign()
    await gate.ask('destination/set', gate.registrar.sid, { uuid: gate.destination, push_foreign: 1 })
    const sent = { uuid: on.gateSide, order_id: order }
    expect(await gate.ask('study/push/confirm', gate.registrar.sid, sent)).toMatchObject({
      error_type: 'STALE',
      error_subtype: 'issuer',
    })
    await set({ issuer: '' })
    const { events } = await gate.ask('audit/object', gate.registrar.sid, { uuid: on.gateSide })
    expect(events[0]).toMatchObject({ action: 'EDIT', detail: { issuer: ['SOUTH', 'OWN'] } })
    expect(await confirm({ order_id: order })).toBe('OK')
  })
})

it('[MRN-01] a number that was written before the first image came stays that of its authority where the image names it', async () => {
  const { gate, on } = await makeForeign()
  const study_uid = `${on.studyUid}.7`
  const place = { phi_namespace: gate.cloud.namespaceUuid, storage_namespace: gate.cloud.namespaceUuid }
  const { uuid } = await gate.ask('study/add', gate.registrar.sid, { study_uid, ...place })
  await gate.ask('study/set', gate.registrar.sid, { uuid, patientid: 'h-77', patient_sex: 'F' })
  const image = madeImage({ studyUid: study_uid, number: 1, patientId: 'H-77', more: [southern] })
  const reply = await app.app.inject({
    method: 'POST',
    url: `/api/v3/storage/namespace/${gate.cloud.namespaceUuid}/image?sid=${gate.registrar.sid}`,
    headers: { 'content-type': 'application/dicom' },
    payload: Buffer.from(image),
  })
  expect(reply.statusCode).toBe(202)
  const [row] = await query(`select patientid, issuer, patient_sex from study where uuid = '${uuid}'`)
  expect(row).toEqual({ patientid: 'H-77', issuer: 'SOUTH', patient_sex: 'F' })
})
