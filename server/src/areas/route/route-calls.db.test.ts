import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const [neuro, onco] = [await organisation.addGroup({ name: 'Neuro' }), await organisation.addGroup({ name: 'Onco' })]
const admin = await organisation.addPerson({ role: 'Administrator', groups: [neuro] })
const other = await organisation.addPerson({ role: 'Administrator' })
const ask = async (path: string, sent: object = {}) => (await call(`route/${path}`, { sid: admin.sid, ...sent })).body
const place = { namespace_id: neuro.namespaceUuid }
const make = async (sent: object = {}): Promise<string> => (await ask('add', { ...place, name: 'Rule', ...sent })).uuid

it('[ENTITY-16][API-27] keeps every part of a rule and gives it back with the names of what it names', async () => {
  const { uuid: hook } = (
    await call('webhook/add', {
      sid: admin.sid,
      account_id: accountUuid,
      name: 'RIS',
      event: 'ROUTE_RULE',
      url: 'https://ris.example.org/in',
      method: 'POST_JSON',
    })
  ).body
  const role = organisation.roles.get('Staff')
  const uuid = await make({
    name: 'CT to oncology',
    other_namespaces: organisation.namespaceUuid,
    on_upload: 1,
    on_harvest: '1',
    on_manual_route: 1,
    manual_roles: role,
    conditions: JSON.stringify([{ lv: 'modality', op: 'in', rv: '["CT","PT"]' }]),
    actions: [{ namespace: onco.groupUuid }, { webhook: hook }, { namespace: other.namespaceUuid }],
    options: { match_any: 1 },
    schedule: { mon: 1, start: '08:00', stop: '17:00', tz: 'Europe/Lisbon' },
    delay: 3,
    delay_till_schedule: 1,
  })
  expect(await ask('get', { uuid })).toMatchObject({
    uuid,
    name: 'CT to oncology',
    namespace_id: neuro.namespaceUuid,
    namespace_name: 'Neuro',
    for_group: 1,
    for_location: 0,
    other_namespaces: organisation.namespaceUuid,
    suspended: 0,
    on_upload: 1,
    on_harvest: 1,
    on_share: 0,
    on_manual_route: 1,
    conditions: [{ lv: 'modality', op: 'in', rv: ['CT', 'PT'] }],
    actions: [
      { namespace: onco.namespaceUuid, type: 'GROUP', name: 'Onco' },
      { webhook: hook, name: 'RIS' },
      { namespace: other.namespaceUuid, type: 'PERSONAL', name: other.name },
    ],
    options: { match_any: 1 },
    schedule: { mon: 1, start: '08:00', stop: '17:00', tz: 'Europe/Lisbon' },
    delay: 3,
    delay_seconds: 180,
    delay_till_schedule: 1,
    manual_roles: role,
    capture_email: 0,
  })
  // as it was given it can be sent back
  const { actions, conditions } = await ask('get', { uuid })
  expect(await ask('set', { uuid, actions, conditions })).toMatchObject({ status: 'OK' })
  expect((await call('webhook/delete', { sid: admin.sid, uuid: hook })).body).toMatchObject({
    error_type: 'IN_USE',
    error_data: { routes: ['CT to oncology'] },
  })
  await ask('delete', { uuid })
})

it('[ENTITY-17][ADMIN-ROUTES-03][API-26] lists rules in their order, by name and state, and says whether more follow', async () => {
  const uuids = [
    await make({ name: 'Zeta' }),
    await make({ name: 'Alpha', suspended: 1 }),
    await make({ name: 'Beta' }),
  ]
  const list = async (sent: object = {}) => ask('list', { account_id: accountUuid, ...sent })
  const names = async (sent: object) => (await list(sent)).routes.map((one: { name: string }) => one.name)
  expect(await names({})).toEqual(['Zeta', 'Alpha', 'Beta'])
  expect(await names({ 'filter.name.like': '%ET%' })).toEqual(['Zeta', 'Beta'])
  expect(await names({ 'filter.suspended.equals': 1 })).toEqual(['Alpha'])
  expect(await names({ sort_by: 'name-asc' })).toEqual(['Alpha', 'Beta', 'Zeta'])
  expect((await list({ 'page.rows': 2 })).page).toEqual({ more: 1, rows: 2, number: 1, total: 3 })
  expect(await ask('move', { uuid: uuids[2], sequence: 1 })).toMatchObject({ status: 'OK' })
  expect(await names({})).toEqual(['Beta', 'Zeta', 'Alpha'])
  await ask('move', { uuid: uuids[2], sequence: 99 })
  expect(await names({})).toEqual(['Zeta', 'Alpha', 'Beta'])
  const { routes } = await list()
  expect(routes.map((one: { sequence: number }) => one.sequence)).toEqual([1, 2, 3])
  for (const uuid of uuids) await ask('delete', { uuid })
})

