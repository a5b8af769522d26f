import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { goodPassword, makeOrganisation } from '../../../test/make-organisation.ts'
import { newPassword, tokenMailedTo } from '../../../test/people-fixture.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { type Fields, type Reply, wireClient } from '../../../test/wire-client.ts'
import { completeQuietStudies } from '../../areas/ingest/complete-study.command.ts'

/*
 * A client that knows nothing but the public wire lets people work in the organisation that it built: lists with the wire's
 * fields, filters, sorts and pages; values of custom fields; shares, links and settings; and the end of the organisation.
 */

const { services, app, query } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const client = wireClient(origin)
const login = 'founder@south.example'
const installation = await makeOrganisation(services.db)
const { userUuid: systemUser } = await installation.addPerson({ email: login })
await query(`update app_user set sysadmin = true where uuid = '${systemUser}'`)
const founder = await client.signIn(login, goodPassword)
const { ask, fault } = founder

const { uuid: account } = await ask('account/add', { name: 'South' })
const place = { account_id: account }
const namesOf = (rows: { name: string }[]) => rows.map((one) => one.name)
/** The names of a list of two rows, and its page. */
async function readList(path: string, rows: string, fields: Fields): Promise<[string[], Reply]> {
  const body = await ask(path, fields)
  return [namesOf(body[rows]), body.page]
}

it.each([
  ['group/add', {}, 'group/list', 'group', 'groups'],
  ['location/add', {}, 'location/list', 'location', 'locations'],
  ['role/add', {}, 'role/list', 'role', 'roles'],
  ['customfield/add', { object: 'Study', type: 'text' }, 'customfield/list', 'customfield', 'customfields'],
  ['node/add', {}, 'node/list', 'node', 'nodes'],
])(
  '[API-37] %s makes what its list gives with fields, filters, sorts and pages',
  async (add, more, path, one, rows) => {
    const made: string[] = []
    for (const name of ['Alpha', 'Beta', 'Gamma']) {
      const ae: Fields = add === 'node/add' ? { aetitle: `S${name.toUpperCase()}` } : {}
      made.push((await ask(add, { ...place, ...more, ...ae, name: `${name} of ${one}` })).uuid)
    }
    const named = { ...place, 'filter.name.like': `% of ${one}` }
    const sorted = { ...named, sort_by: 'name-desc', 'page.rows': 2, 'page.number': 1 }
    expect(await readList(path, rows, sorted)).toMatchObject([
      [`Gamma of ${one}`, `Beta of ${one}`],
      { more: 1, rows: 2, number: 1 },
    ])
    expect(await readList(path, rows, { ...sorted, 'page.number': 2 })).toMatchObject([
      [`Alpha of ${one}`],
      { more: 0, rows: 2, number: 2 },
    ])
    const narrow = {
      ...place,
      [`fields.${one}`]: ['uuid', 'name'],
      'filter.uuid.in': [made[0], made[2]],
      sort_by: 'name-asc',
    }
    expect((await ask(path, narrow))[rows]).toEqual([
      { uuid: made[0], name: `Alpha of ${one}` },
      { uuid: made[2], name: `Gamma of ${one}` },
    ])
    expect((await ask(path, { ...place, 'filter.name.equals': `beta of ${one}` }))[rows]).toMatchObject([
      { uuid: made[1] },
    ])
    expect(await fault(path, { ...place, 'filter.shoe_size.equals': 7 })).toBe('INVALID_FIELD')
    expect(await fault(path, { ...place, 'filter.name.near': 7 })).toBe('INVALID_CONDITION')
    expect(await fault(path, { ...place, sort_by: 'shoe_size-asc' })).toBe('INVALID_SORT_FIELD')
    expect(await fault(path, { ...place, sort_by: 'name-up' })).toBe('INVALID_SORT_ORDER')
    expect(await fault(path, {})).toBe('MISSING_FIELDS')
    const nowhere = { ...more, account_id: randomUUID(), name: 'Nowhere', aetitle: 'NOWHERE' }
    const { aetitle: _, ...elsewhere } = nowhere
    expect(await fault(add, add === 'node/add' ? nowhere : elsewhere)).toBe('ACCOUNT_NOT_FOUND')
    for (const uuid of made) await ask(path.replace('list', 'delete'), { uuid })
    expect(await fault(path.replace('list', 'get'), { uuid: made[0] ?? '' })).toBe('NOT_FOUND')
  },
)

