import { randomUUID } from 'node:crypto'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { type MadeImage, madeImage } from '../../../test/made-image.ts'
import { makeDestination } from '../../../test/make-destination.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { completeQuietStudies } from '../../areas/ingest/complete-study.command.ts'
import { receiveImage } from '../../areas/ingest/receive-image.command.ts'
import { jobs } from '../../areas/jobs.ts'
import { listFaultyRuns } from '../../areas/route/route-run.sql.ts'
import { startRunner } from './run-work.ts'

/** Whatever routing rules and gatekeeper groups use, really deleted. */

const testApp = await startTestApp()
const { services, call, query } = testApp
const names = ['look-at-rules', 'run-route', 'tell-of-failing-rule']
const runner = await startRunner(
  services,
  jobs.filter(({ name }) => names.includes(name)),
  { pollMs: 20 },
)
afterAll(() => runner.stop())

const { accountUuid, organisation, makePlace, received } = await makeSharing({ services, call })
const admin = await organisation.addPerson({ role: 'Administrator' })
type Place = Awaited<ReturnType<typeof makePlace>>

const ask = async (path: string, sent: object) => (await call(path, { sid: admin.sid, ...sent })).body
async function makeRule(from: Place, sent: object): Promise<string> {
  const named = { namespace_id: from.group.namespaceUuid, name: 'Pass on', on_upload: 1, ...sent }
  const body = await ask('route/add', named)
  expect(body).toMatchObject(done)
  return body.uuid
}
async function arrive({ group }: Place, ...images: MadeImage[]): Promise<string> {
  const studyUid = newUid()
  for (const image of images.length > 0 ? images : [{ studyUid, number: 1 }]) {
    const chunks = (async function* () {
      yield madeImage(image)
    })()
    const arrival = { namespaceUuid: group.namespaceUuid, accountUuid, source: 'upload' as const, sourceName: '' }
    expect((await receiveImage(services, { ...arrival, quietSeconds: 30 }, chunks)).outcome).toBe('stored')
  }
  await completeQuietStudies(services, new Date(Date.now() + 200_000))
  await settled()
  return studyUid
}
const settled = () =>
  vi.waitFor(
    async () => expect(await query(`select job from work where job in ('${names.join("', '")}')`)).toEqual([]),
    { timeout: 30_000, interval: 50 },
  )
async function nameOf(namespaceUuid: string): Promise<string> {
  const [found] = await query<{ name: string }>(`select name from namespace where uuid = '${namespaceUuid}'`)
  return found?.name ?? ''
}
const failing = async () =>
  (await ask('account/stuck', { account_id: accountUuid })).stuck.filter(
    (one: { code: string }) => one.code === 'RULE_FAILS',
  )
const lastRun = async (uuid: string) => (await ask('route/runs', { uuid })).runs[0]

/** Things that rules can use: the uuid of each, the rule's field for it, and how it is deleted. */
const newUsed = {
  destination: async () => {
    const { uuid } = await makeDestination(testApp, accountUuid, { port: 4242, title: 'OLD_PACS' })
    return { uuid, rule: { actions: [{ destination: uuid }] }, path: 'destination/delete' }
  },
  group: async () => {
    const { uuid, namespace_id } = await ask('group/add', { account_id: accountUuid, name: `Ward ${newUid()}` })
    return { uuid, rule: { actions: [{ namespace: namespace_id }] }, path: 'group/delete' }
  },
  'group by its share code': async () => {
    const share_code = `CODE${Date.now()}`
    const { uuid } = await ask('group/add', { account_id: accountUuid, name: `Ward ${newUid()}`, share_code })
    return { uuid, rule: { actions: [{ share_code }] }, path: 'group/delete' }
  },
  location: async () => {
    const { uuid, namespace_id } = await ask('location/add', { account_id: accountUuid, name: `Site ${newUid()}` })
    return { uuid, rule: { actions: [{ namespace: namespace_id }] }, path: 'location/delete' }
  },
  'role that starts a rule by hand': async () => {
    const { uuid } = await ask('role/add', { account_id: accountUuid, name: `Reader ${newUid()}` })
    return { uuid, rule: { on_manual_route: 1, manual_roles: uuid, actions: [] }, path: 'role/delete' }
  },
}

