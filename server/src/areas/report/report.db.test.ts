import { randomUUID } from 'node:crypto'
import { maxReportLines } from '@hilum/contract/limits'
import { expect, test } from 'vitest'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { erasePatient } from '../retention/patient.command.ts'
import { listPatientRecords } from '../retention/patient.sql.ts'
import { sweepReports } from './sweep-reports.job.ts'

const { app, services, call, query } = await startTestApp()
const place = await makeOrganisation(services.db)
const group = await place.addGroup({ name: 'Trauma' })
const { accountUuid } = place
const administrator = await place.addPerson({ role: 'Administrator', groups: [group] })
const colleague = await place.addPerson({ role: 'Administrator', groups: [group] })
const staff = await place.addPerson({ role: 'Staff', groups: [group] })
const study = await makeStudy(services.db, { ...group, accountUuid }, { patient_name: 'Doe^Jane' })
await query(`update study set patientid = '=4711' where uuid = '${study.uuid}'`)

const ask = async (path: string, sent: object, who = administrator) =>
  (await call(path, { sid: who.sid, ...sent })).body
const fetchZip = (reportId: string, sid: string | undefined) =>
  app.inject({ url: '/api/v3/report/zip', query: { report_id: reportId, ...(sid ? { sid } : {}) } })
/** Lines of the one file of a ZIP that is not compressed. */
async function linesOf(reportId: string, who = administrator): Promise<string[]> {
  const { rawPayload, statusCode, headers } = await fetchZip(reportId, who.sid)
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/zip'])
  const text = rawPayload.toString('utf8')
  const start = text.indexOf('\ufeff')
  return text
    .slice(start + 1, text.indexOf('PK\u0001\u0002', start))
    .split('\r\n')
    .slice(0, -1)
}

test('[API-37] studies are reported as they are listed, and on record', async () => {
  const { report_id } = await ask('study/report/detail', {
    account_id: accountUuid,
    'filter.patient_name.like': 'doe%',
  })
  expect(await ask('report/status', { report_id })).toMatchObject({ status: 'OK', percent: 100 })
  const [head, line, ...more] = await linesOf(report_id)
  expect(head).toContain('phi_namespace_name,patient_name,patientid')
  // a spreadsheet takes no number of a patient for a formula
  expect(line).toContain(`${study.uuid},`)
  expect(line).toContain(`Trauma,Doe^Jane,'=4711`)
  expect(more).toEqual([])
  const nothing = await ask('study/report/detail', { account_id: accountUuid, 'filter.patient_name.like': 'roe%' })
  expect(await linesOf(nothing.report_id)).toHaveLength(1)
  const made = await query(`select detail from audit where action = 'LIST_REPORT' order by at, id`)
  expect(made[0]).toEqual({
    detail: { report: 'studies', report_id, lines: 1, filters: { 'patient_name.like': 'doe%' } },
  })
})

test('a report of studies has the first of them, in the order that is asked for', async () => {
  await makeStudy(services.db, { ...group, accountUuid }, { patient_name: 'Abel^Ann' })
  const { report_id } = await ask('study/report/detail', {
    account_id: accountUuid,
    sort_by: 'patient_name-asc',
    limit: 1,
  })
  const lines = await linesOf(report_id)
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('Abel^Ann')
  const beyond = { account_id: accountUuid, limit: maxReportLines + 1 }
  expect(await ask('study/report/detail', beyond)).toMatchObject({ error_type: 'INVALID_INTEGER' })
})

test('[API-37] roles are reported with each right', async () => {
  const { report_id } = await ask('role/report/detail', { account_id: accountUuid })
  const [head = '', ...lines] = await linesOf(report_id)
  const at = head.split(',').indexOf('study_report_detail')
  const heldBy = Object.fromEntries(lines.map((line) => [line.split(',')[1], line.split(',')[at]]))
  expect(heldBy).toMatchObject({ Administrator: '1', Staff: '0' })
})

