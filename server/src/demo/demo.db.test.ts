import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { roleTemplates } from '@hilum/contract/roles'
import { expect, it } from 'vitest'
import { startTestApp } from '../../test/test-app.ts'
import { makeDemo } from './make-demo.ts'

const { services, call, query } = await startTestApp()
const users = await makeDemo(services)

const signIn = async (role: string): Promise<string> => {
  const user = users.find((one) => one.role === role)
  return (await call('session/login', { login: user?.email, password: user?.password })).body.sid
}

it('makes a user for each role, whom the returned password signs in', async () => {
  const own = users.filter((user) => user.organisation === 'Northside Imaging')
  expect(own.map((user) => user.role).toSorted()).toEqual(roleTemplates.map((role) => role.name).toSorted())
  for (const { name } of roleTemplates) expect(await signIn(name)).toEqual(expect.any(String))
  expect(new Set(users.map((user) => user.password)).size).toBe(users.length)
})

it('writes the users where only the owner may read', async () => {
  const file = join(services.config.dataFolder, 'demo-users.json')
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(users)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

it('has two cloud groups, a library and a gatekeeper group, with studies taken in', async () => {
  const sid = await signIn('Administrator')
  const { body } = await call('user/namespace/list', { sid })
  const groups = body.namespaces
    .filter((one: { type: string }) => one.type === 'group_id')
    .map((one: { name: string; settings: { inbox_config: { group_designation: string } }; study_count: number }) => [
      one.name,
      one.settings.inbox_config.group_designation,
      one.study_count,
    ])
  expect(groups).toEqual([
    ['Emergency Department', 'CLOUD', 3],
    ['Hospital PACS Gateway', 'GATEKEEPER', 0],
    ['Outpatient Imaging', 'CLOUD', 2],
    ['Teaching Library', 'LIBRARY', 1],
  ])
  const { studies } = (await call('study/list', { sid })).body
  expect(studies).toHaveLength(6)
  expect(new Set(studies.map((study: { arrival: string }) => study.arrival))).toEqual(new Set(['complete']))
})

it('[ENTITY-07] lets the cloud groups nominate to the gatekeeper group', async () => {
  const { namespaces } = (await call('user/namespace/list', { sid: await signIn('Administrator') })).body
  const of = (name: string) => namespaces.find((one: { name: string }) => one.name === name)
  const promote = of('Emergency Department').settings.inbox_config.pacs_promote_groups
  expect(promote).toEqual([of('Hospital PACS Gateway').type_uuid])
})

it('shows each role what its groups hold', async () => {
  const count = async (role: string) => (await call('study/count', { sid: await signIn(role) })).body.count
  expect(await count('Clinician')).toBe(6)
  expect(await count('Viewer')).toBe(4)
  expect(await count('Uploader')).toBe(0)
})

it('[SEND-01] has organisations outside that can send to the first and receive from it at once', async () => {
  const [first] = users.filter((user) => user.role === 'Staff')
  for (const { email, password, organisation } of users.filter((user) => user.organisation !== 'Northside Imaging')) {
    const { sid } = (await call('session/login', { login: email, password })).body
    const [study] = (await call('study/list', { sid })).body.studies
    const { shares } = (await call('study/share/who', { sid, uuid: study.uuid, type: 'account' })).body
    expect(shares).toMatchObject([{ name: 'Northside Imaging' }])
    expect(['Lakeside Radiology', 'Harbour Clinic']).toContain(organisation)
  }
  const { sid } = (await call('session/login', { login: first?.email, password: first?.password })).body
  const [study] = (await call('study/list', { sid })).body.studies
  const { shares } = (await call('study/share/who', { sid, uuid: study.uuid, type: 'account' })).body
  expect(shares.map((one: { name: string }) => one.name)).toEqual(['Harbour Clinic', 'Lakeside Radiology'])
})

it('changes nothing when there is an account already', async () => {
  expect(await makeDemo(services)).toEqual([])
  expect(await query('select count(*)::integer as count from account')).toEqual([{ count: 3 }])
  expect(await query('select count(*)::integer as count from study')).toEqual([{ count: 8 }])
})

it('goes on with the studies where a killed first start stopped', async () => {
  await query(
    `insert into setting (scope, scope_uuid, key, value)
      select 'account', uuid, 'demo_studies', 'pending' from account where name = 'Northside Imaging'`,
  )
  await query(`delete from study where study_description = 'MR head'`)
  await query(`delete from instance where study_key in (
    select key from stored_study where study_uid not in (select study_uid from study)
  )`)
  await query(`delete from series where study_key in (
    select key from stored_study where study_uid not in (select study_uid from study)
  )`)
  await query(`delete from stored_study where study_uid not in (select study_uid from study)`)
  expect(await makeDemo(services)).toEqual([])
  const { studies } = (await call('study/list', { sid: await signIn('Administrator') })).body
  const counts = studies.map((study: { image_count: number }) => study.image_count)
  expect(counts.toSorted((a: number, b: number) => a - b)).toEqual([1, 2, 20, 60, 60, 60])
  expect(await query(`select from setting where key = 'demo_studies'`)).toEqual([])
})