it.each(Object.keys(newUsed) as (keyof typeof newUsed)[])(
  'a %s that a rule uses stays, with the names of the rules',
  async (kind) => {
    const from = await makePlace()
    const { uuid, rule, path } = await newUsed[kind]()
    const [first, off] = [
      await makeRule(from, { ...rule, name: `First of ${kind}` }),
      await makeRule(from, { ...rule, name: `Switched off of ${kind}`, suspended: 1 }),
    ]
    const routes = [`First of ${kind}`, `Switched off of ${kind}`]
    expect(await ask(path, { uuid })).toMatchObject({ error_type: 'IN_USE', error_data: { routes } })
    for (const one of [first, off]) expect(await ask('route/delete', { uuid: one })).toMatchObject(done)
    expect(await ask(path, { uuid })).toMatchObject(done)
  },
)

it.each(['group', 'location'])('a %s that rules are for stays, with the names of the rules', async (kind) => {
  const from = await makePlace()
  const { uuid, namespace_id } = await ask(`${kind}/add`, { account_id: accountUuid, name: `Place ${newUid()}` })
  const rules = [
    await makeRule(from, { namespace_id, name: 'For it' }),
    await makeRule(from, { other_namespaces: namespace_id, name: 'For it as well' }),
  ]
  const routes = ['For it', 'For it as well']
  expect(await ask(`${kind}/delete`, { uuid })).toMatchObject({ error_type: 'IN_USE', error_data: { routes } })
  for (const one of rules) expect(await ask('route/delete', { uuid: one })).toMatchObject(done)
  expect(await ask(`${kind}/delete`, { uuid })).toMatchObject(done)
})

it.each(['group', 'location'])(
  'a %s that a destination is limited to stays, with the name of the destination',
  async (kind) => {
    const { uuid } = await ask(`${kind}/add`, { account_id: accountUuid, name: `Place ${newUid()}` })
    const { uuid: destination } = await makeDestination(testApp, accountUuid, { port: 4243, title: `FOR_${kind}` })
    expect(await ask('destination/set', { uuid: destination, group_ids: [uuid] })).toMatchObject(done)
    const { name } = await ask('destination/get', { uuid: destination })
    expect(await ask(`${kind}/delete`, { uuid })).toMatchObject({
      error_type: 'IN_USE',
      error_data: { destinations: [name] },
    })
    expect(await ask('destination/set', { uuid: destination, group_ids: [] })).toMatchObject(done)
    expect(await ask(`${kind}/delete`, { uuid })).toMatchObject(done)
  },
)

it('a destination limited to a group that is gone is saved with it and without it, and takes no other that is not there', async () => {
  const { uuid: ward } = await ask('group/add', { account_id: accountUuid, name: `Ward ${newUid()}` })
  const { uuid } = await makeDestination(testApp, accountUuid, { port: 4244, title: 'LIMITED' })
  const gone = randomUUID()
  // as it was left when groups were deleted whatever named them
  await query(`update destination set group_uuids = '{${gone}}' where uuid = '${uuid}'`)
  expect(await ask('destination/set', { uuid, group_ids: [gone, ward] })).toMatchObject(done)
  expect((await ask('destination/get', { uuid })).group_ids.toSorted()).toEqual([gone, ward].toSorted())
  expect(await ask('destination/set', { uuid, group_ids: [gone, randomUUID()] })).toMatchObject({
    error_type: 'INVALID_VALUE',
  })
  expect(await ask('destination/set', { uuid, group_ids: [ward] })).toMatchObject(done)
  expect((await ask('destination/get', { uuid })).group_ids).toEqual([ward])
})

