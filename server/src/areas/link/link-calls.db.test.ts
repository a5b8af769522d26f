import { linkPasswordTries, maxLinkMinutes } from '@hilum/contract/limits'
import { newUid } from '@hilum/dicom/uid'
import { expect, test, vi } from 'vitest'
import { askDoor, makeDoorTarget } from '../../../test/door-target.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { knockAtLink } from './knock.command.ts'
import { openLink } from './open-link.command.ts'

const { app, call, query, services } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const staff = await organisation.addPerson({ role: 'Staff', groups: [group] })

async function makeStudy() {
  const target = await makeDoorTarget(origin, staff.sid, group.namespaceUuid, newUid())
  const [row] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${target.study}'`)
  return { ...target, uuid: row?.uuid ?? '' }
}
const study = await makeStudy()

async function makeLink(more: Record<string, unknown> = {}, of = study) {
  const { body } = await call('link/add', { sid: staff.sid, study_id: of.uuid, action: 'STUDY_VIEW', ...more })
  expect(body).toMatchObject({ status: 'OK' })
  return { uuid: String(body.uuid), token: String(body.url).split('/link/')[1] ?? '' }
}
type Made = Awaited<ReturnType<typeof makeLink>>

const open = async ({ token }: Made, password?: string) =>
  (await call('link/session', { token, ...(password === undefined ? {} : { password }) })).body
const stateOf = async ({ token }: Made) => (await call('link/status', { token })).body.state
const linkOf = async ({ uuid }: Made) => (await call('link/get', { sid: staff.sid, uuid })).body
const seeDoor = async (sid: string, rest = 'schema', search: Record<string, string> = {}) => {
  const url = `/api/v3/storage/study/${study.namespace}/${study.study}/${rest}`
  return (await askDoor(origin, { method: 'GET', url, query: search }, sid)).statusCode
}

test('[API-42][ENTITY-22] a link is made with what it asks for, and its secret stands nowhere in the clear', async () => {
  const link = await makeLink({
    max_hits: 3,
    minutes_alive: 60,
    password: 'walrus7',
    message: ' For you ',
    download: 1,
  })
  expect(link.token).toMatch(/^[\w-]{22}$/)
  const read = await linkOf(link)
  expect(read).toMatchObject({
    uuid: link.uuid,
    study_id: study.uuid,
    has_password: 1,
    password_is_dob: 0,
    max_hits: 3,
    minutes_alive: 60,
    message: 'For you',
    download: 1,
    state: 'open',
    hits: 0,
    uses: [],
    created_by_name: staff.name,
  })
  expect(read.url).toMatch(new RegExp(`^http.*/link/${link.token}$`))
  const kept = await query(`select row_to_json(l)::text as row from link l
    union all select row_to_json(a)::text from audit a union all select row_to_json(m)::text from mail m`)
  expect(kept.length).toBeGreaterThan(1)
  expect(JSON.stringify(kept)).not.toContain(link.token)
  expect(JSON.stringify(kept)).not.toContain('walrus7')
})

test('[API-42] a link is made by GET as well, and a password in the address is refused', async () => {
  const asked = { sid: staff.sid, study_id: study.uuid, action: 'STUDY_VIEW', max_hits: '2', password_is_dob: '1' }
  const { body } = await call('link/add', asked, { method: 'GET' })
  expect(body).toMatchObject({ status: 'OK' })
  expect(await linkOf({ uuid: String(body.uuid), token: '' })).toMatchObject({ max_hits: 2, password_is_dob: 1 })
  const refused = await call('link/add', { ...asked, password_is_dob: '0', password: 'walrus7' }, { method: 'GET' })
  expect(refused).toMatchObject({ status: 400, body: { error_subtype: 'password' } })
})

