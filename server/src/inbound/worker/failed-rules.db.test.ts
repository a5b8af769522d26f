import { newUid } from '@hilum/dicom/uid'
import { Tag } from '@hilum/dicom/tags'
import { afterAll, expect, it, vi } from 'vitest'
import { listenTo } from '../../../test/listening-hooks.ts'
import { type MadeImage, madeImage } from '../../../test/made-image.ts'
import { makeDestination } from '../../../test/make-destination.ts'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { completeQuietStudies } from '../../areas/ingest/complete-study.command.ts'
import { receiveImage } from '../../areas/ingest/receive-image.command.ts'
import { jobs } from '../../areas/jobs.ts'
import { makeSeparationActs } from '../../areas/separation/make-separation.job.ts'
import { startRunner } from './run-work.ts'

/** Rules that failed on an exam act on it once the cause is gone, and never twice to one place. */

const testApp = await startTestApp()
const { services, app, call, query } = testApp
const names = ['look-at-rules', 'ask-rules-again', 'run-route', 'wake-rules']
const runner = await startRunner(
  services,
  jobs.filter(({ name }) => names.includes(name)),
  { pollMs: 20 },
)
afterAll(() => runner.stop())

const { accountUuid, organisation, makePlace, received } = await makeSharing({ services, call })
const admin = await organisation.addPerson({ role: 'Administrator' })
type Place = Awaited<ReturnType<typeof makePlace>>

const anna = { patientName: 'Stays^Anna', patientId: 'A1', birthDate: '19700101', sex: 'F' }
const bert = { patientName: 'Moves^Bert', patientId: 'B1', birthDate: '19551212', sex: 'M' }

async function arrive(place: Place, ...images: MadeImage[]): Promise<void> {
  for (const image of images) {
    const chunks = (async function* () {
      yield madeImage(image)
    })()
    const arrival = { namespaceUuid: place.group.namespaceUuid, accountUuid, source: 'upload' as const }
    const stored = await receiveImage(services, { ...arrival, quietSeconds: 30, sourceName: '' }, chunks)
    expect(stored.outcome).toBe('stored')
  }
  await completeQuietStudies(services, new Date(Date.now() + 200_000))
}

async function makeRule(from: Place, sent: object): Promise<string> {
  const named = { sid: admin.sid, namespace_id: from.group.namespaceUuid, name: 'Pass on', on_upload: 1, ...sent }
  const { body } = await call('route/add', named)
  expect(body).toMatchObject(done)
  return body.uuid
}
const to = ({ group }: Place) => ({ namespace: group.namespaceUuid })

interface Run {
  uuid: string
  state: string
  study_id: string
  may_run_again: number
  detail: { actions?: { kind: string; result: string; reason?: string }[] }
}
const runsOf = async (uuid: string, study?: string): Promise<Run[]> => {
  const runs: Run[] = (await call('route/runs', { sid: admin.sid, uuid })).body.runs
  return runs.filter((run) => study === undefined || run.study_id === study)
}
/** States of a rule's runs on a study, the latest first, once no work waits. */
async function statesOf(rule: string, study: string): Promise<string[]> {
  await vi.waitFor(
    async () =>
      expect(await query(`select job from work where job in ('${names.join("', '")}') and run_at <= now()`)).toEqual(
        [],
      ),
    { timeout: 30_000, interval: 50 },
  )
  return (await runsOf(rule, study)).map(({ state }) => state)
}
/** Brings the time forward at which rules look at exams. */
const letTimePass = () =>
  query(`update work set run_at = now() where job in ('look-at-rules', 'ask-rules-again', 'run-route')`)

const ask = async (path: string, sent: Record<string, unknown>) => (await call(path, sent)).body
const again = (rule: string, run: string | undefined, sid = admin.sid) =>
  ask('route/run/again', { sid, uuid: rule, run_id: run })

