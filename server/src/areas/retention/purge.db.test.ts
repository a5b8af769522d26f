import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { makeSeparation } from '../../../test/make-separation.ts'
import { type Member, startStorage } from '../../../test/storage-fixture.ts'
import { doomUnneededBlobs, purge } from './purge.job.ts'

const storage = await startStorage()
const all = [
  'study_upload',
  'study_view',
  'study_delete',
  'study_delete_image',
  'study_report_upload',
  'study_report_delete',
] as const
const day = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * day)

async function listObjects(member: Member): Promise<string[]> {
  const entries = await readdir(join(storage.folder, 'objects', member.account), {
    recursive: true,
    withFileTypes: true,
  })
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

async function makeStudy(member: Member, images = 2) {
  const studyUid = newUid()
  for (let number = 1; number <= images; number += 1) {
    await uploadImage(storage, member, madeImage({ studyUid, number }))
  }
  return { studyUid, study: `${storage.base}/study/${member.namespace}/${studyUid}` }
}

const remove = (member: Member, address: string) => fetch(`${address}?sid=${member.sid}`, { method: 'DELETE' })

async function attach(member: Member, study: string): Promise<string> {
  const form = new FormData()
  form.append('data', new Blob(['text']), 'a.txt')
  const reply = await fetch(`${study}/attachment?sid=${member.sid}`, { method: 'POST', body: form })
  const { id, version } = (await reply.json()) as { id: string; version: string }
  return `${study}/attachment/${id}/version/${version}`
}

async function countRows(member: Member) {
  const [counts] = await storage.query(`
    select (select count(*)::integer from study where phi_namespace = '${member.namespace}') as records,
      (select count(*)::integer from stored_study where storage_namespace = '${member.namespace}') as studies,
      (select count(*)::integer from series where storage_namespace = '${member.namespace}') as series,
      (select count(*)::integer from instance where storage_namespace = '${member.namespace}') as images,
      (select count(*)::integer from attachment where phi_namespace = '${member.namespace}') as attachments,
      (select count(*)::integer from blob where account_uuid = '${member.account}') as blobs`)
  return counts
}

test('a deleted study stays restorable for 30 days, then it and its bytes are gone', async () => {
  const member = await storage.addMember(all)
  const { study, studyUid } = await makeStudy(member)
  await attach(member, study)
  const dicomweb = `${storage.base}/dicomweb/${member.namespace}/studies/${studyUid}`
  expect((await fetch(`${dicomweb}/metadata?sid=${member.sid}`)).status).toBe(200)
  const madeAhead = join(storage.folder, 'cache', 'metadata', member.namespace)
  expect(await readdir(madeAhead)).toHaveLength(1)
  await remove(member, study)
  await purge(storage.services, inDays(29))
  expect(await countRows(member)).toMatchObject({ records: 1, images: 2, attachments: 1, blobs: 3 })
  expect(await listObjects(member)).toHaveLength(3)
  await purge(storage.services, inDays(31))
  expect(await countRows(member)).toEqual({ records: 0, studies: 0, series: 0, images: 0, attachments: 0, blobs: 0 })
  expect(await listObjects(member)).toEqual([])
  expect(await readdir(madeAhead)).toEqual([])
  expect(
    await storage.query(`select type from audit where phi_namespace = '${member.namespace}' and action = 'PURGE'`),
  ).toEqual([{ type: 'Study' }])
  expect(await purge(storage.services, inDays(31))).toEqual({
    records: 0,
    studies: 0,
    images: 0,
    attachments: 0,
    objects: 0,
  })
})

test('separations forget what they noted of exams that are gone, and nothing of others', async () => {
  const [sender, receiver] = [await storage.addMember(all), await storage.addMember(all)]
  const own = await makeStudy(sender, 1)
  const left = await makeStudy(sender, 1)
  const theirs = await makeStudy(receiver, 1)
  const uuidOf = async (studyUid: string) =>
    (await storage.query<{ uuid: string }>(`select uuid from study where study_uid = '${studyUid}'`))[0]?.uuid ?? ''
  const [stays, gone, goes] = [await uuidOf(own.studyUid), await uuidOf(theirs.studyUid), await uuidOf(left.studyUid)]
  const noted = (uuid: string) => ({ uuid, values: { patient_name: `Noted^${uuid}` }, edits: [], row_version: 1 })
  const before = [noted(gone), noted(stays), noted(goes)]
  const kept = { patient_name: 'Kept^Name' }
  const separations = [
    await makeSeparation(storage, stays, sender.user),
    await makeSeparation(storage, goes, sender.user),
  ]
  await storage.query(`update separation set before = '${JSON.stringify(before)}', kept_demographics = '${JSON.stringify(kept)}',
    state = 'made', to_study_uuid = '${stays}'`)
  const facts = () =>
    storage.query(`select before, kept_demographics as kept from separation
      order by array_position(array['${separations.join("','")}']::uuid[], uuid)`)
  await remove(receiver, theirs.study)
  await remove(sender, left.study)
  await purge(storage.services, inDays(29))
  expect(await facts()).toEqual([
    { before, kept },
    { before, kept },
  ])
  await purge(storage.services, inDays(31))
  expect(await facts()).toEqual([
    { before: [before[1]], kept },
    { before: [before[1]], kept: {} },
  ])
})

test('a study that is not deleted loses nothing', async () => {
  const member = await storage.addMember(all)
  const { study } = await makeStudy(member)
  await attach(member, study)
  await purge(storage.services, inDays(400))
  expect(await countRows(member)).toMatchObject({ records: 1, images: 2, attachments: 1, blobs: 3 })
  expect(await listObjects(member)).toHaveLength(3)
})

test('bytes stay while another record draws on them, and go with the last', async () => {
  const member = await storage.addMember(all)
  const receiver = await storage.addMember(all)
  const { study, studyUid } = await makeStudy(member)
  const [record] = await storage.query<{ uuid: string }>(`
    insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, source, created, updated)
    values ('${receiver.namespace}', gen_random_uuid(), '${studyUid}', '${member.namespace}', '${receiver.account}', 'share', now(), now())
    returning uuid`)
  await storage.query(`
    insert into study_source (phi_namespace, study_uuid, storage_namespace)
    values ('${receiver.namespace}', '${record?.uuid}', '${member.namespace}')`)
  await remove(member, study)
  await purge(storage.services, inDays(31))
  expect(await countRows(member)).toMatchObject({ records: 0, studies: 1, images: 2, blobs: 2 })
  const shared = await fetch(`${study}/schema?sid=${receiver.sid}&phi_namespace=${receiver.namespace}`)
  expect(shared.status).toBe(200)
  await remove(receiver, study)
  await purge(storage.services, inDays(31))
  expect(await countRows(member)).toMatchObject({ studies: 0, images: 0, blobs: 0 })
  expect(await listObjects(member)).toEqual([])
})

test('deleted images and attachments go after 30 days, the rest of their study stays', async () => {
  const member = await storage.addMember(all)
  const { study, studyUid } = await makeStudy(member, 3)
  const attachment = await attach(member, study)
  await remove(member, `${study}/image/${studyUid}.1.2`)
  await remove(member, attachment)
  await purge(storage.services, inDays(29))
  expect(await listObjects(member)).toHaveLength(4)
  await purge(storage.services, inDays(31))
  expect(await listObjects(member)).toHaveLength(2)
  expect(await countRows(member)).toMatchObject({ records: 1, images: 2, attachments: 0, blobs: 2 })
})

test.each([
  ['a hold on the study', (m: Member) => `update study set hold = true where phi_namespace = '${m.namespace}'`],
  [
    'a hold on the patient',
    (m: Member) => `insert into patient_hold (account_uuid, issuer, patientid, reason)
      values ('${m.account}', '', 'M1', 'court')`,
  ],
  [
    'a date on the record',
    (m: Member) => `update study set retain_until = now() + interval '10 years' where phi_namespace = '${m.namespace}'`,
  ],
  [
    'the rule of the account',
    (m: Member) => `insert into setting (scope, scope_uuid, key, value)
      values ('account', '${m.account}', 'retention_days', '3650')`,
  ],
  [
    'the rule of the namespace',
    (m: Member) => `insert into setting (scope, scope_uuid, key, value)
      values ('namespace', '${m.namespace}', 'retention_days', '3650')`,
  ],
])('%s keeps a deleted study and its deleted images', async (_what, keep) => {
  const member = await storage.addMember(all)
  const { study, studyUid } = await makeStudy(member)
  await remove(member, `${study}/image/${studyUid}.1.2`)
  await remove(member, study)
  await storage.query(keep(member))
  await purge(storage.services, inDays(100))
  expect(await countRows(member)).toMatchObject({ records: 1, images: 1, blobs: 2 })
  expect(await listObjects(member)).toHaveLength(2)
})

test('bytes that come again while the purge takes them away are stored anew', async () => {
  const member = await storage.addMember(all)
  const { study, studyUid } = await makeStudy(member, 1)
  await remove(member, study)
  await storage.query(`delete from instance where storage_namespace = '${member.namespace}'`)
  await doomUnneededBlobs(storage.services, inDays(2))
  const again = await uploadImage(storage, member, madeImage({ studyUid, number: 1 }))
  expect(again.status).toBe(202)
  await purge(storage.services, inDays(2))
  const image = await fetch(`${study}/image/${studyUid}.1.1/version/*?sid=${member.sid}`)
  expect(image.status).toBe(200)
  expect(Buffer.from(await image.arrayBuffer()).equals(madeImage({ studyUid, number: 1 }))).toBe(true)
  expect(await listObjects(member)).toHaveLength(1)
})

test('a purge that was cut short between object and row is finished by the next', async () => {
  const member = await storage.addMember(all)
  const { study } = await makeStudy(member, 2)
  await storage.query(`delete from instance where storage_namespace = '${member.namespace}'`)
  await remove(member, study)
  await doomUnneededBlobs(storage.services, inDays(2))
  const [blob] = await storage.query<{ object_key: string }>(
    `select object_key from blob where account_uuid = '${member.account}' order by object_key`,
  )
  await storage.services.store.remove(blob?.object_key ?? '')
  await purge(storage.services, inDays(2))
  expect(await listObjects(member)).toEqual([])
  expect(await countRows(member)).toMatchObject({ blobs: 0 })
})
