import { expect, test } from 'vitest'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const vanity = 'images.settings.example'
const organisation = await makeOrganisation(services.db, {
  name: 'Northside Imaging',
  vanity,
  settings: { enable_inbox_view: '1' },
})
const account = organisation.accountUuid
const group = await organisation.addGroup()
const admin = await organisation.addPerson({ role: 'Administrator', groups: [group] })
const person = await organisation.addPerson({ groups: [group] })
const other = await makeOrganisation(services.db)
const stranger = await other.addPerson({ role: 'Administrator' })

const ask = async (path: string, { sid }: { sid: string }, sent: object) => (await call(path, { sid, ...sent })).body
const set = (sent: object) => ask('account/set', admin, { uuid: account, ...sent })
const read = async (who: { sid: string }, sent: object) =>
  ask('account/settings', who, { account_id: account, ...sent })

test('settings hold with their defaults, over them those of the account, the role, the place and the person', async () => {
  expect((await read(person, {})).settings).toMatchObject({
    enable_inbox_view: '1',
    enable_dicom_wrapping: '0',
    enable_dicomdir_scan: '1',
    link_minutes: expect.stringMatching(/^\d+$/),
  })
  expect((await set({ setting_enable_dicom_wrapping: 1, settings: { ui_json: { from: 'account' } } })).status).toBe(
    'OK',
  )
  const screens = async (sent: object = {}) => (await read(person, { settings: 'ui_json', ...sent })).settings.ui_json
  expect(await screens()).toBe('{"from":"account"}')
  const [{ role_uuid: role }] = (await query(
    `select role_uuid from account_user where user_uuid = '${person.userUuid}'`,
  )) as [{ role_uuid: string }]
  const byRole = await ask('role/settings', admin, { uuid: role, setting_ui_json: '{"from":"role"}' })
  expect(byRole.settings).toEqual({ ui_json: '{"from":"role"}' })
  expect(await screens()).toBe('{"from":"role"}')
  const place = { uuid: group.namespaceUuid, ui_json: '{"from":"place"}', enable_dicom_wrapping: 0 }
  expect((await ask('namespace/settings', admin, place)).status).toBe('OK')
  expect(await screens()).toBe('{"from":"role"}')
  const inPlace = { namespace_id: group.namespaceUuid }
  expect(await screens(inPlace)).toBe('{"from":"place"}')
  expect((await read(person, { settings: '["enable_dicom_wrapping"]', ...inPlace })).settings).toEqual({
    enable_dicom_wrapping: '0',
  })
  expect((await read(person, { settings: 'enable_dicom_wrapping' })).settings.enable_dicom_wrapping).toBe('1')
  await ask('user/set', person, { uuid: person.userUuid, ui_json: '{"from":"person"}' })
  expect(await screens(inPlace)).toBe('{"from":"person"}')
  expect((await ask('role/settings', admin, { uuid: role, setting_ui_json: '' })).settings).toEqual({})
  const rows = await query(`select detail from audit where object_uuid = '${role}' and type = 'Role' order by id`)
  expect(rows).toEqual([
    { detail: { ui_json: ['', '{"from":"role"}'] } },
    { detail: { ui_json: ['{"from":"role"}', ''] } },
  ])
})

test('a role sets what its account lets roles set, by those who may, and nothing of a role above', async () => {
  const role = organisation.roles.get('Viewer')
  const fault = async (who: { sid: string }, sent: object) => {
    const { error_type, error_subtype } = await ask('role/settings', who, { uuid: role, ...sent })
    return [error_type, error_subtype]
  }
  expect(await fault(admin, { setting_enable_dicom_wrapping: 1 })).toEqual([
    'NO_ROLE_OVERRIDE',
    'enable_dicom_wrapping',
  ])
  expect(await fault(admin, { setting_flavour: 1 })).toEqual(['INVALID_SETTING', 'flavour'])
  expect(await fault(admin, { setting_ui_json: '[1]' })).toEqual(['INVALID_SETTING_VALUE', 'ui_json'])
  expect((await fault(person, { setting_ui_json: '{}' }))[0]).toBe('NOT_PERMITTED')
  expect(await ask('role/settings', person, { uuid: role })).toMatchObject({ status: 'OK', settings: {} })
  expect((await fault(stranger, {}))[0]).toBe('NOT_FOUND')
})