test('[API-37] sign-ins are reported of all people, or of one', async () => {
  await query(`insert into audit (account_uuid, actor, actor_name, action, type) values
    ('${accountUuid}', '${staff.userUuid}', 'Sam Staff', 'LOGIN', 'User'),
    ('${accountUuid}', '${colleague.userUuid}', 'Cora Colleague', 'LOGIN_FAILED', 'User'),
    ('${accountUuid}', '${colleague.userUuid}', 'Cora Colleague', 'LOGOUT', 'User')`)
  const all = (await linesOf((await ask('account/user/report/login', { uuid: accountUuid })).report_id)).join('\n')
  expect(all).toMatch(/Sam Staff.*LOGIN,/)
  expect(all).toMatch(/Cora Colleague.*LOGIN_FAILED/)
  expect(all).not.toContain('LOGOUT')
  const one = await ask('account/user/report/login', { uuid: accountUuid, user_id: staff.userUuid })
  expect((await linesOf(one.report_id)).join('\n')).not.toContain('Cora')
  expect(await ask('account/user/report/login', { uuid: accountUuid, user_id: randomUUID() })).toMatchObject({
    error_type: 'NOT_FOUND',
  })
})

test('the file of an audit says who and what kind of actor it was, also of those without a name', async () => {
  const one = await makeStudy(services.db, { ...group, accountUuid })
  await query(`insert into audit (account_uuid, actor, actor_kind, actor_name, action, type, object_uuid, detail, at) values
    ('${accountUuid}', '${staff.userUuid}', 'key', 'Stina', 'STUDY_DOWNLOAD', 'Study', '${one.uuid}', '{}', now() - interval '4 s'),
    ('${accountUuid}', null, 'link', '', 'STUDY_DOWNLOAD', 'Study', '${one.uuid}', '{}', now() - interval '3 s'),
    ('${accountUuid}', null, 'system', '', 'STUDY_RETRIEVE', 'Study', '${one.uuid}', '{"calling_ae":"WS"}', now() - interval '2 s'),
    ('${accountUuid}', null, 'system', '', 'PUSH_SUCCESS', 'Study', '${one.uuid}', '{}', now() - interval '1 s')`)
  const ofOne = { account_id: accountUuid, 'filter.study_id.equals': one.uuid, reverse: 1, download: 1 }
  const [head, ...lines] = await linesOf((await ask('audit/account', ofOne)).report_id)
  expect(head).toMatch(/^when,who,proxy,client_address,.*,detail,actor_kind$/)
  const actors = ['Stina,key', 'through a link,link', 'WS,system', 'Hilum itself,system']
  const actorOf = (line: string) => [line.split(',')[1], line.split(',').at(-1)].join(',')
  expect(lines.map(actorOf)).toEqual(actors)
  const history = await linesOf((await ask('audit/object', { uuid: one.uuid, reverse: 1, download: 1 })).report_id)
  expect(history.slice(1).map(actorOf)).toEqual(actors)
})

test('the audit of an account, of a person and of a study comes as a file besides', async () => {
  await query(`insert into audit (account_uuid, actor, actor_name, action, type, object_uuid, phi_namespace) values
    ('${accountUuid}', '${staff.userUuid}', 'Sam Staff', 'STUDY_VIEW', 'Study', '${study.uuid}', '${group.namespaceUuid}')`)
  const filter = { 'filter.action.equals': 'STUDY_VIEW', download: 1 }
  const ofAccount = await ask('audit/account', { account_id: accountUuid, ...filter })
  expect(ofAccount.events).toHaveLength(1)
  expect((await linesOf(ofAccount.report_id))[1]).toMatch(/Sam Staff.*STUDY_VIEW.*Doe\^Jane/)
  const ofPerson = { account_id: accountUuid, user_id: staff.userUuid, ...filter, study_fields: ['accession_number'] }
  const narrowed = await ask('audit/user', ofPerson)
  expect(narrowed.events[0].study).toEqual({ accession_number: '' })
  const line = (await linesOf(narrowed.report_id))[1]
  expect(line).toContain('STUDY_VIEW')
  expect(line).not.toContain('Doe')
  expect(await ask('audit/user', { ...ofPerson, study_fields: ['made_up'] })).toMatchObject({
    error_type: 'INVALID_FIELD',
    error_subtype: 'made_up',
  })
  const ofStudy = await ask('audit/object', { uuid: study.uuid, ...filter })
  expect((await linesOf(ofStudy.report_id))[1]).toContain('Sam Staff')
  expect(await ask('audit/object', { uuid: study.uuid })).not.toHaveProperty('report_id')
})

