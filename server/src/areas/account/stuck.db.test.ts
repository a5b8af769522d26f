import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { makeCertificate } from '../../../test/made-certificate.ts'
import { makeDestination } from '../../../test/make-destination.ts'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { callWebhook } from '../webhook/call-webhook.job.ts'

const { services, call, query } = await startTestApp({
  HILUM_SMTP_URL: 'smtp://mail.example',
  HILUM_MAIL_FROM: 'hilum@mail.example',
})
const organisation = await makeOrganisation(services.db)
const elsewhere = await makeOrganisation(services.db, { name: 'Elsewhere' })
const administrator = await organisation.addPerson({ role: 'Administrator' })
const stranger = await elsewhere.addPerson({ role: 'Administrator' })
const { accountUuid } = organisation
const ample = { level: 'ample', freeBytes: 5, totalBytes: 100, reserveBytes: 10 } as const
Object.assign(services, { disk: { ...services.disk, look: async () => ample } })

beforeEach(async () => {
  for (const table of ['audit', 'work', 'mail', 'push']) await query(`delete from ${table}`)
})

type Fact = Record<string, unknown>
const ask = async (sid = administrator.sid, account = accountUuid) =>
  (await call('account/stuck', { sid, account_id: account })).body
const stuck = async (sid?: string, account?: string) => (await ask(sid, account)).stuck as Fact[]
const codes = async () => (await stuck()).map(({ code }) => code)

async function addClockWork(job: string, more: { minutes?: number; error?: string } = {}): Promise<void> {
  const error = more.error ? `'${more.error}'` : 'null'
  await query(`insert into work (uuid, job, payload, lane, by_clock, run_at, error, message)
    values (gen_random_uuid(), '${job}', '{}', '${job}', true, now() - interval '${more.minutes ?? 0} minutes',
      ${error}, 'SECRET of somebody')`)
}

it('is for administrators of the account alone, by the server’s own word', async () => {
  expect(await ask()).toMatchObject({ status: 'OK', stuck: [] })
  for (const role of ['Clinician', 'Uploader'] as const) {
    const { sid } = await organisation.addPerson({ role })
    expect([role, await ask(sid)]).toMatchObject([role, { error_type: 'NOT_PERMITTED' }])
  }
  expect(await ask(stranger.sid)).toMatchObject({ error_type: 'NOT_FOUND' })
  expect((await call('account/stuck', { account_id: accountUuid })).body.status).toBe('ERROR')
})

it('tells of work by the clock that failed or that nobody takes, without the words of the failure', async () => {
  await addClockWork('purge', { error: 'FAILED' })
  await addClockWork('sweep-links', { minutes: 9 })
  await addClockWork('a-job-of-before', { minutes: 900, error: 'FAILED' })
  const facts = await stuck()
  expect(facts).toMatchObject([{ code: 'CLOCK_WORK_FAILED', name: 'purge', since: expect.stringMatching(/\+00$/) }])
  expect(JSON.stringify(facts)).not.toContain('SECRET')
  await addClockWork('seal-audit', { minutes: 11 })
  await addClockWork('sweep-caches', { minutes: 30 })
  expect(await stuck()).toMatchObject([{ code: 'WORK_NOT_TAKEN', count: 2 }, { code: 'CLOCK_WORK_FAILED' }])
  await query(`update work set error = null, run_at = now()`)
  expect(await stuck()).toEqual([])
})

it('tells of an audit record that is not sealed for more than an hour', async () => {
  const add = (minutes: number) =>
    query(`insert into audit (account_uuid, actor_name, action, type, at)
      values ('${accountUuid}', '', 'VIEW', 'STUDY', now() - interval '${minutes} minutes')`)
  await add(50)
  expect(await codes()).toEqual([])
  await add(70)
  expect(await stuck()).toMatchObject([{ code: 'AUDIT_NOT_SEALED', since: expect.stringMatching(/\+00$/) }])
})

