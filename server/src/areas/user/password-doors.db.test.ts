import type { PasswordFault } from '@hilum/contract/password-rule'
import { ApiError } from '@hilum/contract/errors'
import { expect, it } from 'vitest'
import { digestOf, newSid } from '../../access/sid.ts'
import { goodPassword, makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { createUser } from './create-user.command.ts'
import { addResetToken } from './password-reset.sql.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db, { name: 'Northside Clinic', vanity: 'nsc,harbourview' })
await query(`update account set password_expire_days = 90 where uuid = '${organisation.accountUuid}'`)

const refused: [fault: PasswordFault, password: string][] = [
  ['rule', 'short12'],
  ['common', 'Password2026'],
  ['common', 'qwer1234'],
  ['name', '2026-okonkwo'],
  ['name', '77ngozi-desk'],
  ['name', '77northside'],
  ['name', '19harbourview'],
  ['name', '48front.desk'],
  ['product', '26hilum-desk'],
]

type Answer = { error_type?: string; error_subtype?: string; status: string }
type Person = Awaited<ReturnType<typeof addPerson>>

/** Somebody whose password has been out of date since yesterday. */
async function addPerson(number: number) {
  const login = `front.desk${number}`
  const person = await organisation.addPerson({ email: `front.desk.${number}@northside.example`, login })
  await query(`update app_user set first_name = 'Ngozi', last_name = 'Okonkwo',
    password_set_at = now() - interval '91 days' where uuid = '${person.userUuid}'`)
  return person
}

/** Every door by which a password is set; one that is added belongs here. */
const doors: Record<string, (person: Person, password: string) => Promise<Answer>> = {
  'user/set': async ({ sid }, password) => (await call('user/set', { sid, old_password: goodPassword, password })).body,
  'the prompt for an expired one': async ({ email }, password) =>
    (await call('session/login', { login: email, password: goodPassword, new_password: password })).body,
  'a link to a new one': async ({ userUuid, email }, password) => {
    const token = newSid()
    await addResetToken(services.db, { uuid: userUuid, email }, digestOf(token), 60)
    return (await call('user/password/reset', { token, password })).body
  },
  'a new person': async (_, password) => {
    const names = { first: 'Ngozi', last: 'Okonkwo', login: `front.desk-${newSid()}`, email: `${newSid()}@x.example` }
    const place = { accountUuid: organisation.accountUuid, roleUuid: organisation.roles.get('Staff') ?? '' }
    try {
      await services.db.transaction().execute((tx) => createUser(tx, { ...place, ...names, password }))
      return { status: 'OK' }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { status: 'ERROR', error_type: error.code, error_subtype: String(error.detail.subtype) }
    }
  },
}

let made = 0
it.each(Object.keys(doors))(
  'refuses common passwords and names by %s, says why, and takes a good one',
  async (name) => {
    const door = doors[name]!
    const person = await addPerson(++made)
    for (const [fault, password] of refused) {
      expect([password, await door(person, password)]).toEqual([
        password,
        expect.objectContaining({ error_type: 'BAD_PASSWORD', error_subtype: fault }),
      ])
    }
    expect((await door(person, 'cobalt93willow')).status).toBe('OK')
  },
)

it('makes a person without a password, whom no password lets in', async () => {
  const names = { first: '', last: '', email: 'later@hospital.example', password: undefined }
  const place = { accountUuid: organisation.accountUuid, roleUuid: organisation.roles.get('Staff') ?? '' }
  await services.db.transaction().execute((tx) => createUser(tx, { ...place, ...names }))
  for (const password of ['undefined', ' ', 'x']) {
    const { body } = await call('session/login', { login: names.email, password })
    expect(body.error_type).toBe('INVALID_CREDENTIALS')
  }
})