it('[API-30] changes and deletes rules in a bundle, each with a status of its own', async () => {
  const [kept, gone] = [await make({ name: 'Kept' }), await make({ name: 'Gone' })]
  const { sid } = admin
  const items = [
    { URL: '/route/set', sid, uuid: kept, suspended: 1 },
    { URL: '/route/delete', sid, uuid: randomUUID() },
    { URL: '/route/delete', sid, uuid: gone },
  ]
  const { body } = await call('bundle', {}, { body: items })
  expect(body).toMatchObject([
    { HTTP_STATUS_CODE: '200', status: 'OK' },
    { HTTP_STATUS_CODE: '412', error_type: 'NOT_FOUND' },
    { HTTP_STATUS_CODE: '200', status: 'OK' },
  ])
  expect((await ask('get', { uuid: kept })).suspended).toBe(1)
  expect((await ask('get', { uuid: gone })).error_type).toBe('NOT_FOUND')
  await ask('delete', { uuid: kept })
})

it('does not let two administrators overwrite each other, and says on record who changed what', async () => {
  const uuid = await make()
  const { row_version } = await ask('get', { uuid })
  expect(await ask('set', { uuid, row_version, name: 'First' })).toMatchObject({ status: 'OK' })
  const late = await call('route/set', { sid: other.sid, uuid, row_version, name: 'Second' })
  expect(late.body.error_type).toBe('STALE')
  expect(await ask('get', { uuid })).toMatchObject({ name: 'First', row_version: row_version + 1 })
  await ask('set', { uuid, suspended: 1 })
  await ask('delete', { uuid })
  expect(await ask('get', { uuid })).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(await ask('delete', { uuid, undo: 1 })).toMatchObject({ status: 'OK' })
  expect(await ask('get', { uuid })).toMatchObject({ name: 'First', suspended: 1 })
  await ask('delete', { uuid })
  const audit = await query<{ action: string; detail: object }>(
    `select action, detail from audit where object_uuid = '${uuid}' and type = 'Route' order by id`,
  )
  expect(audit).toMatchObject([
    { action: 'CREATE', detail: { name: 'Rule' } },
    { action: 'EDIT', detail: { name: ['Rule', 'First'] } },
    { action: 'EDIT', detail: { suspended: [false, true] } },
    { action: 'DELETE' },
    { action: 'CREATE', detail: { undo: 1 } },
    { action: 'DELETE' },
  ])
})

