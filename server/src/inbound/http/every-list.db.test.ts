import { randomUUID } from 'node:crypto'
import type { AnyCall } from '@hilum/contract/call'
import { calls } from '@hilum/contract/calls/all-calls'
import { type ListRules, maxRows } from '@hilum/contract/list'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { makeWaitingReport } from '../../../test/make-waiting-report.ts'
import { startTestApp } from '../../../test/test-app.ts'

/*
 * The promises of every list: pages, totals, fields, filters and sorts as declared. A list that is added is walked
 * without a change here but its rows.
 */

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const group = await organisation.addGroup()
const person = await organisation.addPerson({ role: 'Administrator', groups: [group] })
const { sid } = person
// the list of all accounts is for whoever looks after the installation
await query(`update app_user set sysadmin = true where uuid = '${person.userUuid}'`)
await makeOrganisation(services.db)
await makeOrganisation(services.db)
const location = (await call('location/add', { sid, account_id: accountUuid, name: 'Location' })).body.uuid
/** A closed account with three rows of audit, one of three. */
const closed = randomUUID()
const study = await makeStudy(services.db, { ...group, accountUuid }, { patient_name: 'DOE^JANE' })

const [rule, webhook] = [randomUUID(), randomUUID()]

type List = AnyCall & { list: ListRules }
const lists = (Object.values(calls) as unknown as AnyCall[]).filter((one): one is List => one.list !== undefined)
const paged = lists.filter((one) => !one.list.isCount && !one.list.isReport)

/** The input that a list needs to be asked, and at least three rows for it. */
const wantedBy: Record<string, Record<string, string>> = {
  'account/user/list': { uuid: accountUuid },
  'account/user/leavers': { uuid: accountUuid },
  'account/connect/list': { account_id: accountUuid },
  'role/list': { account_id: accountUuid },
  'group/list': { account_id: accountUuid },
  'group/user/list': { uuid: group.groupUuid },
  'location/list': { account_id: accountUuid },
  'location/user/list': { uuid: location },
  'role/user/list': { uuid: organisation.roles.get('Viewer') ?? '' },
  'customfield/list': { account_id: accountUuid },
  'order/list': { account_id: accountUuid },
  'order/sps/find': { account_id: accountUuid },
  'order/report/list': { account_id: accountUuid },
  'node/list': { account_id: accountUuid },
  'destination/list': { account_id: accountUuid },
  'route/list': { account_id: accountUuid },
  'route/runs': { uuid: rule },
  'webhook/list': { account_id: accountUuid },
  'webhook/deliveries': { uuid: webhook },
  'mail/outbox': { account_id: accountUuid },
  'job/list': { account_id: accountUuid },
  'audit/object': { uuid: study.uuid },
  'audit/account': { account_id: accountUuid },
  'system/account/audit': { account_id: closed },
  'audit/user': { account_id: accountUuid, user_id: person.userUuid },
  'audit/deleted': { account_id: accountUuid, type: 'Group' },
  'audit/patient': { account_id: accountUuid, patientid: 'Three' },
  'audit/refused': { account_id: accountUuid },
  'study/share/who': { uuid: study.uuid, type: 'group' },
  'link/list': { study_id: study.uuid },
  'outside/list': { account_id: accountUuid },
  'retention/bin': { account_id: accountUuid },
  'retention/kept': { account_id: accountUuid },
  'retention/purged': { account_id: accountUuid },
  'study/report/detail': { account_id: accountUuid },
  'study/timing/log': { uuid: study.uuid },
  'tag/list': { object: 'Study' },
  'filter/list': { type: 'Study' },
}
const ask = async (one: List, more: object = {}) => {
  // a person makes a bounded number of reports in an hour
  if ('isReport' in one.list) await query(`delete from attempt where kind = 'report'`)
  return (await call(one.path, { sid, ...wantedBy[one.path], ...more })).body
}