test('[API-43] the links of a study are listed, the newest first, with who opened them and when', async () => {
  const own = await makeStudy()
  const [first, second] = [await makeLink({}, own), await makeLink({ email: 'doc@clinic.example' }, own)]
  await call('link/session', { token: first.token }, { address: '198.51.100.9' })
  const { body } = await call('link/list', { sid: staff.sid, study_id: own.uuid })
  expect(body.links.map((one: { uuid: string }) => one.uuid)).toEqual([second.uuid, first.uuid])
  expect(body.links[1]).toMatchObject({ hits: 1, uses: [{ client_address: '198.51.100.9' }] })
  expect(body.links[1].uses[0].opened_at).toMatch(/^\d{4}-\d\d-\d\d /)
  expect(body.links[0]).toMatchObject({ email: 'doc@clinic.example', hits: 0 })
})

test('an opened link reads its study at the doors, downloads only where it may, and opens no other call', async () => {
  const [looking, taking] = [await open(await makeLink()), await open(await makeLink({ download: 1 }))]
  expect(looking).toMatchObject({ status: 'OK', action: 'STUDY_VIEW', study_count: 1 })
  expect([await seeDoor(looking.sid), await seeDoor(looking.sid, 'download', { bundle: 'dicom' })]).toEqual([200, 403])
  expect(await seeDoor(taking.sid, 'download', { bundle: 'dicom' })).toBe(200)
  const { body } = await call('link/studies', { sid: taking.sid })
  expect(body).toMatchObject({ status: 'OK', download: 1, studies: [{ uuid: study.uuid, image_count: 1 }] })
  expect(Object.keys(body.studies[0])).not.toContain('permissions')
  for (const path of ['study/get', 'link/list', 'link/get', 'session/user'])
    expect([path, (await call(path, { sid: taking.sid, uuid: study.uuid, study_id: study.uuid })).status]).toEqual([
      path,
      401,
    ])
  expect((await call('link/studies', { sid: staff.sid })).body.error_type).toBe('EXPIRED')
})

test('a link shows attached files only where that was chosen, of its own studies, and puts their sight on record', async () => {
  const another = await makeStudy()
  const file = ({ attachment, attachmentVersion }: typeof study) =>
    `attachment/${attachment}/version/${attachmentVersion}`
  const get = async (sid: string, of: typeof study, rest: string) =>
    askDoor(origin, { method: 'GET', url: `/api/v3/storage/study/${of.namespace}/${of.study}/${rest}` }, sid)
  const listed = async (sid: string) => JSON.parse((await get(sid, study, 'schema')).body).attachments.length
  const counted = async (sid: string) => JSON.parse((await get(sid, study, 'count')).body).attachment_count
  const shown = async (sid: string) => {
    const { body } = await call('link/studies', { sid })
    return [body.attachments, body.studies[0].attachment_count]
  }
  const [without, made] = [await makeLink(), await makeLink({ attachments: 1 })]
  expect([(await linkOf(without)).attachments, (await linkOf(made)).attachments]).toEqual([0, 1])
  const [looking, reading] = [await open(without), await open(made)]
  expect([await shown(looking.sid), await listed(looking.sid), await counted(looking.sid)]).toEqual([[0, 0], 0, 0])
  expect((await get(looking.sid, study, file(study))).statusCode).toBe(403)
  expect([await shown(reading.sid), await listed(reading.sid), await counted(reading.sid)]).toEqual([[1, 1], 1, 1])
  expect((await get(reading.sid, study, file(study))).statusCode).toBe(200)
  expect((await get(reading.sid, study, 'attachment/latest')).statusCode).toBe(200)
  // neither by its own address, nor under the name of the study that the link shows
  expect((await get(reading.sid, another, file(another))).statusCode).toBe(403)
  expect((await get(reading.sid, study, file(another))).statusCode).toBe(404)
  const seen = (link: Made) =>
    query(`select actor_kind, object_uuid from audit where action = 'REPORT_VIEW' and actor = '${link.uuid}'`)
  expect([await seen(without), await seen(made)]).toEqual([[], [{ actor_kind: 'link', object_uuid: study.uuid }]])
  await call('link/set', { sid: staff.sid, uuid: made.uuid, download: 1 }, { method: 'POST' })
  expect(await linkOf(made)).toMatchObject({ download: 1, attachments: 1 })
  await call('link/set', { sid: staff.sid, uuid: made.uuid, attachments: 0 }, { method: 'POST' })
  expect(await linkOf(made)).toMatchObject({ download: 1, attachments: 0 })
  expect([(await get(reading.sid, study, file(study))).statusCode, await listed(reading.sid)]).toEqual([403, 0])
})

