import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { callApi } from '../api/call-api.ts'
import { freshSid, getSid } from '../api/credentials.ts'
import { sessionUuid } from '@hilum/contract/calls/session'
import { endSessionHere, resumeSession, signOut, switchAccount } from './establish-session.ts'
import { askToSignIn, enterPin, returnFromProvider, type Waiting } from './sign-in.ts'
import { putSession, readSession, type Session } from './session-store.ts'
import { readStoredSession, takePlace } from './stored-session.ts'
import { checkSession, pollTtl, watchSession } from './watch-session.ts'

const account = { uuid: 'acc', name: 'Northside', settings: {} }
const user = {
  uuid: 'u1',
  name: 'Ann Ray',
  email: 'ann@x.example',
  namespace_id: 'ns',
  ui_json: null,
  session_expire: 180,
}
const good: Record<string, unknown> = {
  'session/login': { sid: 'token-1', session_id: 'session-1', expires_in: 900 },
  'session/token': { sid: 'token-2', session_id: 'session-1', uuid: 'u1', expires_in: 900 },
  'session/user': user,
  'setting/get/all': { settings: { date_format: 'YYYY-MM-DD' } },
  'account/list': { accounts: [account] },
  'session/permissions': { status: 'OK', role_id: 'r', study_view: 1 },
  'session/ttl': { ttl: 10 },
  'session/logout': {},
  'session/uuid': { uuid: '' },
  'setting/set': {},
}
let asked: string[] = []
let replies: Record<string, Response | undefined> = {}

beforeEach(() => {
  asked = []
  replies = {}
  putSession({ status: 'signedOut' })
  vi.stubGlobal('fetch', (address: string) => {
    const path = address.replace('/api/v3/', '')
    asked.push(path)
    return Promise.resolve(replies[path]?.clone() ?? Response.json(good[path]))
  })
})
afterEach(() => vi.unstubAllGlobals())

const failure = (code: string) => Response.json({ status: 'ERROR', error_type: code }, { status: 412 })

test('[AUTH-12] [AUTH-13] establishing: login, user details, settings, permissions, in this order', async () => {
  const session = askToSignIn({ login: 'ann', password: 'x' })
  expect(readSession().status).toBe('signingIn')
  await session
  expect(asked).toEqual(['session/login', 'session/user', 'setting/get/all', 'account/list', 'session/permissions'])
  expect(readSession().status).toBe('established')
})

test('[ENTITY-02] the browser storage keeps the session', async () => {
  await askToSignIn({ login: 'ann', password: 'x' })
  expect(readStoredSession()).toEqual({ sessionId: 'session-1', userUuid: 'u1', accountUuid: 'acc' })
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toMatch(/token-/)
})

const sessionNow = () => {
  const state = readSession()
  return state.status === 'established' ? state.session : undefined
}

const other = { uuid: 'other', name: 'Southside', settings: {} }

test('switching accounts keeps the session, and takes up organisation and rights of the other account', async () => {
  replies['account/list'] = Response.json({ accounts: [account, other] })
  await askToSignIn({ login: 'ann', password: 'x' })
  replies['session/permissions'] = Response.json({ status: 'OK', role_id: 'r2', account_edit: 1 })
  asked = []
  await switchAccount('other')
  expect(asked).not.toContain('session/login')
  expect(readSession()).toMatchObject({
    status: 'established',
    session: {
      sessionId: 'session-1',
      account: { uuid: 'other', name: 'Southside' },
      permissions: { account_edit: 1 },
    },
  })
  expect(readStoredSession()).toEqual({ sessionId: 'session-1', userUuid: 'u1', accountUuid: 'other' })
  expect(asked).toContain('setting/set')
})

