import { afterAll, expect, it, vi } from 'vitest'
import { goodPassword, makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { wireClient } from '../../../test/wire-client.ts'
import { completeQuietStudies } from '../../areas/ingest/complete-study.command.ts'
import { jobs } from '../../areas/jobs.ts'
import { startRunner } from '../worker/run-work.ts'

/*
 * A client that knows nothing but the public wire: addresses, form-encoded fields and replies. A system administrator with
 * a login is all there is before.
 */

const { services, app, query } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const named = ['look-at-rules', 'run-route', 'wake-rules']
const runner = await startRunner(
  services,
  jobs.filter(({ name }) => named.includes(name)),
  { pollMs: 20 },
)
afterAll(() => runner.stop())
const login = 'founder@clinic.example'
const { userUuid: systemUser } = await (await makeOrganisation(services.db)).addPerson({ email: login })
await query(`update app_user set sysadmin = true where uuid = '${systemUser}'`)

const { send, signIn, upload: sendImage } = wireClient(origin)
const { sid, ask, fault } = await signIn(login, goodPassword)

async function upload(namespace: string): Promise<string> {
  const studyUid = await sendImage(namespace, sid)
  await completeQuietStudies(services, new Date(Date.now() + 200_000))
  return studyUid
}
const studiesOf = async (namespace: string): Promise<{ uuid: string; study_uid: string }[]> =>
  (await ask('study/list', { 'filter.phi_namespace.equals': namespace })).studies
const arrived = (namespace: string, studyUid: string) =>
  vi.waitFor(
    async () => {
      const found = (await studiesOf(namespace)).find((one) => one.study_uid === studyUid)
      expect(found).toBeDefined()
      return found?.uuid ?? ''
    },
    { timeout: 20_000 },
  )

it('[API-37] a foreign client builds an organisation from nothing, uses it and takes it down', async () => {
  const { uuid: account } = await ask('account/add', { name: 'Clinic' })
  expect(await fault('account/add', { name: 'clinic' })).toBe('DUPLICATE_NAME')
  const seen = (await ask('account/list', { 'filter.uuid.equals': account, permissions: 1 })).accounts
  expect(seen).toMatchObject([{ name: 'Clinic', role_name: 'Administrator', permissions: { role_edit: 1 } }])
  const founder = (await ask('user/get')).uuid
  await ask('account/set', { uuid: account, name: 'Clinic North', setting_help_address: 'help@clinic.example' })
  await ask('account/set', { uuid: account, vanity: 'north.example, Images.North.example', session_expire: 60 })
  expect(await fault('account/set', { uuid: account, vanity: 'no host' })).toBe('INVALID_VANITY')

  const { uuid: role } = await ask('role/add', { account_id: account, name: 'Reader', for_location: 1 })
  await ask('role/set', { uuid: role, description: 'Reads', permission_study_view: 1, permission_study_download: 0 })
  const inbox = await ask('group/add', { account_id: account, name: 'Inbox' })
  const ward = await ask('group/add', { account_id: account, name: 'Ward' })
  const branch = await ask('location/add', {
    account_id: account,
    name: 'Branch',
    share_code: 'BRANCH7',
    share_settings: { takes_uploads: 1 },
  })
  for (const group of [inbox, ward]) await ask('group/user/add', { uuid: group.uuid, user_id: founder })
  await ask('account/set', { uuid: account, role_id: role })
  expect((await ask('account/get', { uuid: account })).default_role_name).toBe('Reader')
  await ask('location/user/add', { uuid: branch.uuid, user_id: founder })
  const person = { email: 'reader@clinic.example', first: 'Rea', last: 'Der', groups: [{ uuid: ward.uuid }] }
  const { uuid: reader } = await ask('account/user/add', { uuid: account, ...person })
  await ask('location/user/add', { uuid: branch.uuid, user_id: reader, role_id: role })
  await ask('account/user/set', {
    uuid: account,
    user_id: reader,
    account_login: 'rea',
    max_sessions: 2,
    event_share: 1,
  })
  expect(await ask('account/user/get', { uuid: account, user_id: reader })).toMatchObject({
    account_login: 'rea',
    max_sessions: 2,
    session_expire: 0,
    event_share: 1,
    role_name: 'Reader',
  })
  const twin = { uuid: account, user_id: founder, account_login: 'REA' }
  expect(await fault('account/user/set', twin)).toBe('DUPLICATE_NAME')
  expect((await ask('user/event', { namespace_id: ward.namespace_id, uuid: reader })).event_share).toBe(0)
  expect(await fault('user/event', { namespace_id: inbox.namespace_id, uuid: reader })).toBe('NOT_MEMBER')
  const { uuid: node } = await ask('node/add', { account_id: account, name: 'Gateway', aetitle: 'NORTH' })
  const archive = { account_id: account, name: 'Archive', address: '127.0.0.1', port: 11112, aetitle: 'ARCHIVE' }
  const { uuid: destination } = await ask('destination/add', { ...archive, node_id: node })
  const narrowed = { uuid: ward.namespace_id, study_field_flags: { study_field_referring_physician: 'H' } }
  expect((await ask('namespace/settings', narrowed)).study_field_flags).toEqual(narrowed.study_field_flags)
  const wrong = { uuid: ward.namespace_id, study_field_flags: { study_field_referring_physician: 'X' } }
  expect(await fault('namespace/settings', wrong)).toBe('INVALID_SETTING_VALUE')
  expect((await ask('namespace/settings', { ...narrowed, study_field_flags: {} })).study_field_flags).toEqual({})
  const field = { account_id: account, name: 'Referrer', object: 'Study', type: 'text' }
  const { uuid: customfield } = await ask('customfield/add', field)
  const hook = {
    account_id: account,
    name: 'RIS',
    event: 'ROUTE_RULE',
    url: 'https://ris.example/',
    method: 'POST_JSON',
  }
  const { uuid: webhook } = await ask('webhook/add', hook)
  const rule = { namespace_id: inbox.namespace_id, name: 'To the branch', on_upload: 1 }
  const { uuid: route } = await ask('route/add', { ...rule, actions: [{ namespace: branch.namespace_id }] })

  // uploaded, routed to the location, shared by hand with it and the other group
  const first = await upload(inbox.namespace_id)
  await arrived(branch.namespace_id, first)
  const second = await upload(ward.namespace_id)
  const study = await arrived(ward.namespace_id, second)
  const offered = (await ask('study/share/who', { uuid: study, type: 'location' })).shares
  expect(offered).toMatchObject([{ uuid: branch.uuid, name: 'Branch' }])
  await ask('study/share', { uuid: study, location_id: branch.uuid })
  expect((await ask('study/share/list', { uuid: study })).location_id).toEqual([branch.uuid])
  await arrived(branch.namespace_id, second)
  await ask('study/share/stop', { uuid: study, location_id: branch.uuid })
  expect((await studiesOf(branch.namespace_id)).map((one) => one.study_uid)).toEqual([first])

  // a stranger who knows the code of the location opens an upload there
  const opened = await send('namespace/share_code/open', { share_code: 'BRANCH7' })
  expect(opened).toMatchObject({ status: 'OK', action: 'STUDY_UPLOAD' })
  expect(await send('link/request', { sid: opened.sid })).toMatchObject({ status: 'OK', by_share_code: 1 })

  const { uuid: link } = await ask('link/add', { study_id: study, action: 'STUDY_VIEW', minutes_alive: 60 })
  expect((await ask('link/get', { uuid: link })).uuid).toBe(link)
  await ask('link/delete', { uuid: link })

  await ask('webhook/trigger', { uuid: webhook, study_id: study })
  const { deliveries } = await ask('webhook/deliveries', { uuid: webhook })
  expect(deliveries).toMatchObject([{ event: 'ROUTE_RULE', study_id: study }])

  // taken down again; what is in use says so
  expect(await fault('group/delete', { uuid: ward.uuid })).toBe('NOT_EMPTY')
  expect(await fault('role/delete', { uuid: role })).toBe('IN_USE')
  await ask('route/delete', { uuid: route })
  await ask('webhook/delete', { uuid: webhook })
  await ask('customfield/delete', { uuid: customfield })
  expect(await fault('node/delete', { uuid: node })).toBe('HAS_DESTINATIONS')
  await ask('destination/delete', { uuid: destination })
  await ask('node/delete', { uuid: node })
  // and its title is free again
  const { uuid: spare } = await ask('node/add', { account_id: account, name: 'Spare', aetitle: 'NORTH' })
  await ask('node/delete', { uuid: spare })
  const roles = (await ask('role/list', { account_id: account, 'filter.type.equals': 'user' })).roles
  await ask('account/set', { uuid: account, role_id: roles[0].uuid, vanity: '' })
  for (const place of [branch, ward, inbox]) {
    for (const one of await studiesOf(place.namespace_id)) await ask('study/delete', { uuid: one.uuid })
  }
  await ask('account/user/delete', { uuid: account, user_id: reader })
  await ask('location/delete', { uuid: branch.uuid })
  for (const group of [ward, inbox]) await ask('group/delete', { uuid: group.uuid })
  await ask('role/delete', { uuid: role })
  expect((await ask('group/list', { account_id: account })).groups).toEqual([])
  expect((await ask('location/list', { account_id: account })).locations).toEqual([])

  // and the audit tells all of it
  const { objects } = await ask('audit/deleted', { account_id: account, type: 'Group' })
  expect(objects.map((one: { uuid: string }) => one.uuid)).toEqual([inbox.uuid, ward.uuid])
  const did = await ask('audit/user', { account_id: account, user_id: founder, 'filter.type.equals': 'Role' })
  expect(did.events.map((one: { action: string }) => one.action)).toEqual(['DELETE', 'EDIT', 'ADD'])
  expect((await ask('audit/user', { account_id: account, user_id: reader })).events).toEqual([])
  expect(await fault('audit/deleted', { account_id: account, type: 'Nothing' })).toBe('INVALID_TYPE')
})