/** Separates Bert from a mixed exam. @returns the separation, and the exam that it made */
async function separateBert(place: Place, uuid: string) {
  const { patients } = await ask('study/patients', { sid: place.sid, uuid })
  const patient = patients.find((one: { patient_name: string }) => one.patient_name === bert.patientName)?.key
  const sent = { sid: place.sid, uuid, move: [{ patient }] }
  const { digest } = await ask('study/split/preview', sent)
  const begun = await ask('study/split', { ...sent, digest })
  expect(begun).toMatchObject(done)
  const run = { work: 'test', signal: new AbortController().signal }
  await makeSeparationActs.run(services, { separationUuid: begun.uuid }, run)
  const [row] = await query<{ made: string }>(
    `select to_study_uuid as made from separation where uuid = '${begun.uuid}'`,
  )
  return { separation: begun.uuid as string, made: row?.made ?? '' }
}

const places = async (count: number) => {
  const made: Place[] = []
  for (let at = 0; at < count; at += 1) made.push(await makePlace('Administrator'))
  return made as [Place, Place, Place]
}

async function makeMixed(place: Place): Promise<{ uuid: string; studyUid: string }> {
  const studyUid = newUid()
  await arrive(place, { studyUid, series: 1, number: 1, ...anna }, { studyUid, series: 2, number: 1, ...bert })
  return { uuid: (await received(place, studyUid))?.uuid ?? '', studyUid }
}

it('an exam from which another patient was separated goes where its rule could not send it, as the other one does', async () => {
  const [from, there] = await places(2)
  const rule = await makeRule(from, { actions: [to(there)] })
  const { uuid, studyUid } = await makeMixed(from)
  expect(await statesOf(rule, uuid)).toEqual(['failed'])
  const { made } = await separateBert(from, uuid)
  // in the time for Undo nothing but a person sends either
  expect(await statesOf(rule, uuid)).toEqual(['failed'])
  await letTimePass()
  expect(await statesOf(rule, uuid)).toEqual(['done', 'failed'])
  expect(await statesOf(rule, made)).toEqual(['done'])
  expect(await received(there, studyUid)).toBeDefined()
  // once: neither late images nor a correction run it again
  await arrive(from, { studyUid, series: 1, number: 2, ...anna })
  expect(await ask('study/set', { sid: from.sid, uuid, study_description: 'Knee' })).toMatchObject(done)
  expect(await statesOf(rule, uuid)).toEqual(['done', 'failed'])
})

it('after Undo of a separation the exam is mixed again, and its rule does not act', async () => {
  const [from, there] = await places(2)
  const rule = await makeRule(from, { actions: [to(there)] })
  const { uuid } = await makeMixed(from)
  expect(await statesOf(rule, uuid)).toEqual(['failed'])
  const { separation } = await separateBert(from, uuid)
  expect(await ask('study/split/undo', { sid: from.sid, uuid, separation_id: separation })).toMatchObject(done)
  await letTimePass()
  expect(await statesOf(rule, uuid)).toEqual(['failed'])
})

it.each(['late images', 'a word on the authority of MRNs'])(
  'within the time for Undo of a separation no rule sends for %s',
  async (what) => {
    const [from, there] = await places(2)
    const rule = await makeRule(from, { actions: [to(there)] })
    const { uuid, studyUid } = await makeMixed(from)
    expect(await statesOf(rule, uuid)).toEqual(['failed'])
    const { separation } = await separateBert(from, uuid)
    const authority = async () => {
      await query(`update route_run set detail = '{"actions": [{"kind": "namespace", "result": "failed",
        "reason": "FOREIGN_MRN"}]}' where rule_uuid = '${rule}'`)
      return ask('account/set', { sid: admin.sid, uuid: accountUuid, setting_other_issuers: `EAST ${separation}` })
    }
    const late = () => arrive(from, { studyUid, series: 1, number: 2, ...anna }).then(() => done)
    expect(await (what === 'late images' ? late() : authority())).toMatchObject(done)
    expect(await statesOf(rule, uuid)).toEqual(['failed'])
    expect(await ask('study/split/undo', { sid: from.sid, uuid, separation_id: separation })).toMatchObject(done)
    await letTimePass()
    expect(await statesOf(rule, uuid)).not.toContain('done')
    expect(await received(there, studyUid)).toBeUndefined()
  },
)