test('who does not administer the account changes no setting of a place, and reads nobody else’s membership', async () => {
  const place = { uuid: group.namespaceUuid, ui_json: '{"from":"nobody"}' }
  expect((await ask('namespace/settings', person, place)).error_type).toBe('NOT_PERMITTED')
  const { settings } = await ask('namespace/settings', admin, { uuid: group.namespaceUuid })
  expect(settings.ui_json).not.toBe(place.ui_json)
  const memberOf = (who: { sid: string }, userUuid: string) =>
    ask('account/user/get', who, { uuid: account, user_id: userUuid })
  expect((await memberOf(person, admin.userUuid)).error_type).toBe('NOT_PERMITTED')
  expect((await memberOf(person, person.userUuid)).status).toBe('OK')
  expect((await memberOf(admin, person.userUuid)).status).toBe('OK')
})

test('without a session the host name opens the settings of the pages before the sign-in, and no others', async () => {
  await set({ setting_help_address: 'help@settings.example', setting_brand_color: '#2f6fb0' })
  const open = (await call('account/settings', { vanity: vanity.toUpperCase(), brand_settings: 'color' })).body
  expect(open.settings).toEqual({ help_address: 'help@settings.example', brand_color: '#2f6fb0' })
  const asked = await call('account/settings', { vanity, settings: 'link_minutes,help_address' })
  expect(asked.body.settings).toEqual({ help_address: 'help@settings.example' })
  const refused = [
    { vanity: 'nowhere.example' },
    { account_id: account },
    { vanity, account_id: other.accountUuid },
    { vanity, namespace_id: group.namespaceUuid },
    { account_id: account, sid: stranger.sid },
  ]
  for (const sent of refused) expect((await call('account/settings', sent)).body.error_type).toBe('NOT_FOUND')
  expect((await call('account/settings', {})).body.error_type).toBe('MISSING_FIELDS')
  // a member of the account, and no member of the place
  const foreign = { namespace_id: stranger.namespaceUuid }
  expect((await read(person, foreign)).error_type).toBe('NOT_FOUND')
})

test('the page of the sign-in is given name, logo and colour by host name, and none for another name', async () => {
  const logo = 'data:image/png;base64,iVBORw0KGgo='
  await set({ setting_brand_logo: logo, setting_brand_color: '#2f6fb0' })
  const offer = async (sent: Record<string, string>) => (await call('identity/offer', sent)).body
  const none = { brand_name: '', brand_logo: '', brand_color: '' }
  expect(await offer({ vanity: vanity.toUpperCase() })).toMatchObject({
    brand_name: 'Northside Imaging',
    brand_logo: logo,
    brand_color: '#2f6fb0',
  })
  expect(await offer({ vanity: 'nowhere.example' })).toMatchObject(none)
  expect(await offer({})).toMatchObject(none)
  // written past the form: no picture, and no colour alone
  await query(
    `update setting set value = 'https://x.example/pixel.png' where key = 'brand_logo' and scope_uuid = '${account}'`,
  )
  await query(
    `update setting set value = 'red;background:url(x)' where key = 'brand_color' and scope_uuid = '${account}'`,
  )
  expect(await offer({ vanity })).toMatchObject({ ...none, brand_name: 'Northside Imaging' })
  await set({ setting_brand_logo: '', setting_brand_color: '' })
})

