import { beforeEach, expect, it, vi } from 'vitest'
import { goodPassword, makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

/*
 * The cost of a sign-in is nearly all the looking at a password, so names tell nothing by the time of an answer where all
 * of them cost the same number of looks. Counted, since a time is only ever likely.
 */
const work = vi.hoisted(() => ({ looks: 0, hashes: 0 }))
vi.mock(import('@node-rs/argon2'), async (load) => {
  const real = await load()
  return {
    ...real,
    verify: (...sent: Parameters<typeof real.verify>) => {
      work.looks += 1
      return real.verify(...sent)
    },
    hash: (...sent: Parameters<typeof real.hash>) => {
      work.hashes += 1
      return real.hash(...sent)
    },
  }
})

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db, { vanity: 'northside' })
const known = await organisation.addPerson({ login: 'ada' })
const disabled = await organisation.addPerson()
await query(`update app_user set disabled = true where uuid = '${disabled.userUuid}'`)
const expired = await organisation.addPerson()
await query(`update app_user set password_set_at = now() - interval '400 days' where uuid = '${expired.userUuid}'`)

const names: [who: string, sent: { login: string; vanity?: string }][] = [
  ['somebody', { login: known.email }],
  ['somebody in capitals', { login: known.email.toUpperCase() }],
  ['somebody by the login of the host', { login: 'ada', vanity: 'northside' }],
  ['a login of another host', { login: 'ada', vanity: 'elsewhere' }],
  ['nobody', { login: 'nobody@hospital.example' }],
  ['nobody at this host', { login: 'nobody', vanity: 'northside' }],
  ['a disabled person', { login: disabled.email }],
  ['a person with an expired password', { login: expired.email }],
  ['an empty name of blanks', { login: ' ' }],
]

let address = 0
async function costOf(sent: object, from = `203.0.113.${++address}`) {
  work.looks = 0
  work.hashes = 0
  const { body } = await call('session/login', { password: 'wrong27lantern', ...sent }, { address: from })
  return { looks: work.looks, hashes: work.hashes, says: body.error_type }
}

// the hash that unknown names are compared with is made once for the process, by whichever name comes first
beforeEach(() => costOf({ login: 'first@hospital.example' }))

it.each(names)('a wrong password costs one look for %s', async (_who, sent) => {
  expect(await costOf(sent)).toEqual({ looks: 1, hashes: 0, says: 'INVALID_CREDENTIALS' })
})

it.each(names)('a locked name costs no look, for %s', async (_who, sent) => {
  const from = `198.51.100.${++address}`
  const costs = []
  for (let attempt = 0; attempt < 7; attempt++) costs.push(await costOf(sent, from))
  expect(costs.map(({ looks, says }) => [looks, says])).toEqual([
    ...Array.from({ length: 5 }, () => [1, 'INVALID_CREDENTIALS']),
    [0, 'LOCKOUT'],
    [0, 'LOCKOUT'],
  ])
})

it('a right password costs one look, and says more only then', async () => {
  expect(await costOf({ login: disabled.email, password: goodPassword })).toMatchObject({ looks: 1, says: 'DISABLED' })
  expect(await costOf({ login: known.email, password: goodPassword })).toEqual({ looks: 1, hashes: 0, says: undefined })
})