it('an exam of which somebody said that it is one patient goes on, each action once', async () => {
  const [from, there] = await places(2)
  const hook = await listenTo({ query }, accountUuid, 'ROUTE_RULE')
  const rule = await makeRule(from, { actions: [{ webhook: hook }, to(there)] })
  const { uuid, studyUid } = await makeMixed(from)
  expect(await statesOf(rule, uuid)).toEqual(['failed'])
  const url = `/api/v3/storage/study/${from.group.namespaceUuid}/${studyUid}/one_patient?sid=${from.sid}`
  const reply = await app.inject({ method: 'POST', url, payload: { reason: 'A misspelt name' } })
  expect(reply.statusCode).toBeLessThan(300)
  expect(await statesOf(rule, uuid)).toEqual(['done', 'failed'])
  const [last] = await runsOf(rule, uuid)
  expect(last?.detail.actions).toMatchObject([
    { kind: 'webhook', result: 'before' },
    { kind: 'namespace', result: 'done' },
  ])
  expect(await query(`select from webhook_delivery where webhook_uuid = '${hook}'`)).toHaveLength(1)
  expect(await received(there, studyUid)).toBeDefined()
})

it('an exam whose images of another patient were deleted goes on', async () => {
  const [from, there] = await places(2)
  const rule = await makeRule(from, { actions: [to(there)] })
  const { uuid, studyUid } = await makeMixed(from)
  expect(await statesOf(rule, uuid)).toEqual(['failed'])
  const url = `/api/v3/storage/study/${from.group.namespaceUuid}/${studyUid}/image/${studyUid}.2.1?sid=${from.sid}`
  expect((await app.inject({ method: 'DELETE', url })).statusCode).toBeLessThan(300)
  expect(await statesOf(rule, uuid)).toEqual(['done', 'failed'])
})

const southern = [{ tag: Tag.IssuerOfPatientID, vr: 'LO', value: 'SOUTH' }] as const

it.each(['a correction says', 'the organisation says'])(
  'an exam held back for the authority of its MRN goes on once %s whose it is',
  async (who) => {
    const [from] = await places(1)
    await query(`update account set issuer = 'OWN' where uuid = '${accountUuid}'`)
    const { uuid: destination } = await makeDestination(testApp, accountUuid, { port: 4242, title: 'PACS' })
    const rule = await makeRule(from, { actions: [{ destination }] })
    const studyUid = newUid()
    await arrive(from, { studyUid, number: 1, ...anna, more: southern })
    const uuid = (await received(from, studyUid))?.uuid ?? ''
    expect(await statesOf(rule, uuid)).toEqual(['failed'])
    expect((await runsOf(rule))[0]?.detail.actions).toMatchObject([{ reason: 'FOREIGN_MRN' }])
    const said =
      who === 'a correction says'
        ? await ask('study/set', { sid: from.sid, uuid, patientid: 'OUR-1', patient_confirmed: 1 })
        : await ask('account/set', { sid: admin.sid, uuid: accountUuid, setting_other_issuers: 'SOUTH' })
    expect(said).toMatchObject(done)
    expect(await statesOf(rule, uuid)).toEqual(['done', 'failed'])
    expect(await query(`select status from push where study_uuid = '${uuid}'`)).toHaveLength(1)
  },
)

it('late images have a rule asked again that failed, for what it did not do, and not one that acted', async () => {
  const [from, gone, there] = await places(3)
  const rule = await makeRule(from, { no_re_run: 1, actions: [to(gone), to(there)] })
  await query(`update app_group set no_share = true where uuid = '${gone.group.groupUuid}'`)
  const studyUid = newUid()
  await arrive(from, { studyUid, number: 1, ...anna })
  const uuid = (await received(from, studyUid))?.uuid ?? ''
  expect(await statesOf(rule, uuid)).toEqual(['failed'])
  await query(`update app_group set no_share = false where uuid = '${gone.group.groupUuid}'`)
  await arrive(from, { studyUid, number: 2, ...anna })
  expect(await statesOf(rule, uuid)).toEqual(['done', 'failed'])
  expect((await runsOf(rule, uuid))[0]?.detail.actions).toMatchObject([{ result: 'done' }, { result: 'before' }])
  await arrive(from, { studyUid, number: 3, ...anna })
  expect(await statesOf(rule, uuid)).toEqual(['done', 'failed'])
})