const gone = randomUUID()
it.each([
  [{ conditions: 'no json' }, 'INVALID_JSON', undefined],
  [{ conditions: [{ lv: 'size', op: 'equals', rv: '1' }] }, 'INVALID_CONDITION', 'UNKNOWN_FIELD'],
  [{ conditions: [{ lv: `customfield-${gone}`, op: 'equals', rv: '1' }] }, 'INVALID_CONDITION', 'GONE'],
  [{ conditions: {} }, 'INVALID_CONDITION', 'NOT_A_LIST'],
  [{ actions: [{ namespace: gone }] }, 'INVALID_ACTION', 'GONE'],
  [{ actions: [{ webhook: gone }] }, 'INVALID_ACTION', 'GONE'],
  [{ actions: [{ share_code: 'NOBODYS' }] }, 'INVALID_ACTION', 'GONE'],
  [{ actions: [{ share_code: ' ' }] }, 'INVALID_ACTION', 'BAD_VALUE'],
  [{ actions: [{ share_email: 'ann@clinic.example' }] }, 'INVALID_ACTION', 'NOT_AVAILABLE'],
  [{ actions: [{ namespace: 'PERSONAL' }] }, 'INVALID_ACTION', 'NOT_AVAILABLE'],
  [{ actions: [{ carrier: 'pigeon' }] }, 'INVALID_ACTION', 'UNKNOWN_ACTION'],
  [{ actions: [{ namespace: neuro.namespaceUuid }] }, 'INVALID_ACTION', 'LOOP'],
  [{ options: { round_robin: 'namespace' } }, 'INVALID_OPTION', 'NOT_AVAILABLE'],
  [{ schedule: { mon: 1, start: '25:00', stop: '26:00' } }, 'INVALID_SCHEDULE', 'BAD_VALUE'],
  [{ schedule: { mon: 1, tz: 'Mars/Olympus' } }, 'INVALID_SCHEDULE', 'UNKNOWN_ZONE'],
  [{ schedule: { start: '08:00' } }, 'INVALID_SCHEDULE', 'BAD_VALUE'],
  [{ other_namespaces: gone }, 'INVALID_OTHER_NAMESPACES', 'GONE'],
  [{ manual_roles: gone }, 'INVALID_MANUAL_ROLES', 'GONE'],
  [{ delay: -1 }, 'INVALID_FIELD', 'delay'],
  [{ delay_from_study_field: 'birthday' }, 'INVALID_FIELD', 'delay_from_study_field'],
  [{ name: ' ' }, 'INVALID_FIELD', 'name'],
  [{ on_share: 'maybe' }, 'INVALID_FLAG', undefined],
])('refuses %j with %s and the reason', async (sent, code, subtype) => {
  const body = await ask('add', { ...place, name: 'Bad', ...sent })
  expect(body).toMatchObject({ status: 'ERROR', error_type: code, ...(subtype ? { error_subtype: subtype } : {}) })
  expect(body.error_data?.message ?? 'no part of a rule').toMatch(/\w+ \w+/)
})

it('refuses a place of nobody or of a person, and a rule that closes a circle when it is switched on', async () => {
  expect(await ask('add', { namespace_id: gone, name: 'x' })).toMatchObject({ error_type: 'NOT_FOUND' })
  const own = await ask('add', { namespace_id: admin.namespaceUuid, name: 'x' })
  expect(own.error_type).toMatch(/NOT_FOUND|INVALID_LINKAGE/)
  const there = await make({ on_share: 1, actions: [{ namespace: onco.namespaceUuid }] })
  const back = await make({
    namespace_id: onco.namespaceUuid,
    suspended: 1,
    on_share: 1,
    actions: [{ namespace: (await organisation.addGroup()).namespaceUuid }],
  })
  const round = { uuid: back, actions: [{ namespace: neuro.namespaceUuid }] }
  expect(await ask('set', round)).toMatchObject({ error_type: 'INVALID_ACTION', error_subtype: 'LOOP' })
  // a group that a rule names goes: the rule can be switched off, not on
  await query(`update app_group set no_share = true where uuid = '${onco.groupUuid}'`)
  expect(await ask('set', { uuid: there, suspended: 1 })).toMatchObject({ status: 'OK' })
  expect(await ask('set', { uuid: there, suspended: 0 })).toMatchObject({ error_subtype: 'TAKES_NO_SHARES' })
  await query(`update app_group set no_share = false where uuid = '${onco.groupUuid}'`)
  for (const uuid of [there, back]) await ask('delete', { uuid })
})