test('the attached files of a copy without names leave by no link and no share', async () => {
  const copy = await makeStudy()
  const plain = await makeLink({}, copy)
  await query(`insert into nameless_copy (uuid, phi_namespace, study_uuid, account_uuid, study_uid, copy_study_uid, recipient,
      pseudonym, days, dates, texts, pixels_seen, digest, user_uuid, state)
    values (gen_random_uuid(), '${group.namespaceUuid}', '${study.uuid}', '${organisation.accountUuid}', '${study.study}',
      '${copy.study}', 'The registry', 'P1', 0, 'REMOVED', '{}', false, '', '${staff.userUuid}', 'made')`)
  const kept = { error_type: 'NOT_PERMITTED', error_subtype: 'attachments' }
  const add = { sid: staff.sid, action: 'STUDY_VIEW', attachments: 1 }
  expect((await call('link/add', { ...add, study_id: copy.uuid })).body).toMatchObject(kept)
  expect((await call('link/add', { ...add, study_id: study.uuid, study_ids: copy.uuid })).body).toMatchObject(kept)
  expect((await call('link/set', { sid: staff.sid, uuid: plain.uuid, attachments: 1 })).body).toMatchObject(kept)
  const group_id = (await organisation.addGroup()).groupUuid
  for (const to of [{ email: 'doctor@clinic.example' }, { group_id }])
    expect((await call('study/share', { sid: staff.sid, uuid: copy.uuid, attachments: 1, ...to })).body).toMatchObject(
      kept,
    )
  await makeLink({ attachments: 1 })
})

test('a link one second after its end opens no more, and what was open through it is closed', async () => {
  const link = await makeLink({ minutes_alive: 1 })
  const [kept] = await query<{ seconds: number }>(
    `select round(extract(epoch from expires_at - created))::integer as seconds from link where uuid = '${link.uuid}'`,
  )
  expect(kept?.seconds).toBe(60)
  const { sid } = await open(link)
  expect(await seeDoor(sid)).toBe(200)
  await query(`update link set expires_at = now() - interval '1 second' where uuid = '${link.uuid}'`)
  expect(await open(link)).toMatchObject({ error_type: 'EXPIRED', error_subtype: 'expired' })
  expect(await stateOf(link)).toBe('expired')
  expect(await seeDoor(sid)).toBe(403)
  expect((await call('link/studies', { sid })).body.error_type).toBe('EXPIRED')
})

test('the use after the last one is refused, also when both come at once', async () => {
  const link = await makeLink({ max_hits: 2 })
  const { sid } = await open(link)
  // all three were let to the door while one use was left
  const knocked = await knockAtLink(services.db, link.token, '127.0.0.1')
  if (typeof knocked !== 'object') throw new Error('There is no link')
  const from = { clientAddress: '127.0.0.1', userAgent: 'Tests', address: 'http://127.0.0.1' }
  const tried = await Promise.all([1, 2, 3].map(() => openLink(services.db, knocked, { password: '', pin: '' }, from)))
  expect(tried.map((one) => ('state' in one ? one.state : one.kind)).toSorted()).toEqual(['open', 'used', 'used'])
  expect(await open(link)).toMatchObject({ error_type: 'EXPIRED', error_subtype: 'used' })
  expect(await stateOf(link)).toBe('used')
  expect((await linkOf(link)).hits).toBe(2)
  // a person who opened the link in time goes on
  expect(await seeDoor(sid)).toBe(200)
})

