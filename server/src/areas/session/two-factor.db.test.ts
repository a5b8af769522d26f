import { generateSync } from 'otplib'
import { describe, expect, it } from 'vitest'
import { goodPassword, makeOrganisation, makeSession, type Person } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, app, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const strict = await makeOrganisation(services.db)
await query(`update account set pin_required = true where uuid = '${strict.accountUuid}'`)

const codeOf = (secret: string, steps = 0) =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })
const signIn = async (email: string) => (await call('session/login', { login: email, password: goodPassword })).body
const typeOf = async (path: string, sent: Record<string, unknown>) => {
  const { status, body } = await call(path, sent)
  return status === 401 ? 401 : ((body.error_type as string | undefined) ?? 'OK')
}
const actionsOn = async ({ userUuid }: Person) =>
  (await query<{ action: string }>(`select action from audit where object_uuid = '${userUuid}' order by id`)).map(
    ({ action }) => action,
  )
/** No code is taken twice: lets the next one be taken without waiting for its time. */
const forgetStep = ({ userUuid }: Person) =>
  query(`update two_factor set last_step = 0 where user_uuid = '${userUuid}'`)
const forgetLocks = () => query(`delete from attempt where kind like 'pin%'`)

async function addGuarded(): Promise<Person & { secret: string; codes: string[] }> {
  const person = await organisation.addPerson()
  const { secret } = (await call('session/pin/begin', { sid: person.sid })).body
  const { recovery_codes: codes } = (
    await call('session/pin/confirm', { sid: person.sid, pin: codeOf(secret as string) })
  ).body
  await forgetStep(person)
  return { ...person, secret: secret as string, codes: codes as string[] }
}

