import { isCorpusMissing, listCorpus } from '@hilum/dicom/node/corpus'
import { describe, expect, test } from 'vitest'
import { startDicomweb, valueOf } from '../../../test/dicomweb-fixture.ts'

const server = await startDicomweb()
const all = ['study_upload', 'study_view'] as const

describe.skipIf(isCorpusMissing)('who sees what by searching', () => {
  test('no session is 401 with a challenge, a foreign or unknown namespace 404', async () => {
    const [member, other] = [await server.addMember(all), await server.addMember(all)]
    const none = await server.ask({ sid: 'none' }, `${member.namespace}/studies`)
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    for (const namespace of [other.namespace, 'c0ffee00-0000-4000-8000-000000000000', 'nonsense'])
      expect((await server.ask(member, `${namespace}/studies`)).status).toBe(404)
    const blind = await server.addMember(['study_upload'])
    expect((await server.ask(blind, `${blind.namespace}/studies`)).status).toBe(404)
  })

  test('over all namespaces a study of two records comes once, as retrieving takes it', async () => {
    const member = await server.addMember(all)
    const [file] = listCorpus('studies/mg-screening/')
    await server.upload(member, [file?.path ?? ''])
    // a second record of the same study, in the personal namespace
    await server.query(`
      insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, patient_name, search, arrival, created, updated)
      select u.namespace_uuid, gen_random_uuid(), s.study_uid, s.storage_namespace, s.account_uuid, 'Other^Name', 'other^name', 'complete', now(), now()
      from study s, app_user u where s.phi_namespace = '${member.namespace}' and u.uuid = '${member.user}'`)
    const found = await server.list(member, 'all/studies')
    expect(found.map((one) => valueOf(one, '0020000D'))).toEqual([file?.study_uid])
    const [series, instances] = [await server.list(member, 'all/series'), await server.list(member, 'all/instances')]
    expect([series.length, instances.length]).toEqual([1, 1])
    const metadata = await server.list(member, `all/studies/${file?.study_uid}/metadata`)
    expect(metadata).toHaveLength(1)
    const address = String(valueOf(found[0], '00081190'))
    expect((await server.list(member, `${address.split('/dicomweb/')[1]}/metadata`)).length).toBe(1)
  })

  test('a derived session sees its studies only, also when it asks for all of the patient', async () => {
    const member = await server.addMember(all)
    const [one, two] = listCorpus('studies/photo-same-id-three-names/')
    await server.upload(member, [one?.path ?? '', two?.path ?? ''])
    const derived = await server.derive(member, [one?.study_uid ?? ''])
    const asked = `${member.namespace}/studies?PatientID=${encodeURIComponent(one?.patient_id ?? '')}`
    expect((await server.list(member, asked)).length).toBe(2)
    expect((await server.list(derived, asked)).map((found) => valueOf(found, '0020000D'))).toEqual([one?.study_uid])
    expect(await server.list(derived, `${member.namespace}/studies/${two?.study_uid}/series`)).toEqual([])
    expect((await server.ask(derived, `${member.namespace}/studies/${two?.study_uid}/metadata`)).status).toBe(404)
  })

  test('a deleted study, one that waits for approval and an announced one are not found', async () => {
    const member = await server.addMember(all)
    const [file] = listCorpus('studies/dx-small/')
    await server.upload(member, [file?.path ?? ''])
    for (const change of [
      `deleted_at = now()`,
      `deleted_at = null, must_approve = true`,
      `must_approve = false, arrival = 'announced'`,
    ]) {
      await server.query(`update study set ${change} where phi_namespace = '${member.namespace}'`)
      expect([change, await server.list(member, `${member.namespace}/studies`)]).toEqual([change, []])
    }
  })

  test('listing the series of a study is on record once a session, a search over studies is not', async () => {
    const member = await server.addMember(all)
    const [file] = listCorpus('studies/cr-hip/')
    await server.upload(member, [file?.path ?? ''])
    await server.list(member, `${member.namespace}/studies?PatientID=${encodeURIComponent(file?.patient_id ?? '')}`)
    const read = () =>
      server.query(`select action, type from audit where actor = '${member.user}' and action <> 'CREATE'`)
    expect(await read()).toEqual([])
    for (let time = 0; time < 2; time++)
      await server.list(member, `${member.namespace}/studies/${file?.study_uid}/series`)
    await server.list(member, `${member.namespace}/studies/${file?.study_uid}/metadata`)
    expect(await read()).toEqual([{ action: 'STUDY_VIEW', type: 'Study' }])
  })
})