it('counts mails and pushes of the own account alone, and pushes while their exam and destination are there', async () => {
  const addMail = (account: string) =>
    query(`insert into mail (uuid, account_uuid, recipient, subject, body, last_error)
      values (gen_random_uuid(), '${account}', 'one@example', 'A', 'b', 'refused')`)
  const addPush = async (of: typeof organisation, name: string) => {
    const group = await of.addGroup()
    const place = { namespaceUuid: group.namespaceUuid, accountUuid: of.accountUuid }
    const study = await makeStudy(services.db, place)
    const destination = await makeDestination({ query }, of.accountUuid, { name, title: name })
    await query(`insert into push (phi_namespace, study_uuid, destination_uuid, uuid, account_uuid, destination_name, status)
      values ('${group.namespaceUuid}', '${study.uuid}', '${destination.uuid}', '${randomUUID()}', '${of.accountUuid}', 'old', 'F')`)
    return { study, destination }
  }
  for (const account of [accountUuid, accountUuid, elsewhere.accountUuid]) await addMail(account)
  const north = await addPush(organisation, 'NORTH')
  const south = await addPush(organisation, 'SOUTH')
  await addPush(elsewhere, 'FOREIGN')
  const pushes = (name: string) => ({ code: 'PUSHES_FAILED', name, count: 1 })
  const mails = (count: number) => ({ code: 'MAILS_NOT_SENT', name: '', count })
  expect(await stuck()).toMatchObject([pushes('NORTH'), pushes('SOUTH'), mails(2)])
  expect(await stuck(stranger.sid, elsewhere.accountUuid)).toMatchObject([pushes('FOREIGN'), mails(1)])
  await query(`update destination set deleted_at = now() where uuid = '${south.destination.uuid}'`)
  await query(`update study set deleted_at = now() where uuid = '${north.study.uuid}'`)
  expect(await codes()).toEqual(['MAILS_NOT_SENT'])
})

it('tells of webhooks of the own account all of whose calls failed for a day, and mails its administrators once', async () => {
  const add = async (name: string, columns: string, account = accountUuid) => {
    const uuid = randomUUID()
    await query(`insert into webhook (uuid, account_uuid, name, event, url, method, parameters, sealed_secret, suspended, failing_since)
      select '${uuid}', '${account}', '${name}', 'STUDY_EDIT', 'https://127.0.0.1:9/', 'POST', '{}', '', ${columns}`)
    return uuid
  }
  /** A call that failed, so many hours ago. */
  const fail = (webhook: string, hours: number) =>
    query(`with told as (
        insert into webhook_delivery (uuid, webhook_uuid, event, state, created)
        values (gen_random_uuid(), '${webhook}', 'STUDY_EDIT', 'failed', now() - interval '${hours} hours')
        returning uuid
      )
      insert into webhook_attempt (delivery_uuid, number, at, status, error, milliseconds)
      select uuid, 1, now() - interval '${hours} hours', 500, 'HTTP_STATUS', 5 from told`)
  const failing = await add('Registry', `false, now() - interval '25 hours'`)
  for (const hours of [25, 0]) await fail(failing, hours)
  await add('Since this morning', `false, now() - interval '23 hours'`)
  await fail(await add('Switched off', `true, now() - interval '25 hours'`), 0)
  await fail(await add('Foreign', `false, now() - interval '25 hours'`, elsewhere.accountUuid), 0)
  // called seldom: nobody knows whether the next call goes well
  await fail(await add('Failed once', `false, now() - interval '9 days'`), 9 * 24)
  expect(await stuck()).toMatchObject([
    { code: 'WEBHOOK_FAILS', name: 'Registry', since: expect.stringMatching(/\+00$/) },
  ])
  const callOnce = async () => {
    const deliveryUuid = randomUUID()
    await query(
      `insert into webhook_delivery (uuid, webhook_uuid, event) values ('${deliveryUuid}', '${failing}', 'STUDY_EDIT')`,
    )
    await query(
      `update webhook set sealed_secret = decode('${services.sealer.seal('s', failing).toString('hex')}', 'hex') where uuid = '${failing}'`,
    )
    await callWebhook(services, { deliveryUuid }, { signal: new AbortController().signal })
  }
  await callOnce()
  await callOnce()
  expect(await query(`select account_uuid, recipient, subject from mail`)).toEqual([
    { account_uuid: accountUuid, recipient: administrator.email, subject: expect.stringContaining('webhook') },
  ])
  const saved = { sid: administrator.sid, uuid: failing, name: 'Registry of the north' }
  expect((await call('webhook/set', saved)).body.status).toBe('OK')
  expect(await stuck()).toEqual([])
})

