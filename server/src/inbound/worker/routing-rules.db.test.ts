import { weekdays } from '@hilum/contract/routing-rule'
import { defaultListenerLimits } from '@hilum/dicom/dimse/listener'
import { shareExpiresSetting } from '@hilum/contract/calls/account-connect'
import { ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { newUid } from '@hilum/dicom/uid'
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it, vi } from 'vitest'
import { type MadeImage, madeImage } from '../../../test/made-image.ts'
import { makeDestination } from '../../../test/make-destination.ts'
import { type Group, makeOrganisation } from '../../../test/make-organisation.ts'
import { makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { completeQuietStudies } from '../../areas/ingest/complete-study.command.ts'
import { jobs } from '../../areas/jobs.ts'
import { aeTitleSetting } from '../../areas/node/peer-rules.ts'
import { putSetting } from '../../areas/setting/setting.sql.ts'
import { sendInstances } from '../../outbound/pacs/send-instances.ts'
import { signatureOf } from '../../outbound/webhook/send-webhook.ts'
import { openDicomListener } from '../dimse/open-dicom-listener.ts'
import { startRunner } from './run-work.ts'

/** Studies that really arrive, and rules that act on them by the queue. */

const testApp = await startTestApp({ HILUM_DICOM_PORT: '0', HILUM_WEBHOOK_PRIVATE: 'yes' })
const { services, app, call, query } = testApp
const listeners = await openDicomListener(services, defaultListenerLimits)
const runner = await startRunner(
  services,
  jobs.filter(({ name }) => ['look-at-rules', 'run-route', 'wake-rules', 'call-webhook'].includes(name)),
  { pollMs: 20 },
)
/** An outside service: what it was told, and the status of its next answers. */
const told: { request: IncomingMessage; body: string }[] = []
const statuses: number[] = []
const outside = createServer((request, answer) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    told.push({ request, body: Buffer.concat(parts).toString() })
    const status = statuses.shift() ?? 200
    answer.writeHead(status, status === 302 ? { location: hookUrl } : {}).end()
  })
})
await new Promise<void>((done) => void outside.listen(0, '127.0.0.1', done))
const hookUrl = `http://127.0.0.1:${(outside.address() as AddressInfo).port}/in`
afterAll(async () => {
  await runner.stop()
  await listeners.close()
  outside.close()
})

const { accountUuid, organisation, makePlace, received, share } = await makeSharing({ services, call })
const admin = await organisation.addPerson({ role: 'Administrator' })
const made = new Set<string>()
/** A rule, alone in its organisation but for those of the same test. */
const makeRule = async (from: Group, sent: object): Promise<string> => {
  const named = { sid: admin.sid, namespace_id: from.namespaceUuid, name: 'Pass on', ...sent }
  const { body } = await call('route/add', named)
  expect(body).toMatchObject({ status: 'OK' })
  made.add(body.uuid)
  return body.uuid
}
const makeHook = async (sent: object = {}): Promise<{ uuid: string; secret: string }> =>
  (
    await call('webhook/add', {
      sid: admin.sid,
      account_id: accountUuid,
      name: 'RIS',
      event: 'ROUTE_RULE',
      url: hookUrl,
      method: 'POST_JSON',
      ...sent,
    })
  ).body
const runsOf = async (uuid: string): Promise<Record<string, unknown>[]> =>
  (await call('route/runs', { sid: admin.sid, uuid })).body.runs
const waitForRun = (uuid: string, run: object, count = 1) =>
  vi.waitFor(
    async () => {
      const runs = await runsOf(uuid)
      expect(runs).toHaveLength(count)
      expect(runs[0]).toMatchObject(run)
    },
    { timeout: 30_000, interval: 100 },
  )
/** The work on the queue has been done. */
const settle = () =>
  vi.waitFor(
    async () =>
      expect(
        await query(
          `select job from work where job in ('look-at-rules', 'run-route', 'wake-rules') and run_at <= now()`,
        ),
      ).toEqual([]),
    { timeout: 30_000, interval: 50 },
  )

async function upload(
  { sid }: { sid: string },
  to: Group,
  studyUid: string,
  number = 1,
  others: readonly MadeImage[] = [],
) {
  const url = `/api/v3/storage/namespace/${to.namespaceUuid}/image?sid=${sid}`
  const headers = { 'content-type': 'application/octet-stream' }
  for (const image of [{ studyUid, number }, ...others]) {
    const reply = await app.inject({ method: 'POST', url, headers, payload: Buffer.from(madeImage(image)) })
    expect(reply.statusCode).toBe(202)
  }
  await completeQuietStudies(services, new Date(Date.now() + 200_000))
}

