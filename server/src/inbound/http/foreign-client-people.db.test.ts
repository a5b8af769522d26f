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

it('[API-37] destination, rule and link lists narrow and order by what their rows show', async () => {
  const { uuid: node } = await ask('node/add', { ...place, name: 'Lists', aetitle: 'LISTS' })
  expect(
    namesOf((await ask('node/list', { ...place, 'filter.type.equals': 'VIRTUAL', sort_by: 'aetitle-asc' })).nodes),
  ).toEqual(['Lists'])
  const made: string[] = []
  for (const [name, can_search] of [
    ['Archive', 1],
    ['Burner', 0],
  ] as const) {
    const sent = {
      ...place,
      node_id: node,
      name,
      address: '127.0.0.1',
      port: 11112,
      aetitle: name.toUpperCase(),
      can_search,
    }
    made.push((await ask('destination/add', sent)).uuid)
  }
  const destinations = async (more: Fields) =>
    namesOf((await ask('destination/list', { ...place, ...more })).destinations)
  expect(await destinations({ 'filter.can_search.equals': 1 })).toEqual(['Archive'])
  expect(await destinations({ 'filter.type.equals': 'DICOM', sort_by: 'aetitle-desc' })).toEqual(['Burner', 'Archive'])
  // no address is found by trying
  expect(await fault('destination/list', { ...place, 'filter.address.like': '127%' })).toBe('INVALID_FIELD')

  const inbox = await ask('group/add', { ...place, name: 'Ruled' })
  await ask('group/user/add', { uuid: inbox.uuid, user_id: systemUser })
  const rule = { namespace_id: inbox.namespace_id, actions: [{ destination: made[0] }] }
  await ask('route/add', { ...rule, name: 'Once', on_upload: 1, no_re_run: 1 })
  await ask('route/add', { ...rule, name: 'Later', on_harvest: 1, delay_seconds: 120 })
  const routes = async (more: Fields) => (await ask('route/list', { ...place, ...more })).routes
  expect(namesOf(await routes({ 'filter.no_re_run.equals': 1 }))).toEqual(['Once'])
  expect(namesOf(await routes({ 'filter.delay_seconds.gt': 60, sort_by: 'delay_seconds-desc' }))).toEqual(['Later'])
  for (const one of await routes({})) await ask('route/delete', { uuid: one.uuid })

  const link = { namespace_id: inbox.namespace_id, action: 'STUDY_UPLOAD', email: 'sender@south.example' }
  for (const minutes_alive of [60, 600]) await ask('link/add', { ...link, minutes_alive, max_hits: 5 })
  const links = async (more: Fields) => (await ask('link/list', { namespace_id: inbox.namespace_id, ...more })).links
  expect(await links({ 'filter.minutes_alive.lt': 100, 'filter.action.equals': 'STUDY_UPLOAD' })).toHaveLength(1)
  const sorted = await links({ sort_by: 'minutes_alive-desc' })
  expect(sorted.map((one: Reply) => one.minutes_alive)).toEqual([600, 60])
  for (const one of sorted) await ask('link/delete', { uuid: one.uuid })
  for (const uuid of made) await ask('destination/delete', { uuid })
  await ask('node/delete', { uuid: node })
  await ask('group/delete', { uuid: inbox.uuid })

  const field = { ...place, object: 'Study', type: 'text' }
  const { uuid: asked } = await ask('customfield/add', { ...field, name: 'Asked', capture_on_share_code: 1 })
  const { uuid: own } = await ask('customfield/add', { ...field, name: 'Own', display_order: 7 })
  const fields = async (more: Fields) => namesOf((await ask('customfield/list', { ...place, ...more })).customfields)
  expect(await fields({ 'filter.capture_on_share_code.equals': 1 })).toEqual(['Asked'])
  expect(await fields({ 'filter.display_order.ge': 5 })).toEqual(['Own'])
  for (const uuid of [asked, own]) await ask('customfield/delete', { uuid })
  await ask('account/set', { uuid: account, session_expire: 45 })
  const accounts = await ask('account/list', { 'filter.session_expire.equals': 45, sort_by: 'session_expire-asc' })
  expect(namesOf(accounts.accounts)).toEqual(['South'])
})