it('tests a rule on the last studies, those that its asker may see, and names rules that do the same or send back', async () => {
  const study = await makeStudy(services.db, { ...neuro, accountUuid }, { patient_name: 'DOE^JANE' })
  const mr = await makeStudy(services.db, { ...neuro, accountUuid }, { patient_name: 'ROE^RICHARD' })
  await query(`update study set modalities = '{CT}' where uuid = '${study.uuid}'`)
  await query(`update study set modalities = '{MR}', created = now() - interval '40 days' where uuid = '${mr.uuid}'`)
  const onShare = { on_share: 1, actions: [{ namespace: onco.namespaceUuid }] }
  const same = await make({ name: 'Same', on_upload: 1, actions: [{ namespace: onco.namespaceUuid }] })
  const back = await make({
    name: 'Back',
    namespace_id: onco.namespaceUuid,
    on_share: 1,
    actions: [{ namespace: neuro.namespaceUuid }],
  })
  const sent = {
    ...place,
    on_upload: 1,
    actions: onShare.actions,
    conditions: [{ lv: 'modality', op: 'equals', rv: 'CT' }],
  }
  const tested = await ask('test', sent)
  expect(tested).toMatchObject({
    matched: 1,
    unseen: 0,
    studies: [
      { uuid: study.uuid, patient_name: 'DOE^JANE', place_name: 'Neuro', matched: 1, failed: [] },
      { uuid: mr.uuid, matched: 0, failed: [0] },
    ],
    conflicts: [
      { uuid: same, name: 'Same', reason: 'SAME_ACTION', studies: 1 },
      { uuid: back, name: 'Back', reason: 'SENDS_BACK', studies: 0 },
    ],
  })
  expect((await ask('test', { ...sent, days: 30 })).studies).toHaveLength(1)
  // a rule is no conflict of itself, and one that starts by hand does not do the same
  expect((await ask('test', { ...sent, uuid: same })).conflicts).toMatchObject([{ uuid: back }])
  const byHand = { ...sent, on_upload: 0, on_manual_route: 1 }
  expect((await ask('test', byHand)).conflicts).toMatchObject([{ uuid: back }])
  // an administrator without a place in the group learns how many there are, nothing of them
  const unseen = (await call('route/test', { sid: other.sid, ...sent })).body
  expect(unseen).toMatchObject({ studies: [], matched: 0, unseen: 2 })
  for (const uuid of [same, back]) await ask('delete', { uuid })
})

it('[ADMIN-ROUTES-07] a switch and a deletion tell the version of the rule, on which they are taken back unless somebody changed it', async () => {
  const uuid = await make({ name: 'Versions' })
  const off = await ask('set', { uuid, suspended: 1 })
  expect(off).toEqual({ status: 'OK', row_version: (await ask('get', { uuid })).row_version })
  const on = await ask('set', { uuid, suspended: 0, row_version: off.row_version })
  expect(on).toEqual({ status: 'OK', row_version: off.row_version + 1 })
  await ask('set', { uuid, name: 'Of a colleague' })
  const stale = { error_type: 'STALE' }
  expect(await ask('set', { uuid, suspended: 1, row_version: on.row_version })).toMatchObject(stale)
  expect(await ask('delete', { uuid, row_version: on.row_version })).toMatchObject(stale)
  const gone = await ask('delete', { uuid })
  expect(await ask('delete', { uuid, undo: 1, row_version: gone.row_version - 1 })).toMatchObject(stale)
  const back = await ask('delete', { uuid, undo: 1, row_version: gone.row_version })
  expect(back).toEqual({ status: 'OK', row_version: (await ask('get', { uuid })).row_version })
  expect(await ask('get', { uuid })).toMatchObject({ name: 'Of a colleague', suspended: 0 })
  // brought back and taken away once more by somebody else
  const again = await ask('delete', { uuid })
  await ask('delete', { uuid, undo: 1 })
  await ask('delete', { uuid })
  expect(await ask('delete', { uuid, undo: 1, row_version: again.row_version })).toMatchObject(stale)
})

it('a test says when the rule would act: at once, after its delay, in its hours, or never', async () => {
  const ward = await organisation.addGroup({ name: 'Ward of hours' })
  const { sid } = await organisation.addPerson({ role: 'Administrator', groups: [ward] })
  await makeStudy(services.db, { ...ward, accountUuid })
  const test = async (more: object) => {
    const sent = { sid, namespace_id: ward.namespaceUuid, on_upload: 1, actions: [], ...more }
    const { studies, tested_at: testedAt } = (await call('route/test', sent)).body
    const [{ acts_at: actsAt, matched }] = studies
    return { matched, after: actsAt && (Date.parse(actsAt) - Date.parse(testedAt)) / 1000 }
  }
  expect(await test({})).toEqual({ matched: 1, after: 0 })
  expect(await test({ delay_seconds: 90 })).toEqual({ matched: 1, after: 90 })
  // for an hour from half a day after now on
  const hour = (plus: number) => `${String((new Date().getUTCHours() + plus) % 24).padStart(2, '0')}:00`
  const days = { mon: 1, tue: 1, wed: 1, thu: 1, fri: 1, sat: 1, sun: 1 }
  const schedule = { ...days, start: hour(12), stop: hour(13), tz: 'UTC' }
  expect(await test({ schedule })).toEqual({ matched: 1, after: null })
  const waited = await test({ schedule, delay_till_schedule: 1 })
  expect(waited.after).toBeGreaterThan(10 * 3600)
  expect(waited.after).toBeLessThanOrEqual(12 * 3600)
  const conditions = [{ lv: 'modality', op: 'equals', rv: 'XX' }]
  expect(await test({ conditions })).toEqual({ matched: 0, after: null })
})