test('a tab stays in its organisation over a reload, whatever another tab of the session switched to', async () => {
  replies['account/list'] = Response.json({ accounts: [account, other] })
  replies['setting/get/all'] = Response.json({ settings: { last_account: 'acc' } })
  await askToSignIn({ login: 'ann', password: 'x' })
  const stored = JSON.parse(localStorage.getItem('hilum.session') ?? '') as object
  localStorage.setItem('hilum.session', JSON.stringify({ ...stored, accountUuid: 'other' }))
  expect(readStoredSession()).toMatchObject({ accountUuid: 'acc' })
  localStorage.removeItem('hilum.used')
  // a new tab begins where the session was, and so does one that was left by another session
  for (const left of ['', JSON.stringify({ sessionId: 'session-0', accountUuid: 'acc' })]) {
    sessionStorage.setItem('hilum.account', left)
    expect(readStoredSession()).toMatchObject({ accountUuid: 'other' })
  }
})

test('a new tab begins in the organisation of the tab that was used last, whichever tab switched last', async () => {
  replies['account/list'] = Response.json({ accounts: [account, other] })
  const stop = watchSession()
  await askToSignIn({ login: 'ann', password: 'x' })
  // another tab switches: its own storage of the tab is not this one's
  const ownBefore = sessionStorage.getItem('hilum.account') ?? ''
  await switchAccount('other')
  sessionStorage.removeItem('hilum.account')
  expect(readStoredSession()).toMatchObject({ accountUuid: 'other' })
  // and this one, where the person works in the first organisation still, is used again
  sessionStorage.setItem('hilum.account', ownBefore)
  const state = readSession()
  if (state.status === 'established') putSession({ ...state, session: { ...state.session, account: account as never } })
  window.dispatchEvent(new Event('focus'))
  sessionStorage.removeItem('hilum.account')
  expect(readStoredSession()).toMatchObject({ accountUuid: 'acc' })
  stop()
})

test('a tab of a session that was used last says nothing of the next session', async () => {
  replies['account/list'] = Response.json({ accounts: [account, other] })
  await askToSignIn({ login: 'ann', password: 'x' })
  await switchAccount('other')
  const stored = JSON.parse(localStorage.getItem('hilum.session') ?? '') as object
  localStorage.setItem('hilum.session', JSON.stringify({ ...stored, sessionId: 'session-2', accountUuid: 'acc' }))
  sessionStorage.removeItem('hilum.account')
  expect(readStoredSession()).toMatchObject({ accountUuid: 'acc' })
})

test.each([
  { what: 'at once', more: {}, waits: false },
  { what: 'after the second factor', more: { pin_required: 1, pin_via: 'totp' }, waits: true },
])('a sign-in by a provider begins in the organisation whose provider it is, $what', async ({ more, waits }) => {
  replies['account/list'] = Response.json({ accounts: [account, other] })
  replies['setting/get/all'] = Response.json({ settings: { last_account: 'acc' } })
  const reply = { purpose: 'sign-in', sid: 'token-9', session_id: 'session-9', account_id: 'other', ...more }
  replies['identity/finish'] = Response.json({ status: 'OK', ...reply })
  replies['session/pin'] = Response.json({ status: 'OK' })
  const returned = await returnFromProvider({ state: 's' })
  if (waits) await enterPin(returned as Waiting, '123456', false)
  expect(readSession()).toMatchObject({ status: 'established', session: { account: { uuid: 'other' } } })
})

test('whoever was signed out goes back to the place by the provider of another organisation, too', async () => {
  replies['account/list'] = Response.json({ accounts: [account, other] })
  await askToSignIn({ login: 'ann', password: 'x' })
  history.replaceState(null, '', '/group/list')
  endSessionHere('ended')
  const reply = { purpose: 'sign-in', sid: 'token-9', session_id: 'session-9', account_id: 'other' }
  replies['identity/finish'] = Response.json({ status: 'OK', ...reply })
  await returnFromProvider({ state: 's' })
  expect(readSession()).toMatchObject({ status: 'established', session: { account: { uuid: 'acc' } } })
  history.replaceState(null, '', '/')
})