it('a role that a rule names from the time when it was started by hand goes; the rule is saved, and started by hand by nobody whom it does not name', async () => {
  const from = await makePlace()
  const { uuid: role } = await ask('role/add', { account_id: accountUuid, name: `Reader ${newUid()}` })
  const rule = await makeRule(from, { on_manual_route: 1, manual_roles: role })
  expect(await ask('role/delete', { uuid: role })).toMatchObject({ error_type: 'IN_USE' })
  expect(await ask('route/set', { uuid: rule, on_manual_route: 0 })).toMatchObject(done)
  expect(await ask('role/delete', { uuid: role })).toMatchObject(done)
  expect(await ask('route/set', { uuid: rule, name: 'Another name' })).toMatchObject(done)
  const { manual_roles, conditions } = await ask('route/get', { uuid: rule })
  expect(manual_roles).toBe(role)
  const tested = { uuid: rule, namespace_id: from.group.namespaceUuid, conditions, manual_roles }
  expect(await ask('route/test', tested)).toMatchObject(done)
  const byHand = { uuid: rule, on_manual_route: 1 }
  expect(await ask('route/set', byHand)).toMatchObject({ error_type: 'INVALID_MANUAL_ROLES', error_subtype: 'GONE' })
  const chosen = organisation.roles.get('Viewer')
  expect(await ask('route/set', { ...byHand, manual_roles: chosen })).toMatchObject(done)
})

it('what the settings of a gatekeeper group or of one that nominates name stays, with the names of the groups', async () => {
  const { uuid: destination } = await makeDestination(testApp, accountUuid, { port: 4243, title: 'GATE_PACS' })
  const config = { group_designation: 'GATEKEEPER', pushable_destinations: [destination] }
  const gate = await ask('group/add', { account_id: accountUuid, name: 'The gate', inbox_config: config })
  const promotes = { group_designation: 'CLOUD', pacs_promote_groups: [gate.uuid] }
  const cloud = await ask('group/add', { account_id: accountUuid, name: 'The ward', inbox_config: promotes })
  expect([gate, cloud]).toMatchObject([done, done])
  const inUse = (groups: string[]) => ({ error_type: 'IN_USE', error_data: { groups, routes: [] } })
  expect(await ask('destination/delete', { uuid: destination })).toMatchObject(inUse(['The gate']))
  expect(await ask('group/delete', { uuid: gate.uuid })).toMatchObject(inUse(['The ward']))
  for (const uuid of [cloud.uuid, gate.uuid]) expect(await ask('group/delete', { uuid })).toMatchObject(done)
  expect(await ask('destination/delete', { uuid: destination })).toMatchObject(done)
})

it('what a group named before it was something else is deleted, also beside a group whose settings cannot be read', async () => {
  const { uuid: destination } = await makeDestination(testApp, accountUuid, { port: 4244, title: 'WARD_PACS' })
  const add = (name: string, inbox_config: object) => ask('group/add', { account_id: accountUuid, name, inbox_config })
  const gate = await add('Was a gate', { group_designation: 'GATEKEEPER', pushable_destinations: [destination] })
  const other = await add('Another gate', { group_designation: 'GATEKEEPER' })
  const cloud = await add('Was a cloud', { group_designation: 'CLOUD', pacs_promote_groups: [other.uuid] })
  const be = (uuid: string, group_designation: string) =>
    ask('group/set', { uuid, inbox_config: { group_designation } })
  expect(await be(gate.uuid, 'CLOUD')).toMatchObject(done)
  expect(await be(cloud.uuid, 'GATEKEEPER')).toMatchObject(done)
  const broken = await add('Broken', { group_designation: 'CLOUD' })
  await query(`update setting set value = '{"pushable' where key = 'inbox_config' and scope_uuid = (
    select namespace_uuid from app_group where uuid = '${broken.uuid}')`)
  expect(await ask('destination/delete', { uuid: destination })).toMatchObject(done)
  for (const { uuid } of [other, broken]) expect(await ask('group/delete', { uuid })).toMatchObject(done)
})