test('after five wrong passwords the right one opens nothing, until somebody unlocks the link', async () => {
  const link = await makeLink({ password: 'walrus7' })
  expect(await open(link)).toMatchObject({ error_type: 'MISSING_FIELDS', error_subtype: ['password'] })
  for (let tried = 0; tried < linkPasswordTries; tried++)
    expect(await open(link, 'walrus8')).toMatchObject({ error_type: 'INVALID_CREDENTIALS' })
  expect(await open(link, 'walrus7')).toMatchObject({ error_type: 'LOCKOUT' })
  expect([await stateOf(link), (await linkOf(link)).hits]).toEqual(['locked', 0])
  const refused = await query(`select action, actor_kind from audit where actor = '${link.uuid}'`)
  expect(refused).toEqual(
    Array.from({ length: linkPasswordTries }, () => ({ action: 'LINK_REFUSED', actor_kind: 'link' })),
  )
  await call('link/set', { sid: staff.sid, uuid: link.uuid, unlock: 1 })
  expect(await open(link, 'walrus7')).toMatchObject({ status: 'OK' })
})

test('wrong passwords sent all at once are counted like others, and a right one forgives those before', async () => {
  const link = await makeLink({ password: 'walrus7' })
  expect(await open(link, 'walrus8')).toMatchObject({ error_type: 'INVALID_CREDENTIALS' })
  expect(await open(link, 'walrus7')).toMatchObject({ status: 'OK' })
  const answers = await Promise.all(Array.from({ length: 12 }, () => open(link, 'walrus8')))
  expect(answers.filter((one) => one.error_type === 'INVALID_CREDENTIALS')).toHaveLength(linkPasswordTries)
  expect(answers.filter((one) => one.error_type === 'LOCKOUT')).toHaveLength(12 - linkPasswordTries)
})

test('a date of birth is asked for in place of a password, however it is written', async () => {
  const own = await makeStudy()
  const options = { sid: staff.sid, study_id: own.uuid, action: 'STUDY_VIEW', password_is_dob: 1 }
  // nobody can answer with a day that the calendar does not have
  for (const birthDate of ['', '1971', '19710230']) {
    await query(`update study set patient_birth_date = '${birthDate}' where uuid = '${own.uuid}'`)
    expect((await call('link/add', options)).body).toMatchObject({
      error_type: 'INVALID_FIELD',
      error_subtype: 'password_is_dob',
    })
  }
  await query(`update study set patient_birth_date = '19710203' where uuid = '${own.uuid}'`)
  expect((await call('link/add', { ...options, password: 'walrus7' })).body.error_type).toBe('INVALID_PARAMETERS')
  const link = await makeLink({ password_is_dob: 1 }, own)
  expect((await call('link/status', { token: link.token })).body).toMatchObject({ has_password: 0, password_is_dob: 1 })
  expect(await open(link, '1971-03-02')).toMatchObject({ error_type: 'INVALID_CREDENTIALS' })
  expect(await open(link, '1971-02-03')).toMatchObject({ status: 'OK' })
})

test('a revoked link ends what is open through it at once, for good', async () => {
  const link = await makeLink()
  const { sid } = await open(link)
  expect([await seeDoor(sid), (await call('link/studies', { sid })).body.status]).toEqual([200, 'OK'])
  expect((await call('link/brand', { sid })).body).toEqual({ status: 'OK', brand_logo: '', brand_color: '' })
  expect((await call('link/delete', { sid: staff.sid, uuid: link.uuid })).body.status).toBe('OK')
  expect(await seeDoor(sid)).toBe(403)
  for (const path of ['link/studies', 'link/brand']) expect((await call(path, { sid })).body.error_type).toBe('EXPIRED')
  expect(await open(link)).toMatchObject({ error_type: 'EXPIRED', error_subtype: 'ended' })
  expect(await linkOf(link)).toMatchObject({ state: 'ended', url: '' })
  for (const change of [{ minutes_left: 60 }, { unlock: 1 }])
    expect((await call('link/set', { sid: staff.sid, uuid: link.uuid, ...change })).body.error_type).toBe('EXPIRED')
  expect((await call('link/delete', { sid: staff.sid, uuid: link.uuid })).body.error_type).toBe('EXPIRED')
})