describe('setting up', () => {
  it('is in force by a first right code, told by ten recovery codes, and on record', async () => {
    const person = await organisation.addPerson()
    const { sid } = person
    expect((await call('session/pin/state', { sid })).body).toMatchObject({ is_on: 0, is_required: 0 })
    const { secret, address } = (await call('session/pin/begin', { sid })).body
    expect(address).toContain(`secret=${secret as string}`)
    expect(await typeOf('session/pin/confirm', { sid, pin: '000000' })).toBe('INVALID_PIN')
    expect((await signIn(person.email)).pin_required).toBe(0)
    const { body } = await call('session/pin/confirm', { sid, pin: codeOf(secret as string) })
    expect(body.recovery_codes).toHaveLength(10)
    expect((await call('session/pin/state', { sid })).body).toMatchObject({ is_on: 1, recovery_codes: 10 })
    expect((await call('user/get', { sid })).body.pin_required).toBe(1)
    expect(await typeOf('session/pin/confirm', { sid, pin: codeOf(secret as string) })).toBe('PIN_EXPIRED')
    expect(await actionsOn(person)).toContain('TWO_FACTOR_ON')
    const [row] = await query<{ kept: string }>(
      `select encode(sealed_secret, 'escape') as kept from two_factor where user_uuid = '${person.userUuid}'`,
    )
    expect(row?.kept).not.toContain(secret)
  })

  it('ends every other session of the person that no code opened, keys and the one that sets it up stay', async () => {
    const person = await organisation.addPerson()
    const [other, key, derived] = [
      await makeSession(services.db, person.userUuid),
      await makeSession(services.db, person.userUuid),
      await makeSession(services.db, person.userUuid),
    ]
    const own = `(select uuid from session where sid_digest = sha256('${person.sid}'::bytea))`
    await query(`update session set method = 'key', scope = '{study_edit}' where sid_digest = sha256('${key}'::bytea)`)
    await query(
      `update session set parent_uuid = ${own}, studies = '{}' where sid_digest = sha256('${derived}'::bytea)`,
    )
    const isOpen = async (sid: string) =>
      (await query(`select from session where sid_digest = sha256('${sid}'::bytea)`)).length === 1
    const setUp = async () => {
      const { secret } = (await call('session/pin/begin', { sid: person.sid })).body
      const sent = { sid: person.sid, pin: codeOf(secret as string) }
      expect((await call('session/pin/confirm', sent)).body.status).toBe('OK')
    }
    const stranger = await organisation.addPerson()
    await setUp()
    const all = [person.sid, other, key, derived, stranger.sid]
    expect(await Promise.all(all.map(isOpen))).toEqual([true, false, true, true, true])
    expect(await actionsOn(person)).toEqual(expect.arrayContaining(['TWO_FACTOR_ON', 'SESSIONS_ENDED']))
    // and so does another app in the place of one that was lost, once more
    const again = await makeSession(services.db, person.userUuid)
    await setUp()
    expect(await isOpen(again)).toBe(false)
  })

  it('asks for a proof of who is there, and opens to no key and no derived session', async () => {
    const { sid, userUuid } = await organisation.addPerson()
    await query(`update session set proven_at = now() - interval '16 minutes' where user_uuid = '${userUuid}'`)
    expect(await typeOf('session/pin/begin', { sid })).toBe('PROOF_REQUIRED')
    expect(await typeOf('session/pin/confirm', { sid, pin: '000000' })).toBe('PROOF_REQUIRED')
    expect(await typeOf('session/key/add', { sid, name: 'A', permissions: ['study_view'] })).toBe('PROOF_REQUIRED')
    expect(await typeOf('session/prove', { sid, password: 'not the right 1' })).toBe('INVALID_PASSWORD')
    expect(await typeOf('session/prove', { sid })).toBe('MISSING_FIELDS')
    expect(await typeOf('session/prove', { sid, password: goodPassword })).toBe('OK')
    const { key } = (await call('session/key/add', { sid, name: 'A', permissions: ['study_view'] })).body
    expect(await typeOf('session/pin/begin', { sid: key })).toBe('INVALID_SID')
    expect(await typeOf('session/prove', { sid: key, password: goodPassword })).toBe('NOT_PERMITTED')
    expect(await typeOf('session/pin/begin', {})).toBe('INVALID_SID')
  })

  it('replaces recovery codes, and is taken off again, each only lately proven', async () => {
    const person = await addGuarded()
    const { sid } = person
    const stale = () =>
      query(`update session set proven_at = now() - interval '16 minutes' where user_uuid = '${person.userUuid}'`)
    await stale()
    for (const path of ['session/pin/codes', 'session/pin/remove'])
      expect(await typeOf(path, { sid })).toBe('PROOF_REQUIRED')
    const change = { sid, old_password: goodPassword, password: '77walnut-meadow' }
    expect(await typeOf('user/set', change)).toBe('PROOF_REQUIRED')
    // with a second factor the password alone proves nothing
    expect(await typeOf('session/prove', { sid, password: goodPassword })).toBe('MISSING_FIELDS')
    expect(await typeOf('session/prove', { sid, pin: '000000' })).toBe('INVALID_PIN')
    expect(await typeOf('session/prove', { sid, pin: codeOf(person.secret) })).toBe('OK')
    const renewed = (await call('session/pin/codes', { sid })).body.recovery_codes as string[]
    await stale()
    expect(await typeOf('session/prove', { sid, pin: person.codes[0] })).toBe('INVALID_PIN')
    expect(await typeOf('session/prove', { sid, pin: renewed[0] })).toBe('OK')
    expect(await typeOf('session/pin/remove', { sid })).toBe('OK')
    expect(await typeOf('session/pin/remove', { sid })).toBe('NO_SECOND_FACTOR')
    expect(await typeOf('session/pin/codes', { sid })).toBe('NO_SECOND_FACTOR')
    expect((await signIn(person.email)).pin_required).toBe(0)
    expect(await actionsOn(person)).toEqual(expect.arrayContaining(['RECOVERY_CODES', 'TWO_FACTOR_OFF']))
  })
})

