import { expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { putSetting } from '../setting/setting.sql.ts'
import { aeTitleSetting, allowedPeersSetting, queryPeersSetting, worklistPeersSetting } from './peer-rules.ts'

const { services, call, query } = await startTestApp({ HILUM_DICOM_PORT: '11112', HILUM_DICOM_TLS_PORT: '2762' })
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const administrator = await organisation.addPerson({ role: 'Administrator' })
const read = async (sid = administrator.sid) => (await call('node/called', { sid, account_id: accountUuid })).body

it('[ENTITY-24] tells which places are called by which AE title, at which port, and who may send and ask', async () => {
  expect(await read()).toMatchObject({
    places: [],
    more: 0,
    host: '127.0.0.1',
    is_local: 1,
    port: 11112,
    tls_port: 2762,
    tls_asks_certificate: 0,
  })
  const [ward, lab, silent] = [
    await organisation.addGroup(),
    await organisation.addGroup(),
    await organisation.addGroup(),
  ]
  const set = (namespace: string, key: string, value: string) =>
    putSetting(services.db, 'namespace', namespace, key, value)
  await set(ward.namespaceUuid, aeTitleSetting, 'WARD')
  await set(ward.namespaceUuid, allowedPeersSetting, '[{"ae_title":"CT_1","address":"10.0.0.0/8"}]')
  await set(ward.namespaceUuid, queryPeersSetting, '[{"ae_title":"WS_1"}]')
  await set(ward.namespaceUuid, worklistPeersSetting, '[{"address":"10.1.0.0/16"}]')
  await set(lab.namespaceUuid, aeTitleSetting, 'LAB')
  await set(lab.namespaceUuid, allowedPeersSetting, '[]')
  const [own] = await query<{ uuid: string }>(
    `select uuid from namespace where kind = 'account' and account_uuid = '${accountUuid}'`,
  )
  await set(own?.uuid ?? '', aeTitleSetting, 'HOUSE')
  const nobody = { query_peers: [], worklist_peers: [] }
  const { places } = await read()
  expect(places).toMatchObject([
    { kind: 'account', uuid: accountUuid, ae_title: 'HOUSE', senders: [], is_closed_to_senders: 0, ...nobody },
    { kind: 'group', uuid: lab.groupUuid, ae_title: 'LAB', senders: [], is_closed_to_senders: 1, ...nobody },
    {
      kind: 'group',
      uuid: ward.groupUuid,
      ae_title: 'WARD',
      senders: ['CT_1@10.0.0.0/8'],
      query_peers: ['WS_1'],
      worklist_peers: ['10.1.0.0/16'],
    },
  ])
  expect(JSON.stringify(places)).not.toContain(silent.groupUuid)
})

it('[ENTITY-24] tells nobody of it who may not see nodes, and nothing of another account', async () => {
  const staff = await organisation.addPerson({ role: 'Viewer' })
  expect((await read(staff.sid)).error_type).toBe('NOT_PERMITTED')
  const other = await makeOrganisation(services.db)
  const stranger = await other.addPerson({ role: 'Administrator' })
  expect((await read(stranger.sid)).error_type).toMatch(/^NOT_(FOUND|PERMITTED)$/)
  const theirs = (await call('node/called', { sid: stranger.sid, account_id: other.accountUuid })).body
  expect(theirs.places).toEqual([])
})