test('whatever reads the address uses nothing up: only a POST in words opens a link', async () => {
  const link = await makeLink({ max_hits: 1 })
  for (const method of ['GET', 'HEAD'] as const) {
    expect((await app.inject({ method, url: `/link/${link.token}` })).statusCode).toBeLessThan(500)
    expect((await app.inject({ method, url: '/api/v3/link/session' })).statusCode).toBeGreaterThanOrEqual(400)
  }
  for (let looks = 0; looks < 3; looks++) expect(await stateOf(link)).toBe('open')
  // a secret in the query of a call would stand in logs
  expect((await call(`link/session?token=${link.token}`, {})).status).toBe(400)
  expect((await linkOf(link)).hits).toBe(0)
  expect(await open(link)).toMatchObject({ status: 'OK' })
})

test('nothing is told of a link that is not there, and only so many are looked for', async () => {
  const ask = async (path: string) =>
    (await call(path, { token: 'AAAAAAAAAAAAAAAAAAAAAA', password: 'x' }, { address: '203.0.113.80' })).body
  const unknown = { status: 'ERROR', error_type: 'NOT_FOUND' }
  expect([await ask('link/session'), (await call('link/status', { token: 'none' })).body]).toEqual([unknown, unknown])
  await query(`update attempt set count = 100 where kind = 'link-address'`)
  expect(await ask('link/session')).toMatchObject({ error_type: 'LOCKOUT' })
  await query(`delete from attempt where kind = 'link-address'`)
})

test('a link is extended, widened and narrowed, and what is open through it follows', async () => {
  const link = await makeLink({ minutes_alive: 5, max_hits: 1, password: 'walrus7' })
  const { sid } = await open(link, 'walrus7')
  const change = async (more: object) =>
    (await call('link/set', { sid: staff.sid, uuid: link.uuid, ...more })).body.status
  expect(await stateOf(link)).toBe('used')
  expect(await change({ minutes_left: 1440, max_hits: 0, password: '', download: 1 })).toBe('OK')
  expect(await linkOf(link)).toMatchObject({ state: 'open', max_hits: null, has_password: 0, download: 1 })
  expect((await linkOf(link)).minutes_alive).toBeGreaterThanOrEqual(1440)
  expect(await seeDoor(sid, 'download', { bundle: 'dicom' })).toBe(200)
  await change({ download: 0 })
  expect(await seeDoor(sid, 'download', { bundle: 'dicom' })).toBe(403)
  await query(`update link set expires_at = now() - interval '1 day' where uuid = '${link.uuid}'`)
  expect(await change({ minutes_left: 10 })).toBe('OK')
  expect(await open(link)).toMatchObject({ status: 'OK' })
})

test.each([
  [{ minutes_alive: 0 }, 'minutes_alive'],
  [{ minutes_alive: maxLinkMinutes + 1 }, 'minutes_alive'],
  [{ max_hits: -1 }, 'max_hits'],
  [{ password: 'short' }, 'password'],
  [{ password: 'x'.repeat(129) }, 'password'],
  [{ message: 'x'.repeat(2001) }, 'message'],
])('refuses a wrong value by name (%#)', async (wrong, subtype) => {
  const options = { sid: staff.sid, study_id: study.uuid, action: 'STUDY_VIEW', ...wrong }
  expect((await call('link/add', options)).body).toMatchObject({ error_type: 'INVALID_FIELD', error_subtype: subtype })
})