describe('signing in', () => {
  it('opens nothing before the code, at any door, and all after it', async () => {
    const person = await addGuarded()
    const reply = await signIn(person.email)
    expect(reply).toMatchObject({ status: 'OK', pin_required: 1, pin_via: 'totp' })
    const sid = reply.sid as string
    const doors = async () => [
      await typeOf('user/get', { sid }),
      await typeOf('session/list', { sid }),
      await typeOf('session/ttl', { sid }),
      (await app.inject({ url: `/dicomweb/all/studies`, headers: { authorization: `Bearer ${sid}` } })).statusCode,
      (
        await app.inject({
          method: 'POST',
          url: '/api/v3/session/token',
          headers: { cookie: `hilum_sid=${sid}`, origin: 'http://localhost', host: 'localhost' },
        })
      ).json().error_type,
      await typeOf('session/pin/begin', { sid }),
    ]
    expect(await doors()).toEqual([401, 401, 'EXPIRED', 401, 'EXPIRED', 'INVALID_SID'])
    expect(await actionsOn(person)).not.toContain('LOGIN')
    expect((await call('session/list', { sid: person.sid })).body.sessions).toHaveLength(1)
    expect(await typeOf('session/pin', { sid, pin: codeOf(person.secret), remember_device: 1 })).toBe('OK')
    expect(await typeOf('user/get', { sid })).toBe('OK')
    expect(await typeOf('session/pin', { sid, pin: codeOf(person.secret, 1) })).toBe('INVALID_SID')
    expect(await actionsOn(person)).toContain('LOGIN')
    const [row] = await query(`select strength, expires_at > now() + interval '6 days' as is_whole from session
      where user_uuid = '${person.userUuid}' order by created desc limit 1`)
    expect(row).toEqual({ strength: 'two factors', is_whole: true })
  })

  it('takes no code twice, but a later one, and each recovery code once', async () => {
    const person = await addGuarded()
    const enter = async (pin: string) => typeOf('session/pin', { sid: (await signIn(person.email)).sid, pin })
    const code = codeOf(person.secret)
    expect([await enter(code), await enter(code), await enter(codeOf(person.secret, 1))]).toEqual([
      'OK',
      'INVALID_PIN',
      'OK',
    ])
    const [recovery = ''] = person.codes
    expect([await enter(recovery.toUpperCase().replaceAll('-', ' ')), await enter(recovery)]).toEqual([
      'OK',
      'INVALID_PIN',
    ])
    // of two at once one is taken
    await forgetLocks()
    const [first, second] = [(await signIn(person.email)).sid, (await signIn(person.email)).sid]
    const pin = person.codes[1]
    const both = await Promise.all([first, second].map((sid) => typeOf('session/pin', { sid, pin })))
    expect(both.toSorted()).toEqual(['INVALID_PIN', 'OK'])
  })

  it('ends a sign-in after three tries or ten minutes, and locks a person out here after five wrong codes', async () => {
    const person = await addGuarded()
    const { sid } = await signIn(person.email)
    const enter = (pin: string, of = sid) => typeOf('session/pin', { sid: of, pin })
    expect([await enter('000000'), await enter('000000'), await enter('000000')]).toEqual(Array(3).fill('INVALID_PIN'))
    expect([await enter(codeOf(person.secret)), await enter(codeOf(person.secret))]).toEqual([
      'PIN_EXPIRED',
      'INVALID_SID',
    ])
    const next = (await signIn(person.email)).sid
    expect([
      await enter('000000', next),
      await enter('000000', next),
      await enter(codeOf(person.secret), next),
    ]).toEqual(['INVALID_PIN', 'INVALID_PIN', 'LOCKOUT'])
    expect((await actionsOn(person)).filter((action) => action === 'LOGIN_FAILED')).toHaveLength(5)
    await forgetLocks()
    const late = (await signIn(person.email)).sid
    await query(`update session set expires_at = now() where user_uuid = '${person.userUuid}' and waits_for = 'pin'`)
    expect(await enter(codeOf(person.secret), late)).toBe('PIN_EXPIRED')
  })

  it('lets programs in by keys alone', async () => {
    const person = await addGuarded()
    const { key } = (await call('session/key/add', { sid: person.sid, name: 'A', permissions: ['study_view'] })).body
    const sent = { grant_type: 'client_credentials', client_id: person.email, client_secret: goodPassword }
    expect(await typeOf('session/oauth/token', sent)).toBe('AUTH_FAILED')
    const basic = async (password: string) => {
      const authorization = `Basic ${Buffer.from(`${person.email}:${password}`).toString('base64')}`
      return (await app.inject({ method: 'POST', url: '/api/v3/user/get', headers: { authorization } })).statusCode
    }
    expect([await basic(goodPassword), await basic(key as string)]).toEqual([401, 200])
    const failures = await query(`select detail->>'reason' as reason from audit
      where object_uuid = '${person.userUuid}' and action = 'LOGIN_FAILED'`)
    expect(failures).toEqual([{ reason: 'PIN_REQUIRED' }, { reason: 'PIN_REQUIRED' }])
  })

  it('leads to the setting up where the account requires it, and nowhere else before', async () => {
    const person = await strict.addPerson()
    const reply = await signIn(person.email)
    expect(reply).toMatchObject({ pin_required: 1, pin_via: 'setup' })
    const { sid } = reply
    expect(await typeOf('user/get', { sid })).toBe(401)
    expect(await typeOf('session/pin', { sid, pin: '000000' })).toBe('INVALID_PIN')
    const { secret } = (await call('session/pin/begin', { sid })).body
    expect(await typeOf('session/pin/confirm', { sid, pin: codeOf(secret as string) })).toBe('OK')
    expect(await typeOf('user/get', { sid })).toBe('OK')
    expect((await call('session/pin/remove', { sid })).body).toMatchObject({
      error_type: 'NOT_PERMITTED',
      error_subtype: 'PIN_REQUIRED',
    })
    expect((await call('session/pin/state', { sid })).body.is_required).toBe(1)
    expect(await signIn(person.email)).toMatchObject({ pin_required: 1, pin_via: 'totp' })
  })
})