const own = { ...other, vanity: 'imaging.south.example, south.example' }
test.each([
  {
    where: 'in which the login was made',
    home: 'other',
    chosen: undefined,
    host: 'localhost',
    begins: 'other',
    asks: 1,
  },
  { where: 'that was chosen last', home: 'other', chosen: 'acc', host: 'localhost', begins: 'acc', asks: 0 },
  {
    where: 'whose host name the address has',
    home: 'acc',
    chosen: 'acc',
    host: 'south.example',
    begins: 'other',
    asks: 0,
  },
  {
    where: 'that comes first where the others are gone',
    home: 'x',
    chosen: 'y',
    host: 'else.example',
    begins: 'acc',
    asks: 1,
  },
])(
  'somebody of several organisations begins in the one $where, asked where none was chosen',
  async ({ home, chosen, host, begins, asks }) => {
    vi.stubGlobal('location', { hostname: host, search: '', pathname: '/' })
    replies['account/list'] = Response.json({ accounts: [{ ...account, vanity: '' }, own] })
    replies['session/user'] = Response.json({ ...user, home_account_id: home })
    replies['setting/get/all'] = Response.json({ settings: chosen ? { last_account: chosen } : {} })
    await askToSignIn({ login: 'ann', password: 'x' })
    const asksAccount = asks === 1 ? { homeUuid: home } : undefined
    expect(readSession()).toMatchObject({ status: 'established', session: { account: { uuid: begins } } })
    expect(sessionNow()?.asksAccount).toEqual(asksAccount)
    await switchAccount('acc')
    expect(sessionNow()).not.toHaveProperty('asksAccount')
    expect(asked).toContain('setting/set')
  },
)

test('a reload while the question where to begin stands asks again', async () => {
  replies['account/list'] = Response.json({ accounts: [account, other] })
  await askToSignIn({ login: 'ann', password: 'x' })
  putSession({ status: 'unknown' })
  await resumeSession()
  expect(sessionNow()).toHaveProperty('asksAccount')
  await switchAccount('other')
  putSession({ status: 'unknown' })
  await resumeSession()
  expect(sessionNow()).toMatchObject({ account: { uuid: 'other' } })
  expect(sessionNow()).not.toHaveProperty('asksAccount')
})

test('nobody of one organisation is asked where to begin, nor after a reload in the tab that begins', async () => {
  await askToSignIn({ login: 'ann', password: 'x' })
  expect(sessionNow()).not.toHaveProperty('asksAccount')
  replies['account/list'] = Response.json({ accounts: [account, other] })
  putSession({ status: 'unknown' })
  await resumeSession()
  expect(sessionNow()).not.toHaveProperty('asksAccount')
})

