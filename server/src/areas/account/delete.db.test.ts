import { expect, test } from 'vitest'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { makeDestination } from '../../../test/make-destination.ts'
import { makeLink } from '../../../test/make-link.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { purge } from '../retention/purge.job.ts'
import { listNodeSettings } from '../node/node-settings.sql.ts'
import { aeTitleSetting } from '../node/peer-rules.ts'
import { addAdministrator } from '../user/operator-acts.command.ts'
import { listUsersForOperator, putAccountUser, setDisabled } from '../user/operator.sql.ts'

const { services, call, query } = await startTestApp()
const first = await makeOrganisation(services.db, { name: 'First' })

const ask = async (path: string, { sid }: { sid: string }, sent: object) => (await call(path, { sid, ...sent })).body
const close = async (who: { sid: string }, uuid: string) => {
  const { status, error_type, error_subtype } = await ask('account/delete', who, { uuid })
  return status === 'OK' ? 'OK' : [error_type, error_subtype].filter(Boolean).join(' ')
}
const isLive = async ({ sid }: { sid: string }) => (await call('session/user', { sid })).status === 200

async function makeClosing(vanity = '') {
  const organisation = await makeOrganisation(services.db, { vanity })
  const group = await organisation.addGroup()
  const admin = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const person = await organisation.addPerson({ groups: [group] })
  return { organisation, uuid: organisation.accountUuid, group, admin, person }
}

test('an administrator closes an organisation: people, sessions, links, connections, rules and work end', async () => {
  const { organisation, uuid, group, admin, person } = await makeClosing('closing.example')
  const partner = await first.addPerson({ role: 'Administrator' })
  await alsoAtFirst(person)
  const asked = await ask('account/connect/ask', admin, { account_id: uuid, account_name: 'First' })
  expect(asked.status).toBe('OK')
  await makeLink(services.db, { accountUuid: uuid, createdBy: admin.userUuid, studies: [] })
  await query(`insert into work (uuid, job, payload, lane, account_uuid, run_at)
    values (gen_random_uuid(), 'none', '{}', 'none', '${uuid}', now() + interval '1 day')`)
  const bin = await makeStudy(services.db, { ...group, accountUuid: uuid })
  expect(await close(admin, uuid)).toBe('NOT_EMPTY')
  expect(await isLive(person)).toBe(true)
  await query(`update study set deleted_at = now() where uuid = '${bin.uuid}'`)
  const [{ name }] = (await query(`select name from account where uuid = '${uuid}'`)) as [{ name: string }]
  expect(await close(admin, uuid)).toBe('OK')

  expect(await isLive(admin)).toBe(false)
  expect(await isLive(person)).toBe(true)
  expect((await ask('account/list', person, {})).accounts).toEqual([
    expect.objectContaining({ uuid: first.accountUuid }),
  ])
  expect(await query(`select disabled from app_user where uuid = '${admin.userUuid}'`)).toEqual([{ disabled: true }])
  const own = `select account_uuid from namespace where owner_uuid = '${person.userUuid}'`
  expect(await query(own)).toEqual([{ account_uuid: first.accountUuid }])
  const left = async (table: string, where: string) =>
    (await query(`select from ${table} where account_uuid = '${uuid}' and ${where}`)).length
  expect(await left('link', 'ended_at is null')).toBe(0)
  expect(await left('app_group', 'true')).toBe(0)
  expect(await left('account_user', 'true')).toBe(0)
  expect(await left('work', `state in ('waiting', 'running')`)).toBe(0)
  const connections = await ask('account/connect/list', partner, { account_id: first.accountUuid })
  expect(connections.connections).toEqual([])
  const mails = `select from mail where account_uuid = '${first.accountUuid}' and recipient = '${partner.email}'`
  expect((await query(mails)).length).toBeGreaterThan(0)
  const places = `select from namespace where account_uuid = '${uuid}' and kind <> 'user' and gone_at is null`
  expect(await query(places)).toEqual([])
  const [row] = await query(`select detail from audit where object_uuid = '${uuid}' and action = 'DELETE'`)
  expect(row).toEqual({ detail: { name, people: 2, groups: 1, links: 1, connections: 1 } })

  // name and host name are free again
  const system = await first.addPerson()
  await query(`update app_user set sysadmin = true where uuid = '${system.userUuid}'`)
  const made = await ask('account/add', system, { name })
  expect(made.status).toBe('OK')
  expect(await ask('account/set', system, { uuid: made.uuid, vanity: 'closing.example' })).toEqual({ status: 'OK' })
  const listed = (await ask('system/account/list', system, {})).accounts as { uuid: string }[]
  expect(listed.map((one) => one.uuid)).not.toContain(uuid)
  expect(organisation.accountUuid).toBe(uuid)
  expect(await close(system, uuid)).toBe('NOT_FOUND')
})