describe('a second factor that was lost', () => {
  it('is taken off by an administrator, on record and told by mail; never by oneself, or of who may do more', async () => {
    const person = await addGuarded()
    const admin = await organisation.addPerson({ role: 'Administrator' })
    const colleague = await organisation.addPerson()
    const reset = (of: Person, uuid: string) => typeOf('user/pin/reset', { sid: of.sid, uuid })
    expect(await reset(colleague, person.userUuid)).toBe('NOT_PERMITTED')
    expect(await reset(admin, admin.userUuid)).toBe('NOT_PERMITTED')
    expect(await reset(admin, person.userUuid)).toBe('OK')
    expect(await typeOf('user/get', { sid: person.sid })).toBe(401)
    expect((await signIn(person.email)).pin_required).toBe(0)
    expect(await actionsOn(person)).toContain('TWO_FACTOR_RESET')
    const mails = await query(`select subject from mail where recipient = '${person.email}'`)
    expect(mails).toEqual([{ subject: 'Your two-factor sign-in was reset' }])
    expect(await reset(admin, person.userUuid)).toBe('NOT_FOUND')
  })

  it('stays with somebody who belongs to other accounts too', async () => {
    const person = await addGuarded()
    await query(`insert into account_user (account_uuid, user_uuid, role_uuid)
      values ('${strict.accountUuid}', '${person.userUuid}', '${strict.roles.get('Viewer')}')`)
    const admin = await organisation.addPerson({ role: 'Administrator' })
    const { body } = await call('user/pin/reset', { sid: admin.sid, uuid: person.userUuid })
    expect(body).toMatchObject({ error_type: 'NOT_PERMITTED', error_subtype: 'OTHER_ACCOUNTS' })
    const got = await call('account/user/get', {
      sid: admin.sid,
      uuid: organisation.accountUuid,
      user_id: person.userUuid,
    })
    expect(got.body.pin_required).toBe(1)
  })

  it('outlasts a new password', async () => {
    const person = await addGuarded()
    const sid = await makeSession(services.db, person.userUuid)
    const password = '77walnut-meadow'
    expect(await typeOf('user/set', { sid, old_password: goodPassword, password })).toBe('OK')
    expect((await call('session/login', { login: person.email, password })).body.pin_required).toBe(1)
  })
})

it('[API-37] an administrator requires the second factor of one person, and no longer', async () => {
  const admin = await organisation.addPerson({ role: 'Administrator' })
  const person = await organisation.addPerson()
  const other = await organisation.addPerson()
  const { accountUuid } = organisation
  const require = (pin_required: number, by = admin, uuid = person.userUuid, more = {}) =>
    call('user/set', { sid: by.sid, uuid, account_id: accountUuid, pin_required, ...more })
  expect((await require(1)).body.status).toBe('OK')
  expect(await signIn(person.email)).toMatchObject({ pin_required: 1, pin_via: 'setup' })
  expect((await signIn(other.email)).pin_required).toBe(0)
  expect((await call('session/pin/state', { sid: person.sid })).body.is_required).toBe(1)
  // once more changes nothing, and is not on record again
  await require(1)
  expect((await actionsOn(person)).filter((one) => one === 'EDIT')).toHaveLength(1)

  const saidTo = async (...sent: Parameters<typeof require>) => {
    const { body } = await require(...sent)
    return [body.error_type, body.error_subtype ?? undefined]
  }
  expect(await saidTo(0, person)).toEqual(['NOT_PERMITTED', 'SELF'])
  expect(await saidTo(0, other)).toEqual(['NOT_PERMITTED', undefined])
  expect(await saidTo(0, admin, person.userUuid, { first: 'Eve' })).toEqual(['NOT_PERMITTED', 'first'])
  expect(await saidTo(7)).toEqual(['INVALID_FLAG', 'pin_required'])
  const stranger = await strict.addPerson({ role: 'Administrator' })
  expect(await saidTo(0, stranger)).toEqual(['NOT_FOUND', undefined])
  expect(await saidTo(1, admin, stranger.userUuid)).toEqual(['NOT_FOUND', undefined])
  expect((await signIn(person.email)).pin_required).toBe(1)

  expect((await require(0)).body.status).toBe('OK')
  expect((await signIn(person.email)).pin_required).toBe(0)
})

