import { randomUUID } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { makeDemo } from '../../demo/make-demo.ts'
import { createUser } from '../user/create-user.command.ts'

const { services, call, query } = await startTestApp()
const demoUsers = await makeDemo(services)
const organisation = await makeOrganisation(services.db)
const second = await makeOrganisation(services.db)
const [demoAccount] = await query<{ uuid: string }>('select uuid from account where is_demo')
const demoUuid = demoAccount?.uuid ?? ''

const tokenForm = /reset-password\/([\w-]{43})/
const signIn = async (email: string, password: string): Promise<string> =>
  (await call('session/login', { login: email, password })).body.sid
const demoAdmin = demoUsers.find((user) => user.role === 'Administrator')
const demoSid = await signIn(demoAdmin?.email ?? '', demoAdmin?.password ?? '')
const readOutbox = async (sid: string, account_id: string) =>
  (await call('mail/outbox', { sid, account_id })).body.mails
const joinAccount = async (userUuid: string, account: { accountUuid: string; roles: ReadonlyMap<string, string> }) =>
  query(`insert into account_user (account_uuid, user_uuid, role_uuid)
    values ('${account.accountUuid}', '${userUuid}', '${account.roles.get('Viewer')}')`)

it.each(['Viewer', 'Administrator'])('shows no administrator of any account the link of a %s', async (role) => {
  const person = await organisation.addPerson({ role })
  await joinAccount(person.userUuid, second)
  const admins = [
    await organisation.addPerson({ role: 'Administrator' }),
    await second.addPerson({ role: 'Administrator' }),
  ]
  await call('user/password/lost', { email: person.email })
  for (const admin of admins) {
    for (const { accountUuid } of [organisation, second]) {
      const reply = await call('mail/outbox', { sid: admin.sid, account_id: accountUuid })
      expect(JSON.stringify(reply.body)).not.toMatch(tokenForm)
    }
  }
  const [mail] = await readOutbox(admins[0]?.sid ?? '', organisation.accountUuid)
  expect(mail).toMatchObject({ recipient: person.email, body: expect.stringContaining('users reset-link') })
})

it('lists the mails of the last 90 days that left or came back, by address, and tells their text no more', async () => {
  const place = await makeOrganisation(services.db)
  const admin = await place.addPerson({ role: 'Administrator' })
  const put = (recipient: string, more: string) =>
    query(`insert into mail (uuid, account_uuid, recipient, subject, body, created, ${more.split('=')[0]})
      values (gen_random_uuid(), '${place.accountUuid}', '${recipient}', 'An exam', 'Text', now() - interval '89 days', ${more.split('=')[1]})`)
  await put('Waits@clinic.example', 'sent_at=null')
  await put('Sent@clinic.example', 'sent_at=now()')
  await put('back@clinic.example', 'returned_at=now()')
  await put('old@clinic.example', 'sent_at=now()')
  await query(`update mail set created = now() - interval '91 days' where recipient = 'old@clinic.example'`)
  const found = async (more: object) =>
    (
      (await call('mail/outbox', { sid: admin.sid, account_id: place.accountUuid, ...more })).body.mails as {
        recipient: string
        body: string
        sent_at: string | null
        returned_at: string | null
      }[]
    ).toSorted((a, b) => (a.recipient < b.recipient ? -1 : 1))
  expect(await found({ left: 1 })).toMatchObject([
    { recipient: 'Sent@clinic.example', body: '', sent_at: expect.any(String), returned_at: null },
    { recipient: 'back@clinic.example', body: '', sent_at: null, returned_at: expect.any(String) },
  ])
  expect(await found({ left: 1, search: 'SENT@' })).toMatchObject([{ recipient: 'Sent@clinic.example' }])
  expect((await found({})).map(({ recipient }) => recipient)).toContain('Waits@clinic.example')
  expect(await found({ left: 1, search: 'nobody' })).toEqual([])
  await query(`update mail set returned_at = now() - interval '1 minute' where recipient = 'back@clinic.example'`)
  const sorted = async (sort_by: string) => {
    const { body } = await call('mail/outbox', { sid: admin.sid, account_id: place.accountUuid, left: 1, sort_by })
    return (body.mails as { recipient: string }[]).map(({ recipient }) => recipient)
  }
  expect(await sorted('recipient-desc')).toEqual(['Sent@clinic.example', 'back@clinic.example'])
  expect(await sorted('recipient-asc')).toEqual(['back@clinic.example', 'Sent@clinic.example'])
  // a mail that came back counts by when it did
  expect(await sorted('sent_at-desc')).toEqual(['Sent@clinic.example', 'back@clinic.example'])
})