test('a closed organisation is called by no sender and calls no destination, and its people’s places take nothing in', async () => {
  const { uuid, admin, person } = await makeClosing()
  await makeDestination({ query }, uuid)
  await query(`insert into setting (scope, scope_uuid, key, value)
    values ('namespace', '${person.namespaceUuid}', '${aeTitleSetting}', 'OF_PERSON')`)
  const titles = async () => (await listNodeSettings(services.db)).map(({ title }) => title)
  expect(await titles()).toContain('OF_PERSON')
  expect(await close(admin, uuid)).toBe('OK')
  expect(await query(`select from destination where account_uuid = '${uuid}' and deleted_at is null`)).toEqual([])
  expect(await titles()).not.toContain('OF_PERSON')
  const arrive = () => makeStudy(services.db, { namespaceUuid: person.namespaceUuid, accountUuid: uuid })
  await expect(arrive()).rejects.toThrow('was deleted meanwhile')
  // who works nowhere has no place, and who is taken in elsewhere has it there
  await setDisabled(services.db, person.userUuid, false)
  await expect(arrive()).rejects.toThrow('was deleted meanwhile')
  const roleUuid = first.roles.get('Clinician') ?? ''
  await putAccountUser(services.db, first.accountUuid, person.userUuid, roleUuid)
  const place = `select account_uuid from namespace where uuid = '${person.namespaceUuid}' and gone_at is null`
  expect(await query(place)).toEqual([{ account_uuid: first.accountUuid }])
})

const day = 86_400_000

/** Deleted personal exams of a person of a closing organisation: one that nothing keeps, and those of all that keeps one. */
async function makeBin(uuid: string, person: { namespaceUuid: string }) {
  await query(`insert into patient_hold (account_uuid, issuer, patientid, reason)
    values ('${uuid}', 'THERE', 'held-1', 'Court, file 7')`)
  const make = async (number: string, more = '') => {
    const made = await makeStudy(services.db, { namespaceUuid: person.namespaceUuid, accountUuid: uuid })
    await query(`update study set deleted_at = now() - interval '3 days', patientid = '${number}',
      created = now() - interval '10 days' ${more} where uuid = '${made.uuid}'`)
    return made.uuid
  }
  return {
    plain: await make('P-1', `, issuer = 'THERE'`),
    unnamed: await make('P-2'),
    held: await make('P-3', `, issuer = 'THERE', hold = true, hold_reason = 'Study of 2024'`),
    patient: await make('HELD-1', `, issuer = 'THERE'`),
    dated: await make('P-4', `, issuer = 'THERE', retain_until = '2390-01-01'`),
  }
}
const alsoAtFirst = (person: { userUuid: string }) =>
  query(`insert into account_user (account_uuid, user_uuid, role_uuid)
    values ('${first.accountUuid}', '${person.userUuid}', '${first.roles.get('Viewer')}')`)

test('deleted personal exams go with the place of somebody who works elsewhere too, and what kept them keeps them there', async () => {
  const { uuid, admin, person } = await makeClosing()
  const [{ name }] = (await query(`select name from account where uuid = '${uuid}'`)) as [{ name: string }]
  await query(`update account set issuer = 'THERE' where uuid = '${uuid}'`)
  await query(
    `insert into setting (scope, scope_uuid, key, value) values ('account', '${uuid}', 'retention_days', '20')`,
  )
  await alsoAtFirst(person)
  const exams = await makeBin(uuid, person)
  const left = await makeStudy(services.db, { namespaceUuid: admin.namespaceUuid, accountUuid: uuid })
  await query(`update study set deleted_at = now() where uuid = '${left.uuid}'`)
  expect(await close(admin, uuid)).toBe('OK')

  const keeper = await first.addPerson({ role: 'Administrator' })
  const retention = (path: string, sent: object = {}) =>
    ask(`retention/${path}`, keeper, { account_id: first.accountUuid, ...sent })
  const bin = async () => (await retention('bin')).exams as { uuid: string; kept_by: string; issuer: string }[]
  const kept = (await bin()).map((one) => [one.uuid, one.kept_by, one.issuer])
  const all = [
    [exams.plain, 'date', 'THERE'],
    [exams.unnamed, 'date', 'THERE'],
    [exams.held, 'hold', 'THERE'],
    [exams.patient, 'hold', 'THERE'],
    [exams.dated, 'date', 'THERE'],
  ]
  expect(kept.toSorted()).toEqual(all.toSorted())
  const reasons = (await retention('kept')).kept as { uuid: string; kind: string; reason: string; until: string }[]
  const of = (exam: string, kind: string) => reasons.find((one) => one.uuid === exam && one.kind === kind)
  expect(of(exams.patient, 'study')?.reason).toBe('Court, file 7')
  expect(of(exams.held, 'study')?.reason).toBe('Study of 2024')
  expect(of(exams.dated, 'date')?.until).toBe('2389-12-31')
  const through = new Date(Date.now() + 10 * day).toISOString().slice(0, 10)
  expect(of(exams.plain, 'date')).toMatchObject({ reason: `Rule of retention of ${name}`, until: through })
  const story = await query(`select action, detail from audit
    where object_uuid = '${exams.unnamed}' and account_uuid = '${first.accountUuid}'`)
  const detail = { account: [name, 'First'], issuer: ['', 'THERE'], retain_until: ['', through] }
  expect(story).toEqual([{ action: 'EDIT', detail: expect.objectContaining(detail) }])

  // whoever keeps and purges there ends the hold, and the purge tells them
  expect(await retention('release', { study_id: exams.patient, reason: 'Closed' })).toEqual({ status: 'OK' })
  expect(await retention('date', { study_id: exams.patient, retain_until: '', reason: 'Closed' })).toEqual({
    status: 'OK',
  })
  await purge(services, new Date(Date.now() + 40 * day))
  const gone = ((await retention('purged')).exams as { study_id: string }[]).map((one) => one.study_id)
  expect(gone.toSorted()).toEqual([exams.plain, exams.unnamed, exams.patient].toSorted())
  // the bin of those who work nowhere else stays the closed organisation's
  expect(
    await query(
      `select from audit where object_uuid = '${left.uuid}' and account_uuid = '${uuid}' and action = 'PURGE'`,
    ),
  ).toHaveLength(1)
})