test('unknown settings and values are refused by name, and validate says so beforehand', async () => {
  const before = await ask('account/get', admin, { uuid: account })
  const check = async (sent: object) => {
    const { error_type, error_subtype } = await ask('account/settings/validate', admin, { uuid: account, ...sent })
    return [error_type, error_subtype]
  }
  expect(await check({ settings: { flavour: 'sweet' } })).toEqual(['INVALID_SETTING', 'flavour'])
  expect(await check({ setting_auto_wrap_images: 2 })).toEqual(['INVALID_SETTING_VALUE', 'auto_wrap_images'])
  expect(await check({ setting_auto_wrap_images: 1, settings: { help_address: 'help@north.example' } })).toEqual([
    undefined,
    undefined,
  ])
  expect(await set({ name: 'Changed', setting_flavour: 'sweet' })).toMatchObject({
    error_type: 'INVALID_SETTING',
    error_subtype: 'flavour',
  })
  expect((await ask('account/settings', person, { account_id: account, settings: 'flavour' })).error_type).toBe(
    'INVALID_SETTING',
  )
  expect((await ask('account/settings/validate', person, { uuid: account })).error_type).toBe('NOT_PERMITTED')
  expect(await ask('account/get', admin, { uuid: account })).toEqual(before)
})

test('the Organisation inbox takes in as the account says: approvals, no shares, a share code of its own', async () => {
  const sent = {
    must_approve: 1,
    must_approve_upload: 1,
    share_code: 'SETTINGS1',
    share_description: 'Radiology, second floor',
    share_settings: { must_approve: 0 },
  }
  expect((await set(sent)).status).toBe('OK')
  const shown = await ask('account/get', admin, { uuid: account })
  expect(shown).toMatchObject({ ...sent, must_approve_harvest: 0, no_share: 0 })
  // the code opens the inbox to whoever knows it, so that members read it from nobody but an administrator
  expect(await ask('account/get', person, { uuid: account })).toMatchObject({ share_code: '', share_settings: {} })
  const place = (await call('namespace/share_code', { share_code: 'settings1' })).body
  expect(place).toMatchObject({ share_type: 'account', share_description: 'Radiology, second floor', takes_uploads: 0 })
  const elsewhere = await other.addGroup()
  const sender = await other.addPerson({ role: 'Administrator', groups: [elsewhere] })
  const share = async () => {
    const study = await makeStudy(services.db, { ...elsewhere, accountUuid: other.accountUuid })
    return ask('study/share', sender, { uuid: study.uuid, share_code: 'SETTINGS1' })
  }
  expect((await share()).status).toBe('OK')
  const waiting = `select must_approve from study where phi_namespace = '${shown.namespace_id}'`
  expect(await query(waiting)).toEqual([{ must_approve: true }])
  await set({ no_share: 1 })
  expect((await share()).status).toBe('ERROR')
  await set({ no_share: 0, must_approve: 0 })
  expect((await share()).status).toBe('OK')
  expect(await query(`${waiting} order by must_approve`)).toEqual([{ must_approve: false }, { must_approve: true }])
})

test('a share code is nobody else’s, and lets nobody upload without a login', async () => {
  const taken = await ask('account/set', stranger, { uuid: other.accountUuid, share_code: 'sETTINGS1' })
  expect(taken.error_type).toBe('DUP_SHARE_CODE')
  expect(await set({ share_settings: { takes_uploads: 1 } })).toMatchObject({
    error_type: 'INVALID_FIELD',
    error_subtype: 'share_settings',
  })
  expect((await set({ share_settings: { takes_uploads_by: person.userUuid } })).status).toBe('OK')
  const [kept] = await query(`select share_settings from account where uuid = '${account}'`)
  expect(kept).toEqual({ share_settings: {} })
  const rows = await query(`select detail from audit where object_uuid = '${account}' and detail ? 'share_code'`)
  expect(rows).toEqual([{ detail: expect.objectContaining({ share_code: ['', 'another code'] }) }])
})