beforeAll(async () => {
  for (const uuid of [closed, randomUUID(), randomUUID()]) {
    await query(`insert into account (uuid, name, issuer, namespace_uuid, closed_at)
      values ('${uuid}', 'Closed ${uuid}', 'CLOSED', gen_random_uuid(), now())`)
    await query(
      `insert into audit (account_uuid, object_uuid, action, type) values ('${closed}', '${uuid}', 'EDIT', 'Account')`,
    )
  }
  for (const name of ['One', 'Two', 'Three']) {
    await organisation.addGroup({ name })
    const leaver = await organisation.addPerson()
    await call('filter/add', { sid: leaver.sid, name, type: 'Study', configuration: { 'modality.in': ['CT'] } })
    await call('account/user/delete', { sid, uuid: accountUuid, user_id: leaver.userUuid })
    await call('location/add', { sid, account_id: accountUuid, name: `Location ${name}` })
    await makeStudy(services.db, { ...group, accountUuid }, { patient_name: name })
    await call('customfield/add', { sid, account_id: accountUuid, name, object: 'Study' })
    await call('filter/add', { sid, name, type: 'Study', configuration: { 'modality.in': ['CT'] } })
    await call('tag/add', { sid, object: 'Study', object_id: study.uuid, tag: name })
    await call('study/set', { sid, study_id: study.uuid, patientid: name })
    await call('link/add', { sid, study_id: study.uuid, action: 'STUDY_VIEW', email: `${name}@clinic.example` })
    await call('node/add', { sid, account_id: accountUuid, name, aetitle: name })
    const peer = { name, aetitle: name, address: '127.0.0.1', port: 11112 }
    await call('destination/add', { sid, account_id: accountUuid, ...peer })
    const timing = { study_uid: study.study_uid, storage_namespace: group.namespaceUuid, event: name }
    await call('study/timing/event', { sid, ...timing })
    await call('route/add', { sid, namespace_id: group.namespaceUuid, name })
    await query(`insert into routing_rule (uuid, account_uuid, namespace_uuid, name, sequence, saved_by)
      values ('${rule}', '${accountUuid}', '${group.namespaceUuid}', 'Runs', 9, '${person.userUuid}') on conflict do nothing`)
    await query(`insert into route_run (uuid, rule_uuid, account_uuid, phi_namespace, study_uuid, trigger, occasion, state)
      values ('${randomUUID()}', '${rule}', '${accountUuid}', '${group.namespaceUuid}', '${study.uuid}', 'manual', '${name}', 'done')`)
    await query(`insert into webhook (uuid, account_uuid, name, event, url, method, sealed_secret)
      values ('${webhook}', '${accountUuid}', 'Hook', 'ROUTE_RULE', 'https://x.example/', 'GET', '') on conflict do nothing`)
    await query(`insert into webhook (uuid, account_uuid, name, event, url, method, sealed_secret)
      values (gen_random_uuid(), '${accountUuid}', '${name}', 'ROUTE_RULE', 'https://x.example/', 'GET', '')`)
    await query(`insert into webhook_delivery (uuid, webhook_uuid, event)
      values ('${randomUUID()}', '${webhook}', 'TEST')`)
    const order = randomUUID()
    await query(`insert into imaging_order (account_uuid, uuid) values ('${accountUuid}', '${order}')`)
    await query(`insert into order_step (account_uuid, order_uuid, uuid)
      values ('${accountUuid}', '${order}', '${randomUUID()}')`)
    await makeWaitingReport({ query }, { ...group, accountUuid })
    await query(`insert into mail (uuid, account_uuid, recipient, subject, body)
      values ('${randomUUID()}', '${accountUuid}', 'a@b.example', '${name}', '')`)
    await query(`insert into work (uuid, job, payload, lane, account_uuid, state, run_at)
      values ('${randomUUID()}', '${name}', '{}', '${name}', '${accountUuid}', 'failed', now())`)
    await query(`insert into access_refusal
        (account_uuid, user_uuid, asker, hour, act, kind, user_name, client_address, last_object, count)
      values ('${accountUuid}', '${randomUUID()}', '${name}', now(), '${name}', 'Study', '${name}', '', '${randomUUID()}', 1)`)
    const kept = await makeStudy(services.db, { ...group, accountUuid }, { patient_name: name })
    await query(`update study set deleted_at = now(), hold = true where uuid = '${kept.uuid}'`)
    await query(`insert into audit (account_uuid, phi_namespace, object_uuid, action, type, detail)
      values ('${accountUuid}', '${group.namespaceUuid}', '${kept.uuid}', 'PURGE', 'Study', '{"study_uid":"${name}"}')`)
    await query(`insert into audit (account_uuid, object_uuid, action, type)
      values ('${accountUuid}', '${randomUUID()}', 'DELETE', 'Group')`)
    const member = await organisation.addPerson({ role: 'Viewer', groups: [group] })
    await call('location/user/add', { sid, uuid: location, user_id: member.userUuid })
    const other = await makeOrganisation(services.db)
    await query(`insert into account_user (account_uuid, user_uuid, role_uuid)
      select '${other.accountUuid}', '${person.userUuid}', uuid from role
      where account_uuid = '${other.accountUuid}' and name = 'Administrator'`)
    await query(`insert into account_connection (uuid, asking_account, asked_account)
      values ('${randomUUID()}', '${accountUuid}', '${other.accountUuid}')`)
  }
  await query(`update role set permissions = permissions || array['order_view', 'study_timing_view', 'audit_view']`)
})