async function storeByDicom(to: Group, studyUid: string) {
  const title = `NODE_${to.namespaceUuid.slice(0, 8)}`
  await putSetting(services.db, 'namespace', to.namespaceUuid, aeTitleSetting, title)
  const peer = { host: '127.0.0.1', port: listeners.port, calledTitle: title, callingTitle: 'CT_ROOM_1' }
  const bytes = madeImage({ studyUid, number: 1 })
  const outgoing = {
    sopClass: '1.2.840.10008.5.1.4.1.1.7',
    sopInstance: `${studyUid}.1.1`,
    transferSyntax: ExplicitLittleEndian,
    open: async function* () {
      yield bytes
    },
    useFile: () => Promise.reject(new Error('Nothing is decoded here')),
  }
  const sent = await sendInstances(peer, [outgoing], { render: services.render })
  expect(sent.map(({ kind }) => kind)).toEqual(['stored'])
  await completeQuietStudies(services, new Date(Date.now() + 200_000))
}

it('gives what people upload and what a modality stores to another group, once, and says so on rule and study', async () => {
  const [from, to] = [await makePlace(), await makePlace()]
  const actions = [{ namespace: to.group.namespaceUuid }]
  const uploaded = await makeRule(from.group, { name: 'Uploads', on_upload: 1, actions })
  const harvested = await makeRule(from.group, { name: 'Harvest', on_harvest: 1, actions })
  const [byHand, byModality] = [newUid(), newUid()]
  await upload(from, from.group, byHand)
  await storeByDicom(from.group, byModality)
  await waitForRun(uploaded, { trigger: 'upload', state: 'done', reason: '' })
  await waitForRun(harvested, {
    trigger: 'harvest',
    state: 'done',
    detail: { actions: [{ kind: 'namespace', result: 'done' }] },
  })
  for (const uid of [byHand, byModality]) expect(await received(to, uid)).toMatchObject({ source: 'share' })
  const theirs = await received(to, byHand)
  expect(theirs?.share_message ?? '').toBe('')
  const own = await received(from, byHand)
  const history = (await call('audit/object', { sid: admin.sid, uuid: own?.uuid })).body
  // the administrator of the account is no member of the group
  expect(history.error_type).toBe('NOT_FOUND')
  const audit = await query<{ action: string; actor_name: string; detail: object }>(
    `select action, actor_name, detail from audit where object_uuid = '${own?.uuid}' and (action = 'ROUTE' or type = 'Study_share') order by id`,
  )
  expect(audit).toMatchObject([
    { action: 'CREATE', actor_name: 'Routing rule “Uploads”' },
    { action: 'ROUTE', detail: { with: 'Uploads', state: 'done' } },
  ])
  // late images re-open the study and reach the other group by themselves: nothing is run twice
  await upload(from, from.group, byHand, 2)
  await settle()
  expect(await runsOf(uploaded)).toHaveLength(1)
  expect((await call('study/get', { sid: to.sid, uuid: theirs?.uuid })).body.image_count).toBe(2)
})

it('[API-55] looks at the record with its corrections, and says which conditions were not met', async () => {
  const [from, to] = [await makePlace(), await makePlace()]
  const rule = await makeRule(from.group, {
    on_share: 1,
    on_manual_route: 1,
    conditions: [
      { lv: 'modality', op: 'equals', rv: 'XX' },
      { lv: 'patientid', op: 'equals', rv: 'CORRECTED' },
    ],
    options: { match_any: 1 },
    actions: [{ namespace: to.group.namespaceUuid }],
  })
  const other = await makePlace()
  await share(other.sid, { uuid: other.uuid, group_id: from.group.groupUuid })
  await waitForRun(rule, { trigger: 'share', state: 'not_matched', reason: 'CONDITIONS', detail: { failed: [0, 1] } })
  const uuid = (await received(from, other.study.study_uid))?.uuid
  const { sid } = await organisation.addPerson({ role: 'Viewer', groups: [from.group] })
  expect((await call('study/manual/route', { sid, uuid, route_id: rule })).body.error_type).toBe('NOT_PERMITTED')
  const lead = await organisation.addPerson({ role: 'Administrator', groups: [from.group] })
  const manual = async (sent: object = { route_id: rule }) =>
    (await call('study/manual/route', { sid: lead.sid, uuid, ...sent })).body
  const routesOf = async () => (await call('study/get', { sid: lead.sid, uuid })).body.routes
  expect(await routesOf()).toBeUndefined()
  expect(await manual()).toMatchObject({ error_type: 'ROUTE_NOT_MATCHED' })
  await call('study/set', { sid: lead.sid, uuid, patientid: 'CORRECTED' })
  expect(await routesOf()).toEqual([{ uuid: rule, name: 'Pass on' }])
  expect((await call('study/get', { sid, uuid })).body.routes).toBeUndefined()
  expect(await manual()).toEqual({ status: 'OK' })
  await waitForRun(rule, { trigger: 'manual', state: 'done' }, 2)
  expect(await received(to, other.study.study_uid)).toBeDefined()
  // for another role alone
  const viewer = organisation.roles.get('Viewer')
  await call('route/set', { sid: admin.sid, uuid: rule, manual_roles: viewer })
  expect(await manual()).toMatchObject({ error_type: 'ROUTE_NOT_MATCHED' })
})