it('has work by the clock that failed run at once, on record, and nothing else', async () => {
  const retry = (job: string, sid = administrator.sid) =>
    call('account/stuck/retry', { sid, account_id: accountUuid, job }).then(({ body }) => body)
  const isDue = async (job: string) =>
    (await query<{ due: boolean }>(`select run_at <= now() as due from work where job = '${job}'`))[0]?.due
  await addClockWork('purge', { minutes: -600, error: 'FAILED' })
  await addClockWork('sweep-links', { minutes: -600 })
  const { sid } = await organisation.addPerson({ role: 'Clinician' })
  expect(await retry('purge', sid)).toMatchObject({ error_type: 'NOT_PERMITTED' })
  expect(await retry('purge', stranger.sid)).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(await isDue('purge')).toBe(false)
  expect(await retry('sweep-links')).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(await retry('a-job-of-nobody')).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(await retry('purge')).toMatchObject({ status: 'OK' })
  expect([await isDue('purge'), await isDue('sweep-links')]).toEqual([true, false])
  expect(await query(`select action, type, object_uuid, detail from audit where action = 'EDIT'`)).toEqual([
    { action: 'EDIT', type: 'Account', object_uuid: accountUuid, detail: { work_run_at_once: 'purge' } },
  ])
  // told until it has run well
  expect(await codes()).toEqual(['CLOCK_WORK_FAILED'])
})

it('dismisses the failed pushes to a destination, on record, until one fails again', async () => {
  const { namespaceUuid } = await organisation.addGroup()
  const study = await makeStudy(services.db, { namespaceUuid, accountUuid })
  const [north, south] = [
    await makeDestination({ query }, accountUuid, { name: 'NORTH', title: 'NORTH_2' }),
    await makeDestination({ query }, accountUuid, { name: 'SOUTH', title: 'SOUTH_2' }),
  ]
  for (const { uuid } of [north, south])
    await query(`insert into push (phi_namespace, study_uuid, destination_uuid, uuid, account_uuid, destination_name, status)
      values ('${namespaceUuid}', '${study.uuid}', '${uuid}', '${randomUUID()}', '${accountUuid}', 'old', 'F')`)
  const dismiss = async (destination: string, sid = administrator.sid, account = accountUuid) =>
    (await call('account/stuck/dismiss', { sid, account_id: account, destination_id: destination })).body
  const named = async () => (await stuck()).map(({ name, destination_id: id }) => [name, id])
  expect(await named()).toEqual([
    ['NORTH', north.uuid],
    ['SOUTH', south.uuid],
  ])
  expect(await dismiss(north.uuid, stranger.sid, elsewhere.accountUuid)).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(await dismiss(north.uuid)).toMatchObject({ status: 'OK' })
  expect(await named()).toEqual([['SOUTH', south.uuid]])
  expect(await dismiss(north.uuid)).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(
    await query(`select action, detail from audit where type = 'Destination' and object_uuid = '${north.uuid}'`),
  ).toEqual([{ action: 'EDIT', detail: { failed_pushes_shown: [1, 0] } }])
  await query(`update push set updated = now() + interval '1 second' where destination_uuid = '${north.uuid}'`)
  expect(await named()).toHaveLength(2)
})

it('tells of disk, certificate and database until their cause is gone, gravest first', async () => {
  const folder = join(services.config.dataFolder, 'shown')
  const look = async () => ({ ...ample, level: 'very-low' as const })
  const disk = services.disk
  Object.assign(services, {
    disk: { ...disk, look },
    connections: { fault: () => 'full of connections', close: async () => undefined },
  })
  services.certificate.note((await makeCertificate(folder, 'localhost', -1)).cert)
  const facts = await stuck()
  expect(facts.map(({ code }) => code)).toEqual(['DATABASE_REFUSES', 'CERTIFICATE_OVER', 'DISK_VERY_LOW'])
  expect(facts[1]?.since).toBe(facts[1]?.certificate_ends)
  expect(facts[2]).toMatchObject({ free_bytes: 5, total_bytes: 100 })
  services.certificate.note((await makeCertificate(folder, 'localhost', 90)).cert)
  Object.assign(services, { disk, connections: undefined })
  expect(await codes()).toEqual([])
})