it('a screen that was left open changes nothing of how others sign in before a proof, and programs are not asked for one', async () => {
  const admin = await organisation.addPerson({ role: 'Administrator' })
  const { accountUuid: account_id } = organisation
  const program = await makeSession(services.db, admin.userUuid)
  await query(`update session set method = 'oauth' where sid_digest = sha256('${program}'::bytea)`)
  const stale = `update session set proven_at = now() - interval '16 minutes' where user_uuid = '${admin.userUuid}'`
  let count = 0
  /** Somebody who signs in by the provider alone, and of whom a second factor is asked. */
  const addBound = async () => {
    const { userUuid } = await organisation.addPerson()
    await query(`update account_user set pin_required = true, sso_only = true where user_uuid = '${userUuid}'`)
    return userUuid
  }
  const acts = {
    'takes off a second factor': async (sid: string) => {
      const { userUuid: uuid } = await addGuarded()
      return typeOf('user/pin/reset', { sid, uuid })
    },
    'sets another address': async (sid: string) => {
      const { userUuid: user_id } = await organisation.addPerson()
      return typeOf('account/user/set', {
        sid,
        uuid: account_id,
        user_id,
        first: 'Ida',
        last: 'Holm',
        email: `taken${count++}@clinic.example`,
      })
    },
    'asks a person for no second factor': async (sid: string) => {
      const user_id = await addBound()
      return typeOf('account/user/set', { sid, uuid: account_id, user_id, pin_demanded: 0 })
    },
    'lets a person in by the provider alone': async (sid: string) => {
      const user_id = await addBound()
      return typeOf('account/user/set', { sid, uuid: account_id, user_id, sso_only: 0 })
    },
    'asks a person for none, as the wire writes it': async (sid: string) => {
      const uuid = await addBound()
      return typeOf('user/set', { sid, uuid, account_id, pin_required: 0 })
    },
    'asks nobody for one': async (sid: string) => {
      await query(`update account set pin_required = true where uuid = '${account_id}'`)
      return typeOf('account/set', { sid, uuid: account_id, pin_required: 0 })
    },
  }
  for (const [name, act] of Object.entries(acts)) {
    await query(stale)
    expect([name, await act(admin.sid)]).toEqual([name, 'PROOF_REQUIRED'])
    expect([name, await act(program)]).toEqual([name, 'OK'])
    await call('session/prove', { sid: admin.sid, password: goodPassword })
    expect([name, await act(admin.sid)]).toEqual([name, 'OK'])
  }
  await query(stale)
  const { userUuid: user_id } = await organisation.addPerson()
  expect(
    await typeOf('account/user/set', { sid: admin.sid, uuid: account_id, user_id, first: 'Nils', last: 'Holm' }),
  ).toBe('OK')
})

it('a sign-in that waited to set a second factor up replaces none that was set up since', async () => {
  const { email } = await strict.addPerson()
  const [other, owner, late] = [await signIn(email), await signIn(email), await signIn(email)]
  expect(owner).toMatchObject({ pin_required: 1, pin_via: 'setup' })
  const begun = (await call('session/pin/begin', { sid: other.sid })).body
  const mine = (await call('session/pin/begin', { sid: owner.sid })).body
  const confirmed = await call('session/pin/confirm', { sid: owner.sid, pin: codeOf(mine.secret) })
  expect(confirmed.body.status).toBe('OK')
  // somebody who knows the password alone begins anew, or goes on with a secret that waits still
  expect(await typeOf('session/pin/begin', { sid: late.sid })).toBe('INVALID_SID')
  await query(`update two_factor set pending_secret = sealed_secret, pending_until = now() + interval '5 minutes',
      last_step = 0
    where user_uuid = (select uuid from app_user where email = '${email}')`)
  const taken = await call('session/pin/confirm', { sid: other.sid, pin: codeOf(mine.secret) })
  expect(taken.body.error_type).toBe('PIN_EXPIRED')
  expect(begun.secret).toBeDefined()
  for (const { sid } of [other, late]) expect((await call('session/user', { sid })).status).toBe(401)
})