it('passes on along rules that shares start', async () => {
  const [a, b, c] = [await makePlace(), await makePlace(), await makePlace()]
  const to = ({ group }: typeof a) => [{ namespace: group.namespaceUuid }]
  await makeRule(a.group, { name: 'a to b', on_upload: 1, actions: to(b) })
  const second = await makeRule(b.group, { name: 'b to c', on_share: 1, actions: to(c) })
  const uid = newUid()
  await upload(a, a.group, uid)
  await waitForRun(second, { state: 'done' })
  await settle()
  expect(await received(c, uid)).toBeDefined()
  const [{ chain } = { chain: [] }] = await query<{ chain: string[] }>(
    `select chain from route_run where rule_uuid = '${second}'`,
  )
  expect(chain).toHaveLength(2)
})

it('stops a study that comes round to a rule by which it was passed on', async () => {
  const [a, b, c] = [await makePlace(), await makePlace(), await makePlace()]
  const spare = await makePlace()
  const to = ({ group }: typeof a) => [{ namespace: group.namespaceUuid }]
  const first = await makeRule(a.group, {
    name: 'a and c to b',
    other_namespaces: c.group.namespaceUuid,
    on_upload: 1,
    on_share: 1,
    actions: to(b),
  })
  const second = await makeRule(b.group, { name: 'b on', on_share: 1, actions: to(spare) })
  // a circle that saving would refuse: what a code leads to, and other organisations, change afterwards
  await query(`update routing_rule set actions = '${JSON.stringify(to(c))}' where uuid = '${second}'`)
  const uid = newUid()
  await upload(a, a.group, uid)
  await waitForRun(first, { trigger: 'share', state: 'not_matched', reason: 'LOOP' }, 2)
  await settle()
  const passedOn = await query<{ rule_uuid: string; state: string; rules: number }>(`select rule_uuid, state,
    cardinality(chain) as rules from route_run where rule_uuid in ('${first}', '${second}') order by cardinality(chain)`)
  expect(passedOn).toEqual([
    { rule_uuid: first, state: 'done', rules: 1 },
    { rule_uuid: second, state: 'done', rules: 2 },
    { rule_uuid: first, state: 'not_matched', rules: 3 },
  ])
})

it('waits for the approval of what was shared, and for its delay; asks once more then', async () => {
  const [from, gate, to] = [await makePlace(), await makePlace(), await makePlace()]
  await query(`update app_group set must_approve = true where uuid = '${gate.group.groupUuid}'`)
  const rule = await makeRule(gate.group, { on_share: 1, actions: [{ namespace: to.group.namespaceUuid }] })
  await share(from.sid, { uuid: from.uuid, group_id: gate.group.groupUuid })
  await waitForRun(rule, { state: 'waiting', reason: 'AWAITS_APPROVAL' })
  expect(await received(to, from.study.study_uid)).toBeUndefined()
  const approver = await organisation.addPerson({ role: 'Administrator', groups: [gate.group] })
  const uuid = (await received(approver, from.study.study_uid))?.uuid
  expect((await call('study/approve', { sid: approver.sid, uuid })).body).toMatchObject({ status: 'OK' })
  await waitForRun(rule, { state: 'done' })
  expect(await received(to, from.study.study_uid)).toBeDefined()

  const late = await makeRule(from.group, { on_upload: 1, delay: 5, actions: [{ namespace: to.group.namespaceUuid }] })
  const uid = newUid()
  await upload(from, from.group, uid)
  await waitForRun(late, { state: 'waiting', run_at: expect.any(String) })
  await call('route/set', { sid: admin.sid, uuid: late, suspended: 1 })
  await query(`update work set run_at = now() where job = 'run-route'`)
  await waitForRun(late, { state: 'not_matched', reason: 'RULE_DISABLED' })
  expect(await received(to, uid)).toBeUndefined()
})

