import { createHash } from 'node:crypto'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { expect, it } from 'vitest'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { receiveImage } from '../ingest/receive-image.command.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)

async function makePlace() {
  const group = await organisation.addGroup()
  const { sid } = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const store = (bytes: Uint8Array) =>
    receiveImage(
      services,
      {
        namespaceUuid: group.namespaceUuid,
        accountUuid: organisation.accountUuid,
        source: 'upload',
        quietSeconds: 90,
      },
      (async function* () {
        yield bytes
      })(),
    )
  const check = async (...instances: object[]) =>
    (await call('study/upload/check', { sid, namespace_id: group.namespaceUuid, instances })).body
  return { group, sid, store, check }
}
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const withName = (studyUid: string, patientName: string, more = {}) =>
  madeImage({ studyUid, number: 1, patientName, ...more })

it('tells the same image by its hash alone, never by its size', async () => {
  const { store, check } = await makePlace()
  const study_uid = newUid()
  const [one, other] = [withName(study_uid, 'AAAA^BB'), withName(study_uid, 'CCCC^DD')]
  expect(other.length).toBe(one.length)
  await store(one)
  const asked = { study_uid, sop_uid: `${study_uid}.1.1`, size: one.length }
  expect(await check(asked)).toMatchObject({ verdicts: ['named'], elsewhere: [] })
  expect(await check({ ...asked, sha256: hash(one).toUpperCase() })).toMatchObject({ verdicts: ['have'] })
  expect(await check({ ...asked, sha256: hash(other) })).toMatchObject({ verdicts: ['conflict'] })
  expect(await check({ ...asked, sop_uid: '1.2' })).toMatchObject({ verdicts: ['missing'] })
  // both are kept, and each is known by its own hash
  expect((await store(other)).outcome).toBe('conflict')
  expect(
    await check({ ...asked, sha256: hash(one) }, { ...asked, sha256: hash(other) }, { ...asked, study_uid: '1.2' }),
  ).toEqual({
    status: 'OK',
    verdicts: ['have', 'have', 'missing'],
    attachment_verdicts: [],
    elsewhere: [{ at: 2, study_uid }],
  })
})

it('tells an attached file by its name and its hash, of the own place alone', async () => {
  const { group, sid } = await makePlace()
  const stranger = await makePlace()
  const { accountUuid } = organisation
  const study = await makeStudy(services.db, { ...group, accountUuid })
  await query(`insert into attachment (phi_namespace, study_uuid, id, version, filename, account_uuid, sha256, length)
    values ('${group.namespaceUuid}', '${study.uuid}', gen_random_uuid(), gen_random_uuid(), 'report.csv',
      '${accountUuid}', sha256('x'), 1)`)
  const named = { study_uid: study.study_uid, filename: 'report.csv' }
  const asked = [
    named,
    { ...named, sha256: hash(Buffer.from('x')).toUpperCase() },
    { ...named, sha256: hash(Buffer.from('y')) },
    { ...named, filename: 'other.csv' },
  ]
  const check = async (who: string, namespaceUuid: string) =>
    (await call('study/upload/check', { sid: who, namespace_id: namespaceUuid, instances: [], attachments: asked }))
      .body.attachment_verdicts
  expect(await check(sid, group.namespaceUuid)).toEqual(['have', 'have', 'missing', 'missing'])
  expect(new Set(await check(stranger.sid, stranger.group.namespaceUuid))).toEqual(new Set(['missing']))
  await query(`update attachment set deleted_at = now() where study_uuid = '${study.uuid}'`)
  expect(new Set(await check(sid, group.namespaceUuid))).toEqual(new Set(['missing']))
})

it('tells sender and readers of a SOP UID that comes again in another study', async () => {
  const { group, sid, store, check } = await makePlace()
  const [first, second] = [newUid(), newUid()]
  const sop_uid = `${first}.1.1`
  const copy = withName(second, 'Made^Up', { more: [{ tag: Tag.SOPInstanceUID, vr: 'UI', value: sop_uid }] })
  await store(withName(first, 'Made^Up'))
  await store(madeImage({ studyUid: first, number: 2 }))
  expect(await check({ study_uid: second, sop_uid })).toMatchObject({
    verdicts: ['missing'],
    elsewhere: [{ at: 0, study_uid: first }],
  })
  await store(copy)
  const records = await query<{ uuid: string; study_uid: string }>(
    `select uuid, study_uid from study where phi_namespace = '${group.namespaceUuid}'`,
  )
  const uuidOf = (uid: string) => records.find((one) => one.study_uid === uid)?.uuid
  const elsewhere = async (uid: string) => (await call('study/elsewhere', { sid, uuid: uuidOf(uid) })).body
  expect(await elsewhere(first)).toMatchObject({ image_count: 1, studies: [{ uuid: uuidOf(second) }] })
  expect(await elsewhere(second)).toMatchObject({ image_count: 1, studies: [{ uuid: uuidOf(first) }] })
  await call('study/delete', { sid, uuid: uuidOf(first) })
  expect(await elsewhere(second)).toEqual({ status: 'OK', image_count: 0, studies: [] })
  expect(await check({ study_uid: second, sop_uid })).toMatchObject({ elsewhere: [] })
  // another namespace is no concern of these
  const { check: checkAway } = await makePlace()
  expect(await checkAway({ study_uid: newUid(), sop_uid })).toMatchObject({ verdicts: ['missing'], elsewhere: [] })
})

it('names who holds a study to who may read it', async () => {
  const { group, store } = await makePlace()
  const studyUid = newUid()
  await store(withName(studyUid, 'Made^Up'))
  const [record] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${studyUid}'`)
  const reader = await organisation.addPerson({ groups: [group] })
  const uploader = await organisation.addPerson({ role: 'Uploader', groups: [group] })
  const holder = await organisation.addPerson({ groups: [group] })
  const lock = async (who: string) => (await call('study/lock', { sid: who, uuid: record?.uuid })).body
  expect((await lock(holder.sid)).status).toBe('OK')
  expect(await lock(reader.sid)).toMatchObject({ error_type: 'LOCKED', error_data: { locked_by_name: holder.name } })
  expect((await lock(uploader.sid)).error_data).toEqual({ locked_by_name: '' })
})