it('a test has exams that wait for approval where the rule is for these, for those who may approve them', async () => {
  const ward = await organisation.addGroup({ name: 'Ward that approves' })
  const approver = await organisation.addPerson({ role: 'Administrator', groups: [ward] })
  const reader = await organisation.addPerson({ role: 'Administrator', groups: [ward] })
  const [settled, waiting] = [
    await makeStudy(services.db, { ...ward, accountUuid }, { patient_name: 'SETTLED' }),
    await makeStudy(services.db, { ...ward, accountUuid }, { patient_name: 'WAITING' }),
  ]
  await query(`update study set must_approve = true where uuid = '${waiting.uuid}'`)
  const [role] = await query<{ uuid: string }>(`
    insert into role (uuid, account_uuid, name, description, type, for_group, permissions)
    values (gen_random_uuid(), '${accountUuid}', 'Looks', '', '', true, '{study_view}') returning uuid`)
  await query(`update group_user set role_uuid = '${role?.uuid}' where user_uuid = '${reader.userUuid}'`)
  const test = async ({ sid }: { sid: string }, options: object) => {
    const sent = { sid, namespace_id: ward.namespaceUuid, on_upload: 1, actions: [], options }
    const { studies, unseen } = (await call('route/test', sent)).body
    const told = (studies as { uuid: string; waits_approval: number }[]).map((one) => [one.uuid, one.waits_approval])
    return { told: told.toSorted((one, other) => Number(one[1]) - Number(other[1])), unseen }
  }
  const bypass = { bypass_approval: 1 }
  const both = [
    [settled.uuid, 0],
    [waiting.uuid, 1],
  ]
  expect(await test(approver, bypass)).toEqual({ told: both, unseen: 0 })
  expect(await test(approver, {})).toEqual({ told: [[settled.uuid, 0]], unseen: 0 })
  expect(await test(reader, bypass)).toEqual({ told: [[settled.uuid, 0]], unseen: 1 })
  expect(await test(other, bypass)).toEqual({ told: [], unseen: 2 })
})

it('tests a rule on the last 100 studies, and by days says where it ends', async () => {
  const ward = await organisation.addGroup({ name: 'Busy ward' })
  const { sid } = await organisation.addPerson({ role: 'Administrator', groups: [ward] })
  const add = (count: number) =>
    query(`insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, arrival, created, updated)
      select '${ward.namespaceUuid}', made, '2.25.' || abs(('x' || substr(made::text, 1, 8))::bit(32)::bigint) || '.' || nth,
        '${ward.namespaceUuid}', '${accountUuid}', 'complete', now() - nth * interval '1 minute', now()
      from (select gen_random_uuid() as made, nth from generate_series(1, ${count}) nth) made`)
  const test = async (more: object, by = sid) =>
    (await call('route/test', { sid: by, namespace_id: ward.namespaceUuid, on_upload: 1, actions: [], ...more })).body
  await add(101)
  const last = await test({})
  expect(last).toMatchObject({ matched: 100, unseen: 0, is_cut: 0 })
  expect(last.studies).toHaveLength(100)
  expect(await test({ days: 30 })).toMatchObject({ matched: 101, is_cut: 0 })
  expect(await test({}, other.sid)).toMatchObject({ unseen: 100, is_cut: 0 })
  await add(1_899)
  expect(await test({ days: 30 })).toMatchObject({ matched: 2_000, is_cut: 0 })
  await add(1)
  expect(await test({ days: 30 })).toMatchObject({ matched: 2_000, is_cut: 1 })
  expect(await test({ days: 30 }, other.sid)).toMatchObject({ unseen: 2_000, is_cut: 1 })
})