it('[API-37] people of an organisation that a foreign client built work in it, until it is closed', async () => {
  const ward = await ask('group/add', { ...place, name: 'Ward' })
  const board = await ask('group/add', { ...place, name: 'Board' })
  const readers = await ask('role/add', { ...place, name: 'Readers', permissions: { study_view: 1, study_edit: 0 } })
  await ask('role/set', { uuid: readers.uuid, permission_study_star: 1, permission_study_edit: 1 })
  expect((await ask('role/get', { uuid: readers.uuid })).permissions).toMatchObject({ study_view: 1, study_star: 1 })
  await ask('group/user/add', { uuid: ward.uuid, user_id: systemUser })

  // somebody who is invited chooses a password and is found by the names of the wire
  const email = 'ada@south.example'
  const person = { email, first: 'Ada', last: 'South', role_id: readers.uuid }
  const { uuid: ada } = await ask('account/user/add', { uuid: account, ...person })
  expect(await fault('account/user/add', { uuid: account, ...person })).toBe('ALREADY_EXISTS')
  await ask('group/user/add', { uuid: board.uuid, user_id: ada, role_id: readers.uuid })
  const token = await tokenMailedTo({ services, query }, email)
  expect(await client.send('user/password/reset', { token, password: 'short' })).toMatchObject({
    error_type: 'BAD_PASSWORD',
  })
  expect(await client.send('user/password/reset', { token, password: newPassword })).toMatchObject({ status: 'OK' })
  const hers = await client.signIn(email, newPassword)
  const found = await ask('account/user/list', {
    uuid: account,
    'filter.user.last.like': 'sou%',
    'filter.role_id.equals': readers.uuid,
    'filter.user_disabled.equals': 0,
    'filter.disabled.equals': 0,
    'filter.role_name.equals': 'Readers',
    sort_by: 'user.last-asc,user.first-asc',
    'fields.user': ['user_id', 'user_email', 'role_name', 'disabled'],
  })
  expect(found.users).toEqual([{ user_id: ada, user_email: email, role_name: 'Readers', disabled: 0 }])
  expect((await hers.ask('session/permissions', place)).study_star).toBe(1)
  expect(await hers.fault('group/add', { ...place, name: 'Mine' })).toBe('NOT_PERMITTED')
  await hers.ask('setting/set', { key: 'columns', value: 'name' })
  expect((await hers.ask('setting/get', { key: 'columns' })).value).toBe('name')
  await hers.ask('setting/set', { key: 'columns', value: '__DELETE__' })
  expect((await hers.ask('setting/get', { key: 'columns' })).value).toBe('')

  // a study with a value of the organisation's own field
  const field = { ...place, name: 'Referrer', object: 'Study', type: 'text' }
  const { uuid: referrer } = await ask('customfield/add', field)
  const studyUid = await client.upload(ward.namespace_id, founder.sid)
  await completeQuietStudies(services, new Date(Date.now() + 200_000))
  const inWard = { 'filter.phi_namespace.equals': ward.namespace_id, 'filter.study_uid.equals': studyUid }
  const { uuid: study } = (await ask('study/list', inWard)).studies[0]
  await ask('study/set', { uuid: study, [`customfield-${referrer}`]: 'Dr Hill' })
  const byField = { [`filter.customfield-${referrer}.equals`]: 'Dr Hill', sort_by: `customfield-${referrer}-desc` }
  expect((await ask('study/list', { ...inWard, ...byField, fields: ['uuid'] })).studies).toEqual([{ uuid: study }])
  expect((await ask('study/get', { uuid: study })).customfields).toMatchObject([
    { uuid: referrer, name: 'Referrer', type: 'text', value: 'Dr Hill' },
  ])

  // shared with the group, where the person finds and stars the study, and taken back
  await ask('study/share', { uuid: study, group_id: board.uuid })
  const seen = async () => (await hers.ask('study/list', { 'filter.phi_namespace.in': [board.namespace_id] })).studies
  const [shared] = await seen()
  expect(shared).toMatchObject({ study_uid: studyUid })
  expect(await hers.fault('study/get', { uuid: study })).toBe('NOT_FOUND')
  const { namespaces } = await hers.ask('user/namespace/list', place)
  expect(namesOf(namespaces)).toContain('Board')
  await ask('study/share/stop', { uuid: study, group_id: board.uuid })
  expect(await seen()).toEqual([])

  // a link opens for somebody without a login, and closes
  const sent = { study_id: study, action: 'STUDY_VIEW', minutes_alive: 60, max_hits: 3, password: 'seven-lamps-9' }
  const { uuid: link, url } = await ask('link/add', sent)
  const secret = (url as string).split('/').at(-1) ?? ''
  expect(await client.send('link/status', { token: secret })).toMatchObject({ status: 'OK', has_password: 1 })
  expect(await client.send('link/session', { token: secret, password: 'eight-lamps-9' })).not.toMatchObject({
    status: 'OK',
  })
  const opened = await client.send('link/session', { token: secret, password: 'seven-lamps-9' })
  expect(opened).toMatchObject({ status: 'OK', action: 'STUDY_VIEW', study_count: 1 })
  expect((await ask('link/list', { study_id: study, 'filter.uuid.equals': link })).links).toMatchObject([{ hits: 1 }])
  await ask('link/delete', { uuid: link })
  expect((await client.send('link/session', { token: secret, password: 'seven-lamps-9' })).status).toBe('ERROR')

  // a bundle makes a group and a member of it, and one wrong item stops nothing
  const { sid } = founder
  const replies = await client.bundle([
    { URL: '/group/add', sid, ...place, name: 'Bundled' },
    { URL: '/group/add', sid, ...place, name: 'bundled' },
    { URL: '/group/user/add', sid, uuid: '{{uuid}}', user_id: ada },
  ])
  expect(replies.map((one) => [Number(one.HTTP_STATUS_CODE), one.error_type])).toEqual([
    [200, undefined],
    [412, 'DUP_NAMESPACE_NAME'],
    [200, undefined],
  ])

  // taken down to the last row
  expect(await fault('account/delete', { uuid: account })).toBe('NOT_EMPTY')
  await ask('study/delete', { uuid: study })
  await ask('account/delete', { uuid: account })
  expect(await fault('account/get', { uuid: account })).toBe('NOT_FOUND')
  expect((await ask('account/list', { 'filter.uuid.equals': account })).accounts).toEqual([])
  expect(await hers.fault('group/list', place)).toBe('UNAUTHORIZED')
  await ask('account/add', { name: 'South' })
})
