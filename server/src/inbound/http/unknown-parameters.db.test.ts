import type { AnyCall } from '@hilum/contract/call'
import { calls } from '@hilum/contract/calls/all-calls'
import { describe, expect, it } from 'vitest'
import { goodPassword, makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call } = await startTestApp()
const { sid } = await (await makeOrganisation(services.db)).addPerson({ role: 'Administrator' })

const declared = Object.values(calls) as unknown as AnyCall[]
const writing = declared.filter((one) => !one.reads)
const reading = declared.filter((one) => one.reads && !one.list)
/** Names that no call declares; the public API has the last four somewhere. */
const strange = [
  'made_up',
  'Uuid',
  'page.rows',
  'seconds_to_ingest',
  'cd_burn_name',
  'tier_parent_id',
  'validate_session',
]

describe('a password or a token in an address', () => {
  /** Rules about passwords, which hold none. */
  const rules = new Set(['password_is_dob', 'password_expire'])
  const secrets = declared.flatMap((one) =>
    Object.keys('shape' in one.input ? (one.input.shape as object) : {})
      .filter((name) => /password|client_secret|token/.test(name) && !rules.has(name))
      .map((name) => [one.path, name] as const),
  )

  it('is a parameter of sign-in, of one’s own and an organisation’s settings, and of links', () => {
    expect(new Set(secrets.map(([path]) => path))).toEqual(
      new Set([
        'session/login',
        'user/set',
        'user/password/reset',
        'user/password/reset/check',
        'link/add',
        'link/set',
        'link/status',
        'link/pin/send',
        'link/session',
        'session/prove',
        'session/oauth/token',
        'identity/provider/set',
        'account/user/add',
        'user/add',
        'account/user/set',
        'study/share',
      ]),
    )
  })

  it.each(secrets)('is refused by %s as %s, also when it is right', async (path, name) => {
    const { status, body } = await call(`${path}?${name}=42lantern-boat`, { sid, login: 'a@b.example' })
    expect([status, body]).toMatchObject([400, { error_type: 'BAD_REQUEST', error_subtype: name }])
    const { body: told } = await call(path, { sid, login: 'a@b.example', [name]: '42lantern-boat' })
    expect(told.error_type).not.toBe('BAD_REQUEST')
  })

  it('opens no session as user and password', async () => {
    const basic = {
      authorization: `Basic ${Buffer.from(`someone@hospital.example:${goodPassword}`).toString('base64')}`,
    }
    for (const path of ['session/user', 'study/list']) {
      const { status } = await call(path, {}, { headers: basic })
      expect([path, status]).toEqual([path, 401])
    }
  })
})

describe('a parameter that a call has no use for', () => {
  it.each(writing.map((one) => one.path))('is refused by %s, which writes', async (path) => {
    for (const name of strange) {
      const { status, body } = await call(path, { sid, [name]: '1' })
      expect([status, body]).toEqual([412, { status: 'ERROR', error_type: 'INVALID_FIELD', error_subtype: name }])
    }
  })

  it.each(reading.map((one) => one.path))('is refused by %s when it would narrow or order the answer', async (path) => {
    for (const name of ['filter.name.equals', 'filter_id', 'sort_by']) {
      const { body } = await call(path, { sid, [name]: 'x' })
      expect(body).toMatchObject({ error_type: 'INVALID_FIELD', error_subtype: name })
    }
  })

  it('is passed over by calls that only read', async () => {
    const extras = { made_up: '1', extra: '1', permissions_diff: '1' }
    for (const path of ['session/user', 'setting/get/all', 'user/namespace/list', 'study/list', 'account/list']) {
      const [plain, asked] = [await call(path, { sid }), await call(path, { sid, ...extras })]
      expect([asked.status, asked.body]).toEqual([200, plain.body])
    }
  })

  it('is named in a bundle by the item that sent it, and the others run', async () => {
    const items = [
      { URL: '/setting/set', sid, key: 'a', value: 'b', user: 'x' },
      { URL: '/setting/get', sid, key: 'a' },
    ]
    const { body } = await call('bundle', {}, { body: items })
    expect(body).toMatchObject([{ error_type: 'INVALID_FIELD', error_subtype: 'user' }, { value: '' }])
  })
})