it('[API-37] a foreign client brings people in by every public way, minds their settings, and lets them go', async () => {
  const { uuid: reader } = await ask('role/add', { ...place, name: 'Reader', permissions: { study_view: 1 } })
  const ward = await ask('group/add', { ...place, name: 'Invited' })
  const branch = await ask('location/add', { ...place, name: 'Invited too' })

  // a login with a first password, then the membership
  const person = {
    first: 'Eve',
    last: 'South',
    password: 'cobalt93willow',
    email: 'eve@south.example',
    mobile_phone: '',
  }
  const { uuid: eve, namespace_id } = await ask('user/add', { ...place, ...person })
  expect(namespace_id).toMatch(/^[0-9a-f-]{36}$/)
  expect(await fault('user/add', { ...place, ...person })).toBe('DUPLICATE_EMAIL')
  await ask('account/user/add', { uuid: account, user_id: eve, role_id: reader })
  const first = { login: person.email, password: person.password }
  expect(await client.send('session/login', first)).toMatchObject({ error_type: 'PASSWORD_RESET' })
  expect(await client.send('session/login', { ...first, new_password: newPassword })).toMatchObject({ status: 'OK' })
  const hers = await client.signIn(person.email, newPassword)

  // an invitation, sent again, and accepted by its mail
  const email = 'ida@south.example'
  const invited = { ...place, email, role_id: reader, link: `${origin}/`, groups: { [ward.uuid]: '' } }
  const { uuid: ida } = await ask('user/invite', { ...invited, locations: { [branch.uuid]: reader } })
  expect(await fault('user/invite', { ...invited, email: 'x@south.example', link: 'https://elsewhere.example/' })).toBe(
    'INVALID_LINK',
  )
  await ask('user/welcome', { ...place, email, link: `${origin}/` })
  const token = await tokenMailedTo({ services, query }, email)
  expect(await client.send('user/password/reset', { token, password: newPassword })).toMatchObject({ status: 'OK' })
  const idas = await client.signIn(email, newPassword)
  const places = namesOf((await idas.ask('user/namespace/list', place)).namespaces)
  expect(places).toEqual(expect.arrayContaining(['Invited', 'Invited too']))

  // settings of somebody else
  await ask('setting/set', { key: 'columns', value: 'name', user_id: ida })
  expect((await idas.ask('setting/get', { key: 'columns' })).value).toBe('name')
  expect((await ask('setting/get', { key: 'columns', user_id: ida })).value).toBe('name')
  expect(await hers.fault('setting/get', { key: 'columns', user_id: ida })).toBe('NOT_PERMITTED')

  // a second organisation, with which this one shares once both have said so
  const { uuid: north } = await ask('account/add', { name: 'North of South' })
  const rule = (by: string, other: string) => ({
    account_id: by,
    by_type: 'account',
    by_id: by,
    with_type: 'account',
    with_id: other,
  })
  await ask('account/can/share', rule(account, north))
  expect((await ask('account/can/share/list', place)).rules).toEqual([])
  await ask('account/can/share', rule(north, account))
  expect((await ask('account/can/share/list', place)).rules).toMatchObject([
    { with_id: north, with_name: 'North of South' },
  ])
  expect(await fault('account/can/share', { ...rule(account, north), by_type: 'user' })).toBe('INVALID_TYPE')
  await ask('account/can/share/stop', rule(account, north))
  await ask('account/delete', { uuid: north })

  // a call that is not answered says why
  expect(await client.send('user/join', person)).toMatchObject({
    error_type: 'NOT_SUPPORTED',
    error_subtype: 'call',
    error_data: expect.stringContaining('user/invite'),
  })

  // they go, each by another way
  await idas.ask('user/device/clear')
  await idas.ask('user/delete', { email })
  expect(await client.send('session/login', { login: email, password: newPassword })).toMatchObject({
    error_type: 'DISABLED',
  })
  await ask('account/user/delete', { uuid: account, user_id: eve })
  expect(await hers.fault('session/user', {})).toBe('UNAUTHORIZED')
  expect((await ask('group/user/list', { uuid: ward.uuid })).users).toEqual([])
  await ask('group/delete', { uuid: ward.uuid })
  await ask('location/delete', { uuid: branch.uuid })
  await ask('role/delete', { uuid: reader })
})

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