test('deleted personal exams of somebody who is taken in elsewhere later go along then', async () => {
  const { uuid, admin, person } = await makeClosing()
  const exams = await makeBin(uuid, person)
  expect(await close(admin, uuid)).toBe('OK')
  const places = (account: string) =>
    query<{ uuid: string }>(
      `select uuid from study where account_uuid = '${account}' and phi_namespace = '${person.namespaceUuid}'`,
    )
  expect(await places(uuid)).toHaveLength(5)
  const place = { account_uuid: first.accountUuid, account: 'First', role_uuid: first.roles.get('Administrator') ?? '' }
  const known = (await listUsersForOperator(services.db)).find((one) => one.uuid === person.userUuid)
  const by = { db: services.db, machineUser: 'root' }
  await addAdministrator(by, place, { known, email: person.email, first: 'Ada', last: 'Person' })
  expect((await places(first.accountUuid)).map((one) => one.uuid).toSorted()).toEqual(Object.values(exams).toSorted())
  expect(await query(`select hold_reason from study where uuid = '${exams.patient}'`)).toEqual([
    { hold_reason: 'Court, file 7' },
  ])
})

test('a personal study of one of its people keeps it open', async () => {
  const { uuid, admin, person } = await makeClosing()
  await makeStudy(services.db, { namespaceUuid: person.namespaceUuid, accountUuid: uuid })
  expect(await close(admin, uuid)).toBe('NOT_EMPTY')
})

test('a system administrator closes any organisation, nobody else one of others', async () => {
  const { uuid, person } = await makeClosing()
  const system = await first.addPerson()
  const stranger = await first.addPerson({ role: 'Administrator' })
  expect((await call('account/delete', { uuid })).status).toBe(401)
  expect(await close(person, uuid)).toBe('NOT_PERMITTED')
  expect(await close(stranger, uuid)).toBe('NOT_FOUND')
  await query(`update app_user set sysadmin = true where uuid = '${system.userUuid}'`)
  // as the public client spells it
  expect((await call('account/delete/', { sid: system.sid, uuid })).body.status).toBe('OK')
})

test('an organisation that someone who looks after the installation belongs to alone stays open', async () => {
  const { uuid, admin, person } = await makeClosing()
  await query(`update app_user set support = true where uuid = '${person.userUuid}'`)
  expect(await close(admin, uuid)).toBe('NOT_PERMITTED SYSTEM_ADMINISTRATOR')
  expect(await isLive(person)).toBe(true)
})

test('the last organisation is never closed, however many ask at once', async () => {
  await query(`update account set closed_at = now() where uuid <> '${first.accountUuid}'`)
  await query('update app_user set sysadmin = false, support = false')
  const other = await makeClosing()
  const admin = await first.addPerson({ role: 'Administrator' })
  const outcomes = await Promise.all([close(admin, first.accountUuid), close(other.admin, other.uuid)])
  expect(outcomes.filter((one) => one === 'OK')).toHaveLength(1)
  expect(outcomes).toContain('NOT_PERMITTED LAST_ACCOUNT')
})