it('a failed run is run again by hand by whoever edits rules, the latest of an exam, and never sends twice', async () => {
  const [from, gone, there] = await places(3)
  const { uuid: destination } = await makeDestination(testApp, accountUuid, { port: 4242, title: 'PACS2' })
  const rule = await makeRule(from, { actions: [to(gone), { destination }, to(there)] })
  await query(`update app_group set no_share = true where uuid = '${gone.group.groupUuid}'`)
  const studyUid = newUid()
  await arrive(from, { studyUid, number: 1, ...anna })
  const uuid = (await received(from, studyUid))?.uuid ?? ''
  expect(await statesOf(rule, uuid)).toEqual(['failed'])
  await query(`update push set status = 'S' where study_uuid = '${uuid}'`)
  const pushes = () => query(`select uuid from push where study_uuid = '${uuid}'`)
  const before = await pushes()
  const [failed] = await runsOf(rule, uuid)
  expect(failed?.may_run_again).toBe(1)
  const viewer = await organisation.addPerson({ role: 'Viewer', groups: [from.group] })
  expect(await again(rule, failed?.uuid, viewer.sid)).toMatchObject({ error_type: 'NOT_PERMITTED' })
  const other = await makeRule(from, { on_upload: 0, actions: [to(there)] })
  expect(await again(other, failed?.uuid)).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(await again(rule, failed?.uuid)).toEqual({ status: 'OK' })
  expect(await query(`select actor_name, detail from audit where object_uuid = '${rule}' and action = 'SEND'`)).toEqual(
    [{ actor_name: admin.name, detail: { name: 'Pass on', run: failed?.uuid } }],
  )
  expect(await statesOf(rule, uuid)).toEqual(['failed', 'failed'])
  expect((await runsOf(rule, uuid)).map((run) => run.may_run_again)).toEqual([1, 0])
  expect(await again(rule, failed?.uuid)).toMatchObject({ error_type: 'ALREADY_EXISTS' })
  await query(`update app_group set no_share = false where uuid = '${gone.group.groupUuid}'`)
  const [latest] = await runsOf(rule, uuid)
  const both = await Promise.all([again(rule, latest?.uuid), again(rule, latest?.uuid)])
  expect(both.map(({ error_type }) => error_type ?? '').toSorted()).toEqual(['', 'ALREADY_EXISTS'])
  expect(await statesOf(rule, uuid)).toEqual(['done', 'failed', 'failed'])
  expect((await runsOf(rule, uuid))[0]?.detail.actions).toMatchObject([
    { result: 'done' },
    { result: 'before' },
    { result: 'before' },
  ])
  expect(await pushes()).toEqual(before)
  expect(await received(gone, studyUid)).toBeDefined()
})

