import { expect, it } from 'vitest'
import { makeStudy } from '../../../test/make-organisation.ts'
import { newEmail, startPeople } from '../../../test/people-fixture.ts'

const people = await startPeople()
const { services, call, query, organisation, elsewhere, admin, roleOf } = people
const { accountUuid } = organisation

const mailsTo = async (email: string) =>
  (await query<{ subject: string }>(`select subject from mail where recipient = '${email}' order by created`)).map(
    ({ subject }) => subject,
  )
const seen = (userUuid: string) => query(`update app_user set last_login = now() where uuid = '${userUuid}'`)

it('tells a person at the old address that another one was set', async () => {
  const person = await organisation.addPerson()
  await seen(person.userUuid)
  const email = newEmail()
  await people.set(person.userUuid, { first: 'Ida' })
  expect(await mailsTo(person.email)).toEqual([])
  await people.set(person.userUuid, { email })
  expect([await mailsTo(person.email), await mailsTo(email)]).toEqual([
    ['Another e-mail address was set for your login'],
    [],
  ])
})

it('tells nobody at an address that opened nothing yet', async () => {
  const [wrong, right] = [newEmail(), newEmail()]
  const { uuid } = await people.add({ email: wrong, first: 'Nils', role_id: roleOf('Viewer') })
  const before = await mailsTo(wrong)
  await people.set(uuid, { email: right })
  expect([await mailsTo(wrong), (await mailsTo(right)).length]).toEqual([before, 1])
})

/** Every way in which an administrator keeps a person out. */
const ends = {
  'user/enable': (userUuid: string) => people.enable(userUuid, 1),
  'account/user/delete': (userUuid: string) => people.remove(userUuid),
}

it.each(Object.entries(ends))('%s tells the person, once', async (_door, end) => {
  for (const belongsElsewhere of [false, true]) {
    const person = await organisation.addPerson({ role: 'Viewer' })
    if (belongsElsewhere) {
      await query(`insert into account_user (account_uuid, user_uuid, role_uuid)
        values ('${elsewhere.accountUuid}', '${person.userUuid}', '${elsewhere.roles.get('Viewer')}')`)
    }
    await seen(person.userUuid)
    await end(person.userUuid)
    await end(person.userUuid)
    await people.remove(person.userUuid)
    expect(await mailsTo(person.email)).toEqual(['Your access was switched off'])
  }
})

it.each(Object.entries(ends))('%s tells nobody who never signed in', async (_door, end) => {
  const email = newEmail()
  const { uuid } = await people.add({ email, first: 'Nils', role_id: roleOf('Viewer') })
  const before = await mailsTo(email)
  await end(uuid)
  expect(await mailsTo(email)).toEqual(before)
})

/** Every way in which a person is renamed. */
const renames = {
  'user/set': (sid: string) => call('user/set', { sid, first: 'Annika', last: 'Berg' }),
  'account/user/set': (_sid: string, userUuid: string) => people.set(userUuid, { first: 'Annika', last: 'Berg' }),
}

it.each(Object.entries(renames))('[ENTITY-15] %s renames the personal place with the person', async (_door, rename) => {
  const person = await organisation.addPerson({ role: 'Administrator' })
  await makeStudy(services.db, { namespaceUuid: person.namespaceUuid, accountUuid })
  await rename(person.sid, person.userUuid)
  const { sid } = person
  const ofPerson = { 'filter.phi_namespace.equals': person.namespaceUuid }
  const names = [
    (await call('session/user', { sid })).body.namespaces,
    (await call('user/namespace/list', { sid })).body.namespaces,
  ].map((list: { uuid: string; name: string }[]) => list.find(({ uuid }) => uuid === person.namespaceUuid)?.name)
  const { studies } = (await call('study/list', { sid, ...ofPerson })).body
  expect([...names, studies[0].phi_namespace_name]).toEqual(['Annika Berg', 'Annika Berg', 'Annika Berg'])
})

it('[API-37] account/add names its own fields for the name of the administrator', async () => {
  await query(`update app_user set sysadmin = true where uuid = '${admin.userUuid}'`)
  const sent = { sid: admin.sid, name: 'New House', issuer: 'NEWHOUSE', administrator_email: newEmail() }
  const missing = (await call('account/add', sent)).body
  const wrong = (await call('account/add', { ...sent, administrator_first: 'x'.repeat(300) })).body
  await query(`update app_user set sysadmin = false where uuid = '${admin.userUuid}'`)
  expect([missing.error_type, missing.error_subtype]).toEqual(['MISSING_FIELDS', ['administrator_first']])
  expect([wrong.error_type, wrong.error_subtype]).toEqual(['INVALID_FIELD', 'administrator_first'])
})