test('a switch that fails leaves the account before in force, and one without a session does nothing', async () => {
  replies['account/list'] = Response.json({ accounts: [account, other] })
  replies['setting/get/all'] = Response.json({ settings: { last_account: 'acc' } })
  await askToSignIn({ login: 'ann', password: 'x' })
  replies['session/permissions'] = failure('NOT_FOUND')
  await expect(switchAccount('other')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(readSession()).toMatchObject({ status: 'established', session: { account: { uuid: 'acc' } } })
  expect(readStoredSession()).toMatchObject({ accountUuid: 'acc' })
  putSession({ status: 'signedOut' })
  asked = []
  await switchAccount('other')
  expect(asked).toEqual([])
})

test('[AUTH-13] a failure after the login logs the user out', async () => {
  replies['session/permissions'] = failure('NOT_FOUND')
  await expect(askToSignIn({ login: 'ann', password: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(asked.at(-1)).toBe('session/logout')
  expect(readSession()).toEqual({ status: 'signedOut', reason: 'notEstablished' })
  expect(readStoredSession()).toBeUndefined()
})

test('a refused login leaves nothing behind', async () => {
  replies['session/login'] = failure('INVALID_CREDENTIALS')
  await expect(askToSignIn({ login: 'ann', password: 'x' })).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
  expect(readSession()).toEqual({ status: 'signedOut' })
})

test('a sign-in by a provider that comes back to a page in use takes the new session up; a connection keeps the old one', async () => {
  await askToSignIn({ login: 'ann', password: 'x' })
  const finish = (reply: object) => {
    replies['identity/finish'] = Response.json({ status: 'OK', ...reply })
    return returnFromProvider({ state: 's' })
  }
  expect(await finish({ purpose: 'link' })).toBe('done')
  expect(readStoredSession()?.sessionId).toBe('session-1')
  replies['session/user'] = Response.json({ ...user, uuid: 'u2' })
  expect(await finish({ purpose: 'sign-in', sid: 'token-9', session_id: 'session-9' })).toMatchObject({
    sid: 'token-9',
  })
  expect(readStoredSession()).toMatchObject({ sessionId: 'session-9', userUuid: 'u2' })
})

test('a stored session is taken up after a reload, a dead one is not, and a busy server forgets none', async () => {
  await askToSignIn({ login: 'ann', password: 'x' })
  putSession({ status: 'unknown' })
  await resumeSession()
  expect(readSession().status).toBe('established')
  putSession({ status: 'unknown' })
  replies['session/user'] = new Response('', { status: 502 })
  await expect(resumeSession()).rejects.toMatchObject({ status: 502 })
  expect(readStoredSession()?.sessionId).toBe('session-1')
  replies['session/user'] = new Response('{}', { status: 401 })
  await resumeSession()
  expect(readSession()).toEqual({ status: 'signedOut', reason: 'ended' })
  expect(readStoredSession()).toBeUndefined()
})

test('[AUTH-16] logout clears the browser storage', async () => {
  await askToSignIn({ login: 'ann', password: 'x' })
  sessionStorage.setItem('hilum.search', '{}')
  localStorage.setItem('hilum.other', '1')
  await signOut()
  expect(localStorage.getItem('hilum.session')).toBeNull()
  expect(localStorage.getItem('hilum.other')).toBeNull()
  expect(sessionStorage).toHaveLength(0)
})

test('[AUTH-17] a 401 ends the session and keeps the place for the same user only', async () => {
  const stop = watchSession()
  await askToSignIn({ login: 'ann', password: 'x' })
  history.replaceState(null, '', '/group/list?page=2')
  replies['session/uuid'] = new Response('{}', { status: 401 })
  await expect(callApi(sessionUuid, {})).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(readSession()).toEqual({ status: 'signedOut', reason: 'ended' })
  expect(readStoredSession()).toBeUndefined()
  putSession({ status: 'unknown' })
  await resumeSession() // the login screen, loaded again, still says why
  expect(readSession()).toEqual({ status: 'signedOut', reason: 'ended' })
  expect(takePlace(inPlace('u1', 'acc'))).toBe('/group/list?page=2')
  await resumeSession()
  expect(readSession()).toEqual({ status: 'signedOut' })
  endSessionHere('ended')
  expect(takePlace(inPlace('somebody else', 'acc'))).toBeUndefined()
  stop()
})

const inPlace = (userUuid: string, accountUuid: string) =>
  ({ user: { uuid: userUuid }, account: { uuid: accountUuid } }) as Session // what a place reads of it

test('[AUTH-17] the place is gone back to in the organisation in which it was left, whatever was chosen last', async () => {
  replies['account/list'] = Response.json({ accounts: [account, other] })
  await askToSignIn({ login: 'ann', password: 'x' })
  await switchAccount('other')
  history.replaceState(null, '', '/administration/users')
  endSessionHere('ended')
  replies['setting/get/all'] = Response.json({ settings: { last_account: 'acc' } })
  await askToSignIn({ login: 'ann', password: 'x' })
  expect(readSession()).toMatchObject({ status: 'established', session: { account: { uuid: 'other' } } })
  endSessionHere('ended')
  expect(takePlace(inPlace('u1', 'acc'))).toBeUndefined()
  history.replaceState(null, '', '/')
})

test('a switch that a sign-out or another switch overtakes changes nothing', async () => {
  replies['account/list'] = Response.json({ accounts: [account, other, { ...other, uuid: 'third' }] })
  await askToSignIn({ login: 'ann', password: 'x' })
  const slow = switchAccount('other')
  await switchAccount('third')
  await slow
  expect(readSession()).toMatchObject({ status: 'established', session: { account: { uuid: 'third' } } })
  const late = switchAccount('other')
  await signOut()
  await late
  expect(readSession()).toMatchObject({ status: 'signedOut' })
  expect(readStoredSession()).toBeUndefined()
})

test('[AUTH-15] EXPIRED ends the session; a network that is down does not', async () => {
  await askToSignIn({ login: 'ann', password: 'x' })
  await pollTtl()
  expect(readSession().status).toBe('established')
  replies['session/ttl'] = new Response('', { status: 502 })
  await pollTtl()
  expect(readSession().status).toBe('established')
  replies['session/ttl'] = failure('EXPIRED')
  await pollTtl()
  expect(readSession()).toEqual({ status: 'signedOut', reason: 'ended' })
})

test('[AUTH-14] the check reads the session that is stored; without one the session is over', async () => {
  await askToSignIn({ login: 'ann', password: 'x' })
  asked = []
  await checkSession()
  expect(asked).toEqual(['session/user'])
  localStorage.clear()
  await checkSession()
  expect(readSession().status).toBe('signedOut')
})

test('[AUTH-14] while the window is focused the session is validated every 5 minutes, else not', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const focus = vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  const stop = watchSession()
  await askToSignIn({ login: 'ann', password: 'x' })
  const checks = () => asked.filter((path) => path === 'session/user').length
  const before = checks()
  vi.advanceTimersByTime(299_999)
  expect(checks()).toBe(before)
  vi.advanceTimersByTime(1)
  expect(checks()).toBe(before + 1)
  focus.mockReturnValue(false)
  vi.advanceTimersByTime(300_000)
  expect(checks()).toBe(before + 1)
  focus.mockReturnValue(true)
  vi.advanceTimersByTime(300_000)
  expect(checks()).toBe(before + 2)
  stop()
  focus.mockRestore()
  vi.useRealTimers()
})

test('[AUTH-15] the time to live is polled, and the poll that finds it EXPIRED logs out', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const stop = watchSession()
  await askToSignIn({ login: 'ann', password: 'x' })
  vi.advanceTimersByTime(60_000)
  await vi.waitFor(() => expect(asked.at(-1)).toBe('session/ttl'))
  expect(readSession().status).toBe('established')
  replies['session/ttl'] = failure('EXPIRED')
  vi.advanceTimersByTime(60_000)
  await vi.waitFor(() => expect(readSession()).toEqual({ status: 'signedOut', reason: 'ended' }))
  expect(readStoredSession()).toBeUndefined()
  stop()
  vi.useRealTimers()
})

test('a reload asks for a new token by the cookie; the session of somebody else is not taken up', async () => {
  await askToSignIn({ login: 'ann', password: 'x' })
  putSession({ status: 'unknown' })
  asked = []
  await resumeSession()
  expect(asked[0]).toBe('session/token')
  expect(getSid()).toBe('token-2')
  putSession({ status: 'unknown' })
  replies['session/token'] = Response.json({ sid: 'token-9', session_id: 'session-9', uuid: 'u9', expires_in: 900 })
  await resumeSession()
  expect(readSession()).toEqual({ status: 'signedOut', reason: 'ended' })
})

test('a token is renewed once for many calls when its time is nearly over, and never sooner', async () => {
  const stop = watchSession()
  const clock = vi.spyOn(Date, 'now').mockReturnValue(1_000_000)
  await askToSignIn({ login: 'ann', password: 'x' })
  const renewals = () => asked.filter((path) => path === 'session/token').length
  clock.mockReturnValue(1_000_000 + 599_000)
  await freshSid()
  expect(renewals()).toBe(0)
  clock.mockReturnValue(1_000_000 + 601_000)
  expect(await Promise.all([freshSid(), freshSid(), freshSid()])).toEqual(['token-2', 'token-2', 'token-2'])
  expect(renewals()).toBe(1)
  clock.mockReturnValue(1_000_000 + 2_000_000)
  replies['session/token'] = new Response('', { status: 502 })
  expect(await freshSid()).toBe('token-2')
  replies['session/token'] = failure('EXPIRED')
  expect(await freshSid()).toBeUndefined()
  expect(readSession()).toEqual({ status: 'signedOut', reason: 'ended' })
  clock.mockRestore()
  stop()
})
