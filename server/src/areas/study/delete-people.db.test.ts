import { expect, it } from 'vitest'
import { type Group, makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const losers = async (sid: string, namespace: string) =>
  (await call('study/delete/people', { sid, namespace_id: namespace })).body
const add = (groups: readonly Group[], role = 'Clinician') => organisation.addPerson({ role, groups })
const rename = (userUuid: string, last: string) =>
  query(`update app_user set last_name = '${last}' where uuid = '${userUuid}'`)

it('names whoever else sees the studies of a group, by name', async () => {
  const [group, other] = [await organisation.addGroup(), await organisation.addGroup()]
  const asker = await add([group], 'Administrator')
  expect(await losers(asker.sid, group.namespaceUuid)).toMatchObject({ count: 0, people: [] })
  const [zoe, ann] = [await add([group]), await add([group, other])]
  await rename(zoe.userUuid, 'Zoe')
  await rename(ann.userUuid, 'Ann')
  await add([other])
  expect(await losers(asker.sid, group.namespaceUuid)).toMatchObject({
    count: 2,
    people: [{ name: 'Ada Ann' }, { name: 'Ada Zoe' }],
  })
})

it('leaves out who is switched off, and whose role does not see studies', async () => {
  const group = await organisation.addGroup()
  const asker = await add([group], 'Administrator')
  const [off, blind, sees] = [await add([group]), await add([group]), await add([group])]
  await query(`update account_user set disabled = true where user_uuid = '${off.userUuid}'`)
  await query(`insert into role (uuid, account_uuid, name, permissions, for_account, for_group)
    values (gen_random_uuid(), '${organisation.accountUuid}', 'Blind', '{study_upload}', true, true)`)
  await query(`update group_user set role_uuid = (select uuid from role where name = 'Blind')
    where user_uuid = '${blind.userUuid}'`)
  expect(await losers(asker.sid, group.namespaceUuid)).toMatchObject({ count: 1, people: [{ name: sees.name }] })
})

it('counts all and names the first five', async () => {
  const group = await organisation.addGroup()
  const asker = await add([group], 'Administrator')
  for (let person = 0; person < 7; person++) await add([group])
  const { count, people } = await losers(asker.sid, group.namespaceUuid)
  expect([count, people.length]).toEqual([7, 5])
})

it('knows the people of the whole organisation, and nobody of a personal inbox', async () => {
  const alone = await makeOrganisation(services.db)
  const [admin, second] = [
    await alone.addPerson({ role: 'Administrator' }),
    await alone.addPerson({ role: 'Administrator' }),
  ]
  const [place] = await query<{ namespace_uuid: string }>(
    `select namespace_uuid from account where uuid = '${alone.accountUuid}'`,
  )
  expect(await losers(admin.sid, place?.namespace_uuid ?? '')).toMatchObject({
    count: 1,
    people: [{ name: second.name }],
  })
  expect(await losers(admin.sid, admin.namespaceUuid)).toMatchObject({ count: 0, people: [] })
})

it('tells nothing without the right to delete, nor of a place of others', async () => {
  const group = await organisation.addGroup()
  const outsider = await add([])
  expect(await losers(outsider.sid, group.namespaceUuid)).toMatchObject({ status: 'ERROR' })
  const viewer = await add([group], 'Viewer')
  expect(await losers(viewer.sid, group.namespaceUuid)).toMatchObject({ error_type: 'NOT_PERMITTED' })
})