it('shares by a code in the right of whoever saves the rule, and not with its own place', async () => {
  await query(`update app_group set share_code = 'NEURO-1' where uuid = '${neuro.groupUuid}'`)
  await query(`update app_group set share_code = 'ONCO-1' where uuid = '${onco.groupUuid}'`)
  const byCode = (share_code: string) => ({ ...place, name: 'By code', actions: [{ share_code }] })
  expect(await ask('add', byCode('neuro-1'))).toMatchObject({ error_type: 'INVALID_ACTION', error_subtype: 'LOOP' })
  const { uuid } = await ask('add', byCode('ONCO-1'))
  expect((await ask('get', { uuid })).actions).toEqual([{ share_code: 'ONCO-1', name: 'Onco' }])
  const role = await query<{
    uuid: string
  }>(`insert into role (uuid, account_uuid, name, description, type, for_account, permissions)
    values (gen_random_uuid(), '${accountUuid}', 'Rules alone', '', '', true, '{route_view,route_edit}') returning uuid`)
  const author = await organisation.addPerson({ role: 'Administrator' })
  await query(`update account_user set role_uuid = '${role[0]?.uuid}' where user_uuid = '${author.userUuid}'`)
  const asAuthor = (path: string, sent: object) => ask(path, { ...sent, sid: author.sid })
  const refused = { error_type: 'NOT_PERMITTED', error_subtype: 'share_code' }
  expect(await asAuthor('add', byCode('ONCO-1'))).toMatchObject(refused)
  expect(await asAuthor('set', { uuid, on_upload: 1 })).toMatchObject(refused)
  expect(await asAuthor('set', { uuid, suspended: 1 })).toMatchObject({ status: 'OK' })
  // brought back by somebody without the right the rule does not share
  expect(await ask('set', { uuid, suspended: 0 })).toMatchObject({ status: 'OK' })
  await ask('delete', { uuid })
  expect(await ask('delete', { uuid, undo: 1 })).toMatchObject({ status: 'OK' })
  await ask('delete', { uuid })
  expect(await asAuthor('delete', { uuid, undo: 1 })).toMatchObject({ status: 'OK', suspended: 1 })
  expect(await ask('get', { uuid })).toMatchObject({ suspended: 1 })
})

it('finds a circle by a code that leads into the own organisation', async () => {
  await query(`update app_group set share_code = 'ROUND-1' where uuid = '${onco.groupUuid}'`)
  const back = await make({
    namespace_id: onco.namespaceUuid,
    on_share: 1,
    actions: [{ namespace: neuro.namespaceUuid }],
  })
  const round = { ...place, name: 'Round', on_share: 1, actions: [{ share_code: 'ROUND-1' }] }
  expect(await ask('add', round)).toMatchObject({ error_type: 'INVALID_ACTION', error_subtype: 'LOOP' })
  await ask('set', { uuid: back, suspended: 1 })
  const { uuid } = await ask('add', round)
  expect(await ask('set', { uuid: back, suspended: 0 })).toMatchObject({ error_subtype: 'LOOP' })
  for (const one of [uuid, back]) await ask('delete', { uuid: one })
})

