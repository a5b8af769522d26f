import { expect, it } from 'vitest'
import { goodPassword, makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const uuid = organisation.accountUuid
const admin = await organisation.addPerson({ role: 'Administrator' })
const person = await organisation.addPerson()

const login = async () => (await call('session/login', { login: person.email, password: goodPassword })).body
const read = async () => (await call('account/get', { sid: admin.sid, uuid })).body

it('is in force with the next sign-in, and on record with what was before', async () => {
  const sent = { sid: admin.sid, uuid, password_expire: 30, session_expire: 20, pin_required: 1 }
  expect((await call('account/set', sent)).body).toEqual({ status: 'OK' })
  expect(await read()).toMatchObject({ password_expire: 30, session_expire: 20, pin_required: 1 })
  expect(await login()).toMatchObject({ pin_required: 1, pin_via: 'setup' })
  expect((await call('account/set', { sid: admin.sid, uuid, pin_required: 0 })).status).toBe(200)
  expect((await call('session/user', { sid: (await login()).sid })).body.session_expire).toBe(20)
  await query(`update app_user set password_set_at = now() - interval '31 days' where uuid = '${person.userUuid}'`)
  expect(await login()).toMatchObject({ error_type: 'PASSWORD_RESET' })
  expect((await call('account/set', { sid: admin.sid, uuid, password_expire: 0 })).status).toBe(200)
  expect((await login()).status).toBe('OK')
  const rows = await query(`select detail from audit where object_uuid = '${uuid}' and action = 'EDIT' order by id`)
  expect(rows).toEqual([
    { detail: { password_expire: [0, 30], session_expire: [0, 20], pin_required: [0, 1] } },
    { detail: { pin_required: [1, 0] } },
    { detail: { password_expire: [30, 0] } },
  ])
})

it.each([
  ['password_expire', -1],
  ['password_expire', 3651],
  ['session_expire', 4],
  ['session_expire', 181],
])('refuses %s of %i, and changes nothing', async (field, value) => {
  const before = await read()
  const { body } = await call('account/set', { sid: admin.sid, uuid, pin_required: 1, [field]: value })
  expect(body).toMatchObject({ error_type: 'INVALID_INTEGER', error_subtype: field })
  expect(await read()).toEqual(before)
})

it('is for administrators of the account alone', async () => {
  expect((await call('account/set', { uuid, pin_required: 1 })).status).toBe(401)
  expect((await call('account/set', { sid: person.sid, uuid, pin_required: 1 })).body.error_type).toBe('NOT_PERMITTED')
})

const change = async (sent: object) => (await call('account/set', { sid: admin.sid, uuid, ...sent })).body
const brand = async () =>
  (await call('account/get', { sid: admin.sid, uuid, brand_settings: 'logo,color' })).body.settings

it('names the account and its assigning authority, which exams that are here keep', async () => {
  const group = await organisation.addGroup()
  const study = await makeStudy(services.db, { ...group, accountUuid: uuid })
  await query(`update study set patientid = '7', issuer = 'BEFORE' where uuid = '${study.uuid}'`)
  expect(await change({ name: ' Nord  Klinik ', issuer: 'NORD' })).toEqual({ status: 'OK' })
  expect(await read()).toMatchObject({ name: 'Nord  Klinik', issuer: 'NORD' })
  const [place] = await query(`select name from namespace where owner_uuid = '${uuid}'`)
  expect(place).toEqual({ name: 'Nord  Klinik' })
  expect(await query(`select issuer from study where uuid = '${study.uuid}'`)).toEqual([{ issuer: 'BEFORE' }])
  const other = await makeOrganisation(services.db, { name: 'Taken' })
  expect(await change({ name: 'tAKEN', issuer: 'X' })).toMatchObject({ error_type: 'DUPLICATE_NAME' })
  expect(await read()).toMatchObject({ name: 'Nord  Klinik', issuer: 'NORD' })
  const foreign = await call('account/set', { sid: admin.sid, uuid: other.accountUuid, name: 'Mine' })
  expect(foreign.body.error_type).toBe('NOT_FOUND')
  expect((await call('account/set', { sid: person.sid, uuid, name: 'Mine' })).body.error_type).toBe('NOT_PERMITTED')
})

it('keeps settings, takes back empty ones, and puts a logo on record without its image', async () => {
  const logo = 'data:image/png;base64,iVBORw0KGgo='
  await change({ setting_help_address: 'help@north.example', setting_brand_logo: logo, setting_brand_color: '#2f6fb0' })
  expect(await brand()).toMatchObject({ help_address: 'help@north.example', brand_logo: logo, brand_color: '#2f6fb0' })
  expect((await read()).settings).not.toHaveProperty('brand_logo')
  await change({ setting_help_address: '', setting_brand_logo: '' })
  expect(await brand()).not.toHaveProperty('help_address')
  const rows = await query<{ detail: object }>(
    `select detail from audit where object_uuid = '${uuid}' and detail ? 'brand_logo' order by id`,
  )
  expect(rows.map(({ detail }) => detail)).toEqual([
    { help_address: ['', 'help@north.example'], brand_logo: ['', 'image'], brand_color: ['', '#2f6fb0'] },
    { help_address: ['help@north.example', ''], brand_logo: ['image', ''] },
  ])
})

it.each([
  ['name', ' ', 'INVALID_FIELD'],
  ['name', 'x'.repeat(101), 'INVALID_FIELD'],
  ['issuer', 'A^B', 'INVALID_FIELD'],
  ['setting_help_address', 'javascript:alert(1)', 'INVALID_SETTING_VALUE'],
  ['setting_brand_logo', 'data:image/svg+xml;base64,PHN2Zz4=', 'INVALID_SETTING_VALUE'],
  ['setting_link_minutes', '0', 'INVALID_SETTING_VALUE'],
])('refuses %s of "%s" with %s, and changes nothing', async (field, value, code) => {
  const before = [await read(), await brand()]
  expect((await change({ setting_brand_color: '#000000', [field]: value })).error_type).toBe(code)
  expect([await read(), await brand()]).toEqual(before)
})

it('lets links live as long as the account says, and no longer than its cap', async () => {
  const group = await organisation.addGroup()
  const maker = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const study = await makeStudy(services.db, { ...group, accountUuid: uuid })
  const place = { sid: maker.sid, study_id: study.uuid, action: 'STUDY_VIEW' }
  const add = async (sent: object = {}) => (await call('link/add', { ...place, ...sent })).body
  await change({ setting_link_minutes: '60', setting_link_most_minutes: '1440' })
  const { uuid: link } = await add()
  const minutes = async () =>
    (
      await query<{ minutes: number }>(
        `select round(extract(epoch from expires_at - created) / 60)::integer as minutes from link where uuid = '${link}'`,
      )
    )[0]?.minutes
  expect(await minutes()).toBe(60)
  expect(await add({ minutes_alive: 1441 })).toMatchObject({
    error_type: 'INVALID_FIELD',
    error_subtype: 'minutes_alive',
  })
  expect((await add({ minutes_alive: 1440 })).status).toBe('OK')
  const longer = { sid: maker.sid, uuid: link, minutes_left: 2000 }
  expect((await call('link/set', longer)).body).toMatchObject({ error_type: 'INVALID_FIELD' })
  const mailed = { sid: maker.sid, uuid: study.uuid, email: 'ada@clinic.example', password: 'secret-42', expires: 2000 }
  expect((await call('study/share', mailed)).body).toMatchObject({
    error_type: 'INVALID_FIELD',
    error_subtype: 'expires',
  })
  await change({ setting_link_minutes: '', setting_link_most_minutes: '' })
  expect((await add({ minutes_alive: 2000 })).status).toBe('OK')
})
