import { expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
let made = 0

/** An organisation, its name, and the ways in which its administrator connects it. */
async function makeSide() {
  const name = `Clinic ${++made}`
  const organisation = await makeOrganisation(services.db, { name })
  const { sid, email } = await organisation.addPerson({ role: 'Administrator' })
  const account_id = organisation.accountUuid
  const act = async (path: string, sent: object = {}) =>
    (await call(`account/connect/${path}`, { sid, account_id, ...sent })).body
  const connections = async () => (await act('list')).connections
  const mails = () =>
    query<{ subject: string; body: string }>(`select subject, body from mail where recipient = '${email}'`)
  const history = () =>
    query<{ action: string; detail: { with: string } }>(
      `select action, detail from audit where account_uuid = '${account_id}' and type = 'Account_connection' order by id`,
    )
  return { name, organisation, act, connections, mails, history }
}

it('connects two organisations, one asking and the other accepting, on record and told on both sides', async () => {
  const [one, two] = [await makeSide(), await makeSide()]
  const asked = await one.act('ask', { account_name: ` ${two.name.toUpperCase()} `, message: ' We refer patients. ' })
  expect(asked).toMatchObject({ status: 'OK', uuid: expect.any(String) })
  expect(await one.connections()).toMatchObject([{ account_name: two.name, state: 'asking' }])
  expect(await two.connections()).toMatchObject([
    { uuid: asked.uuid, account_name: one.name, state: 'asked', message: 'We refer patients.', connected_at: null },
  ])
  // nobody accepts what was asked for by oneself
  expect(await one.act('accept', { uuid: asked.uuid })).toMatchObject({ error_type: 'NOT_FOUND' })
  expect((await two.act('accept', { uuid: asked.uuid })).status).toBe('OK')
  expect((await two.act('accept', { uuid: asked.uuid })).status).toBe('OK')
  expect(await one.connections()).toMatchObject([{ state: 'connected', connected_at: expect.any(String) }])
  expect((await one.act('end', { uuid: asked.uuid })).status).toBe('OK')
  expect(await one.act('end', { uuid: asked.uuid })).toMatchObject({ error_type: 'NOT_FOUND' })
  for (const [side, other] of [
    [one, two],
    [two, one],
  ] as const) {
    expect(await side.connections()).toEqual([])
    expect(await side.history()).toEqual(
      ['CREATE', 'CONNECT', 'DELETE'].map((action) => ({ action, detail: { with: other.name } })),
    )
  }
  expect((await two.mails()).map(({ subject }) => subject)).toEqual([
    'An organisation asks to be connected',
    'A connection has ended',
  ])
  const mails = [...(await one.mails()), ...(await two.mails())]
  expect(mails).toHaveLength(3)
  for (const { subject, body } of mails) expect(subject + body).not.toMatch(/Clinic \d|patients|Ada/)
})

it('connects at once two that ask each other, and does not ask twice', async () => {
  const [one, two] = [await makeSide(), await makeSide()]
  const { uuid } = await one.act('ask', { account_name: two.name })
  expect(await one.act('ask', { account_name: two.name })).toMatchObject({
    error_type: 'ALREADY_EXISTS',
    error_subtype: uuid,
  })
  expect(await two.act('ask', { account_name: one.name })).toMatchObject({ uuid })
  expect(await two.connections()).toMatchObject([{ uuid, state: 'connected' }])
  const asked = await Promise.all(
    [await makeSide(), await makeSide()].map((side) => side.act('ask', { account_name: one.name })),
  )
  expect(asked.map(({ status }) => status)).toEqual(['OK', 'OK'])
})

it('names nobody who is not there, nor oneself, and lets nobody try many names', async () => {
  const side = await makeSide()
  const ask = (account_name: string, message = '') => side.act('ask', { account_name, message })
  expect(await ask('No such clinic')).toMatchObject({ error_type: 'NOT_FOUND', error_subtype: 'account_name' })
  expect(await ask(side.name)).toMatchObject({ error_type: 'INVALID_FIELD', error_subtype: 'account_name' })
  expect(await ask('x', 'x'.repeat(501))).toMatchObject({ error_type: 'INVALID_FIELD', error_subtype: 'message' })
  for (let tries = 2; tries < 10; tries++) expect((await ask('No such clinic')).error_type).toBe('NOT_FOUND')
  expect((await ask('No such clinic')).error_type).toBe('LOCKOUT')
  const clinician = await side.organisation.addPerson({ role: 'Staff' })
  const { body } = await call('account/connect/list', { sid: clinician.sid, account_id: side.organisation.accountUuid })
  expect(body.error_type).toBe('NOT_PERMITTED')
})

it('leaves the connections of others alone', async () => {
  const [one, two, other] = [await makeSide(), await makeSide(), await makeSide()]
  const { uuid } = await one.act('ask', { account_name: two.name })
  for (const act of ['accept', 'end']) expect((await other.act(act, { uuid })).error_type).toBe('NOT_FOUND')
  expect(await two.connections()).toMatchObject([{ uuid, state: 'asked' }])
})

it('keeps the default end of access and the share code of the organisation, which nobody else may have', async () => {
  const [one, two] = [await makeSide(), await makeSide()]
  expect(await one.act('defaults')).toMatchObject({ expires: 0, share_code: '' })
  const code = `CLINIC-${made}`
  expect(await one.act('defaults', { expires: 10_080, share_code: ` ${code} ` })).toMatchObject({
    expires: 10_080,
    share_code: code,
  })
  expect(await one.act('defaults', { expires: -1 })).toMatchObject({ error_type: 'INVALID_FIELD' })
  expect(await two.act('defaults', { share_code: code.toLowerCase() })).toMatchObject({
    error_type: 'INVALID_FIELD',
    error_subtype: 'share_code',
  })
  const { body } = await call('namespace/share_code', { share_code: code })
  expect(body).toMatchObject({ share_type: 'account', share_name: one.name })
  expect(await one.act('defaults', { share_code: '' })).toMatchObject({ expires: 10_080, share_code: '' })
  expect((await call('namespace/share_code', { share_code: code })).body.error_type).toBe('NOT_FOUND')
})