describe.each(paged.map((one) => [one.path, one] as const))('%s', (_path, one) => {
  const rowsOf = (body: Record<string, unknown>) => body[one.list.rowsKey] as Record<string, unknown>[]

  it('[API-20][ENTITY-17] gives pages of the size that was asked for and tells how many rows there are', async () => {
    const whole = rowsOf(await ask(one))
    expect(whole.length).toBeGreaterThanOrEqual(3)
    const seen: unknown[] = []
    for (const index of whole.keys()) {
      const body = await ask(one, { 'page.rows': 1, 'page.number': index + 1, 'page.total': 1 })
      const more = index + 1 < whole.length ? 1 : 0
      expect(body.page).toEqual({ more, rows: 1, number: index + 1, total: whole.length })
      seen.push(...rowsOf(body))
    }
    expect(seen).toEqual(whole)
    const behind = await ask(one, { 'page.rows': 1, 'page.number': whole.length + 1 })
    expect([rowsOf(behind), behind.page.more]).toEqual([[], 0])
    const isLarge = [
      'study/list',
      'audit/account',
      'system/account/audit',
      'audit/user',
      'audit/deleted',
      'audit/patient',
    ].includes(one.path)
    expect((await ask(one, { 'page.rows': 1 })).page.total).toBe(isLarge ? undefined : whole.length)
  })

  it.each([
    ['page.rows', '0', 'INVALID_INTEGER'],
    ['page.rows', String(maxRows + 1), 'INVALID_INTEGER'],
    ['page.rows', '-1', 'INVALID_INTEGER'],
    ['page.rows', '1.5', 'INVALID_INTEGER'],
    ['page.number', '0', 'INVALID_INTEGER'],
    ['page.number', '1000001', 'INVALID_INTEGER'],
    ['page.total', '2', 'INVALID_FLAG'],
    [`fields.${one.list.object}`, '["uuid"', 'INVALID_JSON'],
    [`fields.${one.list.object}`, '"uuid"', 'INVALID_JSON'],
    [`fields.${one.list.object}`, '[{}]', 'INVALID_JSON'],
    ['fields._top', 'page', 'INVALID_JSON'],
  ])('refuses %s=%s as %s', async (name, value, code) => {
    expect(await ask(one, { [name]: value })).toMatchObject({ error_type: code, error_subtype: name })
  })

  it('takes the largest page, and of each row the fields that were asked for alone', async () => {
    expect((await ask(one, { 'page.rows': maxRows })).page.rows).toBe(maxRows)
    const [first = {}] = rowsOf(await ask(one))
    const wanted = Object.keys(first).slice(0, 2)
    const rows = rowsOf(await ask(one, { [`fields.${one.list.object}`]: JSON.stringify([...wanted, 'made_up']) }))
    expect(rows.length).toBeGreaterThanOrEqual(3)
    for (const row of rows) expect(Object.keys(row).sort()).toEqual([...wanted].sort())
    const top = await ask(one, { 'fields._top': '["page"]' })
    expect(Object.keys(top).sort()).toEqual(['page', 'status'])
  })

  it('knows no saved search, field or order that it does not declare', async () => {
    const searched = await ask(one, { filter_id: randomUUID() })
    expect(searched.error_type).toBe('FILTER_NOT_FOUND')
    expect(await ask(one, { 'filter.made_up.equals': 'x' })).toMatchObject({ error_type: 'INVALID_FIELD' })
    expect(await ask(one, { sort_by: 'made_up-asc' })).toMatchObject({ error_type: 'INVALID_SORT_FIELD' })
    expect(await ask(one, { sort_by: 'name' })).toMatchObject({ error_type: 'INVALID_SORT_ORDER' })
  })
})

const oneOf: Record<string, string> = {
  text: 'x',
  exact: 'x',
  uuid: randomUUID(),
  integer: '1',
  flag: '1',
  date: '20260101',
  stamp: '2026-01-01',
  tags: 'x',
  virtual: '1',
}

it.each(
  lists.flatMap((one) =>
    Object.entries(one.list.filters).map(([field, kind]) => [one.path, field, kind, one] as const),
  ),
)('%s can be filtered by %s as it declares', async (_path, field, kind, one) => {
  expect((await ask(one, { [`filter.${field}.equals`]: oneOf[kind] })).status).toBe('OK')
})

it.each(paged.flatMap((one) => one.list.sorts.map((field) => [one.path, field, one] as const)))(
  '%s can be sorted by %s as it declares',
  async (_path, field, one) => {
    const sorted = async (order: string) => (await ask(one, { sort_by: `${field}-${order}` })) as { status: string }
    expect([(await sorted('asc')).status, (await sorted('desc')).status]).toEqual(['OK', 'OK'])
  },
)
