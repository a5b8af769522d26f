import { randomUUID } from 'node:crypto'
import { rejections } from '@hilum/dicom/dimse/dimse-error'
import { moveStudy, QueryClass } from '@hilum/dicom/dimse/query'
import { requestAssociation } from '@hilum/dicom/dimse/request-association'
import { formatStatus } from '@hilum/dicom/dimse/status'
import { ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { madeImage } from '../../../test/made-image.ts'
import { makeDestination } from '../../../test/make-destination.ts'
import { openGate } from '../../../test/nominated-exam.ts'
import { startScriptedPeer } from '../../../test/scripted-peer.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { jobs } from '../../areas/jobs.ts'
import { aeTitleSetting, queryPeersSetting } from '../../areas/node/peer-rules.ts'
import { pushStudyActs } from '../../areas/push/push-study.job.ts'
import { doAction } from '../../areas/route/do-action.command.ts'
import { putSetting } from '../../areas/setting/setting.sql.ts'
import { openDicomListener } from '../dimse/open-dicom-listener.ts'
import { startRunner } from './run-work.ts'

/*
 * Exams that nobody let through the gate, on their way to a destination by every door.
 */

const app = await startTestApp({ HILUM_DICOM_PORT: '0' })
const { services, query } = app
const listeners = await openDicomListener(services)
afterAll(() => listeners.close())
const runner = await startRunner(services, jobs, { pollMs: 30 })
afterAll(() => runner.stop())
const pacs = await startScriptedPeer('PACS')
const gate = await openGate(app, (accountUuid) =>
  makeDestination(app, accountUuid, { port: pacs.port, title: pacs.title, name: pacs.title }),
)
const { ask, one, registrar, destination } = gate
const places = { cloud: gate.cloud.namespaceUuid, gate: gate.namespaceUuid }
for (const [title, namespace] of Object.entries(places)) {
  await putSetting(services.db, 'namespace', namespace, aeTitleSetting, title.toUpperCase())
  await putSetting(services.db, 'namespace', namespace, queryPeersSetting, '[{"ae_title":"WS_1"}]')
}

beforeEach(async () => {
  pacs.script = {}
  pacs.stored.length = 0
  pacs.asked = 0
  await query(`update destination set push_unchecked = true, can_search = false`)
  await putSetting(services.db, 'namespace', gate.namespaceUuid, 'inbox_config', '{"group_designation":"GATEKEEPER"}')
})

interface Held {
  studyUid: string
  /** The record that is to leave. */
  uuid: string
  place: keyof typeof places
}

/** The JSON of configurations that tell nobody the rules of a gatekeeper group. */
const brokenConfigs: Record<string, string | undefined> = {
  'cannot be read': '{"group_designation":"GATE',
  'has an unknown risk line': '{"group_designation":"GATEKEEPER","risk_line":"SOME"}',
  'is that of another kind of group': '{"group_designation":"CLOUD"}',
  'is missing': undefined,
}

/** Kinds of exams that leave for no destination. */
const kinds: Record<
  string,
  { make: () => Promise<Held>; answer?: string; confirmed?: string; code: string; words: RegExp; comment: RegExp }
> = {
  'whose nomination was rejected, in the place of its sender': {
    make: async () => {
      const on = await gate.makeNominated()
      expect(await gate.acts['another rejects'].steps[0]?.(on, {})).toBe('OK')
      return { studyUid: on.studyUid, uuid: on.source, place: 'cloud' }
    },
    code: 'REJECTED',
    words: /^The nomination of the exam was rejected/,
    comment: /was rejected$/,
  },
  'that came to the gatekeeper group without a nomination': {
    make: async () => {
      const studyUid = newUid()
      const image = madeImage({ studyUid, number: 1, patientName: 'DOE^JANE', patientId: `U-${randomUUID()}` })
      const url = `/api/v3/storage/namespace/${gate.namespaceUuid}/image?sid=${registrar.sid}`
      const headers = { 'content-type': 'application/dicom' }
      await app.app.inject({ method: 'POST', url, headers, payload: Buffer.from(image) })
      const [row] = await query<{ uuid: string }>(
        `select uuid from study where study_uid = '${studyUid}' and phi_namespace = '${gate.namespaceUuid}'`,
      )
      const uuid = row?.uuid ?? ''
      await ask('study/sync', registrar.sid, { uuid, image_count: 1 })
      expect(await ask('study/approve', registrar.sid, { uuid })).toMatchObject({ status: 'OK' })
      return { studyUid, uuid, place: 'gate' }
    },
    code: 'NOT_NOMINATED',
    words: /^The exam came to its gatekeeper group without a nomination/,
    comment: /without a nomination$/,
  },
  ...Object.fromEntries(
    Object.entries(brokenConfigs).map(([what, value]) => [
      `of a gatekeeper group whose configuration ${what}`,
      {
        make: async () => {
          const on = await gate.makeNominated()
          await query(`update study set must_approve = false where uuid = '${on.gateSide}'`)
          await query(`delete from setting where scope_uuid = '${gate.namespaceUuid}' and key = 'inbox_config'`)
          if (value !== undefined) await putSetting(services.db, 'namespace', gate.namespaceUuid, 'inbox_config', value)
          return { studyUid: on.studyUid, uuid: on.gateSide, place: 'gate' }
        },
        answer: 'NOT_SUPPORTED',
        confirmed: 'NOT_SUPPORTED',
        code: 'NOT_CONFIGURED',
        words: /^The configuration of the gatekeeper group cannot be read/,
        comment: /cannot be read$/,
      } as const,
    ]),
  ),
}

async function runRule({ uuid, place }: Held, byUser: string | null) {
  const rule = { uuid: randomUUID(), saved_by: registrar.userUuid, account_uuid: gate.accountUuid, name: 'To the PACS' }
  const run = { uuid: randomUUID(), chain: [], by_user: byUser }
  const study = { uuid, phi_namespace: places[place] }
  const { result, reason } = await doAction(services, { rule, run, study } as never, { destination })
  return `${result} ${reason}`
}

async function move({ studyUid, place }: Held) {
  const peer = { host: '127.0.0.1', port: listeners.port, calledTitle: place.toUpperCase(), callingTitle: 'WS_1' }
  const association = await requestAssociation(peer, [
    { abstractSyntax: QueryClass.StudyMove, transferSyntaxes: [ExplicitLittleEndian] },
  ])
  const asked = { studyUid, destination: pacs.title, messageId: 3 }
  const { status, comment = '' } = await moveStudy(association, asked, () => undefined)
  await association.release()
  return `${formatStatus(status)} ${comment}`
}

const said = (reply: { status: string; error_type?: string }) => reply.error_type ?? reply.status
const push = async ({ uuid }: Held, more: object = {}) =>
  said(await ask('study/push', registrar.sid, { uuid, destination_id: destination, ...more }))

/** Every door to a destination, with its answer. */
const doors: Record<string, { act: (held: Held) => Promise<string>; answer: (kind: string) => RegExp }> = {
  'study/push': { act: push, answer: (kind) => new RegExp(`^${kinds[kind]?.answer ?? 'NOT_NOMINATED'}$`) },
  'study/push of late images': {
    act: (held) => push(held, { late_images: 1 }),
    answer: (kind) => new RegExp(`^${kinds[kind]?.answer ?? 'NOT_NOMINATED'}$`),
  },
  'study/push with a reason': {
    act: (held) => push(held, { mrn_reason: 'It is right', question: randomUUID() }),
    answer: (kind) => new RegExp(`^${kinds[kind]?.answer ?? 'NOT_NOMINATED'}$`),
  },
  'study/push/confirm': {
    act: async ({ uuid }) => said(await ask('study/push/confirm', one.sid, { uuid })),
    answer: (kind) => new RegExp(`^${kinds[kind]?.confirmed ?? 'NOT_FOUND'}$`),
  },
  'a routing rule that runs by itself': {
    act: (held) => runRule(held, null),
    answer: (kind) => new RegExp(`^failed ${kinds[kind]?.code}$`),
  },
  'a routing rule started by hand': {
    act: (held) => runRule(held, registrar.userUuid),
    answer: (kind) => new RegExp(`^failed ${kinds[kind]?.code}$`),
  },
  'C-MOVE of a peer': {
    act: move,
    answer: (kind) => new RegExp(`^A702 .*${kinds[kind]?.comment.source}`),
  },
}

const cases = Object.keys(kinds).flatMap((kind) => Object.keys(doors).map((door) => [kind, door] as const))

describe('[PROCESS-01][PROCESS-17] an exam', () => {
  it.each(cases)('%s leaves for no destination by %s, which says why', async (kind, door) => {
    const held = (await kinds[kind]?.make()) as Held
    expect(await doors[door]?.act(held)).toMatch(doors[door]?.answer(kind) ?? /^$/)
    expect(await query(`select from push where study_uuid = '${held.uuid}'`)).toEqual([])
    expect(pacs.stored).toEqual([])
  })

  it.each([
    ['a person', registrar.userUuid],
    ['a routing rule', null],
  ])('sends nothing by a push of %s that waits while its nomination is rejected', async (_who, userUuid) => {
    const on = await gate.makeNominated()
    const held: Held = { studyUid: on.studyUid, uuid: on.source, place: 'cloud' }
    pacs.script.refuse = rejections.congested
    await (userUuid ? push(held) : runRule(held, null))
    const state = async () =>
      (
        await query<{ status: string; message: string }>(
          `select status, message from push where study_uuid = '${on.source}'`,
        )
      )[0]
    await expect.poll(async () => (await state())?.message, { timeout: 20_000 }).toContain('it is busy')
    expect(await gate.acts['another rejects'].steps[0]?.(on, {})).toBe('OK')
    pacs.script = {}
    await query(`update work set run_at = now() where state = 'waiting' and not by_clock`)
    await expect.poll(async () => (await state())?.status, { timeout: 20_000 }).toBe('F')
    expect((await state())?.message).toMatch(/^The nomination of the exam was rejected/)
    expect(pacs.stored).toEqual([])
  })

  it.each<[string, (held: Held) => Promise<unknown>]>([
    ['a push of a person', push],
    ['a push of a routing rule', (held) => runRule(held, null)],
    ['C-MOVE of a peer', move],
  ])('leaves no further by %s that is under way when its nomination is rejected', async (_door, act) => {
    const on = await gate.makeNominated(4)
    const held: Held = { studyUid: on.studyUid, uuid: on.source, place: 'cloud' }
    const doors = () => services.access.count('')
    await query(`update destination set max_associations = 1`)
    pacs.script.beforeAnswer = async (number) => {
      if (number !== 1) return
      const open = doors()
      expect(await gate.acts['another rejects'].steps[0]?.(on, {})).toBe('OK')
      // by the bell, sooner than the clock would find it
      await expect.poll(doors, { timeout: 10_000 }).toBeLessThan(open)
    }
    const answer = await act(held)
    const state = async () =>
      (
        await query<{ status: string; message: string }>(
          `select status, message from push where study_uuid = '${on.source}'`,
        )
      )[0]
    const told = async () => (act === move ? String(answer) : Object.values((await state()) ?? {}).join(' '))
    await expect
      .poll(
        async () => {
          await query(`update work set run_at = now() where state = 'waiting' and not by_clock`)
          return told()
        },
        { timeout: 20_000 },
      )
      .toMatch(act === move ? /^A702|^B000/ : /^F The nomination of the exam was rejected/)
    expect(pacs.stored).toHaveLength(1)
  })

  it.each(Object.keys(kinds))('%s ends a push that an earlier release asked for', async (kind) => {
    const { make, words } = kinds[kind] ?? {}
    const held = (await make?.()) as Held
    const pushUuid = randomUUID()
    await query(`
      insert into push (phi_namespace, study_uuid, destination_uuid, uuid, account_uuid, destination_name, status)
      values ('${places[held.place]}', '${held.uuid}', '${destination}', '${pushUuid}', '${gate.accountUuid}', 'PACS', 'N')`)
    const running = pushStudyActs.run(services, { pushUuid }, { signal: new AbortController().signal } as never)
    await expect(running).rejects.toThrow(words)
    expect(pacs.stored).toEqual([])
  })

  it('that was nominated leaves by every door', async () => {
    for (const act of [push, move, (held: Held) => runRule(held, null)]) {
      const on = await gate.makeNominated()
      await act({ studyUid: on.studyUid, uuid: on.source, place: 'cloud' })
      await expect.poll(() => pacs.stored.length, { timeout: 20_000 }).toBe(1)
      pacs.stored.length = 0
    }
  })
})