test('links are made by who may, and give no more than their maker has', async () => {
  const clinician = await organisation.addPerson({ role: 'Clinician', groups: [group] })
  const outsider = await organisation.addPerson({ role: 'Staff' })
  const link = await makeLink()
  const options = { study_id: study.uuid, action: 'STUDY_VIEW' }
  const codeOf = async (path: string, sid: string, sent: object) => (await call(path, { sid, ...sent })).body.error_type
  expect(await codeOf('link/add', clinician.sid, options)).toBe('NOT_PERMITTED')
  // a list of links is for clinicians too, without the addresses
  const { body } = await call('link/get', { sid: clinician.sid, uuid: link.uuid })
  expect(body).toMatchObject({ status: 'OK', url: '' })
  for (const path of ['link/set', 'link/delete'])
    expect([path, await codeOf(path, clinician.sid, { uuid: link.uuid })]).toEqual([path, 'NOT_PERMITTED'])
  for (const path of ['link/get', 'link/set', 'link/delete'])
    expect([path, await codeOf(path, outsider.sid, { uuid: link.uuid })]).toEqual([path, 'NOT_FOUND'])
  expect(await codeOf('link/add', outsider.sid, options)).toBe('NOT_FOUND')

  const looker = await organisation.addPerson({ role: 'Uploader', groups: [group] })
  await query(`update role set permissions = '{study_view,link_edit,link_view}'
    where uuid = '${organisation.roles.get('Uploader')}'`)
  for (const more of [{ download: 1 }, { attachments: 1 }])
    expect([more, await codeOf('link/add', looker.sid, { ...options, ...more })]).toEqual([more, 'NOT_PERMITTED'])
  expect(await codeOf('link/add', looker.sid, options)).toBeUndefined()
  for (const more of [{ download: 1 }, { attachments: 1 }]) {
    const giving = await makeLink(more)
    expect((await call('link/get', { sid: looker.sid, uuid: giving.uuid })).body.url).toBe('')
    expect(await codeOf('link/set', looker.sid, { uuid: giving.uuid, minutes_left: 60 })).toBe('NOT_PERMITTED')
  }
})

test('a link to a study that cannot be shown yet or any more waits, and tells nothing of it', async () => {
  const own = await makeStudy()
  const link = await makeLink({}, own)
  const { sid } = await open(link)
  for (const hidden of [`must_approve = true`, `deleted_at = now()`, `thin = true`]) {
    await query(`update study set ${hidden} where uuid = '${own.uuid}'`)
    expect([hidden, await stateOf(link), (await open(link)).error_type]).toEqual([hidden, 'waiting', 'PHANTOM'])
    await query(`update study set must_approve = false, deleted_at = null, thin = false where uuid = '${own.uuid}'`)
  }
  await query(`update study set deleted_at = now() where uuid = '${own.uuid}'`)
  expect((await call('link/studies', { sid })).body.studies).toEqual([])
  await query(`update study set deleted_at = null where uuid = '${own.uuid}'`)
  expect((await call('link/studies', { sid })).body.studies).toHaveLength(1)
  expect((await linkOf(link)).hits).toBe(1)
})

test('a link to a study without images, or a frozen one, is not made', async () => {
  const own = await makeStudy()
  const options = { sid: staff.sid, study_id: own.uuid, action: 'STUDY_VIEW' }
  await query(`update study set thin = true where uuid = '${own.uuid}'`)
  expect((await call('link/add', options)).body.error_type).toBe('PHANTOM')
  await query(`update study set thin = false, is_frozen = true where uuid = '${own.uuid}'`)
  expect((await call('link/add', options)).body).toMatchObject({ error_type: 'NOT_PERMITTED', error_subtype: 'frozen' })
})

test('making, changing and revoking stand on record with their actor, and opening with the link', async () => {
  const link = await makeLink()
  await call('link/set', { sid: staff.sid, uuid: link.uuid, minutes_left: 60, password: 'walrus7' })
  const { sid } = await open(link, 'walrus7')
  await call('link/studies', { sid })
  await call('link/studies', { sid })
  await call('link/delete', { sid: staff.sid, uuid: link.uuid })
  const rows = await query<{ action: string; type: string; actor: string; object_uuid: string }>(
    `select action, type, actor, object_uuid from audit
      where detail ->> 'link' = '${link.uuid}' or actor = '${link.uuid}' order by id`,
  )
  const [user, own] = [
    { type: 'Link', actor: staff.userUuid, object_uuid: study.uuid },
    { actor: link.uuid, type: 'Link', object_uuid: link.uuid },
  ]
  expect(rows).toEqual([
    { action: 'CREATE', ...user },
    { action: 'EDIT', ...user },
    { action: 'LINK_OPEN', ...own },
    { action: 'STUDY_VIEW', actor: link.uuid, type: 'Study', object_uuid: study.uuid },
    { action: 'DELETE', ...user },
  ])
})