describe('[AUTH-11] a new password that comes with a sign-in', () => {
  const signInNew = (email: string, new_password: string, password = goodPassword) =>
    call('session/login', { login: email, password, new_password })
  const loginsOf = async ({ userUuid }: Person) =>
    query(`select detail->'password_changed' as changed, detail->'second_factor' as second from audit
      where object_uuid = '${userUuid}' and action = 'LOGIN' order by id`)

  it('changes nothing by a password alone where a second factor is on: not the password, no session, no key', async () => {
    const person = await addGuarded()
    const key = (await call('session/key/add', { sid: person.sid, name: 'A', permissions: ['study_view'] })).body.key
    const { body } = await signInNew(person.email, 'cobalt93willow')
    expect(body).toMatchObject({ status: 'OK', pin_required: 1 })
    expect(await typeOf('session/login', { login: person.email, password: 'cobalt93willow' })).toBe(
      'INVALID_CREDENTIALS',
    )
    expect((await signIn(person.email)).pin_required).toBe(1)
    for (const sid of [person.sid, key]) expect(await typeOf('session/user', { sid })).toBe('OK')
    expect(await loginsOf(person)).toEqual([])
  })

  it('is in force with the code, once, and ends every other session of the person', async () => {
    const person = await addGuarded()
    expect((await signInNew(person.email, 'short1')).body.error_type).toBe('BAD_PASSWORD')
    expect((await signInNew(person.email, goodPassword)).body.error_type).toBe('BAD_PASSWORD')
    const { sid } = (await signInNew(person.email, 'cobalt93willow')).body
    const other = (await signInNew(person.email, 'amber71harbour')).body.sid
    expect(await typeOf('session/pin', { sid, pin: codeOf(person.secret) })).toBe('OK')
    expect(await typeOf('session/user', { sid })).toBe('OK')
    expect(await typeOf('session/user', { sid: person.sid })).toBe(401)
    // the other sign-in, with a password of its own, is over
    expect(await typeOf('session/pin', { sid: other, pin: codeOf(person.secret, 1) })).toBe('INVALID_SID')
    const signInWith = (password: string) => typeOf('session/login', { login: person.email, password })
    expect([await signInWith(goodPassword), await signInWith('cobalt93willow')]).toEqual(['INVALID_CREDENTIALS', 'OK'])
    expect(await loginsOf(person)).toEqual([{ changed: 1, second: 'totp' }])
    expect(
      await query(`select from session where user_uuid = '${person.userUuid}' and new_password_hash is not null`),
    ).toEqual([])
  })

  it('is in force once the second factor that an organisation requires is set up', async () => {
    const person = await strict.addPerson()
    const { sid, pin_via } = (await signInNew(person.email, 'cobalt93willow')).body
    expect(pin_via).toBe('setup')
    expect((await signIn(person.email)).status).toBe('OK')
    const { secret } = (await call('session/pin/begin', { sid })).body
    expect(await typeOf('session/pin/confirm', { sid, pin: codeOf(secret) })).toBe('OK')
    expect(await typeOf('session/login', { login: person.email, password: goodPassword })).toBe('INVALID_CREDENTIALS')
    expect(await loginsOf(person)).toEqual([{ changed: 1, second: 'totp' }])
  })
})

it('no more sessions stay open than an account leaves a person, with a second factor too', async () => {
  const person = await addGuarded()
  await query(`update account_user set max_sessions = 1 where user_uuid = '${person.userUuid}'`)
  const opened: string[] = []
  for (let count = 0; count < 3; count += 1) {
    await forgetStep(person)
    const { sid } = await signIn(person.email)
    expect((await call('session/pin', { sid, pin: codeOf(person.secret) })).body.status).toBe('OK')
    opened.push(sid)
  }
  const live = []
  for (const sid of opened) live.push((await call('session/user', { sid })).status)
  expect(live).toEqual([401, 401, 200])
})