test('a report is there for whoever had it made, while the right and the hours last', async () => {
  const own = { account_id: accountUuid }
  expect(await ask('study/report/detail', own, staff)).toMatchObject({ error_type: 'NOT_PERMITTED' })
  const { report_id } = await ask('study/report/detail', own)
  for (const sid of [colleague.sid, staff.sid, undefined, 'made-up'])
    expect((await fetchZip(report_id, sid)).statusCode).toBe(404)
  expect(await ask('report/status', { report_id }, colleague)).toMatchObject({ error_type: 'NOT_FOUND' })
  for (const unknown of ['', 'none', randomUUID()])
    expect((await fetchZip(unknown, administrator.sid)).statusCode).toBe(404)
  const role = place.roles.get('Staff')
  const become = (uuid: string | undefined) =>
    query(`update account_user set role_uuid = '${uuid}' where user_uuid = '${administrator.userUuid}'`)
  await become(role)
  expect((await fetchZip(report_id, administrator.sid)).statusCode).toBe(404)
  await become(place.roles.get('Administrator'))
  await linesOf(report_id)
  await query(`update report set fetched = now() - interval '11 minutes' where uuid = '${report_id}'`)
  expect((await fetchZip(report_id, administrator.sid)).statusCode).toBe(404)
  const later = await ask('study/report/detail', own)
  await query(`update report set created = now() - interval '5 hours' where uuid = '${later.report_id}'`)
  expect(await ask('report/status', later)).toMatchObject({ error_type: 'NOT_FOUND' })
  const kept = await ask('study/report/detail', own)
  await sweepReports(services)
  const left = await query<{ uuid: string }>('select uuid from report')
  expect(left.map(({ uuid }) => uuid)).toContain(kept.report_id)
  expect(left.map(({ uuid }) => uuid)).not.toContain(later.report_id)
})

test('a report of studies has the places alone where its maker may report, and is fetched while that lasts', async () => {
  const [clinic, psychiatry] = [await place.addGroup({ name: 'Clinic' }), await place.addGroup({ name: 'Psychiatry' })]
  const maker = await place.addPerson({ role: 'Administrator', groups: [clinic, psychiatry] })
  const inGroup = ({ groupUuid }: { groupUuid: string }, role: string) =>
    query(`update group_user set role_uuid = '${place.roles.get(role)}'
      where group_uuid = '${groupUuid}' and user_uuid = '${maker.userUuid}'`)
  await inGroup(psychiatry, 'Staff')
  const seen = await makeStudy(services.db, { ...clinic, accountUuid }, { patient_name: 'Seen^Sue' })
  const kept = await makeStudy(services.db, { ...psychiatry, accountUuid }, { patient_name: 'Kept^Kim' })
  const { report_id } = await ask('study/report/detail', { account_id: accountUuid }, maker)
  const text = (await linesOf(report_id, maker)).join('\n')
  expect(text).toContain(seen.uuid)
  expect(text).not.toContain(kept.uuid)
  await inGroup(clinic, 'Staff')
  expect((await fetchZip(report_id, maker.sid)).statusCode).toBe(404)
  expect(await ask('report/status', { report_id }, maker)).toMatchObject({ error_type: 'NOT_FOUND' })
  await inGroup(clinic, 'Administrator')
  await linesOf(report_id, maker)
  await query(`delete from group_user where group_uuid = '${clinic.groupUuid}' and user_uuid = '${maker.userUuid}'`)
  expect((await fetchZip(report_id, maker.sid)).statusCode).toBe(404)
})

