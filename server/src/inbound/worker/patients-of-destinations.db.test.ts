import { randomUUID } from 'node:crypto'
import { rejections } from '@hilum/dicom/dimse/dimse-error'
import { getStudy, moveStudy, QueryClass } from '@hilum/dicom/dimse/query'
import { requestAssociation } from '@hilum/dicom/dimse/request-association'
import { reply } from '@hilum/dicom/dimse/services'
import { formatStatus } from '@hilum/dicom/dimse/status'
import { Tag } from '@hilum/dicom/tags'
import { ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import type { WriteElement } from '@hilum/dicom/write-part10'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import type { MadeImage } from '../../../test/made-image.ts'
import { type Nominated, openGate } from '../../../test/nominated-exam.ts'
import { startScriptedPeer, studyAnswer, textIn } from '../../../test/scripted-peer.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { jobs } from '../../areas/jobs.ts'
import { aeTitleSetting, queryPeersSetting } from '../../areas/node/peer-rules.ts'
import { doAction } from '../../areas/route/do-action.command.ts'
import { takeTurnToDepart } from '../../areas/altered/departure.sql.ts'
import { putSetting } from '../../areas/setting/setting.sql.ts'
import { openDicomListener } from '../dimse/open-dicom-listener.ts'
import { startRunner } from './run-work.ts'

/*
 * Exams on their way to a destination by every door, and the people whom it holds.
 */

const app = await startTestApp({ HILUM_DICOM_PORT: '0' })
const { services, query } = app
const listeners = await openDicomListener(services)
afterAll(() => listeners.close())
let runner = await startRunner(services, jobs, { pollMs: 30 })
afterAll(() => runner.stop())
const pacs = await startScriptedPeer('PACS')
const gate = await openGate(app, (accountUuid) =>
  makeDestination(app, accountUuid, { port: pacs.port, title: pacs.title, name: pacs.title }),
)
const { ask, one, registrar, destination } = gate
const said = (reply: { status: string; error_type?: string }) => reply.error_type ?? reply.status
const places = { cloud: gate.cloud.namespaceUuid, gate: gate.namespaceUuid }
for (const [title, namespace] of Object.entries(places)) {
  await putSetting(services.db, 'namespace', namespace, aeTitleSetting, title.toUpperCase())
  await putSetting(services.db, 'namespace', namespace, queryPeersSetting, '[{"ae_title":"WS_1"}]')
}

const configure = (config: object) =>
  ask('group/set', registrar.sid, {
    uuid: gate.gate.groupUuid,
    inbox_config: { group_designation: 'GATEKEEPER', risk_line: 'NONE', pushable_destinations: [], ...config },
  })

beforeEach(async () => {
  pacs.script = {}
  pacs.stored.length = 0
  await query(`update destination set can_search = true, push_unchecked = false, address = '127.0.0.1'`)
  await configure({})
})

/** An answer of the destination about a study, with what it tells of the patient besides. */
function answerOf(
  study: Parameters<typeof studyAnswer>[0],
  more: Partial<Record<'birthDate' | 'sex' | 'issuer', string>>,
): WriteElement[] {
  const told = [
    { tag: Tag.PatientBirthDate, vr: 'DA', value: more.birthDate ?? '' },
    { tag: Tag.PatientSex, vr: 'CS', value: more.sex ?? '' },
    { tag: Tag.IssuerOfPatientID, vr: 'LO', value: more.issuer ?? '' },
  ]
  return [...studyAnswer(study), ...told].toSorted((a, b) => a.tag - b.tag)
}

/** The destination holds a study of somebody under an MRN, and answers of nothing else. */
function holds(mrn: string, name: string, more: Parameters<typeof answerOf>[1] = {}): void {
  const answer = answerOf({ uid: '1.2.3', name, mrn }, more)
  pacs.script.answersTo = (textOf) => (textOf(Tag.PatientID) === mrn ? [answer] : [])
}
const holdsOther = ({ mrn }: Nominated) => holds(mrn, 'ALTMANN^JOSEF', { birthDate: '19290202', sex: 'M' })

async function endOf(study: string) {
  const find = () =>
    query<{ status: string; message: string; wants_reason: boolean }>(
      `select status, message, wants_reason from push where study_uuid = '${study}'`,
    )
  await expect.poll(async () => (await find())[0]?.status, { timeout: 20_000 }).toMatch(/[SF]/)
  return (await find())[0]
}

const push = async (uuid: string, more: object = {}) =>
  said(await ask('study/push', registrar.sid, { uuid, destination_id: destination, ...more }))

/** Gives a reason for sending a study whose push is held, as somebody who reads what it asks at that moment. */
async function answer(uuid: string, more: object = {}) {
  const [held] = (await ask('study/get', registrar.sid, { uuid })).study_push_status
  return push(uuid, { mrn_reason: 'Both are one', question: held.question, ...more })
}

/** Has a peer ask for an exam to be sent to the destination. */
async function move({ studyUid }: Nominated, calledTitle = 'CLOUD', callingTitle = 'WS_1') {
  const peer = { host: '127.0.0.1', port: listeners.port, calledTitle, callingTitle }
  const association = await requestAssociation(peer, [
    { abstractSyntax: QueryClass.StudyMove, transferSyntaxes: [ExplicitLittleEndian] },
  ])
  const asked = { studyUid, destination: pacs.title, messageId: 3 }
  const { status, failed, comment } = await moveStudy(association, asked, () => undefined)
  await association.release()
  return { status: formatStatus(status), failed, comment }
}

/** Has the destination fetch an exam over its own association. */
async function fetch(
  { studyUid }: Nominated,
  calledTitle = 'CLOUD',
  { afterImage, beforeEnd }: { afterImage?: () => Promise<unknown>; beforeEnd?: () => Promise<unknown> } = {},
) {
  const peer = { host: '127.0.0.1', port: listeners.port, calledTitle, callingTitle: 'PACS' }
  const association = await requestAssociation(peer, [
    { abstractSyntax: QueryClass.StudyGet, transferSyntaxes: [ExplicitLittleEndian] },
    { abstractSyntax: '1.2.840.10008.5.1.4.1.1.7', transferSyntaxes: [ExplicitLittleEndian], isScp: true },
  ])
  const take = async (message: Parameters<Parameters<typeof getStudy>[2]>[0]) => {
    for await (const _ of message.data ?? []) continue
    await afterImage?.()
    await reply(association, message, { status: 0 })
  }
  const { status, comment } = await getStudy(association, studyUid, take, () => undefined)
  await beforeEnd?.()
  await association.release()
  return { status: formatStatus(status), comment }
}

async function pushByRule({ gateSide }: Nominated) {
  const rule = { uuid: randomUUID(), saved_by: registrar.userUuid, account_uuid: gate.accountUuid, name: 'To the PACS' }
  const study = { uuid: gateSide, phi_namespace: gate.namespaceUuid }
  await query(`update study set must_approve = false where uuid = '${gateSide}'`)
  await doAction(services, { rule, run: { uuid: randomUUID(), chain: [] }, study } as never, { destination })
}

const doors: [string, (on: Nominated) => Promise<string>][] = [
  ['study/push of its sender', async (on) => (await push(on.source), on.source)],
  ['study/push/confirm', async (on) => (await ask('study/push/confirm', one.sid, { uuid: on.gateSide }), on.gateSide)],
  ['a routing rule', async (on) => (await pushByRule(on), on.gateSide)],
  [
    'late images',
    async (on) => {
      pacs.script.answersTo = () => []
      await push(on.source)
      expect(await endOf(on.source)).toMatchObject({ status: 'S' })
      pacs.stored.length = 0
      await gate.addImage(on, 3)
      holdsOther(on)
      await push(on.source, { late_images: 1 })
      return on.source
    },
  ],
]

describe('[PROCESS-14] an exam whose MRN is another patient’s at the destination', () => {
  it.each(doors)('does not go there, and the words name nobody: %s', async (_door, act) => {
    const on = await gate.makeNominated()
    holdsOther(on)
    const study = await act(on)
    const message =
      'Not sent. The destination holds another patient under this MRN: other name, birth date, sex. Correct'
    expect(await endOf(study)).toMatchObject({
      status: 'F',
      message: expect.stringContaining(message),
      wants_reason: true,
    })
    expect(pacs.stored).toEqual([])
    const told = (await ask('study/get', registrar.sid, { uuid: study })).study_push_status
    expect(told).toMatchObject([{ wants_reason: 1 }])
  })

  it('is not moved there for a peer (C-MOVE)', async () => {
    const on = await gate.makeNominated(2)
    holdsOther(on)
    const held = { status: 'A702', failed: 2, comment: 'The destination holds another patient under the MRN' }
    expect(await move(on)).toEqual(held)
    expect(pacs.stored).toEqual([])
  })

  it.each<[string, () => void, string, (on: Nominated) => Promise<() => Promise<unknown>>]>([
    [
      'late images',
      () => undefined,
      'S',
      async (on) => {
        for (const number of [3, 4]) await gate.addImage(on, number)
        return () => push(on.source, { late_images: 1 })
      },
    ],
    [
      'a push that is tried again',
      () => {
        const first = pacs.asked + 1
        pacs.script.statusOf = (number) => (number === first ? 0 : 0xa700)
      },
      'P',
      async () => () => query(`update work set run_at = now() where state = 'waiting' and not by_clock`),
    ],
  ])('does not get an image of %s that is gone by the end of the question about them', async (...asked) => {
    const [, begin, state, goOn] = asked
    const on = await gate.makeNominated(3)
    const stateNow = async () =>
      (await query<{ status: string }>(`select status from push where study_uuid = '${on.source}'`))[0]?.status
    begin()
    await push(on.source)
    await expect.poll(stateNow, { timeout: 20_000 }).toBe(state)
    const proceed = await goOn(on)
    const unsent = await query<{ sop_uid: string }>(`
      select sop_uid from instance where sop_uid like '${on.studyUid}.%'
        and version <> all(select unnest(sent) from push where study_uuid = '${on.source}')`)
    expect(unsent).toHaveLength(2)
    const [lost, left] = unsent.map((one) => one.sop_uid)
    let gone: Promise<unknown> | undefined
    const lose = () => query(`update instance set is_primary = false where sop_uid = '${lost}'`)
    pacs.script = { beforeFound: async () => void (await (gone ??= lose())) }
    pacs.stored.length = 0
    await proceed()
    await expect.poll(async () => pacs.stored.length > 0 && (await stateNow()), { timeout: 20_000 }).toBe('S')
    expect(pacs.stored.map((file) => textIn(file, Tag.SOPInstanceUID))).toEqual([left])
  })

  it('goes there for the reason that a person gives, which is put on record', async () => {
    const on = await gate.makeNominated()
    holdsOther(on)
    await push(on.source)
    await endOf(on.source)
    expect(await answer(on.source, { mrn_reason: 'Both are one, as the registry says' })).toBe('OK')
    expect(await endOf(on.source)).toMatchObject({ status: 'S', wants_reason: false })
    // the reason holds for images that come later, too
    await gate.addImage(on, 3)
    await push(on.source, { late_images: 1 })
    expect(await endOf(on.source)).toMatchObject({ status: 'S' })
    expect(pacs.stored).toHaveLength(2)
    const { events } = await ask('audit/object', registrar.sid, { uuid: on.source })
    const reasons = events.map((event: { detail: { mrn_reason?: string } }) => event.detail.mrn_reason)
    expect(reasons.filter(Boolean)).toEqual(['Both are one, as the registry says'])
    expect(await push(on.source, { mrn_reason: 'two\nlines' })).toBe('INVALID_FIELD')
  })

  it.each<[string, boolean, (on: Nominated) => Promise<[study: string, answer: string]>]>([
    ['study/push', true, async (on) => [on.source, await answer(on.source, { mrn_reason: 'Renumbered, it is hers' })]],
    [
      'study/push/confirm',
      false,
      async (on) => {
        const sent = { uuid: on.gateSide, mrn_reason: 'Renumbered, it is hers' }
        return [on.gateSide, said(await ask('study/push/confirm', one.sid, sent))]
      },
    ],
  ])(
    'does not go there for a reason that was given for another one, while it waits: %s',
    async (_door, isHeld, act) => {
      const on = await gate.makeNominated()
      holdsOther(on)
      if (isHeld) {
        await push(on.source)
        await endOf(on.source)
      }
      await runner.stop()
      const [study, answered] = await act(on)
      expect(answered).toBe('OK')
      expect(said(await ask('study/set', registrar.sid, { study_id: study, patientid: `O-${on.mrn}` }))).toBe('OK')
      holdsOther({ ...on, mrn: `O-${on.mrn}` })
      runner = await startRunner(services, jobs, { pollMs: 30 })
      const message = expect.stringContaining('changed after the reason for sending it had been given')
      expect(await endOf(study)).toMatchObject({ status: 'F', message })
      expect(pacs.stored).toEqual([])
    },
  )

  it.each<[string, Parameters<typeof holds>[1], Parameters<typeof holds>[2], boolean]>([
    ['the same person', 'DOE^JANE', { birthDate: '19700101', sex: 'F' }, true],
    ['the same person in another writing', 'Doe^Jane', { birthDate: '19700101' }, true],
    ['the same person with a middle name', 'DOE^JANE^QUINN', { birthDate: '19700101' }, true],
    ['the same person with the names exchanged', 'JANE^DOE', { birthDate: '19700101' }, true],
    ['a twin', 'DOE^JOAN', { birthDate: '19700101', sex: 'F' }, false],
    ['a twin by the first letter', 'DOE^J', { birthDate: '19700101', sex: 'F' }, false],
    ['a stranger who was born on that day', 'ANDERS^ANN', { birthDate: '19700101', sex: 'F' }, false],
    ['a namesake of that day and another sex', 'DOE^JANE', { birthDate: '19700101', sex: 'M' }, false],
    ['a child of that name, by one digit of the birth date', 'DOE^JANE', { birthDate: '19900101', sex: 'F' }, false],
    ['a namesake whose birth date has day and month exchanged', 'DOE^JANE', { birthDate: '19700110' }, false],
    ['a namesake whose birth date is not told', 'DOE^JANE', {}, false],
    ['somebody of whom nothing else is told', '', {}, false],
    ['a person of another birth date', 'DOE^JANE', { birthDate: '19440808' }, false],
    ['a person of another name', 'ROE^RICHARD', {}, false],
  ])('is told from the MRN of its own patient: %s', async (_who, name, more, isSent) => {
    const on = await gate.makeNominated(1, { sex: 'F' })
    holds(on.mrn, name, more)
    await push(on.source)
    expect(await endOf(on.source)).toMatchObject({ status: isSent ? 'S' : 'F', wants_reason: !isSent })
    expect(pacs.stored).toHaveLength(isSent ? 1 : 0)
  })

  it.each<[string, string, Partial<MadeImage>]>([
    ['nothing but the MRN', '', { patientName: '', birthDate: '', sex: '' }],
    ['no birth date', '19300101', { birthDate: '' }],
  ])('is told where the exam says %s of its patient', async (_what, birthDate, more) => {
    const on = await gate.makeNominated(1, more)
    holds(on.mrn, 'DOE^JANE', { birthDate })
    await push(on.source)
    const message = expect.stringContaining('who may be another patient: too little is told of the')
    expect(await endOf(on.source)).toMatchObject({ status: 'F', message, wants_reason: true })
    expect(pacs.stored).toEqual([])
  })

  it('is found by the one wrong answer among many', async () => {
    const on = await gate.makeNominated()
    const answer = (uid: string, name: string) => answerOf({ uid, name, mrn: on.mrn }, { birthDate: '19700101' })
    const many = Array.from({ length: 20 }, (_, at) => answer(`1.2.${at}`, 'DOE^JANE'))
    pacs.script.answersTo = (textOf) => (textOf(Tag.PatientID) ? [...many, answer('1.3', 'ALTMANN^JOSEF')] : [])
    await push(on.source)
    expect(await endOf(on.source)).toMatchObject({ status: 'F', wants_reason: true })
    // a patient may have more exams than are listened to
    const all = Array.from({ length: 60 }, (_, at) => answer(`1.2.${at}`, 'DOE^JANE'))
    pacs.script.answersTo = (textOf) => (textOf(Tag.PatientID) ? all : [])
    await push(on.source)
    expect(await endOf(on.source)).toMatchObject({ status: 'S' })
  })

  it.each<[string, () => void]>([
    ['answers without an MRN', () => (pacs.script.answersTo = (textOf) => (textOf(Tag.PatientID) ? [nameless] : []))],
    [
      'answers without naming the exam',
      () => (pacs.script.answersTo = (textOf) => (textOf(Tag.PatientID) ? [unnamed] : [])),
    ],
    ['takes no searches', () => (pacs.script.classes = ['1.2.840.10008.5.1.4.1.1.7'])],
  ])('waits for the setting that sends unchecked where the destination %s', async (_what, script) => {
    const on = await gate.makeNominated()
    script()
    await push(on.source)
    expect(await endOf(on.source)).toMatchObject({ status: 'F', wants_reason: false })
    expect(await move(on)).toMatchObject({ status: 'A702' })
    expect(pacs.stored).toEqual([])
    await query(`update destination set push_unchecked = true`)
    await push(on.source)
    expect(await endOf(on.source)).toMatchObject({
      status: 'S',
      message: expect.stringContaining('It was not asked first'),
    })
    expect(await move(on)).toMatchObject({ status: '0000' })
  })
})

const nameless = studyAnswer({ uid: '1.2.3', name: 'DOE^JANE', mrn: '' })
const unnamed = studyAnswer({ uid: '', name: 'DOE^JANE', mrn: '' })

describe('[PROCESS-14] a peer that has exams sent to a destination (C-MOVE)', () => {
  it('gets none sent whose accession number is that of an order for another patient', async () => {
    const on = await gate.makeNominated(2)
    const accession = { accession_number: `ACC-${randomUUID().slice(0, 8)}` }
    await ask('study/set', registrar.sid, { study_id: on.source, ...accession })
    expect(await move(on)).toMatchObject({ status: '0000' })
    pacs.stored.length = 0
    const order = { order_number: randomUUID().slice(0, 16), patient_name: 'ROE^RICHARD', patientid: 'ROE-1' }
    const place = { account_id: gate.accountUuid, namespace_id: gate.cloud.namespaceUuid }
    expect(await ask('order/add', registrar.sid, { ...place, ...order, ...accession })).toMatchObject({ status: 'OK' })
    const comment = 'The accession number is that of an order for another patient'
    expect(await move(on)).toEqual({ status: 'A702', failed: 2, comment })
    expect(pacs.stored).toEqual([])
    await query(`delete from imaging_order where accession_number = '${accession.accession_number}'`)
  })

  it('gets none sent that the destination holds under another patient', async () => {
    const on = await gate.makeNominated()
    const there = studyAnswer({ uid: on.studyUid, name: 'ALTMANN^JOSEF', mrn: 'H-4711' })
    pacs.script.answersTo = (textOf) => (textOf(Tag.StudyInstanceUID) === on.studyUid ? [there] : [])
    const comment = 'The destination holds the exam under another patient'
    expect(await move(on)).toEqual({ status: 'A702', failed: 1, comment })
  })

  it('gets none of a gatekeeper group sent that two people have not confirmed, and none to a destination that it does not name', async () => {
    const on = await gate.makeNominated()
    await query(`update study set must_approve = false where uuid = '${on.gateSide}'`)
    await configure({ risk_line: 'ALL' })
    const comment = 'Two people have not confirmed the patient of the exam'
    expect(await move(on, 'GATE')).toEqual({ status: 'A702', failed: 1, comment })
    const { uuid: other } = await makeDestination(app, gate.accountUuid, { port: 1, title: 'ELSEWHERE' })
    await configure({ pushable_destinations: [other] })
    expect(await move(on, 'GATE')).toMatchObject({ status: 'A801' })
    await configure({ pushable_destinations: [destination] })
    expect(await move(on, 'GATE')).toMatchObject({ status: '0000' })
    expect(pacs.stored).toHaveLength(1)
  })

  it('gets what it asks for itself where it cannot be asked, and nothing that lies under another patient there', async () => {
    const on = await gate.makeNominated()
    await query(`update destination set can_search = false`)
    await putSetting(
      services.db,
      'namespace',
      places.cloud,
      queryPeersSetting,
      '[{"ae_title":"WS_1"},{"ae_title":"PACS"}]',
    )
    expect(await move(on)).toMatchObject({
      status: 'A702',
      comment: 'The destination cannot be asked first whom it holds',
    })
    expect(await move(on, 'CLOUD', 'PACS')).toMatchObject({ status: '0000' })
    await query(`update destination set can_search = true`)
    holdsOther(on)
    expect(await move(on, 'CLOUD', 'PACS')).toMatchObject({ status: 'A702' })
  })

  it('gets none sent of which images left under another patient for a destination that cannot be asked', async () => {
    const on = await gate.makeNominated()
    await query(`update destination set can_search = false, push_unchecked = true`)
    await push(on.source)
    expect(await endOf(on.source)).toMatchObject({ status: 'S' })
    expect(await move(on)).toMatchObject({ status: '0000' })
    pacs.stored.length = 0
    await ask('study/set', registrar.sid, { study_id: on.source, patientid: 'NS-555010' })
    const comment = 'Images of the exam were sent there under another patient'
    const peers = '[{"ae_title":"WS_1"},{"ae_title":"PACS"}]'
    await putSetting(services.db, 'namespace', places.cloud, queryPeersSetting, peers)
    for (const title of ['WS_1', 'PACS']) {
      expect(await move(on, 'CLOUD', title)).toEqual({ status: 'A702', failed: 1, comment })
    }
    expect(pacs.stored).toEqual([])
    // one that says whom it holds may be asked
    await query(`update destination set can_search = true`)
    expect(await move(on)).toMatchObject({ status: '0000' })
  })

  it.each<[string, (on: Nominated) => Promise<unknown>, string]>([
    [
      'its patient is edited',
      (on) => ask('study/set', registrar.sid, { study_id: on.source, patientid: 'NS-555011' }),
      'The exam was changed while it waited to be sent',
    ],
    [
      'an image of it goes',
      (on) =>
        query(
          `update instance set is_primary = false where sop_uid = (select max(sop_uid) from instance where sop_uid like '${on.studyUid}.%')`,
        ),
      'The exam was changed while it waited to be sent',
    ],
    [
      'an image of another patient comes',
      (on) => gate.addImage(on, 3, { patientName: 'ALTMANN^JOSEF', patientId: 'A-1', birthDate: '19290202' }),
      'The images name more than one patient',
    ],
    [
      'an image under another MRN comes',
      (on) => gate.addImage(on, 3, { patientId: 'OTHER-7' }),
      'The images of the exam carry several MRNs',
    ],
  ])('gets none sent where, while the destination is asked, %s', async (_what, change, comment) => {
    const on = await gate.makeNominated(2)
    let changed: Promise<unknown> | undefined
    pacs.script.beforeFound = async () => void (await (changed ??= change(on)))
    expect(await move(on)).toEqual({ status: 'A702', failed: 2, comment })
    expect(pacs.stored).toEqual([])
  })

  it('gets none sent that is edited while the images of another one leave before it', async () => {
    const exams = [await gate.makeNominated(3), await gate.makeNominated(3)]
    await query(`update destination set max_associations = 1`)
    const left = () => pacs.stored.map((file) => textIn(file, Tag.StudyInstanceUID))
    pacs.script.beforeAnswer = async (number) => {
      const other = exams.find((on) => !left().includes(on.studyUid))
      if (number === pacs.asked && left().length === 1 && other)
        await ask('study/set', registrar.sid, { study_id: other.source, patientid: 'NS-555012' })
    }
    const both = { ...exams[0], studyUid: exams.map((on) => on.studyUid).join('\\') } as Nominated
    const comment = 'The exam was changed while it waited to be sent'
    expect(await move(both)).toMatchObject({ status: 'B000', failed: 3, comment })
    expect(new Set(left()).size).toBe(1)
    await query(`update destination set max_associations = 4`)
  })
})

describe('[PROCESS-14] an exam that was sent under another patient to a destination that cannot be asked', () => {
  it.each(['study/push', 'a routing rule'])('goes there again by %s for a reason alone', async (door) => {
    const on = await gate.makeNominated()
    await query(`update study set must_approve = false where uuid = '${on.gateSide}'`)
    await query(`update destination set can_search = false, push_unchecked = true`)
    await push(on.gateSide)
    expect(await endOf(on.gateSide)).toMatchObject({ status: 'S' })
    const again = () => (door === 'study/push' ? push(on.gateSide) : pushByRule(on))
    // the same patient needs none
    await again()
    expect(await endOf(on.gateSide)).toMatchObject({ status: 'S' })
    pacs.stored.length = 0
    await ask('study/set', one.sid, { study_id: on.gateSide, patientid: 'NS-555009' })
    const words = expect.stringContaining('sent there before its patient or accession number was changed')
    for (let tries = 0; tries < 2; tries += 1) {
      await again()
      expect(await endOf(on.gateSide)).toMatchObject({ status: 'F', message: words, wants_reason: true })
    }
    expect(pacs.stored).toEqual([])
    expect(await answer(on.gateSide, { mrn_reason: 'The first one was deleted in the archive' })).toBe('OK')
    expect(await endOf(on.gateSide)).toMatchObject({ status: 'S' })
    expect(pacs.stored.map((file) => textIn(file, Tag.PatientID))).toEqual(['NS-555009'])
    await again()
    expect(await endOf(on.gateSide)).toMatchObject({ status: 'S' })
  })
})

/** Ways to the destination from the place of the sender; whether the exam left. */
const ways: Record<string, (on: Nominated) => Promise<boolean>> = {
  'study/push': async (on) => (await push(on.source)) === 'OK' && (await endOf(on.source))?.status === 'S',
  'a routing rule': async ({ source }) => {
    const rule = { uuid: randomUUID(), saved_by: registrar.userUuid, account_uuid: gate.accountUuid, name: 'All' }
    const acting = {
      rule,
      run: { uuid: randomUUID(), chain: [] },
      study: { uuid: source, phi_namespace: places.cloud },
    }
    await doAction(services, acting as never, { destination })
    return (await endOf(source))?.status === 'S'
  },
  'C-MOVE': async (on) => (await move(on)).status === '0000',
  'C-GET of the destination': async (on) => (await fetch(on)).status === '0000',
}

describe('[PROCESS-14] images that left under one patient for a destination that cannot be asked', () => {
  const words = Object.keys(ways)
  const prepare = async () => {
    await query(`update destination set can_search = false, push_unchecked = true`)
    const peers = '[{"ae_title":"WS_1"},{"ae_title":"PACS"}]'
    for (const place of Object.values(places))
      await putSetting(services.db, 'namespace', place, queryPeersSetting, peers)
  }

  const atGate: Record<string, (on: Nominated) => Promise<boolean>> = {
    'C-MOVE': async (on) => (await move(on, 'GATE')).status === '0000',
    'C-GET of the destination': async (on) => (await fetch(on, 'GATE')).status === '0000',
  }

  it.each(words.flatMap((first) => Object.keys(atGate).map((second) => [first, second] as const)))(
    'by %s do not leave beside those of another record under another by %s',
    async (first, second) => {
      await prepare()
      const on = await gate.makeNominated()
      await ask('study/set', one.sid, { study_id: on.gateSide, patientid: `O-${on.mrn}` })
      await query(`update study set must_approve = false where uuid = '${on.gateSide}'`)
      const exam = { account_uuid: gate.accountUuid, study_uid: on.studyUid }
      const held = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      const turn = services.db.transaction().execute(async (tx) => {
        await takeTurnToDepart(tx, exam, destination)
        held.resolve()
        await released.promise
      })
      await held.promise
      const both = Promise.all([ways[first]?.(on), atGate[second]?.(on)])
      const waiting = () => query(`select from pg_locks where locktype = 'advisory' and not granted`)
      await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBe(2)
      released.resolve()
      await turn
      expect((await both).toSorted()).toEqual([false, true])
    },
  )

  it.each(words.flatMap((first) => words.map((second) => [first, second] as const)))(
    'by %s do not follow under another by %s, until a person gives a reason',
    async (first, second) => {
      await prepare()
      const on = await gate.makeNominated()
      expect(await ways[first]?.(on)).toBe(true)
      pacs.stored.length = 0
      await ask('study/set', registrar.sid, { study_id: on.source, patientid: `O-${on.mrn}` })
      expect(await ways[second]?.(on)).toBe(false)
      expect(pacs.stored).toEqual([])
      await push(on.source)
      await endOf(on.source)
      expect(await answer(on.source, { mrn_reason: 'The first one was deleted there' })).toBe('OK')
      expect(await endOf(on.source)).toMatchObject({ status: 'S' })
      expect(await ways[second]?.(on)).toBe(true)
    },
  )

  it.each(words)('from the gate do not follow from the place of the sender under another by %s', async (way) => {
    await prepare()
    const on = await gate.makeNominated()
    await ask('study/set', one.sid, { study_id: on.gateSide, patientid: `O-${on.mrn}` })
    expect(said(await ask('study/push/confirm', one.sid, { uuid: on.gateSide }))).toBe('OK')
    expect(await endOf(on.gateSide)).toMatchObject({ status: 'S' })
    pacs.stored.length = 0
    expect(await ways[way]?.(on)).toBe(false)
    expect(pacs.stored).toEqual([])
  })
})

/** Doors by which an exam leaves and stays under way until `released`; `onWay` is called once the destination has an image. */
const startings: Record<string, (on: Nominated, onWay: () => void, released: Promise<void>) => Promise<unknown>> = {
  'study/push': async (on, onWay, released) => {
    holdFirstImage(onWay, released)
    expect(await ways['study/push']?.(on)).toBe(true)
  },
  'C-MOVE': async (on, onWay, released) => {
    holdFirstImage(onWay, released)
    expect(await move(on)).toMatchObject({ status: '0000' })
  },
  'C-GET': async (on, onWay, released) => {
    const afterImage = () => (onWay(), released)
    expect(await fetch(on, 'CLOUD', { afterImage })).toMatchObject({ status: '0000' })
  },
  'C-GET that has had all images and not ended its association': async (on, onWay, released) => {
    const beforeEnd = () => (onWay(), released)
    expect(await fetch(on, 'CLOUD', { beforeEnd })).toMatchObject({ status: '0000' })
  },
}

function holdFirstImage(onWay: () => void, released: Promise<void>): void {
  const first = pacs.asked + 1
  pacs.script.beforeAnswer = async (number) => {
    if (number === first) onWay()
    await released
  }
}

describe('[PROCESS-14] an exam on its way to a destination that lists it only when its association has ended', () => {
  const pushing = ['study/push', 'a routing rule']
  const pairs = Object.keys(startings).flatMap((first) => Object.keys(ways).map((second) => [first, second] as const))

  // a second push waits behind the first
  it.each(pairs.filter(([first, second]) => first !== 'study/push' || !pushing.includes(second)))(
    'by %s does not leave under another patient by %s meanwhile, nor afterwards',
    async (first, second) => {
      const peers = '[{"ae_title":"WS_1"},{"ae_title":"PACS"}]'
      await putSetting(services.db, 'namespace', places.cloud, queryPeersSetting, peers)
      const on = await gate.makeNominated(2)
      let hasEnded = false
      const there = studyAnswer({ uid: on.studyUid, name: 'DOE^JANE', mrn: on.mrn })
      pacs.script.answersTo = (textOf) => (hasEnded && textOf(Tag.StudyInstanceUID) === on.studyUid ? [there] : [])
      const [onWay, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      onTestFinished(() => released.resolve())
      const ended = startings[first]?.(on, onWay.resolve, released.promise)
      await Promise.race([onWay.promise, ended])
      expect(said(await ask('study/set', registrar.sid, { study_id: on.source, patientid: `O-${on.mrn}` }))).toBe('OK')

      const following = ways[second]?.(on)
      const isPush = pushing.includes(second)
      const found = () => query<{ message: string }>(`select message from push where study_uuid = '${on.source}'`)
      const words = 'Images of the exam were on their way there, or left for there, under another patient'
      const isHeldBack = async () =>
        isPush ? (await found())[0]?.message.includes(words) === true : (await following) === false
      await expect.poll(isHeldBack, { timeout: 20_000 }).toBe(true)
      released.resolve()
      await ended
      hasEnded = true
      await query(`update work set run_at = now() where state = 'waiting' and not by_clock`)
      expect(await following).toBe(false)
      expect(new Set(pacs.stored.map((file) => textIn(file, Tag.PatientID)))).not.toContain(`O-${on.mrn}`)
      // and is not held back by what has ended
      hasEnded = false
      expect(await push(on.source)).toBe('OK')
      expect(await endOf(on.source)).toMatchObject({ status: 'S' })
    },
  )
})

describe('[PROCESS-14] an exam without an MRN', () => {
  const makeWithout = async () => {
    const on = await gate.makeNominated()
    await ask('study/set', one.sid, { study_id: on.gateSide, patientid: '' })
    return on
  }
  const confirm = async ({ gateSide }: Nominated, more: object = {}) =>
    said(await ask('study/push/confirm', one.sid, { uuid: gateSide, ...more }))

  const makeOpen = async () => {
    const on = await makeWithout()
    await query(`update study set must_approve = false where uuid = '${on.gateSide}'`)
    return on
  }

  it.each<[string, (on: Nominated) => Promise<unknown>]>([
    ['study/push', ({ gateSide }) => push(gateSide)],
    ['a routing rule', pushByRule],
  ])('leaves no gatekeeper group: %s', async (_door, act) => {
    const on = await makeOpen()
    await act(on)
    const message = expect.stringContaining('The exam has no MRN, so that it was not sent')
    expect(await endOf(on.gateSide)).toMatchObject({ status: 'F', message, wants_reason: true })
    expect(pacs.stored).toEqual([])
  })

  it('leaves no gatekeeper group: C-MOVE', async () => {
    const held = { status: 'A702', failed: 1, comment: 'The exam has no MRN' }
    expect(await move(await makeOpen(), 'GATE')).toEqual(held)
    expect(pacs.stored).toEqual([])
  })

  it('leaves for the reason that a person gives, and from other groups without one', async () => {
    const on = await makeWithout()
    expect(await confirm(on)).toBe('MISSING_FIELDS')
    expect(await confirm(on, { mrn_reason: 'The archive gives the number' })).toBe('OK')
    expect(await endOf(on.gateSide)).toMatchObject({ status: 'S' })
    const other = await gate.makeNominated()
    await ask('study/set', registrar.sid, { study_id: other.source, patientid: '' })
    await push(other.source)
    expect(await endOf(other.source)).toMatchObject({ status: 'S' })
  })
})

/** Somebody else whom the organisation knows under the MRN of an exam. */
async function holdHere({ mrn }: Nominated, name = 'ALTMANN^JOSEF', birthDate = '19290202', sex = 'M'): Promise<void> {
  const other = await gate.makeNominated()
  await query(`update study set patientid = '${mrn}', issuer = '', patient_name = '${name}', patient_birth_date = '${birthDate}',
    patient_sex = '${sex}' where uuid = '${other.source}'`)
}

describe('[PROCESS-14] an exam that came with the MRN of another patient of the organisation', () => {
  const held =
    'Not sent. Another patient of this organisation has this MRN: other name, birth date, sex. Correct the MRN'
  const comment = 'Another patient of the organisation has the MRN'

  it.each(doors.filter(([door]) => door !== 'late images'))('does not leave: %s', async (_door, act) => {
    const on = await gate.makeNominated()
    await holdHere(on)
    pacs.script.answersTo = () => []
    const end = await endOf(await act(on))
    expect(end).toMatchObject({ status: 'F', message: expect.stringContaining(held), wants_reason: true })
    expect(pacs.stored).toEqual([])
  })

  it.each(doors.filter(([door]) => door !== 'late images'))(
    'does not leave for a destination that cannot be asked: %s',
    async (_door, act) => {
      await query(`update destination set can_search = false, push_unchecked = true`)
      const on = await gate.makeNominated()
      await holdHere(on)
      const end = await endOf(await act(on))
      expect(end).toMatchObject({ status: 'F', message: expect.stringContaining(held), wants_reason: true })
      expect(pacs.stored).toEqual([])
    },
  )

  it('does not leave for a destination that cannot be asked: C-MOVE, though the destination asks for itself', async () => {
    await query(`update destination set can_search = false`)
    const peers = '[{"ae_title":"WS_1"},{"ae_title":"PACS"}]'
    await putSetting(services.db, 'namespace', places.cloud, queryPeersSetting, peers)
    const on = await gate.makeNominated()
    await holdHere(on)
    expect(await move(on, 'CLOUD', 'PACS')).toMatchObject({ failed: 1, comment })
    await query(`update destination set push_unchecked = true`)
    expect(await move(on)).toMatchObject({ failed: 1, comment })
    expect(pacs.stored).toEqual([])
  })

  it.each<[string, string, string, string, boolean]>([
    ['the same person in another writing', 'Doe^Jane^Q', '19700101', 'F', true],
    ['a twin', 'DOE^JOAN', '19700101', 'F', false],
    ['a namesake of that day and another sex', 'DOE^JANE', '19700101', 'M', false],
    ['a child of that name, by one digit of the birth date', 'DOE^JANE', '19900101', 'F', false],
    ['a namesake without a birth date', 'DOE^JANE', '', 'F', false],
  ])('is told from the MRN of its own patient: %s', async (_who, name, birthDate, sex, isSent) => {
    const on = await gate.makeNominated(1, { sex: 'F' })
    await holdHere(on, name, birthDate, sex)
    pacs.script.answersTo = () => []
    await push(on.source)
    expect(await endOf(on.source)).toMatchObject({ status: isSent ? 'S' : 'F', wants_reason: !isSent })
    expect(pacs.stored).toHaveLength(isSent ? 1 : 0)
  })

  it('does not leave: late images of an exam that had left before', async () => {
    const on = await gate.makeNominated()
    pacs.script.answersTo = () => []
    await push(on.source)
    expect(await endOf(on.source)).toMatchObject({ status: 'S' })
    pacs.stored.length = 0
    await holdHere(on)
    await gate.addImage(on, 3)
    await push(on.source, { late_images: 1 })
    expect(await endOf(on.source)).toMatchObject({ status: 'F', message: expect.stringContaining(held) })
    expect(pacs.stored).toEqual([])
  })

  it('does not leave: C-MOVE of a peer', async () => {
    const on = await gate.makeNominated(2)
    await holdHere(on)
    pacs.script.answersTo = () => []
    expect(await move(on)).toMatchObject({ failed: 2, comment })
    expect(pacs.stored).toEqual([])
  })

  it('leaves for the reason that a person gives, at the sending or where the MRN was written', async () => {
    const [asked, edited] = [await gate.makeNominated(), await gate.makeNominated()]
    await holdHere(asked)
    pacs.script.answersTo = () => []
    await push(asked.source)
    expect(await endOf(asked.source)).toMatchObject({ status: 'F' })
    await answer(asked.source)
    expect(await endOf(asked.source)).toMatchObject({ status: 'S' })
    const written = { ...edited, mrn: `B-${randomUUID()}` }
    await holdHere(written)
    const edit = { study_id: edited.source, patientid: written.mrn }
    expect(said(await ask('study/set', registrar.sid, edit))).toBe('MRN_HELD')
    expect(said(await ask('study/set', registrar.sid, { ...edit, mrn_reason: 'Both are one' }))).toBe('OK')
    await push(edited.source)
    expect(await endOf(edited.source)).toMatchObject({ status: 'S' })

    // a reason is about the people who had the number when it was given
    for (const { on, mrn } of [
      { on: asked, mrn: asked.mrn },
      { on: edited, mrn: written.mrn },
    ]) {
      await holdHere({ ...on, mrn }, 'NEUMANN^KARL')
      await gate.addImage(on, 3)
      await push(on.source, { late_images: 1 })
      expect(await endOf(on.source)).toMatchObject({ status: 'F', message: expect.stringContaining(held) })
      await answer(on.source, { late_images: 1, mrn_reason: 'All three are one' })
      expect(await endOf(on.source)).toMatchObject({ status: 'S' })
    }
  })
})

describe('[PROCESS-14] a reason answers the question that was asked, about the people who were found', () => {
  const reason = { mrn_reason: 'Both are one' }
  const end = async (on: Nominated) => {
    const { status, message } = (await endOf(on.source)) ?? {}
    return `${status} ${message}`
  }
  const underMrn = /^F .*The destination holds .* under this MRN/

  it('is none of the MRN where images had been sent under another patient', async () => {
    await query(`update destination set can_search = false, push_unchecked = true`)
    const on = await gate.makeNominated()
    await push(on.source)
    expect(await end(on)).toMatch(/^S/)
    pacs.stored.length = 0
    const mrn = `O-${on.mrn}`
    await ask('study/set', registrar.sid, { study_id: on.source, patientid: mrn })
    await holdHere({ ...on, mrn })
    await push(on.source)
    expect(await end(on)).toMatch(/^F .*sent there before its patient/)
    await answer(on.source)
    expect(await end(on)).toMatch(/^F .*Another patient of this organisation has this MRN/)
    expect(pacs.stored).toEqual([])
    await answer(on.source)
    expect(await end(on)).toMatch(/^S/)
  })

  it('is none of the MRN at the first try', async () => {
    const on = await gate.makeNominated()
    holdsOther(on)
    expect(said(await ask('study/push/confirm', one.sid, { uuid: on.gateSide, ...reason }))).toBe('OK')
    expect(await endOf(on.gateSide)).toMatchObject({ status: 'F', wants_reason: true })
    expect(pacs.stored).toEqual([])
    // nor of a question that this person has not read
    const confirm = async (question?: string) =>
      said(
        await ask('study/push/confirm', one.sid, { uuid: on.gateSide, ...reason, ...(question ? { question } : {}) }),
      )
    expect(await confirm(randomUUID())).toBe('STALE')
    expect(await confirm()).toBe('OK')
    expect(await endOf(on.gateSide)).toMatchObject({ status: 'F', wants_reason: true })
    const [held] = (await ask('study/get', registrar.sid, { uuid: on.gateSide })).study_push_status
    expect(await confirm(held.question)).toBe('OK')
    expect(await endOf(on.gateSide)).toMatchObject({ status: 'S' })
  })

  it('is none of somebody else whom the destination holds by then, nor for late images', async () => {
    const on = await gate.makeNominated()
    holdsOther(on)
    await push(on.source)
    expect(await end(on)).toMatch(underMrn)
    holds(on.mrn, 'NEUMANN^KARL', { birthDate: '19310303' })
    await answer(on.source)
    expect(await end(on)).toMatch(underMrn)
    expect(pacs.stored).toEqual([])
    await answer(on.source)
    expect(await end(on)).toMatch(/^S/)
    await gate.addImage(on, 3)
    holds(on.mrn, 'THIRD^TIM', { birthDate: '19310303' })
    await push(on.source, { late_images: 1 })
    expect(await end(on)).toMatch(underMrn)
    expect(pacs.stored).toHaveLength(1)
  })

  it('is none of a question that came after the person had read another', async () => {
    const on = await gate.makeNominated()
    holdsOther(on)
    await push(on.source)
    expect(await end(on)).toMatch(underMrn)
    const [read] = (await ask('study/get', registrar.sid, { uuid: on.source })).study_push_status
    expect(await push(on.source, reason)).toBe('MISSING_FIELDS')
    // somebody else sends the exam again meanwhile, and it is held about a third person
    holds(on.mrn, 'NEUMANN^KARL', { birthDate: '19310303' })
    await push(on.source)
    expect(await end(on)).toMatch(underMrn)
    const late = await ask('study/push', registrar.sid, {
      uuid: on.source,
      destination_id: destination,
      question: read.question,
      ...reason,
    })
    expect(late).toMatchObject({ error_type: 'STALE', error_subtype: 'question' })
    expect(await endOf(on.source)).toMatchObject({ status: 'F', wants_reason: true })
    expect(pacs.stored).toEqual([])
    await answer(on.source)
    expect(await end(on)).toMatch(/^S/)
    // nothing is asked any more
    expect(await push(on.source, { question: read.question, ...reason })).toBe('STALE')
  })

  it('stays an answer under another accession number, at every door, and is kept once', async () => {
    const on = await gate.makeNominated()
    await query(`update study set must_approve = false where uuid = '${on.gateSide}'`)
    const number = (accession_number: string) =>
      ask('study/set', registrar.sid, { study_id: on.gateSide, accession_number }).then(said)
    holdsOther(on)
    expect(await move(on, 'GATE')).toMatchObject({ failed: 1 })
    await push(on.gateSide)
    expect(await endOf(on.gateSide)).toMatchObject({ status: 'F', wants_reason: true })
    expect(await number('A-1')).toBe('OK')
    await answer(on.gateSide)
    expect(await endOf(on.gateSide)).toMatchObject({ status: 'S' })
    expect(await number('A-2')).toBe('OK')
    const doorsOfAll = [() => push(on.gateSide), () => pushByRule(on), () => push(on.gateSide, { late_images: 1 })]
    for (const go of doorsOfAll) {
      await go()
      expect(await endOf(on.gateSide)).toMatchObject({ status: 'S', wants_reason: false })
    }
    expect(await move(on, 'GATE')).toMatchObject({ status: '0000', failed: 0 })
    // an answer about her is none about him
    await ask('study/set', registrar.sid, { study_id: on.gateSide, patient_name: 'ROE^RITA', ...reason })
    expect(await move(on, 'GATE')).toMatchObject({ failed: 1 })
    await push(on.gateSide)
    expect(await endOf(on.gateSide)).toMatchObject({ status: 'F', wants_reason: true })
    for (let round = 0; round < 2; round += 1) {
      await answer(on.gateSide)
      expect(await endOf(on.gateSide)).toMatchObject({ status: 'S' })
      // another accession number asks nothing, and another name does
      await ask('study/set', registrar.sid, { study_id: on.gateSide, patient_name: `ROE^RITA${round}`, ...reason })
      await push(on.gateSide)
      expect(await endOf(on.gateSide)).toMatchObject({ status: 'F', wants_reason: true })
    }
    const [kept] = await query<{ answered: string[] }>(`select answered from push where study_uuid = '${on.gateSide}'`)
    expect(kept?.answered).toHaveLength(new Set(kept?.answered).size)
  })
})

describe('[PROCESS-14] an exam under an MRN that an order of the organisation gives to somebody', () => {
  const gus = { patient_name: 'GAMMA^GUS', patient_birth_date: '19500505', patient_sex: 'M' }
  /** Has the hospital order something for the patient of an MRN. */
  const order = (mrn: string, patient: object, act: 'put' | 'cancel' = 'put') =>
    gate.sendMessage({
      kind: 'orders',
      patient: { patientid: mrn, issuer: '', patient_name: '', ...patient },
      orders: [{ order_number: `N-${mrn}`, act, step: {} }],
    })
  const held = expect.stringContaining('Another patient of this organisation has this MRN: other name, birth date, sex')

  beforeEach(() => query(`update destination set can_search = false, push_unchecked = true`))

  it.each(doors.filter(([door]) => door !== 'late images'))(
    'does not leave under it as it came: %s',
    async (_door, act) => {
      const on = await gate.makeNominated(1, { sex: 'F' })
      expect(await order(on.mrn, gus)).toBe('taken')
      expect(await endOf(await act(on))).toMatchObject({ status: 'F', message: held, wants_reason: true })
      expect(pacs.stored).toEqual([])
    },
  )

  it.each(['put', 'cancel'] as const)('does not leave where a person typed it, nor by C-MOVE: %s', async (act) => {
    const on = await gate.makeNominated(1, { sex: 'F' })
    const mrn = `HM-${randomUUID().slice(0, 8)}`
    await order(mrn, gus)
    if (act === 'cancel') await order(mrn, gus, act)
    for (const study of [on.source, on.gateSide])
      await ask('study/set', registrar.sid, { study_id: study, patientid: mrn.toLowerCase() })
    expect(said(await ask('study/push/confirm', one.sid, { uuid: on.gateSide }))).toBe('OK')
    expect(await endOf(on.gateSide)).toMatchObject({ status: 'F', message: held, wants_reason: true })
    expect(await move(on)).toMatchObject({ status: 'A702', comment: 'Another patient of the organisation has the MRN' })
    expect(pacs.stored).toEqual([])
  })

  it.each<[string, object, boolean]>([
    [
      'says it of the same person in another writing',
      { patient_name: 'Doe^Jane^Q', patient_birth_date: '19700101' },
      true,
    ],
    ['says no more than the number', {}, true],
    ['says no birth date, and the same name', { patient_name: 'Doe^Jane' }, true],
    ['says no birth date, and another name', { patient_name: 'Doe^Joan' }, false],
    ['says another birth date alone', { patient_birth_date: '19500505' }, false],
  ])('leaves where the order speaks for no other person: it %s', async (_what, patient, isSent) => {
    const on = await gate.makeNominated(1, { sex: 'F' })
    await order(on.mrn, patient)
    await push(on.source)
    expect(await endOf(on.source)).toMatchObject({ status: isSent ? 'S' : 'F', wants_reason: !isSent })
    expect(pacs.stored).toHaveLength(isSent ? 1 : 0)
  })

  it.each<[string, Partial<MadeImage>, object]>([
    ['neither says a birth date', { birthDate: '' }, { patient_name: 'DOE^JANE' }],
    ['neither says a name', { patientName: '' }, { patient_birth_date: '19700101' }],
  ])('leaves where the order names its patient in all that it says: %s', async (_what, more, patient) => {
    const on = await gate.makeNominated(1, more)
    await order(on.mrn, patient)
    await push(on.source)
    expect(await endOf(on.source)).toMatchObject({ status: 'S', wants_reason: false })
  })

  it('is held where more orders have the number than are compared', async () => {
    const on = await gate.makeNominated(1, { sex: 'F' })
    await order(on.mrn, {})
    const copy = (from: number, to: number) =>
      query(`
        insert into imaging_order (uuid, account_uuid, namespace_uuid, order_number, patientid, issuer, patient_name, patient_birth_date, patient_sex)
        select gen_random_uuid(), o.account_uuid, o.namespace_uuid, 'more ' || n || o.order_number, o.patientid, o.issuer,
          'DOE^JANE^' || n, '19700101', 'F'
        from imaging_order o, generate_series(${from}, ${to}) as n
        where o.patientid = '${on.mrn}' and o.patient_name = ''`)
    await copy(1, 4999)
    await push(on.source)
    expect(await endOf(on.source)).toMatchObject({ status: 'S' })
    await copy(5000, 5000)
    await push(on.source)
    const message = expect.stringMatching(
      /^Not sent\. More than 5000 exams or orders of this organisation have this MRN/,
    )
    expect(await endOf(on.source)).toMatchObject({ status: 'F', message, wants_reason: true })
    expect(await move(on)).toMatchObject({ failed: 1 })
    await answer(on.source)
    expect(await endOf(on.source)).toMatchObject({ status: 'S' })
  })

  it('[PROCESS-12] asks nothing on an ordinary day: exams and orders of one patient in all writings', async () => {
    const writings = ['DÖE^JANE', 'Doee^Jane^Quinn', 'Döe^Jane^Q', 'doee^jane']
    const exams: Nominated[] = []
    const mrn = `D-${randomUUID().slice(0, 8)}`
    for (const [at, patientName] of writings.entries()) {
      const on = await gate.makeNominated(1, { patientId: mrn, patientName, sex: at % 2 ? 'F' : 'O' })
      exams.push(on)
      await query(`update study set must_approve = false where uuid = '${on.gateSide}'`)
      await gate.sendMessage({
        kind: 'orders',
        patient: {
          patientid: mrn,
          issuer: '',
          patient_name: writings.at(-1 - at) ?? '',
          patient_birth_date: at === 0 ? '' : '19700101',
          patient_sex: at === 1 ? 'F' : '',
        },
        orders: [{ order_number: `D-${at}-${mrn}`, act: 'put', step: {} }],
      })
    }
    for (const on of exams) {
      for (const study of [on.source, on.gateSide]) {
        await push(study)
        expect(await endOf(study)).toMatchObject({ status: 'S', wants_reason: false })
      }
      expect(await move(on)).toMatchObject({ status: '0000', failed: 0 })
    }
  })

  it('leaves where the order is of another authority', async () => {
    const on = await gate.makeNominated()
    await query(`update account set issuer = 'OURS' where uuid = '${gate.accountUuid}'`)
    onTestFinished(() =>
      query(`update account set issuer = '' where uuid = '${gate.accountUuid}'`).then(() => undefined),
    )
    await order(on.mrn, gus)
    await query(`update imaging_order set issuer = 'ELSEWHERE' where patientid = '${on.mrn}'`)
    await push(on.source)
    expect(await endOf(on.source)).toMatchObject({ status: 'S' })
  })
})

it('a push that waits while its group comes to want two people says so, and of nobody that he confirmed', async () => {
  const on = await gate.makeNominated()
  pacs.script.refuse = rejections.congested
  await ask('study/push/confirm', one.sid, { uuid: on.gateSide })
  const words = async () =>
    (await query<{ message: string }>(`select message from push where study_uuid = '${on.gateSide}'`))[0]?.message
  await expect.poll(words, { timeout: 20_000 }).toContain('it is busy')
  await configure({ risk_line: 'ALL' })
  pacs.script = {}
  await query(`update work set run_at = now() where state = 'waiting' and not by_clock`)
  const message = expect.stringContaining('wants two people to confirm the patient of this exam now')
  expect(await endOf(on.gateSide)).toMatchObject({ status: 'F', message })
  expect(pacs.stored).toEqual([])
})