it('a rule shares with a person, who is named before the deletion; afterwards it fails, and that is told until it went well on each exam', async () => {
  const [from, other] = [await makePlace(), await makePlace()]
  const person = await organisation.addPerson({ role: 'Viewer' })
  const rule = await makeRule(from, { name: 'To the reader', actions: [{ namespace: person.namespaceUuid }] })
  const studyUid = await arrive(from)
  expect(await lastRun(rule)).toMatchObject({ state: 'done' })
  expect(await received(person, studyUid)).toBeDefined()
  const held = { uuid: accountUuid, user_id: person.userUuid }
  const share_code = `HOLM${Date.now()}`
  await query(`update app_user set share_code = '${share_code}' where uuid = '${person.userUuid}'`)
  const byCode = await makeRule(other, { name: 'To the reader by code', actions: [{ share_code }] })
  expect((await ask('account/user/holdings', held)).routes).toEqual(['To the reader', 'To the reader by code'])
  expect(await ask('route/delete', { uuid: byCode })).toMatchObject(done)
  expect(await ask('account/user/delete', held)).toMatchObject(done)
  expect(await failing()).toEqual([])
  await arrive(from)
  await arrive(from)
  expect(await lastRun(rule)).toMatchObject({ state: 'failed', detail: { actions: [{ reason: 'TARGET_GONE' }] } })
  expect(await failing()).toMatchObject([{ name: 'To the reader', count: 2, since: expect.stringMatching(/\+00$/) }])
  const gone = (await ask('route/get', { uuid: rule })).actions
  expect(gone).toMatchObject([{ namespace: person.namespaceUuid, name: '' }])
  const actions = [{ namespace: other.group.namespaceUuid }]
  expect(await ask('route/set', { uuid: rule, actions })).toMatchObject(done)
  await arrive(from)
  // the exams that it failed on have not arrived by that
  expect(await failing()).toMatchObject([{ name: 'To the reader', count: 2 }])
  const { runs } = await ask('route/runs', { uuid: rule, 'filter.state.equals': 'failed' })
  for (const [at, run] of runs.entries()) {
    expect(await ask('route/run/again', { uuid: rule, run_id: run.uuid })).toMatchObject(done)
    await settled()
    expect((await failing()).map((one: { count: number }) => one.count)).toEqual(at === 0 ? [1] : [])
  }
})

it('rules of one name that fail are told apart, each with the exams that still stand there', async () => {
  const [from, other] = [await makePlace(), await makePlace()]
  const { uuid, namespace_id } = await ask('group/add', { account_id: accountUuid, name: `Ward ${newUid()}` })
  const sent = { name: 'One name', actions: [{ namespace: namespace_id }] }
  for (const place of [from, other]) await makeRule(place, sent)
  expect(await ask('group/set', { uuid, no_share: 1 })).toMatchObject(done)
  const [gone] = [await arrive(from), await arrive(from), await arrive(other)]
  const counts = async () =>
    Object.fromEntries(
      (await failing()).map((one: { place_name: string; count: number }) => [one.place_name, one.count]),
    )
  const [here, there] = [await nameOf(from.group.namespaceUuid), await nameOf(other.group.namespaceUuid)]
  expect(await failing()).toMatchObject([{ name: 'One name' }, { name: 'One name' }])
  expect(await counts()).toEqual({ [here]: 2, [there]: 1 })
  const [study] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${gone}'`)
  const { sid } = await organisation.addPerson({ role: 'Administrator', groups: [from.group] })
  expect((await call('study/delete', { sid, uuid: study?.uuid })).body).toMatchObject(done)
  expect(await counts()).toEqual({ [here]: 1, [there]: 1 })
})

/** A rule whose target takes nothing for now, with so many exams on which it failed. */
async function makeFailing(name: string, exams: number) {
  const from = await makePlace()
  const { uuid: group, namespace_id } = await ask('group/add', { account_id: accountUuid, name: `Ward ${newUid()}` })
  const rule = await makeRule(from, { name, actions: [{ namespace: namespace_id }] })
  const open = async (isOpen: boolean) =>
    expect(await ask('group/set', { uuid: group, no_share: isOpen ? 0 : 1 })).toMatchObject(done)
  await open(false)
  for (let at = 0; at < exams; at += 1) await arrive(from)
  const count = async () =>
    (await failing()).find((one: { rule_id: string; count: number }) => one.rule_id === rule)?.count ?? 0
  expect(await count()).toBe(exams)
  return { from, rule, open, count }
}
const dismiss = (sent: object) => ask('account/stuck/dismiss', { account_id: accountUuid, ...sent })
const notFound = { error_type: 'NOT_FOUND' }
const statesOf = async (uuid: string): Promise<string[]> =>
  (await ask('route/runs', { uuid })).runs.map(({ state }: { state: string }) => state)

