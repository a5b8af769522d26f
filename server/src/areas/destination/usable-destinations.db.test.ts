import { expect, it } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { type Group, makeStudy, type Person } from '../../../test/make-organisation.ts'
import { openGate } from '../../../test/nominated-exam.ts'
import { startTestApp } from '../../../test/test-app.ts'

/*
 * Destinations for people whose rights are those of a group: an uploader of the account who is staff, or a reviewer, in a
 * group sends, searches and decides there, and is listed what that group may use and no more.
 */

const app = await startTestApp()
const { services, call, query } = app
const gate = await openGate(app, (accountUuid) => makeDestination(app, accountUuid, { title: 'OPEN', name: 'Open' }))
const { organisation, cloud, destination: open } = gate
const { accountUuid } = organisation
const other = await organisation.addGroup()
const ofCloud = await limited('Of the group', [cloud, other])
const ofOther = await limited('Of another group', [other])

async function limited(name: string, groups: readonly Group[]): Promise<string> {
  const { uuid } = await makeDestination(app, accountUuid, { title: name.replaceAll(' ', '').toUpperCase(), name })
  const named = groups.map((one) => one.groupUuid).join(',')
  await query(`update destination set group_uuids = '{${named}}' where uuid = '${uuid}'`)
  return uuid
}

/** An uploader of the account, and of another group, who holds a role in one group. */
async function uploaderIn(group: Group, role: string): Promise<Person> {
  const person = await organisation.addPerson({ role: 'Uploader', groups: [group, other] })
  await query(`update group_user set role_uuid = '${organisation.roles.get(role)}'
    where user_uuid = '${person.userUuid}' and group_uuid = '${group.groupUuid}'`)
  return person
}

const list = async ({ sid }: Person, more: object = {}) =>
  (await call('destination/list', { sid, account_id: accountUuid, ...more })).body
const codeOf = async (path: string, sent: Record<string, unknown>) => {
  const { body } = await call(path, sent)
  return body.error_type ?? body.status ?? 'OK'
}

it('[PERM-01] an uploader of the account who is staff in a group lists what the group may use, sends there and searches there', async () => {
  const person = await uploaderIn(cloud, 'Staff')
  const { destinations, page } = await list(person)
  expect(destinations.map(({ name }: { name: string }) => name)).toEqual(['Of the group', 'Open'])
  expect(page.total).toBe(2)
  const { uuid } = await makeStudy(services.db, { ...cloud, accountUuid })
  const push = (to: string) => codeOf('study/push', { sid: person.sid, uuid, destination_id: to })
  const search = (at: string) =>
    codeOf('destination/search', { sid: person.sid, uuid: at, copy_to: cloud.namespaceUuid, patientid: 'A-1' })
  expect([await push(open), await push(ofCloud), await push(ofOther)]).toEqual(['OK', 'OK', 'NOT_FOUND'])
  expect([await search(open), await search(ofCloud), await search(ofOther)]).toEqual(['OK', 'OK', 'NOT_FOUND'])
})

it('lists to whoever uses destinations in a group alone neither where they are nor whether they answer, and no other groups', async () => {
  await query(`update destination set tls_certificate = 'PEM', health = '{}', echo_at = now(), echo_ok = true,
    echo_since = now(), echo_message = 'no answer of 127.0.0.1' where uuid = '${ofCloud}'`)
  const person = await uploaderIn(cloud, 'Staff')
  const { destinations } = await list(person, { 'filter.uuid.in': [ofCloud, ofOther] })
  expect(destinations).toEqual([
    expect.objectContaining({
      uuid: ofCloud,
      can_push: 1,
      group_ids: [cloud.groupUuid],
      address: '',
      port: 0,
      tls_certificate: '',
      health: null,
      echo: null,
    }),
  ])
  const { destinations: seen } = await list(gate.registrar, { 'filter.uuid.equals': ofCloud })
  expect(seen).toEqual([
    expect.objectContaining({ address: '127.0.0.1', group_ids: [cloud.groupUuid, other.groupUuid] }),
  ])
})

it('[PERM-01] an uploader of the account who reviews in a gatekeeper group lists where an exam may go, and sends it there', async () => {
  const person = await uploaderIn(gate.gate, 'Gatekeeper reviewer')
  const { destinations } = await list(person)
  expect(destinations.map(({ uuid }: { uuid: string }) => uuid)).toEqual([open])
  const nominated = await gate.makeNominated()
  expect(await codeOf('study/push/confirm', { sid: person.sid, uuid: nominated.gateSide })).toBe('OK')
})

it('refuses the list to an uploader of every place, and to one who was put out of the group', async () => {
  const uploader = await organisation.addPerson({ role: 'Uploader', groups: [cloud] })
  expect((await list(uploader)).error_type).toBe('NOT_PERMITTED')
  const person = await uploaderIn(cloud, 'Staff')
  expect((await list(person)).destinations).toHaveLength(2)
  await query(`delete from group_user where user_uuid = '${person.userUuid}' and group_uuid = '${cloud.groupUuid}'`)
  expect((await list(person)).error_type).toBe('NOT_PERMITTED')
})