test('[API-37] what a report asked for is on record, and each fetching of it', async () => {
  const maker = await place.addPerson({ role: 'Administrator', groups: [group] })
  const recorded = () =>
    query(`select action, client_address <> '' as has_address, detail from audit
      where actor = '${maker.userUuid}' and action in ('LIST_REPORT', 'LIST_FETCH') order by at, id`)
  const configuration = { 'filter.patient_name.like': 'doe%' }
  const search = await ask('filter/add', { name: 'Does', type: 'Study', configuration }, maker)
  const narrowed = { account_id: accountUuid, 'filter.modality.in': '["CT","MR"]', filter_id: search.uuid }
  const { report_id } = await ask('study/report/detail', narrowed, maker)
  const asked = { filters: { 'modality.in': ['CT', 'MR'] }, any_of: [{ 'patient_name.like': 'doe%' }] }
  const made = { action: 'LIST_REPORT', has_address: true, detail: { report: 'studies', report_id, ...asked } }
  expect(await recorded()).toMatchObject([made])
  for (const refused of [staff.sid, undefined]) await fetchZip(report_id, refused)
  expect(await recorded()).toHaveLength(1)
  for (const _ of [1, 2]) await linesOf(report_id, maker)
  const fetched = { action: 'LIST_FETCH', has_address: true, detail: { report: 'studies', report_id } }
  expect(await recorded()).toMatchObject([made, fetched, fetched])
  // values of a filter may be a patient's: an auditor from whom a field is hidden reads none
  const heads = {
    account_id: accountUuid,
    'filter.action.equals': 'LIST_REPORT',
    'filter.user_id.equals': maker.userUuid,
  }
  expect((await ask('audit/account', heads)).events[0].detail).toMatchObject(asked)
  await query(`insert into setting (scope, scope_uuid, key, value)
    values ('namespace', '${place.namespaceUuid}', 'study_field_flags', '{"study_field_patient_name": "H"}')`)
  const [narrow] = (await ask('audit/account', heads)).events
  expect(narrow.detail).toEqual({ report: 'studies', report_id, lines: 0 })
  await query(`delete from setting where scope_uuid = '${place.namespaceUuid}' and key = 'study_field_flags'`)
})

test('a person has ten reports at most, the latest, and makes so many in an hour', async () => {
  const maker = await place.addPerson({ role: 'Administrator' })
  const make = () => ask('role/report/detail', { account_id: accountUuid }, maker)
  const first = await make()
  for (let more = 0; more < 10; more += 1) await make()
  expect(await query(`select uuid from report where user_uuid = '${maker.userUuid}'`)).toHaveLength(10)
  expect((await fetchZip(first.report_id, maker.sid)).statusCode).toBe(404)
  await query(`update attempt set count = 60 where kind = 'report'`)
  expect(await make()).toMatchObject({ error_type: 'LOCKOUT' })
  expect(await ask('audit/account', { account_id: accountUuid, download: 1 }, maker)).toMatchObject({
    error_type: 'LOCKOUT',
  })
  expect(await ask('audit/account', { account_id: accountUuid }, maker)).toMatchObject({ status: 'OK' })
})

test('a patient who is erased is in no report that lies ready', async () => {
  const { uuid } = await makeStudy(services.db, { ...group, accountUuid }, { patient_name: 'Gone^Gil' })
  await query(`update study set patientid = 'GONE-1' where uuid = '${uuid}'`)
  const { report_id } = await ask('study/report/detail', { account_id: accountUuid })
  const key = { account_uuid: accountUuid, issuer: '', patientid: 'GONE-1' }
  const now = new Date()
  const records = await listPatientRecords(services.db, key, now)
  const { erased } = await erasePatient({ ...services, machineUser: 'ops' }, key, records, 'Asked for', now)
  expect(erased).toHaveLength(1)
  expect((await fetchZip(report_id, administrator.sid)).statusCode).toBe(404)
})