it('shares no exam whose images name several patients: nobody looks at them before a rule does', async () => {
  const [from, to] = [await makePlace(), await makePlace()]
  const rule = await makeRule(from.group, { on_upload: 1, actions: [{ namespace: to.group.namespaceUuid }] })
  const uid = newUid()
  const other = { studyUid: uid, number: 2, patientName: 'Other^Person', patientId: 'M2', birthDate: '19511212' }
  await upload(from, from.group, uid, 1, [other])
  await waitForRun(rule, { state: 'failed', detail: { actions: [{ result: 'failed', reason: 'NOT_READY' }] } })
  expect(await received(to, uid)).toBeUndefined()
})

it('says why an action failed, and does the others all the same', async () => {
  const [from, gone, to] = [await makePlace(), await makePlace(), await makePlace()]
  const actions = [{ namespace: gone.group.namespaceUuid }, { namespace: to.group.namespaceUuid }]
  const rule = await makeRule(from.group, { on_upload: 1, actions })
  await query(`update app_group set no_share = true where uuid = '${gone.group.groupUuid}'`)
  const uid = newUid()
  await upload(from, from.group, uid)
  await waitForRun(rule, {
    state: 'failed',
    reason: 'ACTION_FAILED',
    detail: { actions: [{ result: 'failed', reason: 'TARGET_GONE' }, { result: 'done' }] },
  })
  expect(await received(to, uid)).toBeDefined()
})

it('pushes to a destination, in the lane of the destination', async () => {
  const from = await makePlace()
  const [node, destination] = [randomUUID(), randomUUID()]
  await query(`insert into node (uuid, account_uuid, name, type, aetitle)
    values ('${node}', '${accountUuid}', 'Ours', 'OTHER', 'OURS_RULES')`)
  await query(`insert into destination (uuid, account_uuid, node_uuid, name, type, aetitle, address, port)
    values ('${destination}', '${accountUuid}', '${node}', 'PACS', 'OTHER', 'PACS', '127.0.0.1', 4242)`)
  const rule = await makeRule(from.group, { on_upload: 1, actions: [{ destination }] })
  const uid = newUid()
  await upload(from, from.group, uid)
  await waitForRun(rule, {
    state: 'done',
    detail: { actions: [{ kind: 'destination', name: 'PACS', result: 'done' }] },
  })
  expect(await query(`select lane from work where job = 'push-study'`)).toEqual([{ lane: `push:${destination}` }])
  await query(`update destination set can_push = false`)
  const off = { sid: admin.sid, namespace_id: from.group.namespaceUuid, name: 'Off', actions: [{ destination }] }
  expect((await call('route/add', off)).body).toMatchObject({ error_subtype: 'TAKES_NO_PUSH' })
})

it('brings a run that waits forward where its rule gets a shorter delay', async () => {
  const [from, to] = [await makePlace(), await makePlace()]
  const rule = await makeRule(from.group, {
    on_upload: 1,
    delay: 300,
    actions: [{ namespace: to.group.namespaceUuid }],
  })
  const uid = newUid()
  await upload(from, from.group, uid)
  await waitForRun(rule, { state: 'waiting', run_at: expect.any(String) })
  await call('route/set', { sid: admin.sid, uuid: rule, name: 'Renamed' })
  await settle()
  await waitForRun(rule, { state: 'waiting' })
  await call('route/set', { sid: admin.sid, uuid: rule, delay: 0 })
  await waitForRun(rule, { state: 'done' })
  expect(await received(to, uid)).toBeDefined()
})

