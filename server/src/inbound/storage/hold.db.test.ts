import { routes } from '@hilum/contract/routes/all-routes'
import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { type Member, startStorage } from '../../../test/storage-fixture.ts'

const storage = await startStorage()
const all = ['study_upload', 'study_view', 'study_download', 'study_edit', 'study_delete', 'purge_edit'] as const

async function makeStudy(member: Member, studyUid = newUid()) {
  await uploadImage(storage, member, madeImage({ studyUid, number: 1 }))
  return { studyUid, study: `${storage.base}/study/${member.namespace}/${studyUid}` }
}

const send = async (member: Member, method: string, address: string, reason?: string) => {
  const reply = await fetch(`${address}${address.includes('?') ? '&' : '?'}sid=${member.sid}`, {
    method,
    ...(reason === undefined ? {} : { body: JSON.stringify({ reason }) }),
  })
  await reply.arrayBuffer()
  return reply.status
}

const historyOf = (member: Member) =>
  storage.query(`
    select action, detail ->> 'reason' as reason from audit
    where phi_namespace = '${member.namespace}' and detail ? 'reason' order by id`)

test('a study under a legal hold cannot be deleted until the hold ends; both are on record with their reasons', async () => {
  const member = await storage.addMember(all)
  const { study } = await makeStudy(member)
  expect(await send(member, 'POST', `${study}/hold`)).toBe(412)
  expect(await send(member, 'POST', `${study}/hold`, 'Court order 7')).toBe(202)
  expect(await send(member, 'DELETE', study)).toBe(409)
  expect(await send(member, 'DELETE', `${study}/hold`, 'Case closed')).toBe(202)
  // an ended hold ends no second time, and no second end is on record
  expect(await send(member, 'DELETE', `${study}/hold`, 'Closed again')).toBe(202)
  expect(await send(member, 'DELETE', study)).toBe(202)
  expect(await historyOf(member)).toEqual([
    { action: 'HOLD', reason: 'Court order 7' },
    { action: 'HOLD_END', reason: 'Case closed' },
  ])
})

/** A study with one image and one attachment. */
type Taken = { study: string; imageUid: string; attachment: { id: string; version: string } }
const ways: Record<string, ((of: Taken) => { address: string; body?: string }) | 'takes nothing away'> = {
  '/study/:namespace/:studyUid': ({ study }) => ({ address: study }),
  '/study/:namespace/:studyUid/images': ({ study, imageUid }) => ({
    address: `${study}/images`,
    body: `image_uids=${imageUid}`,
  }),
  '/study/:namespace/:studyUid/image/:imageUid': ({ study, imageUid }) => ({ address: `${study}/image/${imageUid}` }),
  '/study/:namespace/:studyUid/attachment/:id/version/:version': ({ study, attachment: { id, version } }) => ({
    address: `${study}/attachment/${id}/version/${version}`,
  }),
  '/study/:namespace/:studyUid/cache': 'takes nothing away',
  '/study/:namespace/:studyUid/hold': 'takes nothing away',
}
const deleting = Object.values(routes).filter(
  (one) => (one.methods as readonly string[]).includes('DELETE') && one.on.kind === 'study',
)
const kept = {
  'a hold on the exam': (at: string) => `update study set hold = true where ${at}`,
  'a freeze': (at: string) => `update study set is_frozen = true where ${at}`,
  'a hold on the patient': (at: string) => `
    insert into patient_hold (account_uuid, patientid, issuer, reason)
    select account_uuid, patientid, issuer, 'Court order 8' from study where ${at}`,
}

test('every route that deletes something of a study is among those that a hold is tried with', () => {
  expect(deleting.map(({ path }) => path.replace('/api/v3/storage', '')).toSorted()).toEqual(
    Object.keys(ways).toSorted(),
  )
})

test.each(
  Object.entries(ways).flatMap(([path, way]) =>
    way === 'takes nothing away' ? [] : Object.keys(kept).map((by) => [path, by as keyof typeof kept, way] as const),
  ),
)('nothing is taken away by %s under %s, and it is without', async (_, by, way) => {
  const member = await storage.addMember([
    ...all,
    'study_delete_image',
    'study_report_upload',
    'study_report_view',
    'study_report_delete',
  ])
  const { study, studyUid } = await makeStudy(member)
  const form = new FormData()
  form.append('data', new Blob(['what was found']), 'found.txt')
  const added = await fetch(`${study}/attachment?sid=${member.sid}`, { method: 'POST', body: form })
  const attachment = (await added.json()) as Taken['attachment']
  const { address, body } = way({ study, imageUid: `${studyUid}.1.1`, attachment })
  const ask = async () => {
    const reply = await fetch(`${address}?sid=${member.sid}`, { method: 'DELETE', ...(body ? { body } : {}) })
    return [reply.status, ((await reply.json()) as { exception_data?: { reason: string } }).exception_data?.reason]
  }
  const at = `phi_namespace = '${member.namespace}' and study_uid = '${studyUid}'`
  await storage.query(kept[by](at))
  expect(await ask()).toEqual([409, by === 'a freeze' ? 'frozen' : 'hold'])
  await storage.query(`update study set hold = false, is_frozen = false where ${at}`)
  await storage.query(`delete from patient_hold where account_uuid = '${member.account}'`)
  expect(await ask()).toEqual([202, undefined])
})