test.each([
  { action: 'STUDY_VIEW', of: { study_id: study.uuid } },
  { action: 'STUDY_UPLOAD', of: { namespace_id: group.namespaceUuid } },
])(
  'mailed to somebody else, a link ($action) shuts out whoever had it before, and the same addressee keeps it',
  async ({ action, of }) => {
    const made = await call('link/add', { sid: staff.sid, action, ...of, email: 'wrong@stranger.example' })
    const addressOf = async () => String((await call('link/get', { sid: staff.sid, uuid: made.body.uuid })).body.url)
    const tokenOf = (url: string) => url.split('/link/')[1] ?? ''
    const mailTo = (email: string) => call('link/mail', { sid: staff.sid, uuid: made.body.uuid, email })
    const first = await addressOf()
    const opened = (await call('link/session', { token: tokenOf(first) })).body
    const reads = async (sid: unknown) =>
      (await call(action === 'STUDY_VIEW' ? 'link/studies' : 'link/request', { sid })).body.status
    expect(await reads(opened.sid)).toBe('OK')
    await mailTo('Wrong@Stranger.example')
    expect([await addressOf(), await reads(opened.sid)]).toEqual([first, 'OK'])
    expect((await mailTo('right@clinic.example')).body.status).toBe('OK')
    const second = await addressOf()
    expect(second).not.toBe(first)
    expect(await reads(opened.sid)).toBe('ERROR')
    expect((await call('link/session', { token: tokenOf(first) })).body.error_type).toBe('NOT_FOUND')
    expect((await call('link/session', { token: tokenOf(second) })).body.status).toBe('OK')
    const [recorded] = await query<{ before: string }>(
      `select detail->>'before' as before from audit where action = 'SEND' and detail->>'link' = '${String(made.body.uuid)}'
        order by id desc limit 1`,
    )
    expect(recorded?.before).toBe('Wrong@Stranger.example')
  },
)

test('a link is mailed with its address sealed, without names, and not to what is no address', async () => {
  const options = { sid: staff.sid, study_id: study.uuid, action: 'STUDY_VIEW' }
  for (const email of ['nobody', 'a@b', 'a@b.example, c@d.example'])
    expect((await call('link/add', { ...options, email })).body.error_type).toBe('INVALID_EMAIL')
  const link = await makeLink({ email: 'outside@clinic.example', message: 'Between us', password: 'walrus7' })
  const [mail] = await query<{ subject: string; body: string; sealed: boolean; lasts: boolean }>(
    `select m.subject, m.body, m.sealed_secret is not null as sealed, abs(extract(epoch from m.secret_expires_at - l.expires_at)) < 60 as lasts
      from mail m, link l where m.recipient = 'outside@clinic.example' and l.uuid = '${link.uuid}'`,
  )
  expect(mail).toMatchObject({ sealed: true, lasts: true })
  const text = `${mail?.subject} ${mail?.body}`
  for (const hidden of [link.token, 'Between us', 'walrus7', staff.name]) expect(text).not.toContain(hidden)
})

test('a bundle makes and reads links, and opens them', async () => {
  const { body: made } = await call(
    'bundle',
    {},
    {
      body: [{ URL: '/link/add', sid: staff.sid, study_id: study.uuid, action: 'STUDY_VIEW' }],
    },
  )
  const token = String(made[0].url).split('/link/')[1]
  const { body: opened } = await call('bundle', {}, { body: [{ URL: '/link/session', token }] })
  expect(opened[0]).toMatchObject({ status: 'OK' })
  await vi.waitFor(async () => expect(await seeDoor(opened[0].sid)).toBe(200))
})

test('a right that is taken back does not come back with another change of the same moment', async () => {
  for (let round = 0; round < 8; round++) {
    const link = await makeLink({ password: 'walrus-07', download: 1 })
    const change = (more: object) => call('link/set', { sid: staff.sid, uuid: link.uuid, ...more })
    const outcomes = await Promise.all([change({ download: 0 }), change({ attachments: 1, password: 'walrus-99' })])
    expect(outcomes.map(({ body }) => body.status)).toEqual(['OK', 'OK'])
    expect(await linkOf(link)).toMatchObject({ download: 0, attachments: 1 })
  }
})