it('keeps the rest of a run that was approved outside of its hours for the next ones', async () => {
  const [from, gate, to] = [await makePlace(), await makePlace(), await makePlace()]
  await query(`update app_group set must_approve = true where uuid = '${gate.group.groupUuid}'`)
  const hook = await makeHook()
  const rule = await makeRule(gate.group, {
    on_share: 1,
    options: { bypass_approval: 1 },
    actions: [{ namespace: to.group.namespaceUuid }, { webhook: hook.uuid }],
  })
  await share(from.sid, { uuid: from.uuid, group_id: gate.group.groupUuid })
  await waitForRun(rule, { state: 'waiting', reason: 'AWAITS_APPROVAL', detail: { actions: [{ kind: 'webhook' }] } })
  // Sunday is the first day of dates, and the last one of a schedule
  const inTwoDays = weekdays[(new Date().getUTCDay() + 8) % 7] ?? 'mon'
  const schedule = { tz: 'UTC', start: '00:00', stop: '23:00', [inTwoDays]: 1 }
  await query(`update routing_rule set schedule = '${JSON.stringify(schedule)}' where uuid = '${rule}'`)
  const approver = await organisation.addPerson({ role: 'Administrator', groups: [gate.group] })
  const uuid = (await received(approver, from.study.study_uid))?.uuid
  expect((await call('study/approve', { sid: approver.sid, uuid })).body).toMatchObject({ status: 'OK' })
  await waitForRun(rule, { state: 'waiting', reason: '', run_at: expect.any(String) })
  expect(await received(to, from.study.study_uid)).toBeUndefined()
  told.length = 0
})

it('of an exam that waits for approval a rule for these calls its webhook at once, and shares and pushes after the approval', async () => {
  const [from, gate, to] = [await makePlace(), await makePlace(), await makePlace()]
  await query(`update app_group set must_approve = true where uuid = '${gate.group.groupUuid}'`)
  const hook = await makeHook()
  const { uuid: destination } = await makeDestination(testApp, accountUuid, { port: 4243, title: 'AFTER' })
  const rule = await makeRule(gate.group, {
    on_share: 1,
    options: { bypass_approval: 1 },
    actions: [{ namespace: to.group.namespaceUuid }, { destination }, { webhook: hook.uuid }],
  })
  const pushes = () => query(`select from push where destination_uuid = '${destination}'`)
  const calls = async () => (await call('webhook/deliveries', { sid: admin.sid, uuid: hook.uuid })).body.deliveries
  await share(from.sid, { uuid: from.uuid, group_id: gate.group.groupUuid })
  await waitForRun(rule, {
    state: 'waiting',
    reason: 'AWAITS_APPROVAL',
    detail: { actions: [{ kind: 'webhook', result: 'done' }] },
  })
  await vi.waitFor(() => expect(told).toHaveLength(1), { timeout: 20_000 })
  await settle()
  expect([await received(to, from.study.study_uid), await pushes()]).toEqual([undefined, []])
  const approver = await organisation.addPerson({ role: 'Administrator', groups: [gate.group] })
  const uuid = (await received(approver, from.study.study_uid))?.uuid
  expect((await call('study/approve', { sid: approver.sid, uuid })).body).toMatchObject({ status: 'OK' })
  await waitForRun(rule, {
    state: 'done',
    detail: { actions: [{ result: 'done' }, { result: 'done' }, { kind: 'webhook' }] },
  })
  expect(await received(to, from.study.study_uid)).toBeDefined()
  expect(await pushes()).toHaveLength(1)
  expect(await calls()).toHaveLength(1)
  told.length = 0
})