it('a rule that failed is put away, on record, until it fails again; its runs stay, and each can be run again', async () => {
  const { from, rule, open, count } = await makeFailing('To be put away', 2)
  const viewer = await organisation.addPerson({ role: 'Viewer' })
  expect(await dismiss({ rule_id: rule, sid: viewer.sid })).toMatchObject({ error_type: 'NOT_PERMITTED' })
  expect(await dismiss({})).toMatchObject({ error_type: 'MISSING_FIELDS' })
  expect(await dismiss({ rule_id: randomUUID() })).toMatchObject(notFound)
  const elsewhere = await makeOrganisation(services.db)
  const stranger = await elsewhere.addPerson({ role: 'Administrator' })
  const foreign = { rule_id: rule, account_id: elsewhere.accountUuid, sid: stranger.sid }
  expect(await dismiss(foreign)).toMatchObject(notFound)
  expect(await count()).toBe(2)
  expect(await dismiss({ rule_id: rule })).toMatchObject(done)
  expect(await count()).toBe(0)
  expect(await dismiss({ rule_id: rule })).toMatchObject(notFound)
  expect(
    await query(
      `select actor_name, type, detail from audit where object_uuid = '${rule}' and detail ? 'failed_runs_shown'`,
    ),
  ).toEqual([{ actor_name: admin.name, type: 'Route', detail: { failed_runs_shown: [2, 0] } }])
  const { runs } = await ask('route/runs', { uuid: rule })
  expect(runs).toMatchObject([{ may_run_again: 1 }, { may_run_again: 1 }])
  await arrive(from)
  expect(await count()).toBe(1)
  await open(true)
  expect(await ask('route/run/again', { uuid: rule, run_id: runs[0].uuid })).toMatchObject(done)
  await settled()
  expect(await statesOf(rule)).toEqual(['done', 'failed', 'failed', 'failed'])
})

it('a rule is run again on all exams on which it failed, but for those that were put away, each on record', async () => {
  const { from, rule, open, count } = await makeFailing('Run again at once', 1)
  expect(await dismiss({ rule_id: rule })).toMatchObject(done)
  for (let at = 0; at < 3; at += 1) await arrive(from)
  const runsAgain = (sid = admin.sid) => ask('route/runs/again', { uuid: rule, sid })
  const { sid } = await organisation.addPerson({ role: 'Viewer' })
  expect(await runsAgain(sid)).toMatchObject({ error_type: 'NOT_PERMITTED' })
  // nothing has changed: all fail anew, and are counted once
  expect(await runsAgain()).toMatchObject({ again: 3, not_again: 0 })
  await settled()
  expect(await count()).toBe(3)
  await open(true)
  expect(await runsAgain()).toMatchObject({ again: 3, not_again: 0 })
  await settled()
  expect(await count()).toBe(0)
  expect(await statesOf(rule)).toEqual([...Array(3).fill('done'), ...Array(7).fill('failed')])
  expect(await query(`select from audit where object_uuid = '${rule}' and action = 'SEND'`)).toHaveLength(6)
  expect(await runsAgain()).toMatchObject({ again: 0, not_again: 0 })
})

it('tells on how many exams a rule would not run again, and leaves no trace there', async () => {
  const { rule, open, count } = await makeFailing('For others now', 2)
  await open(true)
  const conditions = [{ lv: 'modality', op: 'equals', rv: 'XX' }]
  expect(await ask('route/set', { uuid: rule, conditions })).toMatchObject(done)
  const { last_run_id: last, ...outcome } = await ask('route/runs/again', { uuid: rule })
  expect(outcome).toMatchObject({ again: 0, not_again: 2, left: 0 })
  // those that do not match keep nobody from the ones behind them
  const { runs, left } = await listFaultyRuns(services.db, rule, { after: undefined, limit: 1 })
  expect([runs.length, left]).toEqual([1, 1])
  const behind = await listFaultyRuns(services.db, rule, { after: runs[0], limit: 1 })
  expect(behind).toEqual({ runs: [last], left: 0 })
  const rest = await ask('route/runs/again', { uuid: rule, after_run_id: runs[0] })
  expect(rest).toMatchObject({ again: 0, not_again: 1, left: 0, last_run_id: last })
  expect(await statesOf(rule)).toEqual(['failed', 'failed'])
  expect(await count()).toBe(2)
})

