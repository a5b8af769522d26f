import { expect, it } from 'vitest'
import { goodPassword, makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const stranger = await organisation.addPerson()

/** Somebody who is signed in at so many places, the first of them the one that asks. */
async function signedIn(count: number) {
  const person = await organisation.addPerson()
  await query(`delete from session where user_uuid = '${person.userUuid}'`)
  const sids: string[] = []
  for (let number = 1; number <= count; number++) {
    const sent = { login: person.email, password: goodPassword }
    sids.push((await call('session/login', sent, { address: `198.51.100.${number}` })).body.sid)
  }
  return { ...person, sids, sid: sids[0] ?? '' }
}
const list = async (sid: string) => (await call('session/list', { sid }, { method: 'GET' })).body.sessions
const isIn = async (sid: string) => (await call('user/get', { sid })).status === 200
const statesOf = (sids: string[]) => Promise.all(sids.map(isIn))

it('lists where a person is signed in, the asking session first', async () => {
  const { sids, userUuid } = await signedIn(3)
  await query(`update session set last_used = now() - interval '5 minutes', user_agent = 'curl/8.5'
    where user_uuid = '${userUuid}' and client_address = '198.51.100.2'`)
  const sessions = await list(sids[1] ?? '')
  expect(sessions.map((one: { client_address: string }) => one.client_address)).toEqual([
    '198.51.100.2',
    '198.51.100.3',
    '198.51.100.1',
  ])
  const stamp = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/)
  expect(sessions[0]).toEqual({
    session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    is_current: 1,
    created: stamp,
    last_used: stamp,
    expires: stamp,
    client_address: '198.51.100.2',
    user_agent: 'curl/8.5',
    method: 'password',
  })
  expect(JSON.stringify(sessions)).not.toContain(sids[0])
})

it('lists neither sessions that are over, nor derived ones, nor those of others', async () => {
  const { sid, sids, userUuid } = await signedIn(4)
  const [, idle, expired, ended] = sids
  const after = (text: string, address: number) =>
    query(`update session set ${text} where user_uuid = '${userUuid}' and client_address = '198.51.100.${address}'`)
  await after("last_used = now() - interval '1 day'", 2)
  await after("expires_at = now() - interval '1 second'", 3)
  await call('session/logout', { sid: ended })
  await query(`insert into session (uuid, sid_digest, user_uuid, parent_uuid, studies, idle_minutes, expires_at)
    select gen_random_uuid(), '\\x01', user_uuid, uuid, '{}', 60, expires_at from session
    where user_uuid = '${userUuid}' and client_address = '198.51.100.1'`)
  expect(await statesOf([sid, idle ?? '', expired ?? ''])).toEqual([true, false, false])
  expect(await list(sid)).toHaveLength(1)
})

it('ends one session at once, on record, and no other', async () => {
  const { sid, sids, userUuid } = await signedIn(3)
  const wanted = (await list(sid)).find((one: { client_address: string }) => one.client_address === '198.51.100.3')
  expect((await call('session/end', { sid, session_id: wanted.session_id })).body).toEqual({ status: 'OK', ended: 1 })
  expect(await statesOf(sids)).toEqual([true, true, false])
  const again = await call('session/end', { sid, session_id: wanted.session_id })
  expect(again.body).toMatchObject({ error_type: 'NOT_FOUND', error_subtype: 'session_id' })
  const rows = await query(
    `select action, detail from audit where object_uuid = '${userUuid}' and action = 'SESSIONS_ENDED'`,
  )
  expect(rows).toEqual([{ action: 'SESSIONS_ENDED', detail: { sessions: 1 } }])
})

it('ends all others and keeps the asking one', async () => {
  const { sid, sids } = await signedIn(4)
  expect((await call('session/end', { sid, others: 1 })).body.ended).toBe(3)
  expect(await statesOf(sids)).toEqual([true, false, false, false])
  expect((await call('session/end', { sid, others: 1 })).body.ended).toBe(0)
})

it('ends nothing of another person', async () => {
  const { sid, sids } = await signedIn(2)
  const own = (await list(sid)).map((one: { session_id: string }) => one.session_id)
  for (const session_id of own) {
    expect((await call('session/end', { sid: stranger.sid, session_id })).body.error_type).toBe('NOT_FOUND')
  }
  await call('session/end', { sid: stranger.sid, others: 1 })
  expect(await statesOf(sids)).toEqual([true, true])
})

it.each([[{}], [{ others: 0 }], [{ others: 1, session_id: stranger.userUuid }]])('asks which one: %j', async (sent) => {
  const { sid, sids } = await signedIn(2)
  expect((await call('session/end', { sid, ...sent })).body.error_type).toBe('MISSING_FIELDS')
  expect(await statesOf(sids)).toEqual([true, true])
})

it('takes the cookie back from the browser that ends its own session', async () => {
  const { sid } = await signedIn(1)
  const [own] = await list(sid)
  const { cookie } = await call('session/end', { sid, session_id: own.session_id })
  expect(cookie).toContain('hilum_sid=; ')
  expect(await isIn(sid)).toBe(false)
})