test('images of two patients leave with corrections once somebody says why they are one, until a third comes', async () => {
  const member = await storage.addMember(all)
  const { study, studyUid } = await makeStudy(member)
  expect(await send(member, 'POST', `${study}/one_patient`, 'Typing error')).toBe(409)
  const other = { patientName: 'Quite^Other', patientId: 'X9', birthDate: '19441231', sex: 'M' }
  await uploadImage(storage, member, madeImage({ studyUid, number: 2, ...other }))
  const edits = JSON.stringify([
    { tag: 'patientid', old: 'M1', new: 'M2', who: member.user, when: '2026-01-02T03:04:05.000Z' },
  ])
  await storage.query(`update study set edits = '${edits}' where phi_namespace = '${member.namespace}'`)
  const download = `${study}/download?bundle=dicom`
  expect(await send(member, 'GET', download)).toBe(409)
  expect(await send(member, 'GET', `${download}&as_received=1`)).toBe(200)
  expect(await send(member, 'POST', `${study}/one_patient`)).toBe(412)
  expect(await send(member, 'POST', `${study}/one_patient`, 'The console was not reset')).toBe(202)
  expect(await send(member, 'GET', download)).toBe(200)
  const third = { patientName: 'Third^Person', patientId: 'Z3', birthDate: '20010203', sex: 'F' }
  await uploadImage(storage, member, madeImage({ studyUid, number: 3, ...third }))
  expect(await send(member, 'GET', download)).toBe(409)
  expect(await historyOf(member)).toEqual([{ action: 'MIXED_OVERRULED', reason: 'The console was not reset' }])
})

test('one patient more undoes what was said of them also where more spellings came than are kept', async () => {
  const member = await storage.addMember(all)
  const { study, studyUid } = await makeStudy(member)
  const other = { patientName: 'Quite^Other', patientId: 'X9', birthDate: '19441231', sex: 'M' }
  const spelling = (number: number) =>
    [...'quite'].map((letter, bit) => ((number >> bit) & 1 ? letter.toUpperCase() : letter)).join('') + '^Other'
  for (let number = 2; number <= 22; number += 1) {
    await uploadImage(storage, member, madeImage({ studyUid, number, ...other, patientName: spelling(number) }))
  }
  const edits = JSON.stringify([
    { tag: 'patientid', old: 'M1', new: 'M2', who: member.user, when: '2026-01-02T03:04:05.000Z' },
  ])
  await storage.query(`update study set edits = '${edits}' where phi_namespace = '${member.namespace}'`)
  const download = `${study}/download?bundle=dicom`
  expect(await send(member, 'POST', `${study}/one_patient`, 'The console was not reset')).toBe(202)
  expect(await send(member, 'GET', download)).toBe(200)
  await uploadImage(storage, member, madeImage({ studyUid, number: 23, ...other, patientName: spelling(23) }))
  expect(await send(member, 'GET', download)).toBe(200)
  const third = { patientName: 'Third^Person', patientId: 'Z3', birthDate: '20010203', sex: 'F' }
  await uploadImage(storage, member, madeImage({ studyUid, number: 24, ...third }))
  expect(await send(member, 'GET', download)).toBe(409)
})

test('each takes its permission', async () => {
  const member = await storage.addMember(['study_upload', 'study_view'])
  const { study } = await makeStudy(member)
  for (const path of ['hold', 'one_patient'])
    expect(await send(member, 'POST', `${study}/${path}`, 'Why not')).toBe(403)
})

test('without a record being named, one that allows it is found behind one that does not', async () => {
  const member = await storage.addMember(['study_upload', 'study_view'])
  const { study, studyUid } = await makeStudy(member)
  const download = `${study}/download?bundle=dicom`
  expect(await send(member, 'GET', download)).toBe(403)
  // the study is shared with the user, whose own namespace allows everything
  await storage.query(`
    insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, arrival, created, updated)
    select u.namespace_uuid, gen_random_uuid(), s.study_uid, s.storage_namespace, s.account_uuid, 'complete',
      s.created + interval '1 hour', now()
    from study s, app_user u
    where s.phi_namespace = '${member.namespace}' and s.study_uid = '${studyUid}' and u.uuid = '${member.user}'`)
  await storage.query(`
    insert into study_source (phi_namespace, study_uuid, storage_namespace)
    select phi_namespace, uuid, storage_namespace from study s
    where s.study_uid = '${studyUid}' and s.phi_namespace <> s.storage_namespace`)
  expect(await send(member, 'GET', download)).toBe(200)
  expect(await send(member, 'GET', `${download}&phi_namespace=${member.namespace}`)).toBe(403)
})
