import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { type Member, startStorage } from '../../../test/storage-fixture.ts'

const storage = await startStorage()
const all = ['study_upload', 'study_view', 'study_delete', 'study_delete_image', 'study_report_upload'] as const

async function makeStudy(member: Member, numbers: readonly number[], studyUid = newUid()) {
  for (const number of numbers) await uploadImage(storage, member, madeImage({ studyUid, number, series: number }))
  return { studyUid, study: `${storage.base}/study/${member.namespace}/${studyUid}` }
}

const call = async (member: Member, method: string, address: string, body?: BodyInit) => {
  const [path, query] = address.split('?')
  const reply = await fetch(`${path}?sid=${member.sid}${query ? `&${query}` : ''}`, {
    method,
    ...(body === undefined ? {} : { body }),
  })
  // answers are read as a client does, without a schema
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: reply.status, body: (await reply.json()) as any }
}

const countsOf = async (member: Member, study: string) => (await call(member, 'GET', `${study}/count`)).body

test('a deleted study is gone for its readers and comes back with its record', async () => {
  const member = await storage.addMember(all)
  const { study } = await makeStudy(member, [1, 2])
  expect(await call(member, 'DELETE', study)).toMatchObject({ status: 202 })
  expect((await call(member, 'GET', `${study}/schema`)).body.kind.readable_status).toBe('STUDY_NOT_FOUND')
  expect((await call(member, 'DELETE', study)).status).toBe(404)
  await storage.query(`update study set deleted_at = null where phi_namespace = '${member.namespace}'`)
  expect(await countsOf(member, study)).toMatchObject({ image_count: 2 })
  expect(
    await storage.query(`select action from audit where phi_namespace = '${member.namespace}' and action = 'DELETE'`),
  ).toHaveLength(1)
})

test('a study that is deleted but for its attachments keeps those', async () => {
  const member = await storage.addMember([...all, 'study_report_view'])
  const { study } = await makeStudy(member, [1, 2])
  const form = new FormData()
  form.append('data', new Blob(['text']), 'a.txt')
  await call(member, 'POST', `${study}/attachment`, form)
  expect((await call(member, 'DELETE', `${study}?keep_attachments=1`)).status).toBe(202)
  expect(await countsOf(member, study)).toEqual({ image_count: 0, series_count: 0, attachment_count: 1 })
})

test('single images and lists of them are deleted, with what they leave empty', async () => {
  const member = await storage.addMember(all)
  const { study, studyUid } = await makeStudy(member, [1, 2, 3, 4])
  const uid = (number: number) => `${studyUid}.${number}.${number}`
  expect((await call(member, 'DELETE', `${study}/image/${uid(1)}`)).status).toBe(202)
  expect(await countsOf(member, study)).toMatchObject({ image_count: 3, series_count: 3 })
  expect((await call(member, 'DELETE', `${study}/images`, `${uid(2)}, ${uid(3)}`)).status).toBe(202)
  const { series } = (await call(member, 'GET', `${study}/schema`)).body
  expect(series.map((one: { series_uid: string }) => one.series_uid)).toEqual([`${studyUid}.4`])
  expect((await call(member, 'GET', `${study}/image/${uid(2)}/version/*/json`)).body.kind.code).toBe(14)
  expect((await call(member, 'DELETE', `${study}/image/${uid(1)}`)).body.kind.code).toBe(14)
  expect((await call(member, 'DELETE', `${study}/images`, `${uid(1)},${uid(2)}`)).body.kind.code).toBe(15)
  expect(await call(member, 'DELETE', `${study}/images`, ' , ')).toMatchObject({
    status: 400,
    body: { kind: { code: 5, readable_status: 'BAD_REQUEST' } },
  })
  expect(await call(member, 'DELETE', `${storage.base}/study/${member.namespace}/1.2.3/images`, 'x')).toMatchObject({
    status: 404,
    body: { kind: { readable_status: 'STUDY_NOT_FOUND' } },
  })
  expect(
    await storage.query(`
      select detail ->> 'images' as images from audit
      where phi_namespace = '${member.namespace}' and action = 'IMAGE_DELETED' order by id`),
  ).toEqual([{ images: '1' }, { images: '2' }])
})

test('a deleted image that is sent again is there again', async () => {
  const member = await storage.addMember(all)
  const { study, studyUid } = await makeStudy(member, [1])
  await call(member, 'DELETE', `${study}/image/${studyUid}.1.1`)
  await makeStudy(member, [1], studyUid)
  expect(await countsOf(member, study)).toMatchObject({ image_count: 1 })
  expect((await call(member, 'GET', `${study}/image/${studyUid}.1.1/version/*/json`)).status).toBe(200)
})

test('with the images of the other patient gone, a study is one patient’s again', async () => {
  const member = await storage.addMember(all)
  const { study, studyUid } = await makeStudy(member, [1])
  const other = { patientName: 'Quite^Other', patientId: 'X9', birthDate: '19441231', sex: 'M' }
  await uploadImage(storage, member, madeImage({ studyUid, number: 9, series: 9, ...other }))
  const mixed = () => storage.query(`select mixed_patients from study where phi_namespace = '${member.namespace}'`)
  expect(await mixed()).toEqual([{ mixed_patients: true }])
  await call(member, 'DELETE', `${study}/image/${studyUid}.9.9`)
  expect(await mixed()).toEqual([{ mixed_patients: false }])
})

test('deleting takes its permissions, and a hold or a freeze stops it', async () => {
  const reader = await storage.addMember(['study_upload', 'study_view'])
  const { study, studyUid } = await makeStudy(reader, [1])
  for (const address of [study, `${study}/image/${studyUid}.1.1`]) {
    expect((await call(reader, 'DELETE', address)).body.kind.readable_status).toBe('ACCESS_DENIED')
  }
  for (const kept of ['hold', 'is_frozen']) {
    const member = await storage.addMember(all)
    const other = await makeStudy(member, [1])
    await storage.query(`update study set ${kept} = true where phi_namespace = '${member.namespace}'`)
    for (const address of [other.study, `${other.study}/image/${other.studyUid}.1.1`]) {
      expect((await call(member, 'DELETE', address)).body.kind).toEqual({ code: 11, readable_status: 'CONFLICT' })
    }
    expect(await countsOf(member, other.study)).toMatchObject({ image_count: 1 })
  }
})