it('calls a webhook with ids alone, signed, tries again after a failure, and follows no redirect', async () => {
  const from = await makePlace()
  const hook = await makeHook({ parameters: { site: 'north' } })
  const rule = await makeRule(from.group, { name: 'Tell', on_upload: 1, actions: [{ webhook: hook.uuid }] })
  const deliveries = async () =>
    (await call('webhook/deliveries', { sid: admin.sid, uuid: hook.uuid })).body.deliveries as Record<string, unknown>[]
  statuses.push(302, 500, 204)
  const uid = newUid()
  await upload(from, from.group, uid)
  await waitForRun(rule, { state: 'done' })
  const attempts = async (expected: object[]) =>
    vi.waitFor(async () => expect((await deliveries())[0]).toMatchObject({ attempts: expected }), { timeout: 20_000 })
  await attempts([{ number: 1, status: 302, error: 'REDIRECT' }])
  const [{ wait } = { wait: 0 }] = await query<{ wait: number }>(
    `select extract(epoch from run_at - now())::integer as wait from work where job = 'call-webhook' and state = 'waiting'`,
  )
  expect(wait).toBeGreaterThan(50)
  for (const count of [2, 3]) {
    await query(`update work set run_at = now() where job = 'call-webhook'`)
    await vi.waitFor(() => expect(told).toHaveLength(count), { timeout: 20_000 })
    await vi.waitFor(async () => expect((await deliveries())[0]?.attempts).toHaveLength(count), { timeout: 20_000 })
  }
  expect(await deliveries()).toMatchObject([{ state: 'done', event: 'ROUTE_RULE', route_name: 'Tell' }])
  const [{ request, body } = { request: undefined, body: '' }] = told
  const uuid = (await received(from, uid))?.uuid
  const sent = JSON.parse(body)
  expect(sent).toMatchObject({ event: 'ROUTE_RULE', site: 'north', study_id: uuid, study_uid: uid, route_id: rule })
  expect(body).not.toMatch(/DOE|Made|M1/)
  const stamp = String(request?.headers['x-hilum-timestamp'])
  expect(request?.headers['x-hilum-signature']).toBe(signatureOf(hook.secret, stamp, body))
  // without retry it ends with the first failure, and can be tried again by hand
  await call('webhook/set', { sid: admin.sid, uuid: hook.uuid, retry: 0 })
  statuses.push(503)
  await call('webhook/test', { sid: admin.sid, uuid: hook.uuid })
  await vi.waitFor(async () => expect((await deliveries())[0]).toMatchObject({ event: 'TEST', state: 'failed' }), {
    timeout: 20_000,
  })
  const [failed] = await deliveries()
  const again = { sid: admin.sid, uuid: hook.uuid, delivery_id: failed?.uuid }
  expect((await call('webhook/retry', again)).body).toEqual({ status: 'OK' })
  await vi.waitFor(async () => expect((await deliveries())[0]).toMatchObject({ state: 'done' }), { timeout: 20_000 })
  expect((await call('webhook/retry', again)).body.error_type).toBe('ALREADY_EXISTS')
  // the secret is told once, and stands nowhere in the database as text
  expect(JSON.stringify(await query(`select * from webhook`))).not.toContain(hook.secret)
})

it('shares by a share code with another organisation, as long as somebody has the code', async () => {
  const from = await makePlace()
  const other = await makeOrganisation(services.db)
  const there = await other.addGroup()
  const code = `C${randomUUID().slice(0, 8)}`
  await query(`update app_group set share_code = '${code}', must_approve = true where uuid = '${there.groupUuid}'`)
  await putSetting(services.db, 'account', accountUuid, shareExpiresSetting, '1440')
  const rule = await makeRule(from.group, { on_upload: 1, actions: [{ share_code: code.toLowerCase() }] })
  const studyUid = newUid()
  await upload(from.person, from.group, studyUid)
  await waitForRun(rule, { state: 'done' })
  const [shared] = await query(`select s.by_code, s.expires_at is not null as ends, r.must_approve
    from share s join study r on r.phi_namespace = '${there.namespaceUuid}' and r.study_uid = '${studyUid}'
    where s.to_uuid = '${there.groupUuid}'`)
  expect(shared).toEqual({ by_code: true, ends: true, must_approve: true })
  const { sid } = await other.addPerson({ role: 'Administrator' })
  const field = { account_id: other.accountUuid, name: 'Trial', object: 'Study', type: 'text', required: 1 }
  const asked = await call('customfield/add', { sid, ...field, capture_on_share_code: 1 })
  expect(asked.body).toMatchObject({ status: 'OK' })
  await upload(from.person, from.group, newUid())
  // a place that asks senders for an answer takes nothing of a rule, which has none
  await waitForRun(rule, { state: 'failed', detail: { actions: [{ reason: 'NOT_AVAILABLE' }] } }, 2)
  await call('customfield/delete', { sid, uuid: asked.body.uuid })
  await query(`update app_group set share_code = '' where uuid = '${there.groupUuid}'`)
  await upload(from.person, from.group, newUid())
  await waitForRun(rule, { state: 'failed', detail: { actions: [{ kind: 'share_code', reason: 'TARGET_GONE' }] } }, 3)
  // whoever takes a code that became free is not the one who was meant
  const stranger = await other.addGroup()
  await query(`update app_group set share_code = '${code}' where uuid = '${stranger.groupUuid}'`)
  const late = newUid()
  await upload(from.person, from.group, late)
  await waitForRun(rule, { state: 'failed', detail: { actions: [{ kind: 'share_code', reason: 'TARGET_GONE' }] } }, 4)
  expect(await query(`select from study where phi_namespace = '${stranger.namespaceUuid}'`)).toEqual([])
})