it('brings a deleted rule back switched off where it would not be saved by now, on record', async () => {
  const spare = await organisation.addGroup()
  const undo = (uuid: string) => ask('delete', { uuid, undo: 1 })
  const isOff = { status: 'OK', suspended: 1 }
  const rule = await make({ actions: [{ namespace: spare.namespaceUuid }] })
  await ask('delete', { uuid: rule })
  expect(await undo(rule)).toMatchObject({ status: 'OK' })
  expect(await undo(rule)).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(await ask('get', { uuid: rule })).toMatchObject({ suspended: 0 })
  await ask('delete', { uuid: rule })
  await query(`update app_group set no_share = true where uuid = '${spare.groupUuid}'`)
  expect(await undo(rule)).toMatchObject(isOff)
  expect(await ask('get', { uuid: rule })).toMatchObject({ suspended: 1 })
  const there = await make({ on_share: 1, actions: [{ namespace: onco.namespaceUuid }] })
  await ask('delete', { uuid: there })
  const back = await make({
    namespace_id: onco.namespaceUuid,
    on_share: 1,
    actions: [{ namespace: neuro.namespaceUuid }],
  })
  expect(await undo(there)).toMatchObject(isOff)
  expect(
    await query(`select detail from audit where object_uuid = '${there}' and action = 'CREATE' and detail ? 'undo'`),
  ).toEqual([{ detail: { name: 'Rule', undo: 1, suspended: [false, true] } }])
  for (const uuid of [rule, there, back]) await ask('delete', { uuid })
})

it('keeps whom a code led to when it was put into the rule, and refuses to save what leads elsewhere since', async () => {
  const [meant, taker] = [
    await organisation.addGroup({ name: 'Meant' }),
    await organisation.addGroup({ name: 'Taker' }),
  ]
  const give = (group: typeof meant, code: string) =>
    query(`update app_group set share_code = '${code}' where uuid = '${group.groupUuid}'`)
  await give(meant, 'HEART')
  const actions = [{ share_code: 'heart' }]
  const { uuid } = await ask('add', { ...place, name: 'Hearts', actions })
  const [made] = await query(`select detail from audit where object_uuid = '${uuid}' and action = 'CREATE'`)
  expect(made).toMatchObject({
    detail: { actions: [[], [{ share_code: 'heart', to: { kind: 'group', uuid: meant.groupUuid, name: 'Meant' } }]] },
  })
  // the same actions, as the form sends them, are no change
  expect(await ask('set', { uuid, actions })).toMatchObject({ status: 'OK' })
  expect(await query(`select from audit where object_uuid = '${uuid}' and detail ? 'actions'`)).toHaveLength(1)
  // another rule that does the same is found by the code
  const alike = await ask('test', { ...place, on_upload: 1, actions })
  expect(alike.conflicts).toEqual([])
  await ask('set', { uuid, on_upload: 1 })
  expect((await ask('test', { ...place, on_upload: 1, actions })).conflicts).toMatchObject([{ uuid }])
  await give(meant, '')
  await give(taker, 'HEART')
  const gone = { error_type: 'INVALID_ACTION', error_subtype: 'GONE' }
  for (const change of [{ delay: 5 }, { actions: [{ share_code: 'HEART' }], delay: 5 }])
    expect(await ask('set', { uuid, ...change })).toMatchObject(gone)
  expect(await ask('set', { uuid, suspended: 1, actions })).toMatchObject({ status: 'OK' })
  expect(await ask('set', { uuid, suspended: 0 })).toMatchObject(gone)
  // a rule that lets the code go may take it anew
  expect(await ask('set', { uuid, actions: [] })).toMatchObject({ status: 'OK' })
  expect(await ask('set', { uuid, actions, suspended: 0 })).toMatchObject({ status: 'OK' })
  expect((await ask('get', { uuid })).actions).toEqual([{ share_code: 'heart', name: 'Taker' }])
})

it('locks out whoever tries many codes that nobody has', async () => {
  const guesser = await organisation.addPerson({ role: 'Administrator' })
  const guess = () => ask('add', { ...place, name: 'x', actions: [{ share_code: 'GUESS' }], sid: guesser.sid })
  for (let tries = 0; tries < 10; tries += 1) expect(await guess()).toMatchObject({ error_type: 'INVALID_ACTION' })
  expect(await guess()).toMatchObject({ error_type: 'LOCKOUT' })
})

it('lists the people whom a rule can share with by name and address, without those who are disabled', async () => {
  const gone = await organisation.addPerson({ role: 'Staff' })
  await query(`update account_user set disabled = true where user_uuid = '${gone.userUuid}'`)
  const { people } = await ask('targets', { account_id: accountUuid })
  expect(people).toContainEqual({ uuid: other.namespaceUuid, name: other.name, email: other.email })
  expect(people.map((one: { uuid: string }) => one.uuid)).not.toContain(gone.namespaceUuid)
})
