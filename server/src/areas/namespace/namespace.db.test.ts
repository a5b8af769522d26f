import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { putSetting } from '../setting/setting.sql.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db, { settings: { enable_dicom_wrapping: '1' } })
const group = await organisation.addGroup({ name: 'Emergency' })
const member = await organisation.addPerson({ groups: [group] })
const stranger = await (await makeOrganisation(services.db)).addPerson()
await query(
  `update app_group set share_code = 'EMERG1', share_description = 'Bring it here' where uuid = '${group.groupUuid}'`,
)

it('[API-24][ENTITY-06] gives a member the settings of a namespace', async () => {
  const read = (sid: string | undefined, sent: object = { uuid: group.namespaceUuid }) =>
    call('namespace/settings', { sid, ...sent })
  const { body } = await read(member.sid)
  expect(body).toMatchObject({ no_dup_share: 0, study_field_flags: {} })
  expect(body.settings.inbox_config).toEqual({
    group_designation: 'CLOUD',
    active_study_filters: [],
    pacs_promote_groups: [],
    pacs_form_customfields: [],
    pacs_promote_preference: 'NONE',
    pushable_destinations: [],
    risk_line: 'NONE',
    meta_info_customfields: {},
  })
  expect((await read(undefined)).status).toBe(401)
  expect((await read(stranger.sid)).body.error_type).toBe('NOT_FOUND')
  expect((await read(member.sid, {})).body.error_type).toBe('MISSING_FIELDS')
})

it('[API-24] tells who may send, and from where, only to those who may edit the group or its account', async () => {
  const place = await organisation.addGroup()
  const [clinician, operator] = [
    await organisation.addPerson({ groups: [place] }),
    await organisation.addPerson({ role: 'Administrator', groups: [place] }),
  ]
  const kept = { dicom_allowed_peers: '[{"address":"10.1.2.3"}]', dicom_ae_title: 'EMERG', dicom_query_peers: '[]' }
  for (const [key, value] of Object.entries({ ...kept, shown: 'to all' }))
    await putSetting(services.db, 'namespace', place.namespaceUuid, key, value)
  const read = async ({ sid }: { sid: string }) => {
    const { settings } = (await call('namespace/settings', { sid, uuid: place.namespaceUuid })).body
    const { namespaces } = (await call('user/namespace/list', { sid })).body
    const listed = namespaces.find((one: { uuid: string }) => one.uuid === place.namespaceUuid)
    expect(listed.settings).toEqual(settings)
    return settings
  }
  expect(await read(operator)).toMatchObject({ ...kept, shown: 'to all' })
  const seen = await read(clinician)
  expect(seen).toMatchObject({ shown: 'to all', inbox_config: { group_designation: 'CLOUD' } })
  expect(Object.keys(seen)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^dicom_/)]))
})

it('[API-24] tells who has a share code what it opens, without a session', async () => {
  const { body } = await call('namespace/share_code', { share_code: 'emerg1' }, { method: 'GET' })
  expect(body).toMatchObject({
    share_code: 'EMERG1',
    share_description: 'Bring it here',
    share_type: 'group',
    share_name: 'Emergency',
    namespace_id: group.namespaceUuid,
    account_id: organisation.accountUuid,
    enable_dicom_wrapping: 1,
    enable_dicomdir_scan: 1,
    enable_multipart_uploader: 1,
    uid_root: '',
    permissions: {},
    is_anonymous: 0,
  })
  expect((await call('namespace/share_code', { share_code: 'NOPE' })).body.error_type).toBe('NOT_FOUND')
  expect((await call('namespace/share_code', { share_code: '%' })).body.error_type).toBe('NOT_FOUND')
  expect((await call('namespace/share_code', { share_code: '' })).body.error_type).toBe('MISSING_FIELDS')
})

it('[API-24] tells of a namespace only its members', async () => {
  const ask = (sid?: string) => call('namespace/share_code', { sid, namespace_id: group.namespaceUuid })
  expect((await ask(member.sid)).body).toMatchObject({ share_name: 'Emergency', permissions: { study_upload: 1 } })
  for (const sid of [undefined, stranger.sid, 'dead']) expect((await ask(sid)).body.error_type).toBe('NOT_FOUND')
})

it('[API-25] names the engine without a session, and does not tell what exists', async () => {
  const ask = async (sent: object) =>
    (await call('namespace/engine/fqdn', { ...sent }, { method: 'GET', headers: { host: 'images.example:8470' } })).body
  const study = await makeStudy(services.db, { ...group, accountUuid: organisation.accountUuid })
  const engine = {
    status: 'OK',
    engine_fqdn: 'images.example:8470',
    engine_url: 'http://images.example:8470/api/v3/storage',
  }
  const asked = { ...engine, storage_namespace: group.namespaceUuid }
  expect(await ask({ namespace_id: group.namespaceUuid })).toEqual(asked)
  const triplet = {
    study_uid: study.study_uid,
    storage_namespace: group.namespaceUuid,
    phi_namespace: group.namespaceUuid,
  }
  expect(await ask(triplet)).toEqual(asked)
  expect(await ask({ ...triplet, study_uid: '1.2.3' })).toEqual(asked)
  const unknown = { ...engine, storage_namespace: '' }
  expect(await ask({ study_id: study.uuid })).toEqual(unknown)
  expect(await ask({ study_id: randomUUID() })).toEqual(unknown)
  expect(await ask({ study_id: study.uuid, sid: stranger.sid })).toEqual(unknown)
  expect(await ask({ study_id: study.uuid, sid: member.sid })).toEqual(asked)
  expect(await ask({})).toMatchObject({ error_type: 'MISSING_FIELDS' })
})

it('[API-36] answers in a bundle with and without a session', async () => {
  const { body } = await call(
    'bundle',
    {},
    {
      body: [
        { URL: '/namespace/share_code', share_code: 'EMERG1' },
        { URL: '/namespace/settings', sid: member.sid, uuid: '{{namespace_id}}' },
        { URL: '/namespace/settings', uuid: group.namespaceUuid },
      ],
    },
  )
  expect(body.map((item: { HTTP_STATUS_CODE: string }) => item.HTTP_STATUS_CODE)).toEqual(['200', '200', '401'])
})

it('[API-24] lets nobody find share codes by trying many', async () => {
  await query(`delete from attempt where kind = 'share-code-address'`)
  const ask = async (code: string) => (await call('namespace/share_code', { share_code: code })).body
  for (let tried = 0; tried < 100; tried += 1) {
    expect(await ask('EMERG1')).toMatchObject({ share_name: 'Emergency' })
    expect((await ask(`GUESS${tried}`)).error_type).toBe('NOT_FOUND')
  }
  for (const code of ['GUESS', 'EMERG1']) expect((await ask(code)).error_type).toBe('LOCKOUT')
})