it('Run again says so where the rule does not run: it is switched off, of another place, or does not match', async () => {
  const [from, gone, elsewhere] = await places(3)
  const rule = await makeRule(from, { actions: [to(gone)] })
  await query(`update app_group set no_share = true where uuid = '${gone.group.groupUuid}'`)
  const studyUid = newUid()
  await arrive(from, { studyUid, number: 1, ...anna })
  const uuid = (await received(from, studyUid))?.uuid ?? ''
  expect(await statesOf(rule, uuid)).toEqual(['failed'])
  await query(`update app_group set no_share = false where uuid = '${gone.group.groupUuid}'`)
  const [failed] = await runsOf(rule, uuid)
  const refused = async (change: object, subtype: string) => {
    expect(await ask('route/set', { sid: admin.sid, uuid: rule, ...change })).toMatchObject(done)
    const fault = { error_type: 'ROUTE_NOT_MATCHED', error_subtype: subtype }
    expect(await again(rule, failed?.uuid)).toMatchObject(fault)
  }
  await refused({ suspended: 1 }, 'RULE_DISABLED')
  await refused({ suspended: 0, namespace_id: elsewhere.group.namespaceUuid }, 'OTHER_PLACE')
  const conditions = [{ lv: 'modality', op: 'equals', rv: 'NONE' }]
  await refused({ namespace_id: from.group.namespaceUuid, conditions }, 'CONDITIONS')
  expect(await statesOf(rule, uuid)).toEqual(['failed'])
  expect(await query(`select from audit where object_uuid = '${rule}' and action = 'SEND'`)).toEqual([])
  expect((await runsOf(rule, uuid))[0]?.may_run_again).toBe(1)
  expect(await ask('study/delete', { sid: from.sid, uuid })).toMatchObject(done)
  expect((await runsOf(rule, uuid))[0]?.may_run_again).toBe(0)
})

it('of a run that kept names alone, as earlier releases did, those actions count that the name tells apart', async () => {
  const [from, gone, there] = await places(3)
  const [twin, target] = await places(2)
  const rule = await makeRule(from, { actions: [to(gone), to(there), to(twin), to(target)] })
  await query(`update app_group set no_share = true where uuid = '${gone.group.groupUuid}'`)
  const studyUid = newUid()
  await arrive(from, { studyUid, number: 1, ...anna })
  const uuid = (await received(from, studyUid))?.uuid ?? ''
  expect(await statesOf(rule, uuid)).toEqual(['failed'])
  await query(`update route_run set detail = jsonb_build_object('actions', (
    select jsonb_agg(a - 'target') from jsonb_array_elements(detail -> 'actions') a)) where rule_uuid = '${rule}'`)
  await query(`update app_group set no_share = false where uuid = '${gone.group.groupUuid}'`)
  const person = await organisation.addPerson({ role: 'Viewer' })
  await query(`update app_user set first_name = g.name, last_name = '' from app_group g
    where app_user.uuid = '${person.userUuid}' and g.uuid = '${twin.group.groupUuid}'`)
  const [failed] = await runsOf(rule, uuid)
  expect(await again(rule, failed?.uuid)).toEqual({ status: 'OK' })
  expect(await statesOf(rule, uuid)).toEqual(['done', 'failed'])
  expect((await runsOf(rule, uuid))[0]?.detail.actions?.map(({ result }) => result)).toEqual([
    'done',
    'before',
    'unchanged',
    'before',
  ])
  expect(await received(gone, studyUid)).toBeDefined()
})

it('what somebody sent by hand after a rule failed is not sent by the rule once more', async () => {
  const [from, gone] = await places(2)
  const { uuid: destination } = await makeDestination(testApp, accountUuid, { port: 4242, title: 'PACS3' })
  await query(`update destination set can_push = true where uuid = '${destination}'`)
  const rule = await makeRule(from, { actions: [to(gone), { destination }] })
  await query(`update destination set can_push = false where uuid = '${destination}'`)
  const studyUid = newUid()
  await arrive(from, { studyUid, number: 1, ...anna })
  const uuid = (await received(from, studyUid))?.uuid ?? ''
  expect(await statesOf(rule, uuid)).toEqual(['failed'])
  await query(`update destination set can_push = true where uuid = '${destination}'`)
  const sent = await ask('study/push', { sid: from.sid, uuid, destination_id: destination })
  expect(sent).toMatchObject(done)
  await query(`update push set status = 'S' where study_uuid = '${uuid}'`)
  const [failed] = await runsOf(rule, uuid)
  expect(await again(rule, failed?.uuid)).toEqual({ status: 'OK' })
  expect(await statesOf(rule, uuid)).toEqual(['done', 'failed'])
  expect(await query(`select status from push where study_uuid = '${uuid}'`)).toEqual([{ status: 'S' }])
})