it('administrators are told once that a rule fails, by the notice of the page and by mail, and anew after it was put away or ran well', async () => {
  await query(`delete from mail`)
  const notices = async () => {
    const { notices: found } = await ask('account/notices', { account_id: accountUuid })
    return found.filter(({ code }: { code: string }) => code === 'RULE_FAILS')
  }
  for (const { rule_id } of await failing()) await dismiss({ rule_id })
  expect(await notices()).toEqual([])
  const mails = () =>
    query(`select account_uuid from mail where subject like 'A routing rule%' and recipient = '${admin.email}'`)
  const { from, rule, open } = await makeFailing('Mailed once', 3)
  expect(await notices()).toMatchObject([{ failing_rules: 1 }])
  expect(await mails()).toEqual([{ account_uuid: accountUuid }])
  expect(await dismiss({ rule_id: rule })).toMatchObject(done)
  expect(await notices()).toEqual([])
  await arrive(from)
  await arrive(from)
  expect(await mails()).toHaveLength(2)
  // well and ill by turns: once a day
  for (const isOpen of [true, false]) {
    await open(isOpen)
    await arrive(from)
  }
  expect(await mails()).toHaveLength(2)
  await query(`update installation_warning set mailed_at = now() - interval '25 hours' where warning = 'rule ${rule}'`)
  await arrive(from)
  expect(await mails()).toHaveLength(3)
  // that failure goes on: nothing has ended since
  await query(`update installation_warning set mailed_at = now() - interval '25 hours' where warning = 'rule ${rule}'`)
  await arrive(from)
  expect(await mails()).toHaveLength(3)
})

it('a rule that fails where nobody is to be told is noted once', async () => {
  const { from, rule, count } = await makeFailing('Nobody to tell', 0)
  await query(`update account set is_demo = true where uuid = '${accountUuid}'`)
  onTestFinished(async () => {
    await query(`update account set is_demo = false where uuid = '${accountUuid}'`)
  })
  const noted = () => query(`select warning from installation_warning where warning = 'rule ${rule}'`)
  await arrive(from)
  expect(await count()).toBe(1)
  expect(await noted()).toHaveLength(1)
})

it('a rule that fails for the exam alone is no reason for a mail', async () => {
  await query(`delete from mail`)
  const [from, there] = [await makePlace(), await makePlace()]
  const rule = await makeRule(from, { actions: [{ namespace: there.group.namespaceUuid }] })
  const studyUid = newUid()
  const [anna, bert] = [
    { patientName: 'Stays^Anna', patientId: 'A1' },
    { patientName: 'Moves^Bert', patientId: 'B1' },
  ]
  await arrive(from, { studyUid, number: 1, ...anna }, { studyUid, number: 2, ...bert })
  expect(await lastRun(rule)).toMatchObject({ state: 'failed', detail: { actions: [{ reason: 'NOT_READY' }] } })
  expect(await query(`select from mail where subject like 'A routing rule%'`)).toEqual([])
})

it('rules act on an exam in their order', async () => {
  const [from, one, two] = [await makePlace(), await makePlace(), await makePlace()]
  const first = await makeRule(from, { name: 'Made first', actions: [{ namespace: one.group.namespaceUuid }] })
  const second = await makeRule(from, { name: 'Made second', actions: [{ namespace: two.group.namespaceUuid }] })
  const ended = async () =>
    (
      await query<{ rule: string }>(
        `select rule_uuid as rule from route_run where rule_uuid in ('${first}', '${second}') order by ended desc limit 2`,
      )
    )
      .map(({ rule }) => rule)
      .toReversed()
  const { sequence } = await ask('route/get', { uuid: first })
  expect(await ask('route/move', { uuid: second, sequence })).toMatchObject(done)
  await arrive(from)
  expect(await ended()).toEqual([second, first])
  expect(await ask('route/move', { uuid: first, sequence })).toMatchObject(done)
  await arrive(from)
  expect(await ended()).toEqual([first, second])
})
