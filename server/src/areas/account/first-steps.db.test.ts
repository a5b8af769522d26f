import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { makeFirstAccount } from '../../demo/make-first-account.ts'
import { noteMailFailed, noteMailSent } from '../mail/mail.sql.ts'

const administrator = { email: 'head@hospital.example', password: '42lantern-boat' }
const { services, call, query } = await startTestApp({
  HILUM_ADMIN_EMAIL: administrator.email,
  HILUM_ADMIN_PASSWORD: administrator.password,
  HILUM_SMTP_URL: 'smtp://127.0.0.1:9',
  HILUM_MAIL_FROM: 'Hilum <hilum@hospital.example>',
  HILUM_SMTP_TLS: 'none',
  HILUM_DICOM_HOST: '0.0.0.0',
})
await makeFirstAccount(services)
const { sid } = (await call('session/login', { login: administrator.email, password: administrator.password })).body
const [account] = (await call('account/list', { sid })).body.accounts
const own = { sid, account_id: account.uuid as string }

async function look() {
  const { body } = await call('account/first/steps', own)
  const open = body.steps.filter((one: { done: number }) => one.done === 0).map((one: { step: string }) => one.step)
  return { ...body, open }
}

it('finds every step open in an installation that was started empty, but for its group', async () => {
  expect(account.settings).toMatchObject({ first_steps: 'open' })
  expect(await look()).toMatchObject({
    open: ['name', 'self', 'people', 'sender', 'mail', 'certificate', 'study'],
    group_count: 1,
    people_count: 1,
    titles: [{ group_name: 'Imaging Inbox', ae_title: 'HILUM', senders: [] }],
    has_smtp: 1,
    mail: { state: 'none' },
    certificate: { kind: 'self_signed' },
    study: null,
    dicom_host: '',
    dicom_is_local: 0,
  })
})

it('finds each step done once it is, and open again once it is undone', async () => {
  await call('account/set', { sid, uuid: account.uuid, name: 'St. Anne' })
  await call('user/set', { sid, first: 'Anna', last: 'Holm' })
  const [group] = (await call('group/list', own)).body.groups
  const setGroup = (change: object) => call('group/set', { sid, uuid: group.uuid, ...change })
  await setGroup({ dicom_allowed_peers: ['CT_1@10.0.0.0/8'] })
  const invited = { sid, uuid: account.uuid, email: 'ida@hospital.example', first: 'Ida', last: 'Holm' }
  await call('account/user/add', invited)
  expect(await look()).toMatchObject({
    open: ['mail', 'certificate', 'study'],
    invited_count: 1,
    titles: [{ senders: ['CT_1@10.0.0.0/8'] }],
  })
  // named senders do not reach a listener that is for this machine alone
  const { dicom } = services.config
  Object.assign(dicom, { host: '127.0.0.1' })
  expect(await look()).toMatchObject({
    open: ['sender', 'mail', 'certificate', 'study'],
    dicom_host: '127.0.0.1',
    dicom_is_local: 1,
  })
  Object.assign(dicom, { host: '0.0.0.0' })
  await setGroup({ dicom_ae_title: '' })
  await call('group/add', { ...own, name: 'Empty ward' })
  const again = await look()
  expect(again).toMatchObject({ open: ['group', 'sender', 'mail', 'certificate', 'study'], titles: [] })
  expect(again.unattended_groups).toEqual(['Empty ward'])
})

it('follows the test mail from the queue to the mail server’s answer', async () => {
  const tests = () =>
    query<{ uuid: string }>(`select uuid from mail where subject like 'Test of%' order by created desc`)
  expect((await call('mail/test', own)).body).toMatchObject({ recipient: administrator.email })
  expect((await look()).mail).toEqual({ state: 'waiting', recipient: administrator.email, error: '' })
  const [first] = await tests()
  await noteMailFailed(services.db, first?.uuid ?? '', 'Relay denied')
  expect(await look()).toMatchObject({ mail: { state: 'failed', error: 'Relay denied' } })
  await call('mail/test', own)
  const [second] = await tests()
  await noteMailSent(services.db, second?.uuid ?? '')
  const sent = await look()
  expect(sent.mail).toMatchObject({ state: 'sent' })
  expect(sent.open).not.toContain('mail')
  const acts = await query<{ count: number }>(`select count(*)::int as count from audit where action = 'TEST'`)
  expect(acts).toEqual([{ count: 2 }])
})

it('tells of the first study once images have come, not while it is announced', async () => {
  const [place] = await query<{ uuid: string; account_uuid: string }>(
    `select uuid, account_uuid from namespace where kind = 'group' and name = 'Imaging Inbox'`,
  )
  const uuid = randomUUID()
  await query(`insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, source,
      source_ae_title, arrival, created, updated)
    values ('${place?.uuid}', '${uuid}', '1.2.3', '${place?.uuid}', '${place?.account_uuid}', 'harvest',
      'CT_1', 'announced', now(), now())`)
  expect((await look()).study).toBeNull()
  await query(`update study set arrival = 'receiving' where uuid = '${uuid}'`)
  const { study, open } = await look()
  expect(study).toMatchObject({ place_name: 'Imaging Inbox', ae_title: 'CT_1', source: 'harvest' })
  expect(open).not.toContain('study')
  await query(`update study set deleted_at = now() where uuid = '${uuid}'`)
  expect((await look()).open).toContain('study')
})

it.each(['user', 'account'])('counts no exam in an inbox of a %s as the first that a group received', async (kind) => {
  const [place] = await query<{ uuid: string; account_uuid: string }>(
    `select uuid, account_uuid from namespace where kind = '${kind}' and account_uuid = '${account.uuid}' limit 1`,
  )
  if (!place) throw new Error('There is no such inbox')
  const { uuid } = await makeStudy(services.db, { namespaceUuid: place.uuid, accountUuid: place.account_uuid })
  const { study, open } = await look()
  expect([study, open.includes('study')]).toEqual([null, true])
  await query(`update study set deleted_at = now() where uuid = '${uuid}'`)
})

it('tells those who administer the organisation alone', async () => {
  const other = await makeOrganisation(services.db)
  const stranger = await other.addPerson({ role: 'Administrator' })
  const clinician = await other.addPerson()
  for (const path of ['account/first/steps', 'mail/test']) {
    expect((await call(path, { ...own, sid: stranger.sid })).body.error_type).toBe('NOT_FOUND')
    const asked = { sid: clinician.sid, account_id: other.accountUuid }
    expect((await call(path, asked)).body.error_type).toBe('NOT_PERMITTED')
    expect((await call(path, { account_id: other.accountUuid })).status).toBe(401)
  }
})

it('keeps whether the list was put away, and no other word', async () => {
  const set = (setting_first_steps: string) => call('account/set', { sid, uuid: account.uuid, setting_first_steps })
  expect((await set('later')).body.error_type).toBe('INVALID_SETTING_VALUE')
  expect((await set('dismissed')).status).toBe(200)
  expect((await call('account/get', { sid, uuid: account.uuid })).body.settings).toMatchObject({
    first_steps: 'dismissed',
  })
})