it('keeps no link in any table', async () => {
  const { email } = await organisation.addPerson()
  await call('user/password/lost', { email })
  const tables = await query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`,
  )
  for (const { name } of tables) {
    const rows = await query(`select 1 from "${name}" t where t::text ~ 'reset-password/[A-Za-z0-9_-]{20}'`)
    expect([name, rows]).toEqual([name, []])
  }
})

it('shows the link in the demo organisation, until it has expired', async () => {
  const person = demoUsers.find((user) => user.role === 'Viewer')
  await call('user/password/lost', { email: person?.email })
  const [mail] = await readOutbox(demoSid, demoUuid)
  const token = tokenForm.exec(mail.body)?.[1]
  expect((await call('user/password/reset/check', { token })).status).toBe(200)
  await query(`update mail set secret_expires_at = now() where uuid = '${mail.uuid}'`)
  expect((await readOutbox(demoSid, demoUuid))[0].body).toContain('The link has expired.')
})

it('shows in the demo organisation the link that somebody outside is mailed, and it opens the exam or the request', async () => {
  const [group] = await query<{ namespace_uuid: string; uuid: string }>(
    `select namespace_uuid, uuid from app_group where account_uuid = '${demoUuid}' and designation = 'CLOUD' order by name limit 1`,
  )
  const namespaceUuid = group?.namespace_uuid ?? ''
  await query(`insert into group_user (group_uuid, user_uuid)
    select '${group?.uuid}', uuid from app_user where email = '${demoAdmin?.email}' on conflict do nothing`)
  const study = await makeStudy(services.db, { namespaceUuid, accountUuid: demoUuid }, { patient_name: 'DOE^JANE' })
  const add = async (sent: object) =>
    expect((await call('link/add', { sid: demoSid, ...sent })).body).toMatchObject({ status: 'OK' })
  await add({ study_id: study.uuid, action: 'STUDY_VIEW', email: 'exam@clinic.example' })
  await add({ namespace_id: namespaceUuid, action: 'STUDY_UPLOAD', email: 'asked@clinic.example' })
  const mails: { recipient: string; body: string }[] = await readOutbox(demoSid, demoUuid)
  const open = async (recipient: string) => {
    const { body = '' } = mails.find((one) => one.recipient === recipient) ?? {}
    const [, token] = /\/link\/([\w-]{22})/.exec(body) ?? []
    return (await call('link/session', { token })).body.sid
  }
  const { body: shown } = await call('link/studies', { sid: await open('exam@clinic.example') })
  expect(shown.studies).toMatchObject([{ study_uid: study.study_uid }])
  const { body: asked } = await call('link/request', { sid: await open('asked@clinic.example') })
  expect(asked).toMatchObject({ status: 'OK', namespace_name: expect.any(String) })
})

it('hides the link once it was used', async () => {
  const person = demoUsers.find((user) => user.role === 'Staff')
  await call('user/password/lost', { email: person?.email })
  const [mail] = await readOutbox(demoSid, demoUuid)
  const token = tokenForm.exec(mail.body)?.[1]
  expect((await call('user/password/reset', { token, password: 'cobalt93willow' })).status).toBe(200)
  expect((await readOutbox(demoSid, demoUuid))[0].body).not.toMatch(tokenForm)
})

it.each([
  ['belongs to another account too', (uuid: string) => joinAccount(uuid, organisation)],
  [
    'belongs to another account, disabled there',
    async (uuid: string) => {
      await joinAccount(uuid, organisation)
      await query(`update account_user set disabled = true where user_uuid = '${uuid}'
        and account_uuid = '${organisation.accountUuid}'`)
    },
  ],
  ['runs the installation', (uuid: string) => query(`update app_user set sysadmin = true where uuid = '${uuid}'`)],
  ['supports the installation', (uuid: string) => query(`update app_user set support = true where uuid = '${uuid}'`)],
])('shows no link in the demo organisation to somebody who %s', async (_case, change) => {
  const [role] = await query<{ uuid: string }>(
    `select uuid from role where account_uuid = '${demoUuid}' and name = 'Viewer'`,
  )
  const email = `${crypto.randomUUID()}@hospital.example`
  const { userUuid } = await services.db.transaction().execute((tx) =>
    createUser(tx, {
      accountUuid: demoUuid,
      roleUuid: role?.uuid ?? '',
      email,
      first: 'Two',
      last: 'Places',
      password: 'cobalt93willow',
    }),
  )
  await change(userUuid)
  await call('user/password/lost', { email })
  const [mail] = await readOutbox(demoSid, demoUuid)
  // whichever account the mail is filed under
  expect(mail.recipient === email ? mail.body : '').not.toMatch(tokenForm)
})

it('lists a mail that waits for the mail server before it was tried, where it can be cancelled, and none whose time is over', async () => {
  const place = await makeOrganisation(services.db)
  const admin = await place.addPerson({ role: 'Administrator' })
  const put = async (recipient: string, over: boolean) => {
    const uuid = randomUUID()
    await query(`insert into mail (uuid, account_uuid, recipient, subject, body, sealed_secret, secret_expires_at)
      values ('${uuid}', '${place.accountUuid}', '${recipient}', 'A code', 'Text', '\\x01', now() + interval '${over ? -1 : 1} hour')`)
    return uuid
  }
  const waits = await put('waits@clinic.example', false)
  await put('over@clinic.example', true)
  const asked = { sid: admin.sid, account_id: place.accountUuid }
  const { smtpUrl } = services.config
  Object.assign(services.config, { smtpUrl: 'smtp://127.0.0.1:9' })
  onTestFinished(() => void Object.assign(services.config, { smtpUrl }))
  const listed = async (more = {}) =>
    (await call('mail/outbox', { ...asked, ...more })).body.mails.map(
      ({ recipient }: { recipient: string }) => recipient,
    )
  expect(await listed()).toEqual(['waits@clinic.example'])
  expect((await call('mail/cancel', { ...asked, uuid: waits })).body.status).toBe('OK')
  expect(await listed()).toEqual([])
  expect(await listed({ left: 1 })).toEqual(['waits@clinic.example'])
})