it('job/list marks work that is stuck and gives it first', async () => {
  const add = (name: string, columns: string) =>
    query(`insert into work (uuid, job, payload, lane, account_uuid, state, run_at, error, created)
      select gen_random_uuid(), '${name}', '{}', '${name}', '${accountUuid}', ${columns}`)
  await add('given-up', `'failed', now(), 'FAILED', now() - interval '3 hours'`)
  await add('again', `'waiting', now() + interval '1 hour', 'FAILED', now() - interval '2 hours'`)
  await add('late', `'waiting', now() - interval '11 minutes', null, now() - interval '1 hour'`)
  await add('due', `'waiting', now() - interval '9 minutes', null, now()`)
  await add('planned', `'waiting', now() + interval '1 day', null, now() - interval '1 minute'`)
  await add('over', `'cancelled', now() - interval '1 day', 'CANCELLED', now() - interval '2 minutes'`)
  const { work } = (await call('job/list', { sid: administrator.sid, account_id: accountUuid })).body
  expect((work as Fact[]).map(({ job, is_stuck: isStuck }) => [job, isStuck])).toEqual([
    ['late', 1],
    ['again', 1],
    ['given-up', 1],
    ['due', 0],
    ['planned', 0],
    ['over', 0],
  ])
  const jobs = async (more: object) => {
    const { body } = await call('job/list', { sid: administrator.sid, account_id: accountUuid, ...more })
    return [(body.work as { job: string }[]).map(({ job }) => job), body.page]
  }
  const page = { rows: 2, number: 1, total: 3 }
  expect(await jobs({ 'filter.is_stuck.equals': 1, 'page.rows': 2 })).toEqual([['late', 'again'], { ...page, more: 1 }])
  const second = { 'filter.is_stuck.equals': 1, 'page.rows': 2, 'page.number': 2 }
  expect(await jobs(second)).toEqual([['given-up'], { ...page, number: 2, more: 0 }])
  // what ended undone is as old as its end
  expect((await jobs({ 'filter.is_stuck.equals': 0, sort_by: 'since-asc' }))[0]).toEqual(['planned', 'due', 'over'])
  expect((await jobs({ 'filter.is_stuck.equals': 1, sort_by: 'since-desc' }))[0]).toEqual(['given-up', 'late', 'again'])
})

it('tells of clocks of server and database that differ, by how much, and of none that agree', async () => {
  const real = Date.now
  for (const [ahead, found] of [
    [3_000, []],
    [65_000, [{ code: 'CLOCKS_DIFFER', count: expect.toSatisfy((count: number) => count >= 50 && count <= 66) }]],
    [-65_000, [{ code: 'CLOCKS_DIFFER', count: expect.toSatisfy((count: number) => count >= 50 && count <= 66) }]],
  ] as const) {
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => real() + ahead)
    const facts = (await stuck()).filter(({ code }) => code === 'CLOCKS_DIFFER')
    clock.mockRestore()
    expect(facts).toMatchObject(found)
  }
})

it('tells of certificates of destinations that are over or end soon, of the own account alone', async () => {
  const made = async (days: number) =>
    (await makeCertificate(join(services.config.dataFolder, `peer${days}`), 'peer', days)).cert
  const [over, soon, ample] = [await made(-1), await made(20), await made(200)]
  const keep = async (account: string, name: string, cert: string, usesTls = true) => {
    const { uuid } = await makeDestination({ query }, account, { name, title: name })
    await query(`update destination set uses_tls = ${usesTls}, tls_certificate = '${cert}' where uuid = '${uuid}'`)
    return uuid
  }
  const own = [await keep(accountUuid, 'OVER', over), await keep(accountUuid, 'SOON', soon)]
  await keep(accountUuid, 'AMPLE', ample)
  // an old one beside its successor does no harm, and without TLS nobody looks at it
  await keep(accountUuid, 'BOTH', `${over}\n${ample}`)
  await keep(accountUuid, 'PLAIN', over, false)
  await keep(elsewhere.accountUuid, 'FOREIGN', over)
  const told = await stuck()
  expect(told).toMatchObject([
    {
      code: 'DESTINATION_CERTIFICATE_OVER',
      name: 'OVER',
      destination_id: own[0],
      since: expect.stringMatching(/\+00$/),
    },
    { code: 'DESTINATION_CERTIFICATE_ENDS', name: 'SOON', destination_id: own[1], since: null },
  ])
  for (const { certificate_ends } of told) expect(certificate_ends).toMatch(/^\d{4}-\d\d-\d\d .*\+00$/)
})
